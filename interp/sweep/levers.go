package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file lists what of a script can be varied by itself, with the values that are sensible to try.

// A Lever is something that can be varied: a field of a template that takes part, how many there are of it, or an option.
type Lever struct {
	Name   string
	Kind   LeverKind
	Now    string   // the value as written
	Lower  []string // values below it, the nearest first; none for what is no number
	Higher []string // values above it, the nearest first; of yes or no the other one
	From   string   // of an option: the ruleset that declares it, "" for the script
}

// LeverKind is what a lever is.
type LeverKind uint8

const (
	FieldLever LeverKind = iota
	CountLever
	OptionLever
)

// Text is the sweep that tries some values of the lever.
func (l *Lever) Text(values ...string) string { return l.Name + " = " + strings.Join(values, ", ") }

// Steps of a lever: how many to each side, and into how many parts a number is divided for one.
const (
	leverSteps = 10
	leverParts = 20
)

// Levers lists the levers of a script: numbers of the templates of its members, how many there are of each on one side, and the options of its
// rules that are a number or yes or no.
func Levers(s *build.Script) (list []Lever) {
	var templates []string
	sides := map[string]map[string]bool{} // by template: those on which it is
	for _, cl := range s.File.Body {
		if side, ok := cl.(*ast.Side); ok {
			for m := range ast.Members(side) {
				if sides[m.Template.Name] == nil {
					sides[m.Template.Name] = map[string]bool{}
				}
				sides[m.Template.Name][side.Name.Name] = true
				if !slices.Contains(templates, m.Template.Name) {
					templates = append(templates, m.Template.Name)
				}
			}
		}
	}
	fields := s.Rules.Checked.Kinds[0].Fields
	isNumber := func(name string) bool {
		return slices.ContainsFunc(fields, func(f *ir.FieldDef) bool { return f.Name == name && f.Type.Kind == ir.Number })
	}
	var options []Lever
	for _, d := range s.Rules.Set().Defs {
		switch n := d.Node.(type) {
		case *ast.Template:
			if !slices.Contains(templates, d.Name) || n.Body == nil {
				break
			}
			for _, cl := range n.Body.Clauses {
				p, ok := cl.(*ast.Property)
				if !ok || len(p.Values) != 1 || !isNumber(p.Name.Name) {
					continue
				}
				if v, ok := numberOf(p.Values[0]); ok {
					who := d.Name
					if g := build.Group(s.File, d.Name); len(g) == 1 { // the rules stay the same then, which is quicker
						if g[0].Body != nil && slices.ContainsFunc(g[0].Body.Clauses, states(p.Name.Name)) {
							continue
						}
						who = g[0].Name.Name
					}
					list = append(list, numberLever(who+"."+p.Name.Name, FieldLever, v, min(0, v)))
				}
			}
		case *ast.Option:
			from := d.Origin.Root().Ruleset
			if v, ok := numberOf(n.Value); ok {
				l := numberLever("option "+d.Name, OptionLever, v, min(0, v))
				l.From = from
				options = append(options, l)
			} else if w, ok := n.Value.(*ast.Literal); ok && (w.Word == "yes" || w.Word == "no") {
				other := map[string]string{"yes": "no", "no": "yes"}[w.Word]
				options = append(options, Lever{Name: "option " + d.Name, Kind: OptionLever, Now: w.Word, Higher: []string{other}, From: from})
			}
		}
	}
	for _, name := range templates {
		if len(sides[name]) > 1 { // fewer of them could leave a side empty
			continue
		}
		list = append(list, numberLever(name+"."+count, CountLever, int64(len(build.Group(s.File, name))), 1))
	}
	return append(list, options...)
}

// states returns a function that reports whether a clause gives a field a value.
func states(field string) func(ast.Clause) bool {
	return func(cl ast.Clause) bool {
		p, ok := cl.(*ast.Property)
		return ok && p.Name.Name == field
	}
}

// numberOf returns a number without a unit.
func numberOf(e ast.Expr) (int64, bool) {
	switch n := e.(type) {
	case *ast.Number:
		return n.Value, n.Unit.Name == ""
	case *ast.Unary:
		if v, ok := numberOf(n.X); ok && n.Op.Name == "-" {
			return -v, true
		}
	}
	return 0, false
}

// numberLever is a number with steps to both sides, down to the least.
func numberLever(name string, kind LeverKind, now, least int64) Lever {
	l := Lever{Name: name, Kind: kind, Now: strconv.FormatInt(now, 10)}
	step := max(1, (max(now, -now)+leverParts/2)/leverParts)
	for i := int64(1); i <= leverSteps; i++ {
		if v := now - i*step; v >= least {
			l.Lower = append(l.Lower, fmt.Sprint(v))
		}
		l.Higher = append(l.Higher, fmt.Sprint(now+i*step))
	}
	return l
}

// Size is how much a change to a value changes a lever: the part of its value, or of ten if that is more. What is no
// number changes wholly.
func (l *Lever) Size(value string) float64 {
	now, err := strconv.ParseFloat(l.Now, 64)
	then, other := strconv.ParseFloat(value, 64)
	if err != nil || other != nil {
		return 1
	}
	return max(then-now, now-then) / max(now, -now, 10)
}
