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

// code is a function that can be run quickly.
type code struct {
	instrs        []instr
	params        int // taken by arguments
	meter         int // index of the parameter for the meter, -1 if there is none
	locals, stack int
}

// instr is an instruction, or several consecutive ones. n is its operand: the target of a jump, the index of a
// variable, or a count.
type instr struct {
	op     opcode
	with   bool   // fused with another one, see join
	steps  uint64 // number of Starlark instructions
	n      int
	other  int // target of the jump if a condition is false
	name   string
	then   string // name of an attribute of the first attribute
	values []starlark.Value
}

// opcode is the operation of an instruction, numbered as in savedVersion; see internal/compile of Starlark.
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

// quickly reads the instructions of a function, nil if some of them are unsupported.
func quickly(f *compiledFunc, metered bool, globals, predeclared starlark.StringDict) *code {
	if f == nil || f.cells > 0 || f.frees > 0 || f.varargs || f.kwargs {
		return nil
	}
	c := &code{params: f.params, meter: -1, locals: f.locals, stack: f.stack}
	if metered {
		c.params--
		c.meter = c.params
	}
	if f.named > f.params-c.params { // a keyword-only parameter of its own
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
				in.n |= int(b&0x7f) << shift
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
			value = f.constants[in.n]
		case opGlobal: // globals no longer change
			in.op, value = opConstant, globals[f.globals[in.n]]
		case opPredeclared:
			in.op, value = opConstant, predeclared[f.names[in.n]]
		case opAttr:
			in.name = f.names[in.n]
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
		if in.jumps() {
			c.instrs[i].n = index[in.n]
		}
	}
	c.join()
	return c
}

func (in *instr) jumps() bool { return in.op == opJmp || in.op == opCjmp || in.op == opIterJmp }

// binary reports whether the instruction is a binary operator.
func (in *instr) binary() bool { return opLT <= in.op && in.op <= opIn }

// join fuses instructions that often occur together. The target of a jump is not fused with its predecessor.
func (c *code) join() {
	reached := make([]bool, len(c.instrs))
	for _, in := range c.instrs {
		if in.jumps() {
			reached[in.n] = true
		}
	}
	index := make([]int, len(c.instrs))
	var joined []instr
	for i, in := range c.instrs {
		if n := len(joined); n > 0 && !reached[i] {
			last := &joined[n-1]
			switch {
			case last.op == opLocal && in.op == opAttr:
				last.op, last.name = opLocalAttr, in.name
			case last.op == opLocalAttr && last.then == "" && in.op == opAttr:
				last.then = in.name
			case last.op == opConstant && in.op == opConstant:
				last.values = append(last.values, in.values...)
			case last.op == opConstant && (in.binary() || in.op == opReturn) && len(last.values) == 1: // its operand
				last.op, last.with = in.op, true
			case last.op == opCall && in.op == opPop:
				last.with = true
			case last.op == opCjmp && in.op == opJmp:
				last.with, last.other = true, in.n
				last.steps-- // a step that counts only on that path
			default:
				n = 0
			}
			if n > 0 {
				last.steps += in.steps
				continue
			}
		}
		index[i] = len(joined)
		joined = append(joined, in)
	}
	for i := range joined {
		if joined[i].jumps() {
			joined[i].n, joined[i].other = index[joined[i].n], index[joined[i].other]
		}
	}
	c.instrs = joined
}

// quick runs a function; it returns nil if it gives up.
func (t *Thread) quick(c *code, args starlark.Tuple) starlark.Value {
	if len(args) != c.params {
		return nil
	}
	if n := c.locals + c.stack; n > len(t.space) {
		t.space = make([]starlark.Value, n)
	}
	t.iters = t.iters[:0]
	m, steps, most := &t.meter, uint64(0), t.meter.most
	locals, stack := t.space[:c.locals], t.space[c.locals:c.locals+c.stack]
	for i := range locals {
		locals[i] = nil
		if i < len(args) {
			locals[i] = args[i]
		}
	}
	if c.meter >= 0 {
		locals[c.meter] = m
	}
	sp, pc := 0, 0
	for {
		in := &c.instrs[pc]
		pc++
		if steps += in.steps; steps >= most {
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
			y := quickAttr(locals[in.n], in.name)
			if in.then != "" && y != nil {
				y = quickAttr(y, in.then)
			}
			if y == nil {
				return nil
			}
			stack[sp] = y
			sp++
			steps, most = t.thread.Steps, m.most
		case opLocal:
			x := locals[in.n]
			if x == nil {
				return nil
			}
			stack[sp] = x
			sp++
		case opSetLocal:
			sp--
			locals[in.n] = stack[sp]
		case opNot:
			stack[sp-1] = !stack[sp-1].Truth()
		case opJmp:
			pc = in.n
		case opCjmp:
			sp--
			if stack[sp].Truth() {
				pc = in.n
			} else if in.with {
				steps++
				pc = in.other
			}
		case opReturn:
			t.thread.Steps = steps
			if in.with {
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
			steps, most = t.thread.Steps, m.most
			if it == nil {
				return nil
			}
			t.iters = append(t.iters, it)
		case opIterJmp:
			t.thread.Steps = steps
			if t.iters[len(t.iters)-1].Next(&stack[sp]) {
				sp++
			} else {
				pc = in.n
			}
			steps, most = t.thread.Steps, m.most
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
			steps, most = t.thread.Steps, m.most
		case opCall:
			t.thread.Steps = steps
			named, given := in.n&0xff, in.n>>8
			sp -= 2*named + given
			y := t.quickCall(stack[sp-1], stack[sp:sp+given:sp+given], stack[sp+given:sp+given+2*named])
			if y == nil {
				return nil
			}
			stack[sp-1] = y
			if in.with {
				sp--
			}
			steps, most = t.thread.Steps, m.most
		case opMakeTuple:
			sp -= in.n
			stack[sp] = append(make(starlark.Tuple, 0, in.n), stack[sp:sp+in.n]...)
			sp++
		default: // binary operators
			var y starlark.Value
			if in.with {
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
			steps, most = t.thread.Steps, m.most
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
