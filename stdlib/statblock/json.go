package statblock

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// This file reads JSON: one object, a list of them, or one after the other, as in JSON lines.

// looksLikeJSON reports whether a text begins like an object, or a list of objects.
func looksLikeJSON(src []byte) bool {
	src = bytes.TrimLeft(src, " \t\r\n\ufeff")
	if bytes.HasPrefix(src, []byte("[")) {
		src = bytes.TrimLeft(src[1:], " \t\r\n")
	}
	if !bytes.HasPrefix(src, []byte("{")) {
		return false
	}
	src = bytes.TrimLeft(src[1:], " \t\r\n")
	return bytes.HasPrefix(src, []byte("\""))
}

// maxDepth is how deep values may be nested.
const maxDepth = 100

var errNoObject = errors.New("this is no object of JSON")

// jsonSheets reads each object as a sheet. A line that is no JSON goes to the rest, and reading goes on behind it.
func jsonSheets(src []byte, v *Vocabulary) (sheets []Sheet, rest []Entry) {
	keys := v.columns()
	line := 1
	first, _, more := bytes.Cut(bytes.TrimLeft(src, " \t\r\n\ufeff"), []byte("\n"))
	byLine := more && json.Valid(first) // JSON lines: what is broken in one does not reach into the next
	for len(src) > 0 && len(sheets) < maxSheets {
		start := len(src) - len(bytes.TrimLeft(src, " \t\r\n,[]"))
		line += bytes.Count(src[:start], []byte("\n"))
		if src = src[start:]; len(src) == 0 {
			break
		}
		part := src
		if byLine {
			part, _, _ = bytes.Cut(src, []byte("\n"))
		}
		d := json.NewDecoder(bytes.NewReader(part))
		d.UseNumber()
		s, err := object(d, src, line, keys)
		end := int(d.InputOffset())
		if err != nil {
			end = bytes.IndexByte(src, '\n') + 1
			if end == 0 {
				end = len(src)
			}
			text := strings.ToValidUTF8(string(src[:min(end, maxEntry)]), "")
			rest = append(rest, Entry{Key: Noise, Text: strings.Join(strings.Fields(text), " "), At: Place{line, 1}})
		} else if blocks, others := within(s, line, keys); len(blocks) > 0 {
			rest = append(rest, others...)
			for _, x := range blocks {
				sheets, rest = sort(sheets, rest, x, v)
			}
		} else {
			sheets, rest = sort(sheets, rest, s, v)
		}
		line += bytes.Count(src[:end], []byte("\n"))
		src = src[end:]
	}
	return sheets, rest
}

// sort adds a sheet to the sheets, or to the rest if it has no member that makes it one.
func sort(sheets []Sheet, rest []Entry, s Sheet, v *Vocabulary) ([]Sheet, []Entry) {
	for _, e := range s.Entries {
		if v.knows(e.Key) && (len(v.Needs) == 0 || slices.Contains(v.Needs, e.Key)) {
			return append(sheets, s), rest
		}
	}
	return sheets, append(rest, s.Entries...)
}

// object reads one object, member by member.
func object(d *json.Decoder, src []byte, line int, keys map[string]string) (Sheet, error) {
	var s Sheet
	t, err := d.Token()
	if err != nil {
		return s, err
	}
	if t != json.Delim('{') {
		return s, errNoObject
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return s, err
		}
		before := d.InputOffset()
		var value any
		if err := d.Decode(&value); err != nil {
			return s, err
		}
		s.Entries = append(s.Entries, member(fmt.Sprint(name), value, line+bytes.Count(src[:before], []byte("\n")), keys))
	}
	if _, err := d.Token(); err != nil && err != io.EOF {
		return s, err
	}
	return s, nil
}

// objectSheet is object for a value.
func objectSheet(x map[string]any, line int, keys map[string]string) Sheet {
	var s Sheet
	for _, name := range slices.Sorted(maps.Keys(x)) {
		s.Entries = append(s.Entries, member(name, x[name], line, keys))
	}
	return s
}

func oneWord(name string) string { return strings.Join(strings.Fields(name), " ") }

func isString(v any) bool {
	_, ok := v.(string)
	return ok
}

// Flat writes a value as words: members in order of their names, nothing as a dash.
func Flat(v any) string {
	var b strings.Builder
	flat(&b, v, 0)
	return strings.Join(strings.Fields(b.String()), " ")
}

func flat(b *strings.Builder, v any, depth int) {
	switch x := v.(type) {
	case nil:
		b.WriteString("—")
	case string:
		b.WriteString(x)
	case bool:
		b.WriteString(map[bool]string{true: "yes", false: "no"}[x])
	case []any:
		for i, e := range x {
			if depth >= maxDepth {
				return
			}
			if i > 0 {
				b.WriteString(", ")
			}
			flat(b, e, depth+1)
		}
	case map[string]any:
		for i, name := range slices.Sorted(maps.Keys(x)) {
			if depth >= maxDepth {
				return
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(name + " ")
			flat(b, x[name], depth+1)
		}
	default:
		fmt.Fprint(b, x)
	}
}
