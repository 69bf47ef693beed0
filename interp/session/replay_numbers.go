package session

import (
	"encoding/json"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/replay"
	"arbiter/interp/view"
	"arbiter/stdlib/journal"
)

// This file puts the numbers of a replay and the rules behind them into tables. Most numbers are the same at every
// blow: each is there once.

// replayTables find what is in the tables of a replay already.
type replayTables struct {
	recorded map[int32]bool // events
	effects  map[int32]int  // by definition
	rules    map[ir.Pos]int
	numbers  map[string]int // by their text
	ground   map[string]int // by contents
	signs    map[rune]bool  // of ground
	rows     map[string]int
	maps     map[string]int
	view     *viewBuilder
}

func newReplayTables() replayTables {
	return replayTables{
		recorded: map[int32]bool{}, effects: map[int32]int{}, rules: map[ir.Pos]int{}, numbers: map[string]int{},
		ground: map[string]int{}, signs: map[rune]bool{}, rows: map[string]int{}, maps: map[string]int{},
	}
}

// numberOf explains a roll.
func (r *recorder) numberOf(e *journal.Event, x *view.Event) *int {
	y := Explanation{Title: x.Text, Parts: []Explained{}}
	why := r.p.m.ExplanationOf(e.ID)
	switch {
	case e.Kind == machine.CheckRolled && why == nil:
		return nil
	case e.Kind == machine.CheckRolled:
		r.p.explainCheck(&y, e, why, UsualDepth)
	case e.C == 0:
		r.p.explainDice(&y, e, UsualDepth)
	default:
		return nil // it is part of a check
	}
	n := r.number(&y)
	return &n
}

// number returns the index of a number.
func (r *recorder) number(x *Explanation) int {
	n := replay.Number{Title: x.Title, Notes: x.Notes, Terms: []replay.Term{}}
	for i := range x.Parts {
		if e := &x.Parts[i]; e.shown() {
			n.Terms = append(n.Terms, r.term(e))
		}
	}
	for i := range x.More {
		n.Of = append(n.Of, r.number(&x.More[i]))
	}
	text, err := json.Marshal(n)
	if err != nil { // never: it is plain data
		panic(err)
	}
	if i, known := r.tables.numbers[string(text)]; known {
		return i
	}
	i := len(r.doc.Numbers)
	r.tables.numbers[string(text)] = i
	r.doc.Numbers = append(r.doc.Numbers, n)
	r.size += len(text)
	return i
}

func (r *recorder) term(e *Explained) replay.Term {
	t := replay.Term{Label: e.Name, Value: e.Value, Type: e.Type, Why: e.Why, Decided: e.Decided, Expr: e.Expr}
	if e.pos.Span.Start.Line > 0 {
		t.Rule = r.rule(e.path, e.Doc, e.Cites, e.pos)
	}
	for i := range e.Of {
		t.Of = append(t.Of, r.number(&e.Of[i]))
	}
	return t
}

// rulePart returns the rule of that number, part the part of the rules.
func (r *recorder) rulePart(rule int32) *int { return r.part(r.p.m.Program().Rules[rule].Part) }

func (r *recorder) part(id int32) *int {
	if id < 0 || int(id) >= len(r.p.checked.Parts) {
		return nil
	}
	x := r.p.checked.Parts[id]
	return r.rule(x.Path, x.Doc, x.Cites, x.Pos)
}

// rule returns the index of a place in the rules; nil if it is nowhere.
func (r *recorder) rule(path, doc string, cites []string, at ir.Pos) *int {
	if at.File < 0 || int(at.File) >= len(r.p.checked.Files) || at.Span.Start.Line <= 0 {
		return nil
	}
	i, known := r.tables.rules[at]
	if !known {
		i = len(r.doc.Rules)
		r.tables.rules[at] = i
		x := replay.Rule{Path: path, File: r.p.checked.Files[at.File], Doc: doc, Cites: cites, Text: r.ruleText(at)}
		x.Line, x.Column = at.Span.Start.Line, at.Span.Start.Column
		x.EndLine, x.EndColumn = at.Span.End.Line, at.Span.End.Column
		r.doc.Rules = append(r.doc.Rules, x)
		r.size += 120 + len(x.Text)
	}
	return &i
}

// The longest text of a rule in a replay, in lines and in bytes.
const (
	maxRuleLines = 16
	maxRuleText  = 1200
)

// ruleText returns what is written at a place in the rules, indented from its first line on.
func (r *recorder) ruleText(at ir.Pos) string {
	src := r.p.script.Rules.Text(r.p.checked.Files[at.File])
	from, to := at.Span.Start.Offset, at.Span.End.Offset
	if from < 0 || to > len(src) || from >= to {
		return ""
	}
	lines := strings.Split(string(src[from:to]), "\n")
	start := strings.LastIndexByte(string(src[:from]), '\n') + 1
	indent := string(src[start:from])
	indent = indent[:len(indent)-len(strings.TrimLeft(indent, " \t"))]
	cut := false
	if len(lines) > maxRuleLines {
		lines, cut = lines[:maxRuleLines], true
	}
	for i := range lines {
		lines[i] = strings.TrimRight(strings.TrimPrefix(lines[i], indent), " \t\r")
	}
	text := strings.Join(lines, "\n")
	if len(text) > maxRuleText {
		text, cut = strings.ToValidUTF8(text[:maxRuleText], ""), true
	}
	if cut {
		text += "\n..."
	}
	return text
}

// effectText returns the parameters of an effect that was gained, in words, as far as the event keeps them.
func (r *recorder) effectText(e *journal.Event) string {
	x := &r.p.m.Program().Effects[e.Code]
	var said []string
	for i, v := range []int64{e.B, e.C, e.D} {
		if int32(i) < x.NParams && v < program.RecordTag && v != program.None && !x.Values[i].Shape.IsAddress() {
			said = append(said, strings.TrimSpace(x.Values[i].Label+" "+r.p.m.Format(x.Values[i].Type, v)))
		}
	}
	return strings.Join(said, " ")
}
