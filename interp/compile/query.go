package compile

import (
	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles queries over lists, and the loop that `for each` also uses.

// each compiles a loop over a list in a register; body is compiled once, with the element in the variable's register.
func (f *chunkBuilder) each(list int, v *ir.Var, where *ir.Expr, body func(element int)) {
	count := f.block(2) // the length, and the current index
	element := f.elementReg(v)
	empty := f.emit(program.OpEach, count, element, list, 0)
	top := f.here()
	var no []int
	if where != nil {
		no = f.jump(where, false)
	}
	mark := f.next
	body(element)
	f.next = mark
	f.patch(no)
	f.emit(program.OpNext, count, element, list, top)
	f.patch([]int{empty})
}

// isRange says whether a list is a range of numbers, which can be iterated without making a list.
func isRange(list *ir.Expr) bool {
	return list.Op == ir.OpBuiltin && program.BuiltinFuncs[list.Name] == program.FnRange && len(list.Args) == 2
}

// eachNumber compiles a loop over a range.
func (f *chunkBuilder) eachNumber(q *ir.Query, body func()) {
	bounds := f.block(2) // the last and the current number
	f.expr(q.In.Args[0], bounds+1)
	f.expr(q.In.Args[1], bounds)
	element := f.elementReg(q.Var)
	none := f.emit(program.OpFrom, bounds, element, 0, 0)
	top := f.here()
	mark := f.next
	body()
	f.next = mark
	f.emit(program.OpTo, bounds, element, 0, top)
	f.patch([]int{none})
}

func (f *chunkBuilder) elementReg(v *ir.Var) int {
	if v != nil {
		if r, ok := f.vars[v]; ok {
			return r
		}
	}
	r := f.temp()
	if v != nil {
		f.vars[v] = r
	}
	return r
}

// query leaves the value of a query in dst.
func (f *chunkBuilder) query(q *ir.Query, t ir.Type, dst int) {
	mark := f.next
	defer func() { f.next = mark }()
	list := f.temp()
	f.expr(q.In, list)
	defer f.memoizeInvariants(q)()
	acc := dst
	if e := (&ir.Expr{Op: ir.OpQuery, Query: q}); f.readsRegister(e, dst) || q.Var != nil && f.regOf(q.Var) == dst {
		acc = f.temp() // the value in dst is still needed
	}
	switch q.Word {
	case "some", "no", "every":
		f.quantifier(q, list, acc)
	case "count", "sum":
		f.load(acc, 0)
		f.each(list, q.Var, q.Where, func(element int) {
			if q.Word == "count" {
				f.emit(program.OpAddInt, acc, acc, 0, 1)
				return
			}
			op := program.OpAdd
			if q.Of != nil && q.Of.Type.Kind == ir.List {
				op = program.OpConcat
			}
			f.emit(op, acc, acc, f.yield(q, element), 0)
		})
	case "highest", "lowest":
		f.load(acc, program.None)
		f.each(list, q.Var, q.Where, func(element int) {
			x := f.yield(q, element)
			first := f.emit(program.OpJumpNone, acc, 0, 0, 0)
			low, high := x, acc
			if q.Word == "lowest" {
				low, high = acc, x
			}
			worse := f.emit(program.OpJumpLe, low, high, 0, 0)
			f.patch([]int{first})
			f.emit(program.OpCopy, acc, x, 0, 0)
			f.patch([]int{worse})
		})
	case "first":
		f.load(acc, program.None)
		if q.Sort != nil {
			f.firstSorted(q, list, acc)
			break
		}
		var found []int
		f.each(list, q.Var, q.Where, func(element int) {
			f.emit(program.OpCopy, acc, element, 0, 0)
			found = append(found, f.emit(program.OpJump, 0, 0, 0, 0))
		})
		f.patch(found)
	default: // each, pick
		acc = f.gather(q, list, t)
	}
	if acc != dst {
		f.emit(program.OpCopy, dst, acc, 0, 0)
	}
}

// firstSorted leaves the element with the lowest (or highest) key in acc, the first of several. The key of a single
// candidate is never computed: when a second one is found, the code of the key runs for the first, which is in acc, and
// then for the second, which is kept meanwhile.
func (f *chunkBuilder) firstSorted(q *ir.Query, list, acc int) {
	best, keyed, kept := f.temp(), f.temp(), f.temp()
	f.load(keyed, 0)
	f.each(list, q.Var, q.Where, func(element int) {
		rival := f.emit(program.OpJumpSome, acc, 0, 0, 0)
		f.emit(program.OpCopy, acc, element, 0, 0)
		alone := f.emit(program.OpJump, 0, 0, 0, 0)
		f.patch([]int{rival})
		known := f.emit(program.OpJumpIf, keyed, 0, 0, 0)
		f.emit(program.OpCopy, kept, element, 0, 0)
		f.emit(program.OpCopy, element, acc, 0, 0)
		f.patch([]int{known})
		again := f.here()
		key := f.value(q.Sort)
		compare := f.emit(program.OpJumpIf, keyed, 0, 0, 0)
		f.emit(program.OpCopy, best, key, 0, 0)
		f.load(keyed, 1)
		f.emit(program.OpCopy, element, kept, 0, 0)
		f.emit(program.OpJump, 0, 0, 0, again)
		f.patch([]int{compare})
		low, high := best, key
		if q.Descending {
			low, high = key, best
		}
		worse := f.emit(program.OpJumpLe, low, high, 0, 0)
		f.emit(program.OpCopy, acc, element, 0, 0)
		f.emit(program.OpCopy, best, key, 0, 0)
		f.patch([]int{alone, worse})
	})
}

// yield compiles what a query returns for an element.
func (f *chunkBuilder) yield(q *ir.Query, element int) int {
	if q.Of == nil {
		return element
	}
	return f.value(q.Of)
}

// quantifierJumps compiles the jumps of a quantifier that are taken when its value equals when.
func (f *chunkBuilder) quantifierJumps(q *ir.Query, when bool) []int {
	where := q.Where
	if q.Word == "every" {
		where = &ir.Expr{Op: ir.OpNot, Type: ir.Type{Kind: ir.YesNo}, Pos: where.Pos, Args: []*ir.Expr{where}}
	}
	list := f.temp()
	f.expr(q.In, list)
	defer f.memoizeInvariants(q)()
	var found []int
	f.each(list, q.Var, where, func(int) { found = append(found, f.emit(program.OpJump, 0, 0, 0, 0)) })
	if (q.Word == "some") == when {
		return found
	}
	none := f.emit(program.OpJump, 0, 0, 0, 0)
	f.patch(found)
	return []int{none}
}

func (f *chunkBuilder) quantifier(q *ir.Query, list, acc int) {
	decisive := int64(1) // its value if there is a witness
	if q.Word != "some" {
		decisive = 0
	}
	f.load(acc, 1-decisive)
	var done []int
	where := q.Where
	if q.Word == "every" {
		if where == nil {
			f.load(acc, 1)
			return
		}
		where = &ir.Expr{Op: ir.OpNot, Type: ir.Type{Kind: ir.YesNo}, Pos: where.Pos, Args: []*ir.Expr{where}}
	}
	f.each(list, q.Var, where, func(int) {
		f.load(acc, decisive)
		done = append(done, f.emit(program.OpJump, 0, 0, 0, 0))
	})
	f.patch(done)
}

// gather makes the list of what a query yields, sorted if requested, and returns its register.
func (f *chunkBuilder) gather(q *ir.Query, list int, t ir.Type) int {
	if q.Where == nil && q.Of == nil && q.Sort == nil {
		return list
	}
	shape := program.Scalar
	if q.Of != nil {
		shape = program.ShapeOf(q.Of.Type)
	} else if q.Var != nil {
		shape = program.ShapeOf(q.Var.Type)
	} else if t.Elem != nil {
		shape = program.ShapeOf(*t.Elem)
	}
	n, out := f.temp(), f.temp()
	keys := -1
	f.emit(program.OpLength, n, list, 0, 0)
	f.emit(program.OpNewList, out, n, 0, int32(shape))
	if q.Sort != nil {
		keys = f.temp()
		f.emit(program.OpNewList, keys, n, 0, int32(program.Scalar))
	}
	f.each(list, q.Var, q.Where, func(element int) {
		if keys >= 0 {
			f.emit(program.OpPush, keys, f.value(q.Sort), 0, 0)
		}
		f.emit(program.OpPush, out, f.yield(q, element), 0, 0)
	})
	if keys >= 0 {
		d := int32(0)
		if q.Descending {
			d = 1
		}
		f.emit(program.OpSort, out, keys, 0, d)
	}
	return out
}
