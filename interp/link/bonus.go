package link

import (
	"slices"

	"arbiter/lang/ast"
)

// This file handles changes of bonus types. One line can declare several of them. A stat or a thing may have the same
// name: `override dodge: LAW` refers to the bonus type, and so does `remove dodge` when nothing else has the name.

// pathOf is the path of a change for finding conflicts: the path of a bonus type differs from that of a stat of the
// same name.
func pathOf(n *ast.Change) string {
	if n.Law.Name != "" {
		return "bonus " + PathText(&n.Path)
	}
	return PathText(&n.Path)
}

// findTarget returns the definition that a change is about, and the rest of its path.
func (l *linker) findTarget(n *ast.Change) (*Def, []ast.PathPart) {
	d, rest := l.find(&n.Path)
	if len(n.Path.Parts) == 1 && (n.Law.Name != "" || d == nil || isBonus(d)) {
		if b := l.isolateBonus(n.Path.Parts[0].Name.Name); b != nil {
			return b, nil
		}
	}
	return d, rest
}

func isBonus(d *Def) bool {
	_, is := d.Node.(*ast.Bonus)
	return is
}

// findBonus finds the declaration of a bonus type, which may declare others as well.
func (l *linker) findBonus(name string) *Def {
	for _, d := range l.set.Defs {
		if b, ok := d.Node.(*ast.Bonus); ok && slices.ContainsFunc(b.Names, func(id ast.Ident) bool { return id.Name == name }) {
			return d
		}
	}
	return nil
}

// isolateBonus gives a bonus type a definition of its own, so that it can be changed without those declared with it;
// nil if there is no such type.
func (l *linker) isolateBonus(name string) *Def {
	d := l.findBonus(name)
	if d == nil {
		return nil
	}
	b := d.Node.(*ast.Bonus)
	if len(b.Names) == 1 {
		return d
	}
	one, others := *b, *b
	one.Names = nil
	others.Names = slices.DeleteFunc(slices.Clone(b.Names), func(id ast.Ident) bool {
		if id.Name == name {
			one.Names = append(one.Names, id)
		}
		return id.Name == name
	})
	own := &Def{Name: name, Node: &one, Depth: d.Depth, Origin: d.Origin}
	l.byName[d.Name] = slices.DeleteFunc(l.byName[d.Name], func(x *Def) bool { return x == d })
	d.Name, d.Node = others.Names[0].Name, &others
	l.byName[d.Name] = append(l.byName[d.Name], d)
	l.byName[name] = append(l.byName[name], own)
	l.set.Defs = slices.Insert(l.set.Defs, slices.Index(l.set.Defs, d)+1, own)
	return own
}

// overrideLaw changes how the bonuses of a type stack.
func (e *editor) overrideLaw() {
	b, ok := e.def.Node.(*ast.Bonus)
	if !ok {
		e.fail("wrong-form", e.path+" is not a bonus type", "only bonus types have a stacking rule")
		return
	}
	b.Law = e.n.Law
	e.recordReplaced()
}
