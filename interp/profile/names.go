package profile

import (
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/program"
	"arbiter/lang/ast"
)

// describe says what a row is about: the name of the declaration, and where it is.
func (f *Profiler) describe(k rowKey) *Declaration {
	if k.hook > 0 {
		name, file, _ := strings.Cut(f.p.Hooks[k.hook-1].Name, " ")
		return &Declaration{Kind: "function", Name: name, File: file}
	}
	d := &Declaration{Kind: k.Kind.String(), Name: f.p.NameOf(k.Owner)}
	if k.Kind == program.NoOwner {
		d.Name = "statements"
	}
	if pos := f.p.StartOf(k.Owner); pos.File >= 0 && int(pos.File) < len(f.p.Files) {
		d.File, d.Line = f.p.Files[pos.File], pos.Span.Start.Line
	}
	return d
}

// start is where the declaration of a row begins.
func (f *Profiler) start(k rowKey) ir.Pos {
	if k.hook > 0 {
		return ir.Pos{File: -1}
	}
	return f.p.StartOf(k.Owner)
}

// spanOfLine is a span that begins in a line.
func spanOfLine(line int) ast.Span { return ast.Span{Start: ast.Pos{Line: line}} }
