package session

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/check"
	"arbiter/interp/link"
	"arbiter/lang/ast"
)

// This file holds what a script prescribes in advance: faces of dice and answers to choices.

// queue holds scripted values: those named for one roll, and those that come in order.
type queue struct {
	what      string // "dice" or "answer"
	named     []scriptedValue
	ordered   []scriptedValue
	strict    bool     // something was scripted, so everything must be
	requested []string // what was asked for, without duplicates, as a script names it: Alia strike.to-hit
}

// scriptedValue is one value and its position.
type scriptedValue struct {
	who, path string // "" for any
	value     scriptValue
	span      ast.Span
}

// scriptValue is a number (a face) or a word: yes, no, a name or a text.
type scriptValue struct {
	number int64
	isNum  bool
	text   string
}

func (a scriptValue) String() string {
	if a.isNum {
		return fmt.Sprint(a.number)
	}
	return a.text
}

// add takes a `dice` or `answer` line.
func (q *queue) add(n *ast.Scripted) error {
	q.strict = true
	for _, v := range n.Values {
		a, err := scriptValueOf(v)
		if err != nil {
			return err
		}
		s := scriptedValue{value: a, span: v.Extent()}
		if n.Who != nil {
			s.who = n.Who.Name
		}
		if n.Path != nil {
			s.path = link.PathText(n.Path)
			q.named = append(q.named, s)
			continue
		}
		q.ordered = append(q.ordered, s)
	}
	return nil
}

func scriptValueOf(e ast.Expr) (scriptValue, error) {
	switch n := e.(type) {
	case *ast.Number:
		return scriptValue{number: n.Value, isNum: true}, nil
	case *ast.Literal:
		return scriptValue{text: n.Word}, nil
	case *ast.Name:
		return scriptValue{text: n.Name}, nil
	case *ast.String:
		return scriptValue{text: n.Value}, nil
	case *ast.Paren:
		return scriptValueOf(n.X)
	case *ast.Tuple:
		if text, ok := writtenSquare(n); ok {
			return scriptValue{text: text}, nil
		}
	}
	return scriptValue{}, fmt.Errorf("a scripted value must be a number, yes, no, a name, a text or a square")
}

// writtenSquare returns a square of whole numbers as choices name it: (5, 3).
func writtenSquare(n *ast.Tuple) (string, bool) {
	var list []string
	for _, item := range n.Items {
		sign := ""
		if u, ok := item.(*ast.Unary); ok && u.Op.Name == "-" {
			sign, item = "-", u.X
		}
		x, ok := item.(*ast.Number)
		if !ok || x.Unit.Name != "" {
			return "", false
		}
		list = append(list, sign+fmt.Sprint(x.Value))
	}
	if len(list) == 3 && list[2] == "0" { // as on a flat map
		list = list[:2]
	}
	return "(" + strings.Join(list, ", ") + ")", true
}

// sameChoice reports whether a scripted text names a choice, whatever the spaces in the coordinates of a square.
func sameChoice(option, text string) bool {
	if strings.HasPrefix(text, "(") {
		option, text = strings.ReplaceAll(option, " ", ""), strings.ReplaceAll(text, " ", "")
	}
	return strings.EqualFold(option, text)
}

// take returns the value for a roll or choice: the one named for it, or else the next in order.
func (q *queue) take(who, path string) (scriptedValue, bool) {
	if name := who + " " + path; !slices.Contains(q.requested, name) {
		q.requested = append(q.requested, name)
	}
	for i, s := range q.named {
		if s.path == path && (s.who == "" || s.who == who) {
			q.named = append(q.named[:i:i], q.named[i+1:]...)
			return s, true
		}
	}
	if len(q.ordered) > 0 {
		s := q.ordered[0]
		q.ordered = q.ordered[1:]
		return s, true
	}
	return scriptedValue{}, false
}

// maxNames is how many names a hint lists.
const maxNames = 8

// hint says what is wrong with the label of a left-over value, and lists what was asked for, as a script would
// name it.
func (q *queue) hint(rules *check.Checked) string {
	names, unknown := q.requested, ""
	if len(q.named) > 0 {
		if unknown = rules.UnknownLabel(q.named[0].path, q.what == "dice"); unknown != "" {
			unknown += "; "
		}
	}
	if len(names) == 0 {
		return unknown + "no question was asked"
	}
	more := ""
	if len(names) > maxNames {
		names, more = names[:maxNames], ", ..."
	}
	return unknown + "the questions were: " + strings.Join(names, ", ") + more
}

// leftover returns the values that were not asked for.
func (q *queue) leftover() (string, ast.Span, bool) {
	all := append(append([]scriptedValue{}, q.named...), q.ordered...)
	if len(all) == 0 {
		return "", ast.Span{}, false
	}
	var words []string
	for _, s := range all {
		w := s.value.String()
		if s.path != "" {
			w = strings.TrimSpace(s.who+" "+s.path) + ": " + w
		}
		words = append(words, w)
	}
	return strings.Join(words, ", "), all[0].span, true
}

// queueMark is a state of a queue. Resetting to it makes values available again that were taken since.
type queueMark struct{ named, ordered []scriptedValue }

func (q *queue) mark() queueMark   { return queueMark{append([]scriptedValue{}, q.named...), q.ordered} }
func (q *queue) reset(m queueMark) { q.named, q.ordered = m.named, m.ordered }
