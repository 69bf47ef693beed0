package statblock

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"
)

// This file reads XML: each element that the vocabulary calls a record is a sheet.

// element is an element of XML while it is read.
type element struct {
	name  string
	value map[string]any // attributes and children; what occurs more than once is a list
	text  strings.Builder
	line  int
	order []child // the children of a record, in order
}

// child is a child of a record.
type child struct {
	name  string
	value any
	line  int
}

// brokenXML tells why what follows a line was not read. The error can quote bytes that are no text.
func brokenXML(err error, line int) Entry {
	return Entry{Key: Noise, Text: "the XML breaks off: " + strings.ToValidUTF8(err.Error(), "\uFFFD"), At: Place{line, 1}}
}

// xmlSheets reads the records. What is broken ends the reading.
func xmlSheets(src []byte, v *Vocabulary) (sheets []Sheet, rest []Entry) {
	keys := v.columns()
	d := xml.NewDecoder(bytes.NewReader(src))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var open []*element
	var records []int // the indices of the open records: one may lie in another, such as a companion
	for len(sheets) < maxSheets {
		t, err := d.Token()
		if err != nil {
			if err != io.EOF {
				rest = append(rest, brokenXML(err, 1))
			}
			break
		}
		line, _ := d.InputPos()
		switch t := t.(type) {
		case xml.StartElement:
			if len(open) >= maxDepth {
				rest = append(rest, Entry{Key: Noise, Text: "the XML is nested too deep", At: Place{line, 1}})
				return sheets, rest
			}
			e := &element{name: t.Name.Local, value: map[string]any{}, line: line}
			for _, a := range t.Attr {
				e.value[a.Name.Local] = a.Value
			}
			if slices.Contains(v.Records, e.name) {
				records = append(records, len(open))
				for _, a := range t.Attr {
					e.order = append(e.order, child{a.Name.Local, a.Value, line})
				}
			}
			open = append(open, e)
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text.Write(t)
			}
		case xml.EndElement:
			if len(open) == 0 {
				continue
			}
			e := open[len(open)-1]
			open = open[:len(open)-1]
			if n := len(records); n > 0 && len(open) == records[n-1] {
				records = records[:n-1]
				sheets = append(sheets, e.sheet(keys))
				continue
			}
			if n := len(records); len(open) > 0 && n > 0 {
				open[len(open)-1].adopt(e, len(open)-1 == records[n-1])
			}
		}
	}
	for len(records) > 0 { // it broke off in the middle of a record
		record := records[len(records)-1]
		records = records[:len(records)-1]
		for ; len(open) > record+1; open = open[:len(open)-1] {
			i := len(open) - 1
			open[i-1].adopt(open[i], i-1 == record)
		}
		sheets = append(sheets, open[record].sheet(keys))
		open = open[:record]
	}
	return sheets, rest
}

// adopt adds a child.
func (e *element) adopt(inner *element, ordered bool) {
	value := inner.content()
	if ordered {
		e.order = append(e.order, child{inner.name, value, inner.line})
	}
	switch have := e.value[inner.name].(type) {
	case nil:
		e.value[inner.name] = value
	case []any:
		e.value[inner.name] = append(have, value)
	default:
		e.value[inner.name] = []any{have, value}
	}
}

// content is the value of an element: its text if it has nothing else.
func (e *element) content() any {
	text := strings.Join(strings.Fields(cleanCell(e.text.String())), " ")
	if len(e.value) == 0 {
		return text
	}
	if text != "" {
		e.value["text"] = text
	}
	return e.value
}

func (e *element) sheet(keys map[string]string) Sheet {
	var s Sheet
	for _, m := range e.order {
		s.Entries = append(s.Entries, member(m.name, m.value, m.line, keys))
	}
	if text := strings.Join(strings.Fields(cleanCell(e.text.String())), " "); text != "" {
		s.Entries = append(s.Entries, Entry{Key: Prose, Text: text, At: Place{e.line, 1}})
	}
	return s
}
