package sandbox

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// maxValueDepth limits the nesting of values that are hashed, printed or frozen, which native code walks recursively.
const maxValueDepth = 200

// entriesPerStep is how many entries of a dict a step pays for: keys with equal hashes are searched linearly, and a
// script can choose keys that all have the same hash.
const entriesPerStep = 16

// countNodes counts the nodes of a value up to a depth, shared ones every time they are reached; it stops above most.
func countNodes(v starlark.Value, depth, maxNodes int) (n int, tooDeep bool) {
	w := nodeCounter{maxNodes: maxNodes}
	w.value(v, depth)
	return w.nodes, w.tooDeep
}

type nodeCounter struct {
	nodes, maxNodes int
	tooDeep         bool
}

// value reports whether to continue.
func (w *nodeCounter) value(v starlark.Value, depth int) bool {
	w.nodes++
	if depth == 0 {
		w.tooDeep = true
		return w.nodes <= w.maxNodes
	}
	switch v := v.(type) {
	case starlark.String:
		w.nodes += len(v) / 64
	case *starlark.List:
		for i := range v.Len() {
			if !w.value(v.Index(i), depth-1) {
				return false
			}
		}
	case starlark.Tuple:
		for _, e := range v {
			if !w.value(e, depth-1) {
				return false
			}
		}
	case *starlark.Dict:
		for k, e := range v.Entries() {
			if !w.value(k, depth-1) || !w.value(e, depth-1) {
				return false
			}
		}
	}
	return w.nodes <= w.maxNodes
}

// chargeNodes charges a step for each node of a value up to a depth.
func (m *meter) chargeNodes(v starlark.Value, depth int) error {
	switch v := v.(type) {
	case starlark.String:
		if len(v) < 64 {
			return nil
		}
	case *starlark.List, starlark.Tuple, *starlark.Dict:
	default:
		return nil
	}
	n, _ := countNodes(v, depth, m.remaining())
	return m.charge(0, uint64(n))
}

var errTooDeep = rawErrorf(Depth, "keep it flatter", "a value is nested more than %d deep", maxValueDepth)

// compare performs one of == != < > <= >=.
func (m *meter) compare(op syntax.Token, x, y starlark.Value) (bool, error) {
	switch x := x.(type) {
	case starlark.Int, starlark.Bool, starlark.NoneType:
	case starlark.String:
		if y, ok := y.(starlark.String); ok {
			if n := min(len(x), len(y)); n >= 64 {
				if err := m.charge(0, uint64(n)/64); err != nil {
					return false, err
				}
			}
		}
	case *starlark.List:
		if y, ok := y.(*starlark.List); ok {
			if err := m.chargeCompared(op, x, y, x.Len(), y.Len()); err != nil {
				return false, err
			}
		}
	case starlark.Tuple:
		if y, ok := y.(starlark.Tuple); ok {
			if err := m.chargeCompared(op, x, y, len(x), len(y)); err != nil {
				return false, err
			}
		}
	case *starlark.Dict:
		if y, ok := y.(*starlark.Dict); ok && x.Len() == y.Len() {
			n, _ := countNodes(x, starlark.CompareLimit, m.remaining())
			if err := m.charge(0, uint64(mulSizes(int64(n), int64(1+x.Len()/entriesPerStep)))); err != nil {
				return false, err
			}
		}
	}
	return starlark.Compare(op, x, y)
}

func (m *meter) chargeCompared(op syntax.Token, x, y starlark.Value, nx, ny int) error {
	if nx != ny && (op == syntax.EQL || op == syntax.NEQ) {
		return nil
	}
	if nx > ny { // only the length of the shorter one is compared
		x, y = y, x
	}
	return m.chargeNodes(x, starlark.CompareLimit)
}

// contains computes x in y.
func (m *meter) contains(x, y starlark.Value) (starlark.Value, error) {
	switch y := y.(type) {
	case starlark.String:
		if err := m.charge(0, uint64(len(y))/64); err != nil {
			return nil, err
		}
	case *starlark.List:
		for i := range y.Len() {
			if ok, err := m.equal(y.Index(i), x); ok || err != nil {
				return starlark.Bool(ok), err
			}
		}
		return starlark.False, nil
	case starlark.Tuple:
		for _, e := range y {
			if ok, err := m.equal(e, x); ok || err != nil {
				return starlark.Bool(ok), err
			}
		}
		return starlark.False, nil
	case *starlark.Dict:
		if err := m.chargeKey(y, x); err != nil {
			return nil, err
		}
	}
	return starlark.Binary(syntax.IN, x, y)
}

// equal compares and charges a step, as a search does for every element.
func (m *meter) equal(x, y starlark.Value) (bool, error) {
	if err := m.charge(0, 1); err != nil {
		return false, err
	}
	return m.compare(syntax.EQL, x, y)
}

// chargeKey charges for looking up a key in a dict.
func (m *meter) chargeKey(d *starlark.Dict, k starlark.Value) error {
	weight := 1
	switch k := k.(type) {
	case starlark.String:
		weight += len(k) / 64
	case starlark.Int:
		if _, err := starlark.AsInt32(k); err != nil {
			weight = 4 // its hash is easy to collide with, and it is slower to compare
		}
	case starlark.Tuple:
		n, tooDeep := countNodes(k, maxValueDepth, m.remaining())
		if tooDeep {
			return errTooDeep
		}
		weight += n
	}
	if steps := weight * (1 + d.Len()/entriesPerStep); steps > 1 {
		return m.charge(0, uint64(steps))
	}
	return nil
}

// lookupKey looks up a key.
func (m *meter) lookupKey(d *starlark.Dict, k starlark.Value) (starlark.Value, bool, error) {
	if err := m.chargeKey(d, k); err != nil {
		return nil, false, err
	}
	v, found, err := d.Get(k)
	if err == nil && !found {
		return nil, false, rawErrorf(Failed, "`.get(KEY, OTHERWISE)` has no such error", "the dict has no key %s", m.brief(k))
	}
	return v, found, err
}

// setKey sets an entry of a dict, and charges for a new one.
func (m *meter) setKey(d *starlark.Dict, k, v starlark.Value) error {
	if err := m.chargeKey(d, k); err != nil {
		return err
	}
	n := d.Len()
	if err := d.SetKey(k, v); err != nil {
		return err
	}
	if d.Len() > n {
		return m.charge(entryBytes, 0)
	}
	return nil
}

// update sets all entries of another dict.
func (m *meter) update(d, from *starlark.Dict) error {
	if d == from {
		return nil
	}
	for k, v := range from.Entries() {
		if err := m.charge(0, 1); err != nil {
			return err
		}
		if err := m.setKey(d, k, v); err != nil {
			return err
		}
	}
	return nil
}

// union creates the union of two dicts.
func (m *meter) union(x, y *starlark.Dict) (starlark.Value, error) {
	if err := m.charge(dictBytes, 0); err != nil {
		return nil, err
	}
	d := new(starlark.Dict)
	if err := m.update(d, x); err != nil {
		return nil, err
	}
	return d, m.update(d, y)
}

// extend appends the elements of a sequence to a list.
func (m *meter) extend(l *starlark.List, from starlark.Iterable) error {
	elems, err := m.collect(from)
	if err != nil {
		return err
	}
	if err := m.charge(growBytes*int64(elems.Len()), 0); err != nil {
		return err
	}
	for i, n := 0, elems.Len(); i < n; i++ { // n is fixed: elems may be the list itself
		if err := l.Append(elems.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// growBytes is the cost of an element in a list that grows one by one.
const growBytes = 40

// collect returns the elements of a sequence (itself, if it is a list or a tuple), and charges a step for each, so that
// native code can iterate over it.
func (m *meter) collect(it starlark.Iterable) (starlark.Indexable, error) {
	switch it := it.(type) {
	case *starlark.List:
		return it, m.charge(0, uint64(it.Len()))
	case starlark.Tuple:
		return it, m.charge(0, uint64(len(it)))
	}
	n := starlark.Len(it)
	if n >= 0 {
		if err := m.charge(listBytes+mulSizes(slotBytes, int64(n)), uint64(n)); err != nil {
			return nil, err
		}
	}
	elems := make(starlark.Tuple, 0, max(n, 0))
	iter := it.Iterate()
	defer iter.Done()
	var v starlark.Value
	for iter.Next(&v) {
		if n < 0 {
			if err := m.charge(growBytes+slotBytes, 1); err != nil {
				return nil, err
			}
		}
		elems = append(elems, v)
	}
	return elems, nil
}
