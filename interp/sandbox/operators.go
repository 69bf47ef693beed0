package sandbox

import (
	"errors"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The rewritten program calls the meter by operators, because the interpreter passes the operands of an operator
// without allocating, unlike the arguments of a function. `a + b` becomes
//
//	(METER | a) + b
//
// where METER | a saves a and returns a value of the meter, whose operator + retrieves a and performs the guarded
// operation. The first operator selects the kind of operation. It is never PLUS, since the compiler folds chains of
// that.
const (
	askOperand     = syntax.PIPE       // (METER | a) OP b             a OP b
	askCompared    = syntax.MINUS      // (METER - a) OP b             a CMP b, by compareCode
	askIndexed     = syntax.STAR       // (METER * a)[b]               a[b]
	askSliced      = syntax.SLASH      // (METER / a)[b:c:d]           a[b:c:d]
	askAssigned    = syntax.SLASHSLASH // (METER // a)[b] = c          a[b] = c
	askUpdated     = syntax.PERCENT    // (METER % a)[b] OP= c         a[b] OP= c
	askAugmented   = syntax.GTGT       // a OP= METER >> b             a OP= b
	askChargeNew   = syntax.AMP        // METER & a                    a, a new value, which is charged for
	askChargeBytes = syntax.LTLT       // METER << n                   METER, after charging for n bytes
)

// compareCode maps a comparison to the operator that represents it after askCompared.
var compareCode = map[syntax.Token]syntax.Token{
	syntax.EQL: syntax.PLUS, syntax.NEQ: syntax.MINUS, syntax.LT: syntax.STAR, syntax.GT: syntax.SLASH,
	syntax.LE: syntax.SLASHSLASH, syntax.GE: syntax.PERCENT, syntax.IN: syntax.AMP,
}

var comparison = func() (c [syntax.GTGT + 1]syntax.Token) {
	for is, code := range compareCode {
		c[code] = is
	}
	return c
}()

// operands holds the operands saved between the two operators of a guarded operation. It is a stack, for nested
// operations; an error ends the call, and reset empties the stack.
type operands struct {
	stack     []starlark.Value
	operand   operand
	compared  compared
	indexed   indexed
	sliced    sliced
	assigned  assigned
	updated   updated
	augmented augmented
}

type (
	operand   struct{ *meter }
	compared  struct{ *meter }
	indexed   struct{ *meter }
	sliced    struct{ *meter }
	assigned  struct{ *meter }
	updated   struct{ *meter }
	augmented struct{ *meter }
)

func (m *meter) initOperands() {
	m.operand, m.compared, m.indexed, m.sliced = operand{m}, compared{m}, indexed{m}, sliced{m}
	m.assigned, m.updated, m.augmented = assigned{m}, updated{m}, augmented{m}
}

func (m *meter) push(v starlark.Value) { m.stack = append(m.stack, v) }
func (m *meter) top() starlark.Value   { return m.stack[len(m.stack)-1] }
func (m *meter) pop() starlark.Value {
	v := m.top()
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

func (m *meter) String() string        { return "meter" }
func (m *meter) Type() string          { return "meter" }
func (m *meter) Freeze()               {}
func (m *meter) Truth() starlark.Bool  { return true }
func (m *meter) Hash() (uint32, error) { return 0, errors.New("unhashable") }

// Binary performs the first operator.
func (m *meter) Binary(op syntax.Token, x starlark.Value, side starlark.Side) (starlark.Value, error) {
	if side == starlark.Right {
		return nil, nil
	}
	switch op {
	case askOperand:
		m.push(x)
		return &m.operand, nil
	case askCompared:
		m.push(x)
		return &m.compared, nil
	case askIndexed:
		if _, ok := x.(*starlark.Dict); ok {
			m.push(x)
			return &m.indexed, nil
		}
		return x, nil
	case askAssigned:
		if _, ok := x.(*starlark.Dict); ok {
			m.push(x)
			return &m.assigned, nil
		}
		return x, nil
	case askUpdated:
		if _, ok := x.(*starlark.Dict); ok {
			m.push(x)
			return &m.updated, nil
		}
		return x, nil
	case askSliced:
		if _, ok := x.(starlark.Sliceable); ok {
			m.push(x)
			return &m.sliced, nil
		}
		return x, nil
	case askAugmented:
		m.push(x)
		return &m.augmented, nil
	case askChargeNew:
		return x, m.chargeNew(x)
	case askChargeBytes:
		n, _ := x.(starlark.Int).Int64()
		return m, m.charge(n, 0)
	}
	return nil, nil
}

// chargeNew charges for a value that a display or a call has just created.
func (m *meter) chargeNew(x starlark.Value) error {
	switch x := x.(type) {
	case starlark.Int:
		if n, ok := x.Int64(); !ok || int64(int32(n)) != n {
			return m.charge(bigBytes, 0)
		}
	case *starlark.List:
		return m.charge(listBytes+slotBytes*int64(x.Len()), 0)
	case *starlark.Dict:
		n := int64(x.Len())
		return m.charge(dictBytes+entryBytes*n, uint64(n*(1+n/entriesPerStep)))
	case *starlark.Function:
		return m.charge(functionBytes+slotBytes*int64(x.NumFreeVars()+x.NumParams()), 0)
	}
	return nil
}

// Sizes of values in bytes, including unused capacity.
const (
	slotBytes     = 16
	listBytes     = 64
	stringBytes   = 32
	tupleBytes    = 32
	dictBytes     = 576
	entryBytes    = 128
	functionBytes = 128
	bigBytes      = 160 // an int outside of int32
)

// Binary performs a guarded operator.
func (o *operand) Binary(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	return o.binary(op, o.pop(), y)
}

// Binary performs a guarded comparison.
func (c *compared) Binary(code syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	x := c.pop()
	if op := comparison[code]; op != syntax.IN {
		ok, err := c.compare(op, x, y)
		return starlark.Bool(ok), err
	}
	return c.contains(x, y)
}

// Get looks up a key of a dict.
func (i *indexed) Get(k starlark.Value) (starlark.Value, bool, error) {
	return i.lookupKey(i.pop().(*starlark.Dict), k)
}
func (i *indexed) Type() string { return "dict" }

// SetKey changes a dict.
func (a *assigned) SetKey(k, v starlark.Value) error {
	return a.setKey(a.pop().(*starlark.Dict), k, v)
}
func (a *assigned) Get(starlark.Value) (starlark.Value, bool, error) { return nil, false, nil }
func (a *assigned) Type() string                                     { return "dict" }

// Get looks up the value that SetKey will replace.
func (u *updated) Get(k starlark.Value) (starlark.Value, bool, error) {
	return u.lookupKey(u.top().(*starlark.Dict), k)
}
func (u *updated) SetKey(k, v starlark.Value) error {
	return u.setKey(u.pop().(*starlark.Dict), k, v)
}
func (u *updated) Type() string { return "dict" }

// Slice returns a slice of a string, list, tuple or range. It cannot return an error: end stops the call at the next
// step.
func (s *sliced) Slice(start, end, step int) starlark.Value {
	x := s.pop().(starlark.Sliceable)
	most := max(1, x.Len()) // a longer step has the same result, but a range of a range multiplies the steps
	step = max(-most, min(step, most))
	n := int64((end-start)/step + 1)
	var err error
	switch x.(type) {
	case starlark.String:
		if step == 1 {
			n = 0
		}
		err = s.charge(stringBytes+3*n, uint64(n/64))
	case starlark.Tuple:
		if step == 1 {
			n = 0
		}
		err = s.charge(tupleBytes+5*slotBytes*n, uint64(n/64))
	case *starlark.List:
		if step != 1 {
			n *= 5
		}
		err = s.charge(listBytes+slotBytes*n, uint64(n/64))
	default:
		err = s.charge(listBytes, 0)
	}
	if err != nil {
		return starlark.None
	}
	return x.Slice(start, end, step)
}
func (s *sliced) Len() int                 { return s.top().(starlark.Sliceable).Len() }
func (s *sliced) Index(int) starlark.Value { return starlark.None }

// Binary performs the operator of an augmented assignment, x OP= y, where the meter's value stands for y.
func (a *augmented) Binary(op syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	y := a.pop()
	switch x := x.(type) {
	case *starlark.List:
		if it, ok := y.(starlark.Iterable); ok && op == syntax.PLUS {
			return x, a.extend(x, it)
		}
	case *starlark.Dict:
		if d, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			return x, a.update(x, d)
		}
	}
	return a.binary(op, x, y)
}

// binary performs x OP y for a strict operator other than a comparison.
func (m *meter) binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case starlark.Int:
		switch y := y.(type) {
		case starlark.Int:
			return m.arithmetic(op, x, y)
		case starlark.String, *starlark.List, starlark.Tuple:
			if op == syntax.STAR {
				if err := m.chargeRepeat(y, x); err != nil {
					return nil, err
				}
			}
		}
	case starlark.String:
		switch y := y.(type) {
		case starlark.String:
			if op == syntax.PLUS {
				if err := m.charge(stringBytes+int64(len(x)+len(y)), uint64(len(x)+len(y))/64); err != nil {
					return nil, err
				}
			}
		case starlark.Int:
			if op == syntax.STAR {
				if err := m.chargeRepeat(x, y); err != nil {
					return nil, err
				}
			}
		}
		if op == syntax.PERCENT {
			if err := m.chargeInterpolate(string(x), y); err != nil {
				return nil, err
			}
		}
	case *starlark.List:
		if err := m.chargeSequence(op, x, x.Len(), y); err != nil {
			return nil, err
		}
	case starlark.Tuple:
		if err := m.chargeSequence(op, x, len(x), y); err != nil {
			return nil, err
		}
	case *starlark.Dict:
		if d, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			return m.union(x, d)
		}
	}
	return starlark.Binary(op, x, y)
}

// chargeSequence charges for a list or a tuple that is concatenated to another or repeated.
func (m *meter) chargeSequence(op syntax.Token, x starlark.Value, n int, y starlark.Value) error {
	switch op {
	case syntax.PLUS:
		n += max(0, starlark.Len(y))
		return m.charge(listBytes+slotBytes*int64(n), uint64(n)/16)
	case syntax.STAR:
		if y, ok := y.(starlark.Int); ok {
			return m.chargeRepeat(x, y)
		}
	}
	return nil
}

// chargeRepeat charges for a string, list or tuple that is repeated.
func (m *meter) chargeRepeat(x starlark.Value, factor starlark.Int) error {
	n, ok := factor.Int64()
	if !ok || n <= 0 || starlark.Len(x) == 0 {
		return nil // empty, or an error of the interpreter
	}
	size := mulSizes(int64(starlark.Len(x)), n)
	if _, ok := x.(starlark.String); !ok {
		size = mulSizes(slotBytes, size)
	}
	return m.charge(listBytes+size, uint64(size)/256)
}

// errTooBig is the error for integers of more than 64 bits: they could use much memory, and rules have no use for them.
var errTooBig = rawErrorf(Failed, "whole numbers go from -2**63 to 2**63 - 1", "the number is too large")

func (m *meter) arithmetic(op syntax.Token, x, y starlark.Int) (starlark.Value, error) {
	var z starlark.Int
	switch op {
	case syntax.PLUS:
		z = x.Add(y)
	case syntax.MINUS:
		z = x.Sub(y)
	case syntax.STAR:
		z = x.Mul(y)
	default:
		v, err := starlark.Binary(op, x, y)
		if err != nil {
			return nil, err
		}
		z = v.(starlark.Int)
	}
	n, ok := z.Int64()
	switch {
	case !ok:
		return nil, errTooBig
	case int64(int32(n)) != n:
		if err := m.charge(bigBytes, 0); err != nil {
			return nil, err
		}
	}
	return z, nil
}
