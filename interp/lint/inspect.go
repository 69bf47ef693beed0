package lint

import (
	"iter"
	"reflect"
	"strings"
	"sync"

	"arbiter/interp/load"
	"arbiter/lang/ast"
)

// This file flattens a tree once, so that each rule goes straight to the nodes that it is about.

// node is a node of a tree: a pointer to a struct of package ast, the index of the node around it, and that of the first
// node behind everything inside it.
type node struct {
	at     any
	parent int32
	end    int32
}

// file is a file with its nodes, outer ones first, in the order of the tree.
type file struct {
	*File
	head     *ast.Header // nil: it has none
	nodes    []node
	byType   map[reflect.Type][]int32
	declares map[*ast.Ident]bool // names that are declared or assigned, not read
	given    map[*ast.Ident]bool // names of effects and resources that are given or taken
}

func newFile(f *File) *file {
	x := &file{File: f, head: load.HeaderOf(f.Parsed), byType: map[reflect.Type][]int32{}, declares: map[*ast.Ident]bool{}, given: map[*ast.Ident]bool{}}
	x.flatten(reflect.ValueOf(f.Parsed), -1)
	for _, n := range x.nodes {
		x.classify(n.at)
	}
	return x
}

// isScript reports whether nothing but the file itself, and what it includes, can use what it declares.
func (f *file) isScript() bool { return f.head != nil && f.head.Word.Name != "ruleset" }

// ruleset is the name of the ruleset of which the file is a part, "" for a script.
func (f *file) ruleset() string {
	if f.head == nil || f.isScript() {
		return ""
	}
	return f.head.Name.Name
}

var (
	spanType = reflect.TypeFor[ast.Span]()
	posType  = reflect.TypeFor[ast.Pos]()
	tailType = reflect.TypeFor[ast.Tail]()
	metaType = reflect.TypeFor[ast.Meta]()
)

// fieldsOf caches which fields of a struct can hold nodes.
var fieldsOf sync.Map // reflect.Type: []int

func fields(t reflect.Type) []int {
	if list, ok := fieldsOf.Load(t); ok {
		return list.([]int)
	}
	list := []int{}
	for i := range t.NumField() {
		ft := t.Field(i).Type
		for ft.Kind() == reflect.Slice || ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		if ft != spanType && ft != posType && (ft.Kind() == reflect.Struct || ft.Kind() == reflect.Interface) {
			list = append(list, i)
		}
	}
	fieldsOf.Store(t, list)
	return list
}

func (f *file) flatten(v reflect.Value, parent int32) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			f.flatten(v.Elem(), parent)
		}
	case reflect.Slice:
		for i := range v.Len() {
			f.flatten(v.Index(i), parent)
		}
	case reflect.Struct:
		t, self := v.Type(), parent
		if t != tailType && t != metaType {
			self = int32(len(f.nodes))
			f.nodes = append(f.nodes, node{v.Addr().Interface(), parent, 0})
			f.byType[t] = append(f.byType[t], self)
		}
		for _, i := range fields(t) {
			f.flatten(v.Field(i), self)
		}
		if self != parent {
			f.nodes[self].end = int32(len(f.nodes))
		}
	}
}

// each iterates over the nodes of a type, in the order of the file, with their indexes.
func each[T any](f *file) iter.Seq2[int32, *T] { return within[T](f, 0, int32(len(f.nodes))) }

// inside iterates over the nodes of a type inside another node.
func inside[T any](f *file, outer int32) iter.Seq2[int32, *T] {
	return within[T](f, outer+1, f.nodes[outer].end)
}

func within[T any](f *file, from, to int32) iter.Seq2[int32, *T] {
	return func(yield func(int32, *T) bool) {
		for _, i := range f.byType[reflect.TypeFor[T]()] {
			if i >= from && i < to && !yield(i, f.nodes[i].at.(*T)) {
				return
			}
		}
	}
}

// around returns the nearest node of a type around another; nil if there is none.
func around[T any](f *file, i int32) (*T, int32) {
	for i = f.nodes[i].parent; i >= 0; i = f.nodes[i].parent {
		if n, ok := f.nodes[i].at.(*T); ok {
			return n, i
		}
	}
	return nil, -1
}

// parent returns the node directly around another.
func (f *file) parent(i int32) any {
	if i = f.nodes[i].parent; i >= 0 {
		return f.nodes[i].at
	}
	return nil
}

// source returns the text of a node with single blanks between its words: equal texts mean equal nodes.
func (f *file) source(n ast.Node) string { return strings.Join(strings.Fields(f.raw(n.Extent())), " ") }

// raw returns the text of a range.
func (f *file) raw(s ast.Span) string {
	if s.Start.Offset < 0 || s.End.Offset > len(f.Text) || s.Start.Offset > s.End.Offset {
		return ""
	}
	return string(f.Text[s.Start.Offset:s.End.Offset])
}

// sourceOf is source for what may be missing.
func (f *file) sourceOf(x ast.Expr) string {
	if x == nil {
		return ""
	}
	return f.source(x)
}

// guard is the text of the conditions of a clause, "" if it has none.
func (f *file) guard(t *ast.Tail) string {
	return strings.TrimSpace(f.sourceOf(t.When) + " unless " + f.sourceOf(t.Unless))
}

// unguarded is what guard returns for a clause without conditions.
const unguarded = "unless"

// bare is an expression without the parentheses around it.
func bare(x ast.Expr) ast.Expr {
	for {
		p, ok := x.(*ast.Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}
