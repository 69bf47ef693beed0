package check

import (
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file knows the scenes of an adventure by their paths. Their contents are checked elsewhere, by the package that
// runs stories.

// declareScenes declares a counter of entries for each scene: a memory of the game that no other code can name.
func (c *checker) declareScenes() {
	if c.opts.Scenes == nil {
		return
	}
	c.visitCounters = map[string]*ir.Global{}
	for _, path := range c.opts.Scenes {
		if c.visitCounters[path] != nil {
			continue // reported by the package that runs stories
		}
		g := &ir.Global{Name: "visits of " + path, Initial: &ir.Const{}}
		g.Var = &ir.Var{Name: g.Name, Type: number, Kind: ir.VarGlobal, Index: len(c.rs.Globals)}
		c.rs.Globals = append(c.rs.Globals, g)
		c.visitCounters[path] = g
		c.state[g] = done
	}
}

// VisitCounter returns the memory that counts how often the scene with that path was entered.
func (k *Checked) VisitCounter(path string) *ir.Global { return k.c.visitCounters[path] }

// WasRead reports whether any checked code reads a variable.
func (k *Checked) WasRead(v *ir.Var) bool { return k.c.wasRead[v] }

// visits checks `visits(SCENE)`, and `seen(SCENE)`, which is true if there were any.
func (s *scope) visits(id ast.Ident, n *ast.Call) *ir.Expr {
	if len(n.Args) != 1 {
		s.err(n.Span, "wrong-arguments", "%s takes a single scene: %s(SCENE)", id.Name, id.Name)
		return s.bad(n.Span)
	}
	path := dotted(n.Args[0].Value)
	g := s.visitCounter(path)
	if g == nil {
		s.errHint(n.Args[0].Span, "unknown-scene", "there is no scene "+path, s.c.nearestHint(path, keys(s.c.visitCounters)))
		return s.bad(n.Span)
	}
	x := s.read(g.Var, n.Span)
	if id.Name == "seen" {
		x = &ir.Expr{Op: ir.OpNe, Type: yesNo, Pos: x.Pos, Args: []*ir.Expr{x, s.constant(number, 0, n.Span)}}
	}
	return x
}

// sceneHint is the hint for a scene that is written like a value.
func sceneHint(path string) string {
	return "`" + path + "` is a scene: write `seen(" + path + ")`, or `visits(" + path + ")` for how often"
}

// visitCounter finds the memory of a scene by its name, searching the scenes inside the current one, then its siblings,
// and so on outward.
func (s *scope) visitCounter(path string) *ir.Global {
	for within := s.label; within != ""; { // rolls in a scene are labeled with its path
		if g := s.c.visitCounters[within+"."+path]; g != nil {
			return g
		}
		within = within[:max(0, strings.LastIndexByte(within, '.'))]
	}
	return s.c.visitCounters[path]
}

// dotted returns a path that was parsed as an expression.
func dotted(e ast.Expr) string {
	switch n := e.(type) {
	case *ast.Name:
		return n.Name
	case *ast.Field:
		return strings.TrimPrefix(dotted(n.X)+"."+n.Name.Name, ".")
	}
	return "?"
}
