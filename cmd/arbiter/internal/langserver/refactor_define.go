package langserver

import (
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/check"
	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file extracts an expression to a define of its own. Names that are bound around it become parameters.

// maxParameters is how many parameters an extracted define may have.
const maxParameters = 6

// selectedExpr is the widest expression that a selection covers exactly, nil if there is none, or if it is only a name
// or a number.
func (d *document) selectedExpr(from, to int) (found ast.Expr) {
	for from < to && isSpace(d.text[from]) {
		from++
	}
	for from < to && isSpace(d.text[to-1]) {
		to--
	}
	if from == to {
		return nil
	}
	ast.Contains(d.file, func(node any) bool {
		e, ok := node.(ast.Expr)
		if !ok {
			return false
		}
		switch e.(type) {
		case *ast.Name, *ast.Number, *ast.Literal, *ast.String, *ast.BadExpr, *ast.Plan, *ast.Tuple:
			return false
		}
		if x := e.Extent(); x.Start.Offset == from && x.End.Offset == to {
			found = e
		}
		return found != nil
	})
	return found
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// numbered is a name that is not taken: the one that is wished for, or one with a number.
func numbered(wish string, taken func(string) bool) string {
	name := wish
	for n := 2; taken(name); n++ {
		name = wish + "-" + strconv.Itoa(n)
	}
	return name
}

// extractDefine declares a define above the clause and names it in place of the expression. Whether it needs to belong
// to a kind, and of which types its parameters are, is tried.
func (r *refactoring) extractDefine() any {
	cl := r.d.clauseOver(r.from)
	if cl == nil || r.d.selectedExpr(r.from, r.to) == nil {
		return errorResponse("there is no expression here")
	}
	params, ok := r.boundNames(cl)
	if !ok {
		return errorResponse("the expression uses more than %d names that are bound around it", maxParameters)
	}
	name := r.freeName("extracted")
	words := name
	if len(params) > 0 {
		words += "(" + strings.Join(params, ", ") + ")"
	}
	before, expression := r.d.above(cl), strings.Join(strings.Fields(r.d.text[r.from:r.to]), " ")
	why := ""
	for _, head := range []string{"", "creature."} {
		for _, list := range r.parameterLists(params) {
			insertion := "define " + head + name + list + " = " + expression + "\n\n"
			x, wrong := r.fails(r.replaced(before, insertion, words))
			if !wrong {
				return r.edits(before, insertion, words)
			}
			why = x.Message
		}
	}
	return errorResponse("this cannot be a define: %s", why)
}

// boundNames lists the names in the range that are bound in the clause around it, but not inside the range itself.
func (r *refactoring) boundNames(cl ast.Clause) (names []string, ok bool) {
	bound := map[string]bool{}
	ast.Contains(r.d.file, func(node any) bool {
		if q, ok := node.(*ast.Query); ok && q.Start.Offset >= r.from && q.End.Offset <= r.to {
			bound[q.Var.Name] = true
		}
		return false
	})
	placed := placedMembers(r.d.file.Body)
	for _, m := range newNameResolver(r.script.Rules, func() {}, r.script.StoryFiles...).Mentions(cl) {
		isPlaced := slices.ContainsFunc(placed, func(x *ast.Member) bool { return x.Name.Name == m.Name })
		if m.At.Start.Offset < r.from || m.At.End.Offset > r.to || m.To != "" || bound[m.Name] || isPlaced || m.Name == "self" || slices.Contains(names, m.Name) {
			continue
		}
		if _, _, builtin := check.Builtin(m.Name); builtin {
			continue
		}
		names = append(names, m.Name)
	}
	return names, len(names) <= maxParameters
}

// parameterLists lists the ways to declare parameters: without types, where their names say them, and with the types
// that names like these have in the rules, the commonest first.
func (r *refactoring) parameterLists(params []string) (lists []string) {
	if len(params) == 0 {
		return []string{""}
	}
	types := r.typesOf(params)
	for n := range 4 {
		var list []string
		for _, p := range params {
			if n > 0 && len(types[p]) > 0 {
				p += ": " + types[p][min(n-1, len(types[p])-1)]
			}
			list = append(list, p)
		}
		lists = append(lists, "("+strings.Join(list, ", ")+")")
	}
	slices.Sort(lists[1:])
	return slices.Compact(lists)
}

// typesOf lists the types that variables of some names have in the rules, the commonest first.
func (r *refactoring) typesOf(params []string) map[string][]string {
	counts := map[string]map[string]int{}
	for _, p := range params {
		counts[p] = map[string]int{}
	}
	count := func(_ int32, registers map[*ir.Var]int) {
		for v := range registers {
			if of := counts[v.Name]; of != nil {
				of[check.NameOfType(v.Type)]++
			}
		}
	}
	out := map[string][]string{}
	if _, err := r.script.Recompiled(compile.Options{Unoptimized: true, Named: count}); err != nil {
		return out
	}
	for _, p := range params {
		for name := range counts[p] {
			out[p] = append(out[p], name)
		}
		slices.SortFunc(out[p], func(a, b string) int {
			if n := counts[p][b] - counts[p][a]; n != 0 {
				return n
			}
			return strings.Compare(a, b)
		})
	}
	return out
}
