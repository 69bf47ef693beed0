package hook

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/interp/sandbox"
	"arbiter/stdlib/dice"

	"go.starlark.net/starlark"
)

// This file binds the functions of a program to their files, once; workers share the result.

// Functions are the functions of a program, ready to run.
type Functions struct {
	names *names
	hooks []function
}

// function is one function, with the names that it may use.
type function struct {
	fn           *sandbox.Func
	name         string
	takesContext bool // it gets everything in scope
	module       *module
	files        map[string]int32 // files of the module that are also files of the rules, by name in the module
	names        map[string]bool
	attrs        table[*attr] // by Starlark name
}

// Bind finds the functions that a checked ruleset names. It returns nil if there are none.
func (l *Library) Bind(rs *ir.Ruleset, p *program.Program) (*Functions, error) {
	if len(rs.Hooks) == 0 {
		return nil, nil
	}
	f := &Functions{names: newNames(rs, p)}
	for _, h := range rs.Hooks {
		m := l.modules[h.File]
		if m == nil || m.err != nil {
			return nil, fmt.Errorf("%s has not been loaded", h.File)
		}
		fn := m.function(h.Func)
		if fn == nil {
			return nil, fmt.Errorf("there is no function %s in %s", h.Func, h.File)
		}
		b := function{fn: sandbox.Prepare(fn), name: h.Name, takesContext: h.TakesContext(), module: m, names: map[string]bool{}, files: map[string]int32{}}
		for _, file := range m.loaded.Files {
			if i := slices.Index(p.Files, m.displayPath(file.Name)); i >= 0 {
				b.files[file.Name] = int32(i)
			}
		}
		attrs := map[string]*attr{}
		for _, n := range h.Mentions.Names {
			b.names[n] = true
			if a := f.names.attrs[n]; a != nil {
				attrs[toStarlarkName(n)] = a
			}
		}
		b.attrs = newTable(attrs)
		f.hooks = append(f.hooks, b)
	}
	return f, nil
}

// names is what attributes and texts can name, by name in the rules.
type names struct {
	attrs       map[string]*attr
	procs       map[string]int32
	texts       map[string]int32
	bonusTypes  map[string]int16
	dieBySides  map[string]uint16  // single dice, by their sides
	notations   map[string]uint16  // all notations of the rules
	enumMembers [][]starlark.Value // the members of each, as Starlark values
	enumIndexes []map[string]int64 // the indexes of the members
}

// attr is what a name means for things: the first of these that exists, in this order.
type attr struct {
	name        string
	define      int32           // of creatures; -1 if none
	kindless    int32           // a define without a kind; -1 if none
	kindDefines map[int32]int32 // defines of other kinds, by kind
	fields      map[int32]int32 // by kind
	stat        int32           // -1
	resource    int32           // -1
	effect      int32           // -1
	permission  int32           // -1
	slot        int32           // of a creature's field or resource, if the name is one; -1 if not
	slotType    int32
}

func newNames(rs *ir.Ruleset, p *program.Program) *names {
	n := &names{
		attrs: map[string]*attr{}, procs: map[string]int32{}, texts: map[string]int32{}, bonusTypes: map[string]int16{},
		dieBySides: map[string]uint16{}, notations: map[string]uint16{},
	}
	attrOf := func(name string) *attr {
		a := n.attrs[name]
		if a == nil {
			a = &attr{name: name, define: -1, kindless: -1, stat: -1, resource: -1, effect: -1, permission: -1, kindDefines: map[int32]int32{}, fields: map[int32]int32{}}
			n.attrs[name] = a
		}
		return a
	}
	kinds := map[string]int32{}
	for i, k := range p.Kinds {
		kinds[k.Name] = int32(i)
		for j, f := range k.Fields {
			attrOf(f.Name).fields[int32(i)] = int32(j)
		}
	}
	for i, s := range p.Stats {
		attrOf(s.Name).stat = int32(i)
	}
	for i, r := range p.Resources {
		attrOf(r.Name).resource = int32(i)
	}
	for i, e := range p.Effects {
		attrOf(e.Name).effect = int32(i)
	}
	for i, q := range p.Permissions {
		attrOf(q.Name).permission = int32(i)
	}
	for i, d := range rs.Defines {
		switch {
		case d.Kind == nil && d.Enum == nil:
			attrOf(d.Name).kindless = int32(i)
		case d.Kind != nil:
			a := attrOf(strings.TrimPrefix(d.Name, d.Kind.Name+"."))
			if kinds[d.Kind.Name] == 0 {
				a.define = int32(i)
			} else {
				a.kindDefines[kinds[d.Kind.Name]] = int32(i)
			}
		}
	}
	for _, a := range n.attrs {
		a.slot = -1
		f, field := a.fields[0]
		switch {
		case a.define >= 0 || a.stat >= 0:
		case field:
			a.slot, a.slotType = f, p.Kinds[0].Fields[f].Type
		case a.resource >= 0:
			a.slot, a.slotType = p.Slots.Resources+a.resource, p.Resources[a.resource].Type
		}
	}
	for i, q := range p.Procs {
		n.procs[q.Name] = int32(i)
	}
	for i, t := range p.Texts {
		n.texts[t] = int32(i)
	}
	for i, b := range p.Bonuses {
		n.bonusTypes[b] = int16(i)
	}
	for _, e := range p.Enums {
		words, values := make([]starlark.Value, len(e.Members)), map[string]int64{}
		for j, m := range e.Members {
			words[j], values[m] = starlark.String(m), int64(j)
		}
		n.enumMembers, n.enumIndexes = append(n.enumMembers, words), append(n.enumIndexes, values)
	}
	for i, d := range p.Dice {
		n.notations[d] = uint16(i)
		if x, err := dice.Parse(d); err == nil {
			if count, sides, flat, ok := x.Plain(); ok && count == 1 && flat == 0 {
				n.dieBySides[fmt.Sprint(sides)] = uint16(i)
			}
		}
	}
	return n
}
