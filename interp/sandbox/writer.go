package sandbox

import (
	"errors"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// writer writes values like str and repr, and limits and charges for the output. Nested lists that each contain another
// one twice have output of exponential size.
type writer struct {
	strings.Builder
	m        *meter
	maxBytes int // bytes to write
	maxNodes int // values to visit
	nodes    int
	err      error
	path     []starlark.Value // stack of the lists and dicts being written
}

// repr returns the text of a value in Starlark syntax.
func (m *meter) repr(v starlark.Value) (string, error) {
	w := m.writer()
	w.value(v, 0)
	return w.done()
}

// writer returns a writer limited to what the call can still use.
func (m *meter) writer() *writer {
	left := m.remaining()
	return &writer{m: m, maxBytes: int(min(64*int64(left), (m.limits.Bytes-m.bytes)/2)), maxNodes: left}
}

// str is repr, except that it returns a string unchanged.
func (m *meter) str(v starlark.Value) (string, error) {
	if s, ok := v.(starlark.String); ok {
		return string(s), nil
	}
	return m.repr(v)
}

// brief returns at most 40 bytes of the text of a value, for a message.
func (m *meter) brief(v starlark.Value) string {
	w := &writer{m: m, maxBytes: 40, maxNodes: 40}
	w.value(v, 0)
	s := strings.ToValidUTF8(w.String()[:min(w.Len(), 40)], "")
	if w.err != nil {
		s += "..."
	}
	return s
}

func (w *writer) done() (string, error) {
	switch {
	case w.err == errTooLong && w.nodes > w.maxNodes:
		w.err = w.m.end(Steps)
	case w.err == errTooLong:
		w.err = w.m.end(Memory)
	case w.err == nil:
		w.err = w.m.charge(stringBytes+2*int64(w.Len()), uint64(w.nodes)+uint64(w.Len())/64)
	}
	return w.String(), w.err
}

func (w *writer) text(s string) {
	if w.err == nil && len(s) > w.maxBytes-w.Len() {
		w.err = errTooLong
	}
	if w.err == nil {
		w.WriteString(s)
	}
}

// errTooLong ends writing; done returns the error for the limit.
var errTooLong = errors.New("too long")

func (w *writer) value(v starlark.Value, depth int) {
	w.nodes++
	switch {
	case w.err != nil:
	case depth > maxValueDepth:
		w.err = errTooDeep
	case w.nodes > w.maxNodes:
		w.err = errTooLong
	}
	if w.err != nil {
		return
	}
	switch v := v.(type) {
	case starlark.String:
		if len(v) > w.maxBytes-w.Len() { // before it is quoted
			w.text(string(v))
			return
		}
		w.text(syntax.Quote(string(v), false))
	case *starlark.List:
		w.text("[")
		if w.isWriting(v) {
			w.text("...") // it contains itself
		} else {
			w.path = append(w.path, v)
			for i := 0; i < v.Len() && w.err == nil; i++ {
				w.comma(i)
				w.value(v.Index(i), depth+1)
			}
			w.path = w.path[:len(w.path)-1]
		}
		w.text("]")
	case starlark.Tuple:
		w.text("(")
		for i := 0; i < len(v) && w.err == nil; i++ {
			w.comma(i)
			w.value(v[i], depth+1)
		}
		if len(v) == 1 {
			w.text(",")
		}
		w.text(")")
	case *starlark.Dict:
		w.text("{")
		if w.isWriting(v) {
			w.text("...")
		} else {
			w.path = append(w.path, v)
			i := 0
			for k, e := range v.Entries() {
				if w.err != nil {
					break
				}
				w.comma(i)
				i++
				w.value(k, depth+1)
				w.text(": ")
				w.value(e, depth+1)
			}
			w.path = w.path[:len(w.path)-1]
		}
		w.text("}")
	default:
		w.text(v.String())
	}
}

func (w *writer) comma(i int) {
	if i > 0 {
		w.text(", ")
	}
}

func (w *writer) isWriting(v starlark.Value) bool {
	return slices.Contains(w.path, v)
}
