package sandbox

import (
	"errors"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// safe guards methods of strings, lists and dicts: x.append becomes (SAFE / x).append. It returns every other value
// unchanged.
type safe struct{}

func (safe) String() string        { return "safe" }
func (safe) Type() string          { return "safe" }
func (safe) Freeze()               {}
func (safe) Truth() starlark.Bool  { return true }
func (safe) Hash() (uint32, error) { return 0, errors.New("unhashable") }
func (s safe) Binary(_ syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	return s.of(x), nil
}

func (safe) of(x starlark.Value) starlark.Value {
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

// methods returns the guarded methods of a type: each charges and then calls Starlark's own. Methods without a cost are
// omitted, so that a method added by a later version of Starlark is refused until its cost is known.
func methods(of starlark.HasAttrs, costs map[string]cost) map[string]*starlark.Builtin {
	guarded := map[string]*starlark.Builtin{}
	for _, name := range of.AttrNames() {
		pay := costs[name]
		if pay == nil {
			continue
		}
		guarded[name] = builtin(name, func(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			recv := b.Receiver().(starlark.HasAttrs)
			if err := pay(m, recv, args, kwargs); err != nil {
				return nil, err
			}
			f, err := recv.Attr(name)
			if err != nil {
				return nil, err
			}
			return f.(*starlark.Builtin).CallInternal(m.thread, args, kwargs)
		})
	}
	return guarded
}

var listMethods = methods(new(starlark.List), map[string]cost{
	"append": func(m *meter, _ starlark.Value, _ starlark.Tuple, _ []starlark.Tuple) error {
		return m.pay(growBytes, 0)
	},
	"clear": slots,
	"extend": func(m *meter, recv starlark.Value, args starlark.Tuple, _ []starlark.Tuple) error {
		if len(args) == 1 {
			if it, ok := args[0].(starlark.Iterable); ok {
				elems, err := m.collect(it)
				if err != nil {
					return err
				}
				args[0] = elems
				return m.pay(growBytes*int64(elems.Len()), 0)
			}
		}
		return nil
	},
	"index": search,
	"insert": func(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
		if err := m.pay(growBytes, 0); err != nil {
			return err
		}
		return slots(m, recv, args, kwargs)
	},
	"pop":    slots,
	"remove": search,
})

// slots charges for moving the elements of a list.
func slots(m *meter, recv starlark.Value, _ starlark.Tuple, _ []starlark.Tuple) error {
	return m.pay(0, uint64(recv.(*starlark.List).Len())/16)
}

// search charges for comparing the elements of a list with the first argument, up to the first equal one.
func search(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > 0 {
		if _, err := m.in(args[0], recv); err != nil {
			return err
		}
	}
	return slots(m, recv, args, kwargs)
}

var dictMethods = func() map[string]*starlark.Builtin {
	d := methods(new(starlark.Dict), map[string]cost{
		"clear":      entries(0),
		"get":        key(0),
		"items":      entries(112),
		"keys":       entries(slotBytes),
		"pop":        key(0),
		"popitem":    popitem,
		"setdefault": key(entryBytes),
		"values":     entries(80),
	})
	d["update"] = builtin("update", func(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, m.updateDict("update", b.Receiver().(*starlark.Dict), args, kwargs)
	})
	return d
}()

// key charges for looking up the first argument in a dict, plus bytes.
func key(bytes int64) cost {
	return func(m *meter, recv starlark.Value, args starlark.Tuple, _ []starlark.Tuple) error {
		if len(args) > 0 {
			if err := m.payKey(recv.(*starlark.Dict), args[0]); err != nil {
				return err
			}
		}
		return m.pay(bytes, 0)
	}
}

func popitem(m *meter, recv starlark.Value, _ starlark.Tuple, _ []starlark.Tuple) error {
	d := recv.(*starlark.Dict)
	for k := range d.Entries() {
		return m.payKey(d, k)
	}
	return nil
}

// entries charges for iterating over a dict, plus bytes for each entry.
func entries(bytes int64) cost {
	return func(m *meter, recv starlark.Value, _ starlark.Tuple, _ []starlark.Tuple) error {
		n := recv.(*starlark.Dict).Len()
		return m.pay(listBytes+bytes*int64(n), uint64(n))
	}
}

var stringMethods = func() map[string]*starlark.Builtin {
	all := methods(starlark.String(""), stringCosts)
	for _, name := range []string{"codepoint_ords", "codepoints", "elem_ords", "elems"} {
		all[name] = builtin(name, letters)
	}
	return all
}()

// letters returns the letters of a string as a tuple. Starlark's own value is lazy, but comparing or printing such
// values iterates over whole strings.
func letters(m *meter, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	s := b.Receiver().(starlark.String)
	if err := m.pay(tupleBytes+4*slotBytes*int64(len(s)), uint64(len(s))); err != nil {
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
	"capitalize":   text(3),
	"count":        text(0),
	"endswith":     prefixes,
	"find":         text(0),
	"format":       format,
	"index":        text(0),
	"isalnum":      text(0),
	"isalpha":      text(0),
	"isdigit":      text(0),
	"islower":      text(3),
	"isspace":      text(0),
	"istitle":      text(0),
	"isupper":      text(3),
	"join":         join,
	"lower":        text(3),
	"lstrip":       strip,
	"partition":    text(0),
	"removeprefix": text(0),
	"removesuffix": text(0),
	"replace":      replace,
	"rfind":        text(0),
	"rindex":       text(0),
	"rpartition":   text(0),
	"rsplit":       split,
	"rstrip":       strip,
	"split":        split,
	"splitlines":   splitlines,
	"startswith":   prefixes,
	"strip":        strip,
	"title":        text(3),
	"upper":        text(3),
}

func bytesOf(v starlark.Value) int64 {
	s, _ := v.(starlark.String)
	return int64(len(s))
}

// text charges for iterating over a string, and for a result that is the given multiple of its size. A case conversion
// can turn a letter of one byte into three bytes.
func text(result int64) cost {
	return func(m *meter, recv starlark.Value, args starlark.Tuple, _ []starlark.Tuple) error {
		n := bytesOf(recv)
		bytes, steps := tupleBytes+3*stringBytes+result*n, n
		for _, a := range args {
			steps += bytesOf(a)
		}
		if result > 0 {
			steps *= 4 // letter by letter
		}
		return m.pay(bytes, uint64(steps)/64)
	}
}

// prefixes also charges for a tuple of prefixes.
func prefixes(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > 0 {
		if err := m.payWeight(args[0], 2); err != nil {
			return err
		}
	}
	return text(0)(m, recv, args, kwargs)
}

// strip charges for looking for every letter of the string in the argument.
func strip(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > 0 {
		if err := m.pay(0, uint64(times(bytesOf(recv), bytesOf(args[0])))/64); err != nil {
			return err
		}
	}
	return text(0)(m, recv, args, kwargs)
}

func join(m *meter, recv starlark.Value, args starlark.Tuple, _ []starlark.Tuple) error {
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
	size := times(int64(elems.Len()), bytesOf(recv))
	for i := range elems.Len() {
		size += bytesOf(elems.Index(i))
	}
	return m.pay(stringBytes+2*size, uint64(size)/64)
}

func replace(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := text(1)(m, recv, args, kwargs); err != nil || len(args) < 2 {
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
	return m.pay(times(n, bytesOf(args[1])), uint64(n))
}

// partBytes is the size of a part of a string in a list, including temporary memory of the native function.
const partBytes = 3 * slotBytes

func split(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := text(0)(m, recv, args, kwargs); err != nil {
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
	return m.pay(listBytes+partBytes*n, uint64(n))
}

func splitlines(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := text(0)(m, recv, args, kwargs); err != nil {
		return err
	}
	n := int64(strings.Count(string(recv.(starlark.String)), "\n") + 1)
	return m.pay(listBytes+partBytes*n, uint64(n))
}

// format charges for the size of the largest argument times the number of fields.
func format(m *meter, recv starlark.Value, args starlark.Tuple, kwargs []starlark.Tuple) error {
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
	if err := m.pay(0, uint64(times(int64(fields), int64(len(kwargs))))/16); err != nil {
		return err
	}
	return m.payFields(s, fields, largest)
}

// payFields charges for a text with fields, each of at most the size largest.
func (m *meter) payFields(s string, fields int, largest int64) error {
	size := int64(len(s)) + times(int64(fields), largest)
	return m.pay(stringBytes+2*size, uint64(size)/64+uint64(fields))
}

// textSize is the size of the printed value in bytes, or an upper bound. Lists, tuples and dicts are printed to find
// it.
func (m *meter) textSize(v starlark.Value) (int64, error) {
	switch v := v.(type) {
	case starlark.String:
		return int64(4*utf8.RuneCountInString(string(v)) + len(v) + 2), m.pay(0, uint64(len(v))/64)
	case *starlark.List, starlark.Tuple, *starlark.Dict:
		s, err := m.repr(v)
		return int64(len(s)), err
	case starlark.Int, starlark.Bool, starlark.NoneType:
		return 24, nil
	}
	s, err := m.repr(v)
	return int64(len(s)), err
}

// payInterpolate charges for s % y, and refuses the verbs for floating-point numbers.
func (m *meter) payInterpolate(s string, y starlark.Value) error {
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
			return stopped(Failed, "numbers are whole: write %d", "%%%c prints a floating-point number", s[i])
		}
	}
	largest, fields := int64(0), strings.Count(s, "%")
	args, ok := y.(starlark.Tuple)
	if !ok {
		args = starlark.Tuple{y}
	}
	if d, ok := y.(*starlark.Dict); ok { // %(key)s, each of which is looked up
		if err := m.pay(0, uint64(d.Len())+uint64(times(int64(fields), int64(1+d.Len()/scanned)))); err != nil {
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
	return m.payFields(s, fields, largest)
}
