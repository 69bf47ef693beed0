package check

import (
	"reflect"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file prepares checked rules for being written to a snapshot, and takes them up again.

// Detach returns the checked rules without the functions of the options and what else cannot be written. They can be
// used no further until Attach.
func (k *Checked) Detach() *Checked {
	c := *k.c
	c.opts.Hook, c.opts.KnownCitation, c.delayed = nil, nil, nil
	return &Checked{k.Ruleset, &c}
}

// Attach gives rules that were read from a snapshot the functions of the options that they were checked with. complete
// reads what the snapshot has left for later (see IsLate): it is called before anything of that is looked at.
func (k *Checked) Attach(opts Options, complete func()) {
	k.c.opts.Hook, k.c.opts.KnownCitation, k.c.complete = opts.Hook, opts.KnownCitation, complete
}

// Complete reads what a snapshot has left for later, if anything: whoever looks at the trees and the code of the rules
// themselves calls it before.
func (k *Checked) Complete() { k.c.whole() }

// whole makes sure that the trees and the code of the rules are there.
func (c *checker) whole() {
	if c.complete != nil {
		c.complete()
	}
}

// Concrete lists the types of definitions behind interfaces, as nil pointers.
func Concrete() []any {
	return []any{(*ir.Enum)(nil), (*ir.Kind)(nil), (*ir.FieldDef)(nil), (*ir.Template)(nil), (*ir.BonusType)(nil), (*ir.Roll)(nil), (*ir.Option)(nil),
		(*ir.Global)(nil), (*ir.Table)(nil), (*ir.Stat)(nil), (*ir.Term)(nil), (*ir.Define)(nil), (*ir.Resource)(nil), (*ir.Effect)(nil), (*ir.Modifier)(nil),
		(*ir.Permission)(nil), (*ir.Proc)(nil), (*ir.Step)(nil), (*ir.Rule)(nil), (*ir.Tactics)(nil), (*ir.Hook)(nil), (*ir.Var)(nil), (*ruleName)(nil)}
}

// IsLate reports whether values of a type are needed only by whoever looks at the trees and the code of the rules: the
// nodes of trees, except for declarations with their parameters, and expressions and statements.
func IsLate(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() == treePackage && !isDeclaration[t] || isCode[t]
}

var (
	treePackage   = reflect.TypeFor[ast.File]().PkgPath()
	isDeclaration = map[reflect.Type]bool{}
	isCode        = map[reflect.Type]bool{reflect.TypeFor[ir.Expr](): true, reflect.TypeFor[ir.Stmt](): true, reflect.TypeFor[ir.Query](): true}
)

func init() {
	for _, x := range []any{ast.Use{}, ast.Option{}, ast.Enum{}, ast.Bonus{}, ast.Role{}, ast.Permission{}, ast.Kind{}, ast.Template{}, ast.Roll{}, ast.Stat{},
		ast.View{}, ast.Define{}, ast.Table{}, ast.Resource{}, ast.Effect{}, ast.Procedure{}, ast.Rule{}, ast.Tactics{}, ast.Keep{}, ast.Header{}, ast.Param{}} {
		isDeclaration[reflect.TypeOf(x)] = true
	}
}
