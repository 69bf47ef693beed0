package lint

import (
	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/stdlib/pattern"
)

// This file counts who reads which names. Names are compared as they are written: one that is declared twice, in
// different places, counts as read if either is. So what is called unused is mentioned nowhere.

// project is all that one run knows.
type project struct {
	files []*file
	reads map[string]int             // by name: how often it is read anywhere
	rules map[string][]*file         // by ruleset: its files
	known map[string]map[string]bool // by name: what is changed at it (see changedBy)
}

func newProject(in *Input) *project {
	p := &project{reads: map[string]int{}, rules: map[string][]*file{}, known: map[string]map[string]bool{}}
	for _, s := range ir.CoreSignatures { // the core asks for them
		p.reads[s.Name]++
	}
	for i := range in.Files {
		f := newFile(&in.Files[i])
		p.files = append(p.files, f)
		p.learn(f)
		if name := f.ruleset(); name != "" {
			p.rules[name] = append(p.rules[name], f)
		}
	}
	for i := range in.Around {
		p.learn(newFile(&in.Around[i]))
	}
	for _, text := range in.Foreign {
		p.mention(text)
	}
	return p
}

// word is a name of the language.
var word = pattern.New(`[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*`)

// shown is what a text shows of a value.
var shown = pattern.New(`\{[^{}]*\}`)

// learn counts what a file reads.
func (p *project) learn(f *file) {
	for _, id := range each[ast.Ident](f) {
		if !f.declares[id] {
			p.reads[id.Name]++
		}
	}
	for _, t := range each[ast.Text](f) {
		for _, part := range shown().FindAllString(t.Value, -1) {
			p.mention([]byte(part))
		}
	}
	for _, n := range each[ast.Change](f) {
		if parts := n.Path.Parts; len(parts) > 0 {
			last := parts[len(parts)-1].Name.Name
			if p.known[last] == nil {
				p.known[last] = map[string]bool{}
			}
			p.known[last][n.Word.Name] = true
		}
	}
}

func (p *project) mention(text []byte) {
	for _, w := range word().FindAll(text, -1) {
		p.reads[string(w)]++
	}
}

// changedBy reports whether some file overrides or extends a thing of this name: its parameters may be for that.
func (p *project) changedBy(name string) bool { return len(p.known[name]) > 0 }

// classify records the names that a node declares, assigns or gives.
func (f *file) classify(n any) {
	declare := func(ids ...*ast.Ident) {
		for _, id := range ids {
			f.declares[id] = true
		}
	}
	all := func(list []ast.Ident) {
		for i := range list {
			declare(&list[i])
		}
	}
	if cl, ok := n.(ast.Clause); ok {
		if name := ast.HeadOf(cl).Name; name != nil {
			declare(name)
		}
	}
	switch n := n.(type) {
	case *ast.Header:
		declare(&n.Name)
	case *ast.Enum:
		all(n.Members)
	case *ast.Bonus:
		all(n.Names)
	case *ast.Role:
		all(n.Names)
	case *ast.FieldDecl:
		all(n.Names)
	case *ast.Property:
		declare(&n.Name)
	case *ast.Let:
		declare(&n.Name)
	case *ast.Param:
		declare(&n.Name, &n.Label)
	case *ast.Arg:
		declare(&n.Label)
	case *ast.Query:
		declare(&n.Var)
	case *ast.Branch:
		if n.As != nil {
			declare(n.As)
		}
	case *ast.Member:
		declare(&n.Name)
	case *ast.Side:
		declare(&n.Name)
	case *ast.Given:
		declare(&n.Name)
	case *ast.Scene:
		declare(&n.Name)
	case *ast.Change:
		for i := range n.Path.Parts {
			declare(&n.Path.Parts[i].Name)
		}
	case *ast.Scripted: // the label of a roll
		if n.Path != nil {
			for i := range n.Path.Parts {
				declare(&n.Path.Parts[i].Name)
			}
		}
	case *ast.Set:
		if x, ok := n.Target.(*ast.Name); ok {
			declare(&x.Ident)
		}
	case *ast.Gain:
		if n.Leaving != nil {
			declare(n.Leaving)
		}
		f.given[&n.Resource] = true
		for i := range n.Effects {
			f.given[&n.Effects[i]] = true
		}
	}
}

// readsIn counts how often a name is read inside a node.
func (f *file) readsIn(outer int32, name string) int {
	n := 0
	for _, id := range inside[ast.Ident](f, outer) {
		if id.Name == name && !f.declares[id] {
			n++
		}
	}
	for _, t := range inside[ast.Text](f, outer) {
		for _, part := range shown().FindAllString(t.Value, -1) {
			for _, w := range word().FindAllString(part, -1) {
				if w == name {
					n++
				}
			}
		}
	}
	return n
}

// Base is what the rulesets declare on which a file builds.
type Base struct {
	values  map[string]string // by name: what reads it without a creature before it: "option", "define", ...
	ofSelf  map[string]string // by name: what a creature has of this name: "field", "stat", ...
	effects map[string]*ast.Effect
	actions map[string]*ast.Procedure
	rolls   map[string]*ast.Roll
}

// NewBase learns what the clauses of rulesets declare. A file's own declarations are added by Run.
func NewBase(clauses ...[]ast.Clause) *Base {
	b := &Base{map[string]string{}, map[string]string{}, map[string]*ast.Effect{}, map[string]*ast.Procedure{}, map[string]*ast.Roll{}}
	for _, list := range clauses {
		for _, cl := range list {
			b.learn(cl)
		}
	}
	return b
}

func (b *Base) learn(cl ast.Clause) {
	switch n := cl.(type) {
	case *ast.Option:
		b.values[n.Name.Name] = "option"
	case *ast.Template:
		b.values[n.Name.Name] = n.Kind.Name
	case *ast.Keep:
		b.values[n.Name.Name] = "memory"
	case *ast.Define:
		switch {
		case n.Kind == nil && len(n.Params) == 0:
			b.values[n.Name.Name] = "define"
		case n.Kind != nil && n.Kind.Name == creature && len(n.Params) == 0:
			b.ofSelf[n.Name.Name] = "define"
		}
	case *ast.Kind:
		if n.Name.Name == creature && n.Body != nil {
			for _, cl := range n.Body.Clauses {
				if f, ok := cl.(*ast.FieldDecl); ok {
					for _, id := range f.Names {
						b.ofSelf[id.Name] = "field"
					}
				}
			}
		}
	case *ast.Stat:
		b.ofSelf[n.Name.Name] = "stat"
	case *ast.View:
		b.ofSelf[n.Name.Name] = "view"
	case *ast.Resource:
		b.ofSelf[n.Name.Name] = "resource"
	case *ast.Effect:
		b.effects[n.Name.Name] = n
	case *ast.Procedure:
		if n.Word.Name == "action" {
			b.actions[n.Name.Name] = n
		}
	case *ast.Roll:
		b.rolls[n.Name.Name] = n
	}
}

// creature is the kind that is built in.
const creature = "creature"
