package sandbox

import (
	"slices"
	"sort"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// meteredFunc is a built-in function that charges for its work.
type meteredFunc func(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

func newMetered(name string, f meteredFunc) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m, err := meterOf(thread)
		if err != nil {
			return nil, err
		}
		if err := m.charge(0, 1); err != nil {
			return nil, err
		}
		return f(m, b, args, kwargs)
	})
}

// functions are the functions that every file can call, replacing Starlark's own of the same names.
var functions = map[string]*starlark.Builtin{
	"abs":       newUnmetered("abs"),
	"all":       newIterating("all", 0),
	"any":       newIterating("any", 0),
	"bool":      newUnmetered("bool"),
	"chr":       newUnmetered("chr"),
	"dict":      newMetered("dict", dict),
	"enumerate": newIterating("enumerate", 96),
	"fail":      newMetered("fail", fail),
	"getattr":   newMetered("getattr", attribute),
	"hasattr":   newMetered("hasattr", attribute),
	"int":       newMetered("int", int_),
	"len":       newUnmetered("len"),
	"list":      newIterating("list", 2*slotBytes),
	"max":       newMetered("max", minmax),
	"min":       newMetered("min", minmax),
	"ord":       newMetered("ord", ord),
	"range":     newMetered("range", range_),
	"repr":      newMetered("repr", repr),
	"reversed":  newIterating("reversed", 2*slotBytes),
	"sorted":    newMetered("sorted", sorted),
	"str":       newMetered("str", str),
	"tuple":     newIterating("tuple", 2*slotBytes),
	"type":      newUnmetered("type"),
	"zip":       newMetered("zip", zip),
}

// native returns Starlark's function of that name.
func native(name string) *starlark.Builtin { return starlark.Universe[name].(*starlark.Builtin) }

// newUnmetered wraps a function whose work and result are small.
func newUnmetered(name string) *starlark.Builtin {
	f := native(name)
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return f.CallInternal(thread, args, kwargs)
	})
}

// newIterating guards a function that iterates over its first argument and uses some bytes for each element.
func newIterating(name string, bytes int64) *starlark.Builtin {
	f := native(name)
	return newMetered(name, func(m *meter, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if len(args) > 0 {
			if it, ok := args[0].(starlark.Iterable); ok {
				elems, err := m.collect(it)
				if err != nil {
					return nil, err
				}
				if err := m.charge(listBytes+bytes*int64(elems.Len()), 0); err != nil {
					return nil, err
				}
				args[0] = elems
			}
		}
		return f.CallInternal(m.thread, args, kwargs)
	})
}

func dict(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	d := new(starlark.Dict)
	if err := m.charge(dictBytes, 0); err != nil {
		return nil, err
	}
	return d, m.updateDict(b.Name(), d, args, kwargs)
}

// updateDict implements the arguments of dict() and update().
func (m *meter) updateDict(name string, d *starlark.Dict, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > 1 {
		return rawErrorf(Failed, "", "%s: got %d arguments, want at most 1", name, len(args))
	}
	for _, from := range args {
		switch from := from.(type) {
		case *starlark.Dict:
			if err := m.update(d, from); err != nil {
				return err
			}
		case starlark.Iterable:
			pairs, err := m.collect(from)
			if err != nil {
				return err
			}
			for i := range pairs.Len() {
				if err := m.setPair(name, d, i, pairs.Index(i)); err != nil {
					return err
				}
			}
		default:
			return rawErrorf(Failed, "", "%s: got %s, want iterable", name, from.Type())
		}
	}
	for _, kv := range kwargs {
		if err := m.setKey(d, kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

func (m *meter) setPair(name string, d *starlark.Dict, i int, pair starlark.Value) error {
	it, ok := pair.(starlark.Iterable)
	if !ok {
		return rawErrorf(Failed, "", "%s: dictionary update sequence element #%d is not iterable (%s)", name, i, pair.Type())
	}
	if n := starlark.Len(it); n != 2 {
		return rawErrorf(Failed, "", "%s: dictionary update sequence element #%d has length %d, want 2", name, i, n)
	}
	var k, v starlark.Value
	iter := it.Iterate()
	defer iter.Done()
	iter.Next(&k)
	iter.Next(&v)
	return m.setKey(d, k, v)
}

func fail(m *meter, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	text, err := m.joinArgs("fail", args, kwargs)
	if err != nil {
		return nil, err
	}
	return nil, rawErrorf(Failed, "", "%s", text)
}

// joinArgs returns the text of the arguments of fail.
func (m *meter) joinArgs(name string, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	sep := " "
	if err := starlark.UnpackArgs(name, nil, kwargs, "sep?", &sep); err != nil {
		return "", err
	}
	w := m.writer()
	for i, v := range args {
		if i > 0 {
			w.text(sep)
		}
		if s, ok := v.(starlark.String); ok {
			w.text(string(s))
		} else {
			w.value(v, 0)
		}
	}
	return w.done()
}

// attribute implements getattr and hasattr.
func attribute(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) > 1 && bytesOf(args[1]) > maxNameLength {
		return nil, rawErrorf(Failed, "", "%s: the name has more than %d bytes", b.Name(), maxNameLength)
	}
	if len(args) > 0 {
		args[0] = methodGuard{}.guard(args[0])
	}
	return native(b.Name()).CallInternal(m.thread, args, kwargs)
}

func int_(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	values := slices.Clone(args)
	for _, kv := range kwargs {
		values = append(values, kv[1])
	}
	for _, v := range values {
		if bytesOf(v) > 100 {
			return nil, errTooBig
		}
	}
	v, err := native("int").CallInternal(m.thread, args, kwargs)
	if n, ok := v.(starlark.Int); ok && err == nil {
		if _, ok := n.Int64(); !ok {
			return nil, errTooBig
		}
	}
	return v, err
}

func ord(m *meter, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	for _, a := range args {
		if err := m.charge(0, uint64(max(0, starlark.Len(a)))/64); err != nil {
			return nil, err
		}
	}
	return native("ord").CallInternal(m.thread, args, kwargs)
}

// range_ is limited to 32 bits, so that no product of steps and lengths can overflow.
func range_(m *meter, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	for _, a := range args {
		if n, ok := a.(starlark.Int); ok {
			if _, err := starlark.AsInt32(n); err != nil {
				return nil, rawErrorf(Failed, "", "range: %s is too large", n)
			}
		}
	}
	return native("range").CallInternal(m.thread, args, kwargs)
}

func repr(m *meter, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		s, err := m.repr(args[0])
		return starlark.String(s), err
	}
	return native("repr").CallInternal(m.thread, args, kwargs) // it reports the error
}

func str(m *meter, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		s, err := m.str(args[0])
		return starlark.String(s), err
	}
	return native("str").CallInternal(m.thread, args, kwargs)
}

func minmax(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, rawErrorf(Failed, "", "%s requires at least one positional argument", b.Name())
	}
	var key starlark.Callable
	if err := starlark.UnpackArgs(b.Name(), nil, kwargs, "key?", &key); err != nil {
		return nil, err
	}
	op := syntax.LT
	if b.Name() == "max" {
		op = syntax.GT
	}
	var from starlark.Value = args
	if len(args) == 1 {
		from = args[0]
	}
	it, ok := from.(starlark.Iterable)
	if !ok {
		return nil, rawErrorf(Failed, "", "%s: %s value is not iterable", b.Name(), from.Type())
	}
	elems, err := m.collect(it)
	if err != nil {
		return nil, err
	}
	if elems.Len() == 0 {
		return nil, rawErrorf(Failed, "", "%s: argument is an empty sequence", b.Name())
	}
	keys, err := m.keys(elems, key)
	if err != nil {
		return nil, err
	}
	best := 0
	for i := 1; i < keys.Len(); i++ {
		better, err := m.compare(op, keys.Index(i), keys.Index(best))
		if err != nil {
			return nil, err
		}
		if better {
			best = i
		}
	}
	return elems.Index(best), nil
}

// keys applies a key function, if there is one, to each element. The list must not change meanwhile.
func (m *meter) keys(elems starlark.Indexable, key starlark.Callable) (starlark.Indexable, error) {
	if key == nil {
		return elems, nil
	}
	if err := m.checkDepth(); err != nil {
		return nil, err
	}
	n := elems.Len()
	if err := m.charge(listBytes+slotBytes*int64(n), 0); err != nil {
		return nil, err
	}
	if l, ok := elems.(*starlark.List); ok {
		defer l.Iterate().Done() // iteration locks the list
	}
	keys := make(starlark.Tuple, n)
	for i := range keys {
		k, err := starlark.Call(m.thread, key, starlark.Tuple{elems.Index(i)}, nil)
		if err != nil {
			return nil, err
		}
		keys[i] = k
	}
	return keys, nil
}

func sorted(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var (
		from    starlark.Iterable
		key     starlark.Callable
		reverse bool
	)
	if err := starlark.UnpackArgs("sorted", args, kwargs, "iterable", &from, "key?", &key, "reverse?", &reverse); err != nil {
		return nil, err
	}
	elems, err := m.collect(from)
	if err != nil {
		return nil, err
	}
	keys, err := m.keys(elems, key)
	if err != nil {
		return nil, err
	}
	n := elems.Len()
	if err := m.charge(listBytes+3*slotBytes*int64(n), 0); err != nil {
		return nil, err
	}
	s := &sorter{m: m, keys: make([]starlark.Value, n), values: make([]starlark.Value, n)}
	for i := range n {
		s.keys[i], s.values[i] = keys.Index(i), elems.Index(i)
	}
	if reverse {
		sort.Stable(sort.Reverse(s))
	} else {
		sort.Stable(s)
	}
	return starlark.NewList(s.values), s.err
}

type sorter struct {
	m            *meter
	keys, values []starlark.Value
	err          error
}

func (s *sorter) Len() int { return len(s.keys) }
func (s *sorter) Swap(i, j int) {
	s.keys[i], s.keys[j] = s.keys[j], s.keys[i]
	s.values[i], s.values[j] = s.values[j], s.values[i]
}
func (s *sorter) Less(i, j int) bool {
	if s.err != nil {
		return false
	}
	var less bool
	if s.err = s.m.charge(0, 2); s.err == nil { // a stable sort swaps about as often
		less, s.err = s.m.compare(syntax.LT, s.keys[i], s.keys[j])
	}
	return less
}

func zip(m *meter, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	rows := -1
	for i, a := range args {
		it, ok := a.(starlark.Iterable)
		if !ok {
			break // the native function reports it
		}
		elems, err := m.collect(it)
		if err != nil {
			return nil, err
		}
		args[i] = elems
		if n := elems.Len(); rows < 0 || n < rows {
			rows = n
		}
	}
	if rows > 0 {
		if err := m.charge(mulSizes(int64(rows), 64+slotBytes*int64(len(args))), uint64(rows)); err != nil {
			return nil, err
		}
	}
	return native("zip").CallInternal(m.thread, args, kwargs)
}

// Names of other functions that the rewritten program calls. They are not valid identifiers, so scripts cannot use
// them.
const (
	paramName   = "$m"     // the meter as a parameter
	meterName   = "$meter" // returns the meter
	safeName    = "$safe"
	newDictName = "$dict"
	starName    = "$star"
	kwargsName  = "$kwargs"
)

var internalFuncs = starlark.StringDict{
	// The meter of the thread, unless the call is too deep.
	meterName: starlark.NewBuiltin(meterName, func(thread *starlark.Thread, _ *starlark.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		m, err := meterOf(thread)
		if err != nil {
			return nil, err
		}
		return m, m.checkDepth()
	}),
	safeName: methodGuard{},

	// {k: v, ...} and {k: v for ...}, from a list of pairs. True as the second argument allows a key twice.
	newDictName: newMetered(newDictName, func(m *meter, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		pairs, again := args[0].(*starlark.List), len(args) > 1
		if err := m.charge(dictBytes, uint64(pairs.Len())); err != nil {
			return nil, err
		}
		d := new(starlark.Dict)
		for i := range pairs.Len() {
			pair := pairs.Index(i).(starlark.Tuple)
			if err := m.setKey(d, pair[0], pair[1]); err != nil {
				return nil, err
			}
			if !again && d.Len() == i {
				return nil, rawErrorf(Failed, "", "duplicate key: %s", m.brief(pair[0]))
			}
		}
		return d, nil
	}),

	// f(*args)
	starName: newMetered(starName, func(m *meter, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		it, ok := args[0].(starlark.Iterable)
		if !ok {
			return args[0], nil // the interpreter reports the error
		}
		elems, err := m.collect(it)
		if err != nil {
			return nil, err
		}
		return elems, m.charge(growBytes*int64(elems.Len()), 0)
	}),

	// f(**kwargs)
	kwargsName: newMetered(kwargsName, func(m *meter, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		d, ok := args[0].(*starlark.Dict)
		if !ok {
			if _, ok := args[0].(starlark.IterableMapping); ok {
				return nil, rawErrorf(Failed, "make a dict of it", "argument after ** must be a dict, not %s", args[0].Type())
			}
			return args[0], nil
		}
		n := int64(d.Len())
		if err := m.charge(entryBytes*n, uint64(n*(4+n/entriesPerStep))); err != nil {
			return nil, err
		}
		for k := range d.Entries() {
			if s, ok := k.(starlark.String); ok && strings.HasPrefix(string(s), "$") {
				return nil, rawErrorf(Failed, "", "%s is not the name of a parameter", k)
			}
		}
		return d, nil
	}),
}
