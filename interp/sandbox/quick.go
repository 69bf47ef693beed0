package sandbox

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// This file runs short functions faster than Starlark.
//
// Starlark spends most of the time for a function of one comparison on frames, arguments and memory for variables. So a
// function that only reads attributes, calculates, compares and calls functions of the host is run here. It executes
// the same instructions that Starlark has compiled, counting one step each, with the operators that Starlark exports.
// At anything else, an error or a limit, it gives up: the host undoes what its functions have done, and Starlark runs
// the function from the start. So the semantics are the same, and every error has its positions.

// quickCode is a function that can be run quickly.
type quickCode struct {
	instrs        []instr
	params        int // taken by arguments
	meterIndex    int // index of the parameter for the meter, -1 if there is none
	locals, stack int
}

// instr is an instruction, or several consecutive ones. n is its operand: the target of a jump, the index of a
// variable, or a count.
type instr struct {
	op         opcode
	isFused    bool   // fused with another one, see join
	steps      uint64 // number of Starlark instructions
	operand    int
	elseTarget int // target of the jump if a condition is false
	name       string
	secondAttr string // name of an attribute of the first attribute
	values     []starlark.Value
}

// opcode is the operation of an instruction, numbered as in supportedVersion; see internal/compile of Starlark.
type opcode uint8

const (
	opNop         opcode = 0
	opDup         opcode = 1
	opPop         opcode = 3
	opLT          opcode = 5 // to opNEQ in the order of the tokens
	opGT          opcode = 6
	opGE          opcode = 7
	opLE          opcode = 8
	opEQL         opcode = 9
	opNEQ         opcode = 10
	opPlus        opcode = 11 // to opGTGT likewise
	opMinus       opcode = 12
	opStar        opcode = 13
	opGTGT        opcode = 21
	opIn          opcode = 22
	opUminus      opcode = 24
	opNone        opcode = 26
	opTrue        opcode = 27
	opFalse       opcode = 28
	opIterPush    opcode = 30
	opIterPop     opcode = 31
	opNot         opcode = 32
	opReturn      opcode = 33
	opIndex       opcode = 35
	opInplaceAdd  opcode = 40
	opJmp         opcode = 43 // from here on with an operand
	opCjmp        opcode = 44
	opIterJmp     opcode = 45
	opConstant    opcode = 46
	opMakeTuple   opcode = 47
	opSetLocal    opcode = 51
	opLocal       opcode = 53
	opGlobal      opcode = 58
	opPredeclared opcode = 59
	opAttr        opcode = 61
	opCall        opcode = 64
	opLocalAttr   opcode = 128 // opLocal, opAttr, and possibly another opAttr
)

// compileQuick reads the instructions of a function, nil if some of them are unsupported.
func compileQuick(f *compiledFunc, metered bool, globals, predeclared starlark.StringDict) *quickCode {
	if f == nil || f.cells > 0 || f.frees > 0 || f.varargs || f.kwargs {
		return nil
	}
	c := &quickCode{params: f.params, meterIndex: -1, locals: f.locals, stack: f.stack}
	if metered {
		c.params--
		c.meterIndex = c.params
	}
	if f.keywordOnly > f.params-c.params { // a keyword-only parameter of its own
		return nil
	}
	index := make([]int, len(f.code)) // index of the instruction at each byte
	for at := 0; at < len(f.code); {
		index[at] = len(c.instrs)
		in := instr{op: opcode(f.code[at]), steps: 1}
		at++
		var value starlark.Value
		if in.op >= opJmp {
			for shift := 0; ; shift += 7 {
				b := f.code[at]
				at++
				in.operand |= int(b&0x7f) << shift
				if b < 0x80 {
					break
				}
			}
		}
		switch in.op {
		case opNop, opDup, opPop, opIn, opUminus, opNot, opReturn, opIndex, opInplaceAdd, opIterPush, opIterPop,
			opJmp, opCjmp, opIterJmp, opMakeTuple, opSetLocal, opLocal, opCall:
		case opNone:
			in.op, value = opConstant, starlark.None
		case opTrue, opFalse:
			in.op, value = opConstant, starlark.Bool(in.op == opTrue)
		case opConstant:
			value = f.constants[in.operand]
		case opGlobal: // globals no longer change
			in.op, value = opConstant, globals[f.globals[in.operand]]
		case opPredeclared:
			in.op, value = opConstant, predeclared[f.names[in.operand]]
		case opAttr:
			in.name = f.names[in.operand]
		default:
			if in.op < opLT || in.op > opGTGT {
				return nil
			}
		}
		if in.op == opConstant {
			if value == nil {
				return nil
			}
			in.values = []starlark.Value{value}
		}
		c.instrs = append(c.instrs, in)
	}
	for i, in := range c.instrs {
		if in.isJump() {
			c.instrs[i].operand = index[in.operand]
		}
	}
	c.fuse()
	return c
}

func (in *instr) isJump() bool { return in.op == opJmp || in.op == opCjmp || in.op == opIterJmp }

// isBinary reports whether the instruction is a binary operator.
func (in *instr) isBinary() bool { return opLT <= in.op && in.op <= opIn }

// fuse fuses instructions that often occur together. The target of a jump is not fused with its predecessor.
func (c *quickCode) fuse() {
	isTarget := make([]bool, len(c.instrs))
	for _, in := range c.instrs {
		if in.isJump() {
			isTarget[in.operand] = true
		}
	}
	index := make([]int, len(c.instrs))
	var fused []instr
	for i, in := range c.instrs {
		if n := len(fused); n > 0 && !isTarget[i] {
			last := &fused[n-1]
			switch {
			case last.op == opLocal && in.op == opAttr:
				last.op, last.name = opLocalAttr, in.name
			case last.op == opLocalAttr && last.secondAttr == "" && in.op == opAttr:
				last.secondAttr = in.name
			case last.op == opConstant && in.op == opConstant:
				last.values = append(last.values, in.values...)
			case last.op == opConstant && (in.isBinary() || in.op == opReturn) && len(last.values) == 1: // its operand
				last.op, last.isFused = in.op, true
			case last.op == opCall && in.op == opPop:
				last.isFused = true
			case last.op == opCjmp && in.op == opJmp:
				last.isFused, last.elseTarget = true, in.operand
				last.steps-- // a step that counts only on that path
			default:
				n = 0
			}
			if n > 0 {
				last.steps += in.steps
				continue
			}
		}
		index[i] = len(fused)
		fused = append(fused, in)
	}
	for i := range fused {
		if fused[i].isJump() {
			fused[i].operand, fused[i].elseTarget = index[fused[i].operand], index[fused[i].elseTarget]
		}
	}
	c.instrs = fused
}

// runQuick runs a function; it returns nil if it gives up.
func (t *Thread) runQuick(c *quickCode, args starlark.Tuple) starlark.Value {
	if len(args) != c.params {
		return nil
	}
	if n := c.locals + c.stack; n > len(t.quickStack) {
		t.quickStack = make([]starlark.Value, n)
	}
	t.iters = t.iters[:0]
	m, steps, stepLimit := &t.meter, uint64(0), t.meter.stepLimit
	locals, stack := t.quickStack[:c.locals], t.quickStack[c.locals:c.locals+c.stack]
	for i := range locals {
		locals[i] = nil
		if i < len(args) {
			locals[i] = args[i]
		}
	}
	if c.meterIndex >= 0 {
		locals[c.meterIndex] = m
	}
	sp, pc := 0, 0
	for {
		in := &c.instrs[pc]
		pc++
		if steps += in.steps; steps >= stepLimit {
			return nil
		}
		switch in.op {
		case opNop:
		case opDup:
			stack[sp] = stack[sp-1]
			sp++
		case opPop:
			sp--
		case opConstant:
			for _, v := range in.values { // slower with copy, for so few
				stack[sp] = v
				sp++
			}
		case opLocalAttr:
			t.thread.Steps = steps
			y := quickAttr(locals[in.operand], in.name)
			if in.secondAttr != "" && y != nil {
				y = quickAttr(y, in.secondAttr)
			}
			if y == nil {
				return nil
			}
			stack[sp] = y
			sp++
			steps, stepLimit = t.thread.Steps, m.stepLimit
		case opLocal:
			x := locals[in.operand]
			if x == nil {
				return nil
			}
			stack[sp] = x
			sp++
		case opSetLocal:
			sp--
			locals[in.operand] = stack[sp]
		case opNot:
			stack[sp-1] = !stack[sp-1].Truth()
		case opJmp:
			pc = in.operand
		case opCjmp:
			sp--
			if stack[sp].Truth() {
				pc = in.operand
			} else if in.isFused {
				steps++
				pc = in.elseTarget
			}
		case opReturn:
			t.thread.Steps = steps
			if in.isFused {
				return in.values[0]
			}
			return stack[sp-1]
		case opUminus:
			y, err := starlark.Unary(syntax.MINUS, stack[sp-1])
			if err != nil {
				return nil
			}
			stack[sp-1] = y
		case opIterPush:
			sp--
			t.thread.Steps = steps
			it := starlark.Iterate(stack[sp])
			steps, stepLimit = t.thread.Steps, m.stepLimit
			if it == nil {
				return nil
			}
			t.iters = append(t.iters, it)
		case opIterJmp:
			t.thread.Steps = steps
			if t.iters[len(t.iters)-1].Next(&stack[sp]) {
				sp++
			} else {
				pc = in.operand
			}
			steps, stepLimit = t.thread.Steps, m.stepLimit
		case opIterPop:
			t.iters[len(t.iters)-1].Done()
			t.iters = t.iters[:len(t.iters)-1]
		case opAttr:
			t.thread.Steps = steps
			y := quickAttr(stack[sp-1], in.name)
			if y == nil {
				return nil
			}
			stack[sp-1] = y
			steps, stepLimit = t.thread.Steps, m.stepLimit
		case opCall:
			t.thread.Steps = steps
			named, positional := in.operand&0xff, in.operand>>8
			sp -= 2*named + positional
			y := t.quickCall(stack[sp-1], stack[sp:sp+positional:sp+positional], stack[sp+positional:sp+positional+2*named])
			if y == nil {
				return nil
			}
			stack[sp-1] = y
			if in.isFused {
				sp--
			}
			steps, stepLimit = t.thread.Steps, m.stepLimit
		case opMakeTuple:
			sp -= in.operand
			stack[sp] = append(make(starlark.Tuple, 0, in.operand), stack[sp:sp+in.operand]...)
			sp++
		default: // binary operators
			var y starlark.Value
			if in.isFused {
				y = in.values[0]
			} else {
				sp--
				y = stack[sp]
			}
			if x, ok := stack[sp-1].(starlark.Int); ok {
				if y, ok := y.(starlark.Int); ok {
					if z := quickInts(in.op, x, y); z != nil {
						stack[sp-1] = z
						continue
					}
				}
			}
			t.thread.Steps = steps // an operator may charge steps
			z := quickBinary(in.op, stack[sp-1], y)
			if z == nil {
				return nil
			}
			stack[sp-1] = z
			steps, stepLimit = t.thread.Steps, m.stepLimit
		}
	}
}

// quickAttr computes x.name.
func quickAttr(x starlark.Value, name string) starlark.Value {
	has, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil
	}
	y, err := has.Attr(name)
	if err != nil {
		return nil
	}
	return y
}

// quickBinary computes a binary operator.
func quickBinary(op opcode, x, y starlark.Value) starlark.Value {
	switch {
	case op == opIndex:
		return quickIndex(x, y)
	case op == opInplaceAdd:
		if _, ok := x.(*starlark.List); ok {
			return nil // it is changed in place
		}
		op = opPlus
	case op <= opNEQ:
		ok, err := starlark.Compare(syntax.LT+syntax.Token(op-opLT), x, y)
		if err != nil {
			return nil
		}
		return starlark.Bool(ok)
	}
	token := syntax.IN
	if op != opIn {
		token = syntax.PLUS + syntax.Token(op-opPlus)
	}
	z, err := starlark.Binary(token, x, y)
	if err != nil {
		return nil
	}
	return z
}

// quickInts computes the most frequent operators on ints. It returns nil for all others.
func quickInts(op opcode, x, y starlark.Int) starlark.Value {
	switch op {
	case opPlus:
		return x.Add(y)
	case opMinus:
		return x.Sub(y)
	case opStar:
		return x.Mul(y)
	}
	order, _ := x.Cmp(y, 0)
	switch op {
	case opLT:
		return starlark.Bool(order < 0)
	case opGT:
		return starlark.Bool(order > 0)
	case opGE:
		return starlark.Bool(order >= 0)
	case opLE:
		return starlark.Bool(order <= 0)
	case opEQL:
		return starlark.Bool(order == 0)
	case opNEQ:
		return starlark.Bool(order != 0)
	}
	return nil
}

// quickIndex computes x[y].
func quickIndex(x, y starlark.Value) starlark.Value {
	switch x := x.(type) {
	case starlark.Mapping:
		if z, found, err := x.Get(y); err == nil && found {
			return z
		}
	case starlark.Indexable:
		i, err := starlark.AsInt32(y)
		if err == nil && i < 0 {
			i += x.Len()
		}
		if err == nil && 0 <= i && i < x.Len() {
			return x.Index(i)
		}
	}
	return nil
}

// quickCall calls a function of the host or of Starlark. It refuses functions of a script, and functions that get one
// as an argument and may call it: the checks of recursion and depth need frames, and there are none here.
func (t *Thread) quickCall(fn starlark.Value, args starlark.Tuple, named []starlark.Value) starlark.Value {
	b, ok := fn.(*starlark.Builtin)
	if !ok {
		return nil
	}
	for _, a := range args {
		if _, ok := a.(*starlark.Function); ok {
			return nil
		}
	}
	t.kwargs = t.kwargs[:0]
	for i := 0; i < len(named); i += 2 {
		if _, ok := named[i+1].(*starlark.Function); ok {
			return nil
		}
		t.kwargs = append(t.kwargs, named[i:i+2:i+2])
	}
	y, err := b.CallInternal(t.thread, args, t.kwargs)
	if err != nil {
		return nil
	}
	return y
}
