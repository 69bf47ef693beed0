package sandbox

import (
	"errors"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// methodGuard guards methods of strings, lists and dicts: x.append becomes (SAFE / x).append. It returns every other
// value unchanged.
type methodGuard struct{}

func (methodGuard) String() string        { return "safe" }
func (methodGuard) Type() string          { return "safe" }
func (methodGuard) Freeze()               {}
func (methodGuard) Truth() starlark.Bool  { return true }
func (methodGuard) Hash() (uint32, error) { return 0, errors.New("unhashable") }
func (s methodGuard) Binary(_ syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	return s.guard(x), nil
}

func (methodGuard) guard(x starlark.Value) starlark.Value {
	switch x := x.(type) {
	case starlark.String:
		return receiver{x, stringMethods}
	case *starlark.List:
		return receiver{x, listMethods}
	case *starlark.Dict:
		return receiver{x, dictMethods}
	}
	return x
}

// receiver is a value whose methods are guarded.
type receiver struct {
	starlark.HasAttrs
	methods map[string]*starlark.Builtin
}

func (r receiver) Attr(name string) (starlark.Value, error) {
	if b := r.methods[name]; b != nil {
		return b.BindReceiver(r.HasAttrs), nil
	}
	return nil, nil
}

// methodNames are the names of all methods of strings, lists and dicts.
var methodNames = func() map[string]bool {
	names := map[string]bool{}
	for _, v := range []starlark.HasAttrs{starlark.String(""), new(starlark.List), new(starlark.Dict)} {
		for _, n := range v.AttrNames() {
			names[n] = true
		}
	}
	return names
}()

// cost charges for a call of a method in advance. It may change the arguments.
type cost func(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error

// meteredMethods returns the guarded methods of a type: each charges and then calls Starlark's own. Methods without a
// cost are omitted, so that a method added by a later version of Starlark is refused until its cost is known.
func meteredMethods(of starlark.HasAttrs, costs map[string]cost) map[string]*starlark.Builtin {
	metered := map[string]*starlark.Builtin{}
	for _, name := range of.AttrNames() {
		charge := costs[name]
		if charge == nil {
			continue
		}
		metered[name] = newMetered(name, func(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			recv := b.Receiver().(starlark.HasAttrs)
			if err := charge(m, recv, args, kwargs); err != nil {
				return nil, err
			}
			f, err := recv.Attr(name)
			if err != nil {
				return nil, err
			}
			return f.(*starlark.Builtin).CallInternal(m.thread, args, kwargs)
		})
	}
	return metered
}

var listMethods = meteredMethods(new(starlark.List), map[string]cost{
	"append": func(m *meter, _ starlark.Value, _ starlark.Tuple, _ []starlark.Tuple) error {
		return m.charge(growBytes, 0)
	},
	"clear": chargeMoves,
	"extend": func(m *meter, recv starlark.Value, args starlark.Tuple, _ []starlark.Tuple) error {
		if len(args) == 1 {
			if it, ok := args[0].(starlark.Iterable); ok {
				elems, err := m.collect(it)
				if err != nil {
					return err
				}
				args[0] = elems
				return m.charge(growBytes*int64(elems.Len()), 0)
			}
		}
		return nil
	},
	"index": chargeSearch,
	"insert": func(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
		if err := m.charge(growBytes, 0); err != nil {
			return err
		}
		return chargeMoves(m, recv, args, kwargs)
	},
	"pop":    chargeMoves,
	"remove": chargeSearch,
})

// chargeMoves charges for moving the elements of a list.
func chargeMoves(m *meter, recv starlark.Value, _ starlark.Tuple, _ []starlark.Tuple) error {
	return m.charge(0, uint64(recv.(*starlark.List).Len())/16)
}

// chargeSearch charges for comparing the elements of a list with the first argument, up to the first equal one.
func chargeSearch(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > 0 {
		if _, err := m.contains(args[0], recv); err != nil {
			return err
		}
	}
	return chargeMoves(m, recv, args, kwargs)
}

var dictMethods = func() map[string]*starlark.Builtin {
	d := meteredMethods(new(starlark.Dict), map[string]cost{
		"clear":      entriesCost(0),
		"get":        keyCost(0),
		"items":      entriesCost(112),
		"keys":       entriesCost(slotBytes),
		"pop":        keyCost(0),
		"popitem":    chargePopitem,
		"setdefault": keyCost(entryBytes),
		"values":     entriesCost(80),
	})
	d["update"] = newMetered("update", func(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, m.updateDict("update", b.Receiver().(*starlark.Dict), args, kwargs)
	})
	return d
}()

// keyCost charges for looking up the first argument in a dict, plus bytes.
func keyCost(bytes int64) cost {
	return func(m *meter, recv starlark.Value, args starlark.Tuple, _ []starlark.Tuple) error {
		if len(args) > 0 {
			if err := m.chargeKey(recv.(*starlark.Dict), args[0]); err != nil {
				return err
			}
		}
		return m.charge(bytes, 0)
	}
}

func chargePopitem(m *meter, recv starlark.Value, _ starlark.Tuple, _ []starlark.Tuple) error {
	d := recv.(*starlark.Dict)
	for k := range d.Entries() {
		return m.chargeKey(d, k)
	}
	return nil
}

// entriesCost charges for iterating over a dict, plus bytes for each entry.
func entriesCost(bytes int64) cost {
	return func(m *meter, recv starlark.Value, _ starlark.Tuple, _ []starlark.Tuple) error {
		n := recv.(*starlark.Dict).Len()
		return m.charge(listBytes+bytes*int64(n), uint64(n))
	}
}

var stringMethods = func() map[string]*starlark.Builtin {
	all := meteredMethods(starlark.String(""), stringCosts)
	for _, name := range []string{"codepoint_ords", "codepoints", "elem_ords", "elems"} {
		all[name] = newMetered(name, stringLetters)
	}
	return all
}()

// stringLetters returns the letters of a string as a tuple. Starlark's own value is lazy, but comparing or printing
// such values iterates over whole strings.
func stringLetters(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := b.Receiver().(starlark.String)
	if err := m.charge(tupleBytes+4*slotBytes*int64(len(s)), uint64(len(s))); err != nil {
		return nil, err
	}
	f, err := s.Attr(b.Name())
	if err != nil {
		return nil, err
	}
	lazy, err := f.(*starlark.Builtin).CallInternal(m.thread, args, kwargs)
	if err != nil {
		return nil, err
	}
	all := make(starlark.Tuple, 0, len(s))
	for v := range starlark.Elements(lazy.(starlark.Iterable)) {
		all = append(all, v)
	}
	return all, nil
}

var stringCosts = map[string]cost{
	"capitalize":   textCost(3),
	"count":        textCost(0),
	"endswith":     chargePrefixes,
	"find":         textCost(0),
	"format":       chargeFormat,
	"index":        textCost(0),
	"isalnum":      textCost(0),
	"isalpha":      textCost(0),
	"isdigit":      textCost(0),
	"islower":      textCost(3),
	"isspace":      textCost(0),
	"istitle":      textCost(0),
	"isupper":      textCost(3),
	"join":         chargeJoin,
	"lower":        textCost(3),
	"lstrip":       chargeStrip,
	"partition":    textCost(0),
	"removeprefix": textCost(0),
	"removesuffix": textCost(0),
	"replace":      chargeReplace,
	"rfind":        textCost(0),
	"rindex":       textCost(0),
	"rpartition":   textCost(0),
	"rsplit":       chargeSplit,
	"rstrip":       chargeStrip,
	"split":        chargeSplit,
	"splitlines":   chargeSplitlines,
	"startswith":   chargePrefixes,
	"strip":        chargeStrip,
	"title":        textCost(3),
	"upper":        textCost(3),
}

func bytesOf(v starlark.Value) int64 {
	s, _ := v.(starlark.String)
	return int64(len(s))
}

// textCost charges for iterating over a string, and for a result that is the given multiple of its size. A case
// conversion can turn a letter of one byte into three bytes.
func textCost(result int64) cost {
	return func(m *meter, recv starlark.Value, args starlark.Tuple, _ []starlark.Tuple) error {
		n := bytesOf(recv)
		bytes, steps := tupleBytes+3*stringBytes+result*n, n
		for _, a := range args {
			steps += bytesOf(a)
		}
		if result > 0 {
			steps *= 4 // letter by letter
		}
		return m.charge(bytes, uint64(steps)/64)
	}
}

// chargePrefixes also charges for a tuple of prefixes.
func chargePrefixes(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > 0 {
		if err := m.chargeNodes(args[0], 2); err != nil {
			return err
		}
	}
	return textCost(0)(m, recv, args, kwargs)
}

// chargeStrip charges for looking for every letter of the string in the argument.
func chargeStrip(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > 0 {
		if err := m.charge(0, uint64(mulSizes(bytesOf(recv), bytesOf(args[0])))/64); err != nil {
			return err
		}
	}
	return textCost(0)(m, recv, args, kwargs)
}

func chargeJoin(m *meter, recv starlark.Value, args starlark.Tuple, _ []starlark.Tuple) error {
	if len(args) != 1 {
		return nil
	}
	it, ok := args[0].(starlark.Iterable)
	if !ok {
		return nil
	}
	elems, err := m.collect(it)
	if err != nil {
		return err
	}
	args[0] = elems
	size := mulSizes(int64(elems.Len()), bytesOf(recv))
	for i := range elems.Len() {
		size += bytesOf(elems.Index(i))
	}
	return m.charge(stringBytes+2*size, uint64(size)/64)
}

func chargeReplace(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := textCost(1)(m, recv, args, kwargs); err != nil || len(args) < 2 {
		return err
	}
	old, ok := args[0].(starlark.String)
	if !ok {
		return nil
	}
	n := int64(strings.Count(string(recv.(starlark.String)), string(old)))
	if len(args) > 2 {
		if most, ok := args[2].(starlark.Int); ok {
			if most, ok := most.Int64(); ok && most >= 0 {
				n = min(n, most)
			}
		}
	}
	return m.charge(mulSizes(n, bytesOf(args[1])), uint64(n))
}

// partBytes is the size of a part of a string in a list, including temporary memory of the native function.
const partBytes = 3 * slotBytes

func chargeSplit(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := textCost(0)(m, recv, args, kwargs); err != nil {
		return err
	}
	s := string(recv.(starlark.String))
	n := int64(len(s)/2 + 1)
	if len(args) > 0 {
		if sep, ok := args[0].(starlark.String); ok && sep != "" {
			n = int64(strings.Count(s, string(sep)) + 1)
		}
	}
	if len(args) > 1 { // the native function allocates memory for that many parts
		if most, ok := args[1].(starlark.Int); ok {
			if most, ok := most.Int64(); !ok || most > int64(len(s)) {
				args[1] = starlark.MakeInt(len(s))
			}
		}
	}
	return m.charge(listBytes+partBytes*n, uint64(n))
}

func chargeSplitlines(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := textCost(0)(m, recv, args, kwargs); err != nil {
		return err
	}
	n := int64(strings.Count(string(recv.(starlark.String)), "\n") + 1)
	return m.charge(listBytes+partBytes*n, uint64(n))
}

// chargeFormat charges for the size of the largest argument times the number of fields.
func chargeFormat(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	s := string(recv.(starlark.String))
	largest := int64(0)
	for _, a := range args {
		n, err := m.textSize(a)
		if err != nil {
			return err
		}
		largest = max(largest, n)
	}
	for _, kv := range kwargs {
		n, err := m.textSize(kv[1])
		if err != nil {
			return err
		}
		largest = max(largest, n)
	}
	fields := strings.Count(s, "{")
	// Each named field is searched for among all arguments.
	if err := m.charge(0, uint64(mulSizes(int64(fields), int64(len(kwargs))))/16); err != nil {
		return err
	}
	return m.chargeFields(s, fields, largest)
}

// chargeFields charges for a text with fields, each of at most the size largest.
func (m *meter) chargeFields(s string, fields int, largest int64) error {
	size := int64(len(s)) + mulSizes(int64(fields), largest)
	return m.charge(stringBytes+2*size, uint64(size)/64+uint64(fields))
}

// textSize is the size of the printed value in bytes, or an upper bound. Lists, tuples and dicts are printed to find
// it.
func (m *meter) textSize(v starlark.Value) (int64, error) {
	switch v := v.(type) {
	case starlark.String:
		return int64(4*utf8.RuneCountInString(string(v)) + len(v) + 2), m.charge(0, uint64(len(v))/64)
	case *starlark.List, starlark.Tuple, *starlark.Dict:
		s, err := m.repr(v)
		return int64(len(s)), err
	case starlark.Int, starlark.Bool, starlark.NoneType:
		return 24, nil
	}
	s, err := m.repr(v)
	return int64(len(s)), err
}

// chargeInterpolate charges for s % y, and refuses the verbs for floating-point numbers.
func (m *meter) chargeInterpolate(s string, y starlark.Value) error {
	for i := 0; i < len(s)-1; i++ {
		if s[i] != '%' {
			continue
		}
		i++
		if s[i] == '(' {
			if j := strings.IndexByte(s[i:], ')'); j >= 0 && i+j+1 < len(s) {
				i += j + 1
			}
		}
		if strings.IndexByte("eEfFgG", s[i]) >= 0 {
			return rawErrorf(Failed, "numbers are whole: write %d", "%%%c prints a floating-point number", s[i])
		}
	}
	largest, fields := int64(0), strings.Count(s, "%")
	args, ok := y.(starlark.Tuple)
	if !ok {
		args = starlark.Tuple{y}
	}
	if d, ok := y.(*starlark.Dict); ok { // %(key)s, each of which is looked up
		if err := m.charge(0, uint64(d.Len())+uint64(mulSizes(int64(fields), int64(1+d.Len()/entriesPerStep)))); err != nil {
			return err
		}
		for _, v := range d.Entries() {
			n, err := m.textSize(v)
			if err != nil {
				return err
			}
			largest = max(largest, n)
		}
	}
	for _, a := range args {
		n, err := m.textSize(a)
		if err != nil {
			return err
		}
		largest = max(largest, n)
	}
	return m.chargeFields(s, fields, largest)
}
