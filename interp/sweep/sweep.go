// Package sweep parses what is to be tried with several values: an option of the rules, anything else that a script can
// override with a value, a field of a combatant, how much it has of a resource at first, how many there are, what they are
// made from or what they follow.
//
//	option massive-damage-threshold = 20..50 by 10
//	attack-bonus.flanking = 0, 2, 4
//	Alia.main-weapon = dagger, longsword, greatsword
//	Alia.hit-points = 5..25
//	goblins.count = 1..12
//	Alia.template = fencer, brute
//	goblins.tactics = default, best of 50
//
// For each value, it provides the clause that gives a script this value. It must never know what is done with the
// script.
package sweep

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/lang/words"
)

// MostValues is the limit on the values of one sweep.
const MostValues = 100

// Sweep is what is varied, and its values.
type Sweep struct {
	File   string  // the name under which diagnostics show the text
	Text   string  // as given
	Name   string  // what is varied, e.g. Alia.main-weapon
	Values []Value // at least one

	option bool   // the word `option` precedes the name
	at     int    // byte offset of the name in the text
	equals int    // byte offset of the equals sign
	member string // the name up to its first dot, and the rest
	field  string
	fields bool   // it is a field of a member; set by Check
	counts bool   // it is the number of members of a side or of a template; set by Check
	role   string // Template or Tactics, if it is one of these; set by Check

	line, column int // where it stands in a plan
}

// count is the field that stands for how many members a side has, or how many there are of a template.
const count = "count"

// Template and Tactics are the fields that stand for what a member, a side, or all of a template are made from, and what
// they follow.
const (
	Template = "template"
	Tactics  = "tactics"
)

// Value is one of the values.
type Value struct {
	Text string
	at   int // byte offset in the text, of the value or of the range that it belongs to
}

// Parse parses a sweep. Diagnostics have positions in the text.
func Parse(file, text string) (*Sweep, diag.List) {
	s := &Sweep{File: file, Text: text}
	if strings.ContainsAny(text, "\n\r#\"") {
		return nil, s.wrong(0, len(text), "a sweep is a single line, without strings or comments", form)
	}
	if s.equals = strings.IndexByte(text, '='); s.equals < 0 {
		return nil, s.wrong(0, len(text), "the values to try are missing", form)
	}
	head := text[:s.equals]
	s.at = len(head) - len(strings.TrimLeft(head, " \t"))
	if rest, ok := strings.CutPrefix(head[s.at:], "option "); ok {
		s.option = true
		s.at = len(head) - len(strings.TrimLeft(rest, " \t"))
	}
	if s.Name = strings.TrimSpace(head[s.at:]); s.Name == "" {
		return nil, s.wrong(0, s.equals, "the name of what to vary is missing", form)
	}
	s.member, s.field, _ = strings.Cut(s.Name, ".")
	list, diags := s.values(s.equals + 1)
	if s.Values = list; diags != nil {
		return nil, diags
	}
	return s, nil
}

// form describes the syntax of a sweep.
const form = "the form is: [option] NAME = 1..9 by 2, or NAME = a, b, c"

// wrong reports a mistake between two offsets of the text.
func (s *Sweep) wrong(from, to int, message, hint string) diag.List {
	return diag.List{{File: s.File, Span: span(from, max(to, from+1)), Severity: diag.Error, Code: "wrong-sweep", Message: message, Hint: hint}}
}

func span(from, to int) ast.Span {
	return ast.Span{Start: ast.Pos{Line: 1, Column: from + 1, Offset: from}, End: ast.Pos{Line: 1, Column: to + 1, Offset: to}}
}

// Check checks the names and values against a script that has been built. What it cannot check is reported when a
// script is built with the value. Check must be called before Amendment.
func (s *Sweep) Check(script *build.Script) diag.List {
	here := func(message, hint string) diag.List {
		return s.wrong(s.at, s.at+len(s.Name), message, hint)
	}
	names := script.Rules.Checked
	option, isOption := names.Lookup(s.Name).(*ir.Option)
	members := build.Creatures(script.File)
	_, isMember := members[s.member]
	s.fields = isMember && s.field != "" && !s.option
	group := build.Group(script.File, s.member)
	declared := slices.ContainsFunc(names.Kinds[0].Fields, func(f *ir.FieldDef) bool { return f.Name == s.field })
	if together := build.Together(script.File, s.member); (s.field == Template || s.field == Tactics) && len(together) > 0 && !declared && !s.option {
		s.role = s.field
		return s.checkRole(script)
	}
	if s.counts = s.field == count && len(group) > 0 && !declared && !s.option; s.counts {
		return s.checkCounts(script, len(group))
	}
	switch {
	case s.option && !isOption:
		var all []string
		for _, o := range names.Ruleset.Options {
			all = append(all, o.Name)
		}
		return here("there is no option called "+s.Name, nearest(s.Name, all, "without the word `option` other parts of the rules can be varied; `arbiter rules list --kind option` lists the options"))
	case s.field != "" && !s.fields && names.Lookup(s.member) == nil:
		// Unless a combatant is meant, the linker of the rules gives the better diagnostics.
		if hint := nearest(s.member, slices.Sorted(maps.Keys(members)), ""); hint != "" {
			return here("there is nothing named "+s.member, hint)
		}
	}
	for i := range s.Values {
		a, diags := s.Amendment(i)
		if len(diags) > 0 {
			return diags
		}
		switch cl := a.File.Body[0].(type) {
		case *ast.Change:
			if isOption {
				_, _, diags = names.NewScript(s.File).Expr(cl.Value, option.Type)
			}
		case *ast.Property:
			m := *build.MemberOf(script.File, s.member)
			m.Body = &ast.Block{Clauses: a.File.Body}
			_, diags = names.NewScript(s.File).Member(&m)
			if len(diags) > 0 && diags[0].Code == "unknown-field" {
				if _, computed := names.Lookup(s.field).(*ir.Stat); computed {
					diags[0].Hint = "it is computed by the rules; a field in the braces after " + s.member + " can be varied, or a part of the rule itself: " + s.field + ".PART"
				}
			}
		}
		if len(diags) > 0 {
			return s.Place(diags)
		}
	}
	return nil
}

// checkCounts checks the values of a number of members.
func (s *Sweep) checkCounts(script *build.Script, now int) diag.List {
	if script.Story != nil {
		return s.wrong(s.at, s.at+len(s.Name), "an adventure is played with those that it names", "vary the number in an encounter")
	}
	for _, v := range s.Values {
		n, err := strconv.Atoi(v.Text)
		if err != nil || n < 0 || n > machine.MaxCreatures {
			return s.wrong(v.at, v.at+len(v.Text), v.Text+" is not a number of creatures", fmt.Sprintf("write whole numbers from 0 to %d: %s = 1..%d", machine.MaxCreatures, s.Name, 2*now))
		}
	}
	return nil
}

// Ascends reports whether the values are numbers, each above the one before it.
func (s *Sweep) Ascends() bool {
	last := math.Inf(-1)
	for _, v := range s.Values {
		first, _, _ := strings.Cut(strings.TrimSuffix(v.Text, "%"), " ")
		n, err := strconv.ParseFloat(first, 64)
		if err != nil || n <= last {
			return false
		}
		last = n
	}
	return true
}

func nearest(name string, all []string, otherwise string) string {
	if n := words.Nearest(name, all); n != "" {
		return "did you mean `" + n + "`?"
	}
	return otherwise
}

// Amendment returns the amendment that gives a script the nth value. Check must have been called.
func (s *Sweep) Amendment(n int) (build.Amendment, diag.List) {
	v := s.Values[n]
	if s.role != "" {
		return s.roleAmendment(&v)
	}
	if s.counts {
		count, err := strconv.Atoi(v.Text)
		if err != nil {
			return build.Amendment{}, s.wrong(v.at, v.at+len(v.Text), v.Text+" is not a number of creatures", form)
		}
		return build.Amendment{Group: s.member, Count: count}, nil
	}
	// The line is the text with everything blanked but the name and the value, so that both keep their columns.
	line := []byte(strings.Repeat(" ", v.at))
	a := build.Amendment{File: &ast.File{Path: s.File}}
	head, tail := `encounter "a sweep" with nothing`+"\n"+change, "\n"
	if s.fields {
		a.Member = s.member
		copy(line[s.at+len(s.member)+1:], s.field)
		line[s.equals] = ':'
		head, tail = `encounter "a sweep" with nothing`+"\ncreature swept {\n", "\n}\n"
	} else {
		copy(line[s.at:], s.Name)
		line[s.equals] = '='
	}
	f, diags := parse.File(s.File, []byte(head+string(line)+v.Text+tail))
	if len(diags) > 0 {
		for i := range diags {
			diags[i].Hint = form // instead of the hint for the generated clause
		}
		return a, s.Place(diags)
	}
	if len(f.Body) == 2 {
		switch n := f.Body[1].(type) {
		case *ast.Change:
			if n.Value != nil {
				a.File.Body = append(a.File.Body, n)
			}
		case *ast.Template:
			if n.Body != nil {
				a.File.Body = n.Body.Clauses
			}
		}
	}
	if len(a.File.Body) != 1 {
		return a, s.wrong(v.at, v.at+len(v.Text), v.Text+" is not a single value", form)
	}
	return a, nil
}

// change precedes the line of an override.
const change = "override "

// Place maps the positions in diagnostics of an amendment back to the text.
func (s *Sweep) Place(diags diag.List) diag.List {
	move := func(p *ast.Pos) {
		if !s.fields && s.role == "" {
			p.Column -= len(change)
		}
		p.Column = min(max(1, p.Column), len(s.Text)+1)
		p.Line, p.Offset = 1, p.Column-1
	}
	for i := range diags {
		d := &diags[i]
		if d.File == s.File {
			move(&d.Span.Start)
			move(&d.Span.End)
		}
		for k := range d.Related {
			if d.Related[k].File == s.File {
				move(&d.Related[k].Span.Start)
				move(&d.Related[k].Span.End)
			}
		}
	}
	return diags
}
