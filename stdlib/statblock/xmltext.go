package statblock

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// This file reads XML whose elements hold blocks as text, line by line.

// hasElement reports whether a text is XML with one of the elements in it.
func hasElement(src []byte, names []string) bool {
	src = bytes.TrimLeft(src, " \t\r\n\ufeff")
	if !bytes.HasPrefix(src, []byte("<")) {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool {
		i := bytes.Index(src, []byte("<"+name))
		return i >= 0 && i+1+len(name) < len(src) && strings.IndexByte(" \t\r\n>/", src[i+1+len(name)]) >= 0
	})
}

// maxOthers is how many names of other elements are told.
const maxOthers = 8

// xmlTexts returns the lines of the text in those elements, with an empty line between two of them. Of all other elements,
// the rest says how many there are.
func xmlTexts(src []byte, names []string) (lines []Line, rest []Entry) {
	d := xml.NewDecoder(bytes.NewReader(src))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	inside := 0 // depth within an element that holds text
	others := 0
	var kinds []string
	for {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err != nil {
			if err != io.EOF {
				rest = append(rest, brokenXML(err, line))
			}
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch {
			case inside > 0 || slices.Contains(names, t.Name.Local):
				inside++
			default:
				others++
				if !slices.Contains(kinds, t.Name.Local) && len(kinds) < maxOthers {
					kinds = append(kinds, t.Name.Local)
				}
			}
		case xml.EndElement:
			inside = max(0, inside-1)
		case xml.CharData:
			if inside == 0 {
				continue
			}
			text, err := Clean(t)
			if err != nil {
				continue // it is a part of what has been measured already
			}
			for i := range text {
				for k := range text[i].at {
					text[i].at[k].Line += line - 1
				}
			}
			lines = append(append(lines, text...), Line{})
		}
	}
	if others > 0 {
		rest = append(rest, Entry{Key: Noise, Text: fmt.Sprintf("%d elements without a block: %s", others, strings.Join(kinds, ", ")), At: Place{1, 1}})
	}
	return lines, rest
}
