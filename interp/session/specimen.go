package session

import (
	"fmt"
	"slices"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/interp/view"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// Specimen is a newly made creature on its own, of which anything can be asked.
type Specimen struct {
	Oracle
	Doc   string
	Chain []string // the templates that it is made of, from its own to the most general
	From  string   // the ruleset that declares it
}

// NewSpecimen makes a creature of a template. The expressions that are asked of it may use its fields and stats by their
// names, and the word self.
func NewSpecimen(r *build.Rules, creature string) (*Specimen, error) {
	t, known := r.Checked.Lookup(creature).(*ir.Template)
	if !known || t.Kind == nil || t.Kind.Name != "creature" {
		return nil, fmt.Errorf("%s is no creature", creature)
	}
	p := newPlayer(&build.Script{File: &ast.File{}, Rules: r}, Options{})
	p.sides = []string{creature}
	name := ast.Ident{Name: creature}
	p.placeMember(&ast.Member{Template: name, Name: name}, 0, nil)
	if p.stopped {
		why := "the creature cannot be made"
		if n := len(p.result.Failures); n > 0 {
			why = p.result.Failures[n-1].Message
		}
		return nil, fmt.Errorf("%s: %s", creature, why)
	}
	p.names.SetSelf(0)
	s := &Specimen{Oracle: Oracle{p: p, answers: map[string]answered{}}}
	if t.Part != nil {
		s.Doc, s.From = t.Part.Doc, t.Part.From
	}
	s.Chain = chainOf(t)
	return s, nil
}

func chainOf(t *ir.Template) (names []string) {
	for ; t != nil; t = t.Extends {
		names = append(names, t.Name)
	}
	return names
}

// Parts returns the parts of a number, those that count. ok is false if the expression cannot be explained.
func (s *Specimen) Parts(expr string) (parts []Explained, ok bool) {
	e, diags := parse.Expression(Question, expr)
	if len(diags) > 0 {
		return nil, false
	}
	p := s.p
	script, names := p.script, p.names
	p.script = &build.Script{Path: Question, File: script.File, Head: script.Head, Rules: script.Rules}
	p.names = p.names.WithFile(Question)
	x, diags := p.explainExpr(e, 0)
	p.script, p.names = script, names
	if len(diags) > 0 {
		return nil, false
	}
	for _, part := range x.Parts {
		if part.Counted {
			parts = append(parts, part)
		}
	}
	return parts, true
}

// Trait is an effect that a creature has from the start.
type Trait struct {
	Name, Word, Doc string
	With            []view.Named // its parameters in words, by their labels; those that are none are left out
}

// Traits lists the effects that it has by itself, in the order in which they were gained. What other effects include is
// not listed, nor what everyone has.
func (s *Specimen) Traits() (list []Trait) {
	k := s.p.viewBuilder()
	pr := s.p.m.Program()
	effects := s.p.m.State().Effects.OfBearer(0)
	for i := range effects {
		x := &effects[i]
		e := &pr.Effects[x.Def]
		if e.Internal || e.Word == "everyone" || e.While != program.NoChunk {
			continue
		}
		if by, _ := k.includer(x); by != nil {
			continue
		}
		list = append(list, Trait{e.Name, e.Word, pr.Parts[e.Part].Doc, k.parameters(x)})
	}
	return list
}

// Creatures lists the creatures that a ruleset declares in its own files, sorted by name.
func Creatures(r *build.Rules, ruleset string) (names []string) {
	for _, t := range r.Checked.Templates {
		if t.Kind != nil && t.Kind.Name == "creature" && t.Part != nil && t.Part.From == ruleset {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	return names
}
