package reading

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.starlark.net/starlark"
	"golang.org/x/text/unicode/norm"

	"arbiter/interp/sandbox"
	"arbiter/lang/parse"
	"arbiter/stdlib/statblock"
)

// This file has the functions that readings and writings can call: to take texts apart, and to ask the rules.

// tools are what a script of a ruleset works with.
type tools struct {
	thread   *sandbox.Thread
	oracle   oracle                    // nil while the file is loaded
	patterns map[string]*regexp.Regexp // compiled, by their text
	lines    *statblock.AttackLines    // with the words between a bonus and its damage that were used last
	between  string                    // those words
}

// oracle answers what a script asks of the rules.
type oracle interface {
	// Ask returns the value of an expression, as text.
	Ask(expr string) (text string, ok bool)
	// KindOf returns the word with which a name is declared, "" if nothing has it.
	KindOf(name string) string
	// ChainOf lists what a thing is made of, itself first; nil if there is no such thing.
	ChainOf(name string) []string
	// FromOf returns the ruleset that declares a thing, "" if there is no such thing.
	FromOf(name string) string
}

func newTools() tools {
	return tools{thread: sandbox.NewThread(limits), patterns: map[string]*regexp.Regexp{}}
}

// function is one of the functions that a script can call.
type function = func(args starlark.Tuple) (starlark.Value, error)

// functions returns those that every script has, and more, by name.
func (r *tools) functions(more map[string]function) starlark.StringDict {
	names := starlark.StringDict{}
	all := map[string]function{
		"find":       r.find,
		"find_all":   r.findAll,
		"replace":    r.replace,
		"items":      r.items,
		"name_of":    r.nameOf,
		"kind_of":    r.kindOf,
		"ask":        r.ask,
		"chain":      r.chain,
		"ruleset_of": r.rulesetOf,
	}
	maps.Copy(all, more)
	for name, fn := range all {
		names[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(kwargs) > 0 {
				return nil, sandbox.Refuse("give the arguments in order", "%s takes no named arguments", name)
			}
			size := 0
			for _, a := range args {
				if s, ok := starlark.AsString(a); ok {
					size += len(s)
				}
			}
			if err := r.thread.Charge(int64(16*size+256), uint64(20+size)); err != nil {
				return nil, err
			}
			return fn(args)
		})
	}
	return names
}

// texts unpacks arguments that are all strings.
func texts(name string, args starlark.Tuple, into ...*string) error {
	if len(args) != len(into) {
		return sandbox.Refuse("", "%s takes %d strings", name, len(into))
	}
	for i, a := range args {
		s, ok := starlark.AsString(a)
		if !ok {
			return sandbox.Refuse("", "%s takes strings, and not a %s", name, a.Type())
		}
		*into[i] = s
	}
	return nil
}

const maxPatterns = 1000

// maxWords is how long the words between a bonus and its damage may be, in bytes.
const maxWords = 1000

func (r *tools) pattern(text string) (*regexp.Regexp, error) {
	if re := r.patterns[text]; re != nil {
		return re, nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, sandbox.Refuse("write it as Go's regexp package has it", "%s", err)
	}
	if r.patterns == nil {
		r.patterns = map[string]*regexp.Regexp{}
	}
	if len(r.patterns) < maxPatterns {
		r.patterns[text] = re
	}
	return re, nil
}

// find(pattern, text) returns the match and its groups, None if there is no match.
func (r *tools) find(args starlark.Tuple) (starlark.Value, error) {
	var pattern, text string
	if err := texts("find", args, &pattern, &text); err != nil {
		return nil, err
	}
	re, err := r.pattern(pattern)
	if err != nil {
		return nil, err
	}
	if m := re.FindStringSubmatch(text); m != nil {
		return list(m), nil
	}
	return starlark.None, nil
}

// find_all(pattern, text) returns all matches, each with its groups.
func (r *tools) findAll(args starlark.Tuple) (starlark.Value, error) {
	var pattern, text string
	if err := texts("find_all", args, &pattern, &text); err != nil {
		return nil, err
	}
	re, err := r.pattern(pattern)
	if err != nil {
		return nil, err
	}
	var all []starlark.Value
	for _, m := range re.FindAllStringSubmatch(text, 1000) {
		all = append(all, list(m))
	}
	return starlark.NewList(all), nil
}

// replace(pattern, with, text) replaces all matches.
func (r *tools) replace(args starlark.Tuple) (starlark.Value, error) {
	var pattern, with, text string
	if err := texts("replace", args, &pattern, &with, &text); err != nil {
		return nil, err
	}
	re, err := r.pattern(pattern)
	if err != nil {
		return nil, err
	}
	if len(with)*len(text) > 1<<20 {
		return nil, sandbox.Refuse("", "replace: the texts are too long")
	}
	return starlark.String(re.ReplaceAllString(text, with)), nil
}

// items(text, separators) splits a list at separators outside of brackets.
func (r *tools) items(args starlark.Tuple) (starlark.Value, error) {
	var text, separators string
	if err := texts("items", args, &text, &separators); err != nil {
		return nil, err
	}
	return list(statblock.Items(text, separators)), nil
}

// attacks(text, words) returns the blows of an attack line, and the parts that are none. The words are those that can
// stand between a bonus and its damage.
func (r *tools) attacks(args starlark.Tuple) (starlark.Value, error) {
	var text, words string
	if err := texts("attacks", args, &text, &words); err != nil {
		return nil, err
	}
	if len(words) > maxWords {
		return nil, sandbox.Refuse("", "attacks: the words are too long")
	}
	if r.lines == nil || r.between != words {
		r.lines, r.between = statblock.NewAttackLines(strings.Fields(words)), words
	}
	blows, rest := r.lines.Read(text)
	var all []starlark.Value
	for _, b := range blows {
		d := dict("alternative", starlark.MakeInt(b.Alternative), "count", starlark.MakeInt(b.Count), "name", starlark.String(b.Name), "mode", starlark.String(b.Mode), "raw", starlark.String(b.Damage))
		d.SetKey(starlark.String("bonuses"), ints(b.Bonuses))
		d.SetKey(starlark.String("damage"), damageDict(statblock.ParseDamage(b.Damage)))
		all = append(all, d)
	}
	return dict("blows", starlark.NewList(all), "rest", list(rest)), nil
}

// maxLeaves is how many leaves of a value a reading is given.
const maxLeaves = 5000

// leaves(value) returns the paths and the texts of all that is said deep within a value. What is empty, none, no or zero
// says nothing.
func (r *tools) leaves(args starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, sandbox.Refuse("", "leaves takes a value")
	}
	var found []starlark.Value
	var walk func(path string, v starlark.Value, depth int)
	walk = func(path string, v starlark.Value, depth int) {
		if depth > maxValueDepth || len(found) >= maxLeaves {
			return
		}
		within := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
		switch x := v.(type) {
		case *starlark.Dict:
			for _, item := range x.Items() {
				walk(within(str(item[0])), item[1], depth+1)
			}
		case *starlark.List:
			for i := range x.Len() {
				walk(within(strconv.Itoa(i)), x.Index(i), depth+1)
			}
		default:
			text := strings.Trim(v.String(), "\"")
			if s, ok := starlark.AsString(v); ok {
				text = plainText(s)
			}
			if bool(v.Truth()) && text != "" {
				found = append(found, list([]string{path, text}))
			}
		}
	}
	walk("", args[0], 0)
	if err := r.thread.Charge(int64(200*len(found)), uint64(10*len(found))); err != nil {
		return nil, err
	}
	return starlark.NewList(found), nil
}

// plainText is a text, which may be HTML, in plain characters.
func plainText(text string) string {
	lines, err := statblock.Clean([]byte(text))
	if err != nil {
		return ""
	}
	var parts []string
	for _, l := range lines {
		if l.Text != "" {
			parts = append(parts, l.Text)
		}
	}
	return strings.Join(parts, " ")
}

// damage(text) takes apart what stands in the brackets of an attack.
func (r *tools) damage(args starlark.Tuple) (starlark.Value, error) {
	var text string
	if err := texts("damage", args, &text); err != nil {
		return nil, err
	}
	return damageDict(statblock.ParseDamage(text)), nil
}

func damageDict(d statblock.Damage) *starlark.Dict {
	return dict("dice", starlark.String(d.Dice), "bonus", starlark.MakeInt(d.Bonus), "threat", starlark.MakeInt(d.Threat), "multiplier", starlark.MakeInt(d.Multiplier), "unit", starlark.String(d.Unit), "riders", list(d.Riders))
}

// name_of(text) makes a name of the language from words; "" if there are none.
func (r *tools) nameOf(args starlark.Tuple) (starlark.Value, error) {
	var text string
	if err := texts("name_of", args, &text); err != nil {
		return nil, err
	}
	return starlark.String(nameOf(text)), nil
}

// maxName is how long a name made of words may be.
const maxName = 60

// nameOf makes a name of the language from words; "" if there are none.
func nameOf(text string) string {
	var b strings.Builder
	gap := false
	for _, c := range norm.NFD.String(strings.ReplaceAll(text, "'", "")) {
		switch {
		case unicode.Is(unicode.Mn, c):
		case c < 128 && (unicode.IsLetter(c) || unicode.IsDigit(c)):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(unicode.ToLower(c))
		default:
			gap = true
		}
		if b.Len() >= maxName {
			break
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		return ""
	}
	if !parse.IsName(name) {
		name = "the-" + name
	}
	if !parse.IsName(name) {
		return ""
	}
	return name
}

// kind_of(name) says what a name of the rules is declared as, "" if nothing has it.
func (r *tools) kindOf(args starlark.Tuple) (starlark.Value, error) {
	return r.ofName("kind_of", args, func(name string) starlark.Value { return starlark.String(r.oracle.KindOf(name)) })
}

// chain(name) lists what a thing is made of, from itself to the most general.
func (r *tools) chain(args starlark.Tuple) (starlark.Value, error) {
	return r.ofName("chain", args, func(name string) starlark.Value { return list(r.oracle.ChainOf(name)) })
}

// ruleset_of(name) names the ruleset that declares a thing, "" if nothing has that name.
func (r *tools) rulesetOf(args starlark.Tuple) (starlark.Value, error) {
	return r.ofName("ruleset_of", args, func(name string) starlark.Value { return starlark.String(r.oracle.FromOf(name)) })
}

// ofName answers a function that asks the rules about a name.
func (r *tools) ofName(function string, args starlark.Tuple, answer func(name string) starlark.Value) (starlark.Value, error) {
	var name string
	if err := texts(function, args, &name); err != nil {
		return nil, err
	}
	if r.oracle == nil {
		return nil, sandbox.Refuse("ask inside of a function", "%s: the rules are not there yet", function)
	}
	return answer(name), nil
}

// ask(expression) returns the value of an expression, as text, None if the rules cannot say it.
func (r *tools) ask(args starlark.Tuple) (starlark.Value, error) {
	var expr string
	if err := texts("ask", args, &expr); err != nil {
		return nil, err
	}
	if r.oracle == nil {
		return nil, sandbox.Refuse("ask inside of a function", "ask: the rules are not there yet")
	}
	if err := r.thread.Charge(4096, 2000); err != nil {
		return nil, err
	}
	if text, ok := r.oracle.Ask(expr); ok {
		return starlark.String(text), nil
	}
	return starlark.None, nil
}

func list(texts []string) *starlark.List {
	values := make([]starlark.Value, len(texts))
	for i, t := range texts {
		values[i] = starlark.String(t)
	}
	return starlark.NewList(values)
}

func ints(numbers []int) *starlark.List {
	values := make([]starlark.Value, len(numbers))
	for i, n := range numbers {
		values[i] = starlark.MakeInt(n)
	}
	return starlark.NewList(values)
}

// dict returns a dict of names and values.
func dict(pairs ...any) *starlark.Dict {
	d := starlark.NewDict(len(pairs) / 2)
	for i := 0; i+1 < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		value, _ := pairs[i+1].(starlark.Value)
		d.SetKey(starlark.String(name), value)
	}
	return d
}

// intOf returns a whole number, 0 for anything else.
func intOf(v starlark.Value) int {
	if i, ok := v.(starlark.Int); ok {
		if n, err := strconv.Atoi(i.String()); err == nil {
			return n
		}
	}
	return 0
}

// maxValueDepth is how deep a value of JSON may be nested.
const maxValueDepth = 60

// valueOf makes a value of Starlark of one of JSON. Members are in order of their names.
func valueOf(v any, depth int) starlark.Value {
	if depth > maxValueDepth {
		return starlark.None
	}
	switch x := v.(type) {
	case string:
		return starlark.String(x)
	case bool:
		return starlark.Bool(x)
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return starlark.MakeInt64(n)
		}
		f, _ := x.Float64()
		return starlark.Float(f)
	case []any:
		values := make([]starlark.Value, len(x))
		for i, e := range x {
			values[i] = valueOf(e, depth+1)
		}
		return starlark.NewList(values)
	case map[string]any:
		d := starlark.NewDict(len(x))
		for _, name := range slices.Sorted(maps.Keys(x)) {
			d.SetKey(starlark.String(name), valueOf(x[name], depth+1))
		}
		return d
	}
	return starlark.None
}
