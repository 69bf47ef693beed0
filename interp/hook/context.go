package hook

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/sandbox"
	"arbiter/stdlib/exact"
	"arbiter/stdlib/modifier"

	"go.starlark.net/starlark"
)

// ctx is the context argument of a function: everything in scope where rules name it, and what it may do there.
type ctx struct {
	r       *Runner
	m       *machine.Machine
	site    *site
	args    []int64
	sum     *machine.StatSum
	thread  *sandbox.Thread  // runs the function
	methods []starlark.Value // in the order of methodNames, bound to this ctx
	type_   string           // cache: the last bonus type looked up, and its index
	bonus   int16

	// For a function that acts.
	acting     bool
	answers    []int64 // answers to what it read and requested; those before the cursor have been replayed
	cursor     int
	request    *machine.HookRequest
	requests   int
	suspended  bool          // it has made a request, and is being suspended
	boundVars  map[int]int64 // by place: values bound since the last request
	newlyBound []int         // places in bound that the machine does not have yet
}

// maxRequests limits the requests of one call: each restarts the function.
const maxRequests = 200

func newCtx(r *Runner, thread *sandbox.Thread) *ctx {
	c := &ctx{r: r, thread: thread, boundVars: map[int]int64{}}
	for _, name := range methodNames {
		f, acts := actingMethods[name]
		if !acts {
			f = pureMethods[name]
		}
		c.methods = append(c.methods, c.method(name, f, acts))
	}
	return c
}

// method binds a method to the context once, so that reading the attribute does not allocate.
func (c *ctx) method(name string, f method, acts bool) starlark.Value {
	return starlark.NewBuiltin("ctx."+name, func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		switch {
		case c.m == nil:
			return nil, errors.New("ctx is only valid until the function returns")
		case acts && !c.acting:
			return nil, fmt.Errorf("ctx.%s acts, but this function only computes a value. Register it with before, after, instead or on, or write `roll` before its name", name)
		}
		return f(c, t, args, kwargs)
	})
}

func (c *ctx) String() string        { return "ctx" }
func (c *ctx) Type() string          { return "ctx" }
func (c *ctx) Freeze()               {}
func (c *ctx) Truth() starlark.Bool  { return true }
func (c *ctx) Hash() (uint32, error) { return 0, errors.New("ctx cannot be a key") }

// Attr returns what a name means in scope.
func (c *ctx) Attr(name string) (starlark.Value, error) {
	if c.m == nil {
		return nil, errors.New("ctx is only valid until the function returns")
	}
	if x, ok := c.site.scope.get(name); ok {
		switch {
		case x.method >= 0:
			return c.methods[x.method], nil
		case c.acting && x.variable >= 0:
			return c.readVar(x.variable)
		}
		return c.toStarlark(c.site.Types[x.arg], c.args[x.arg])
	}
	switch name {
	case "round":
		return c.readValue(func() (int64, error) { return int64(c.readClock().Order.Round()), nil }, number)
	case "in_fight":
		return c.readValue(func() (int64, error) { return int64(bit(c.readClock().InFight)), nil }, yesNo)
	case "creatures":
		return c.creaturesWhere(func(int) bool { return true })
	}
	if len(c.args) > 0 && c.args[0] != program.None { // a property of self, like a bare name in the rules
		v, err := c.property(c.args[0], name)
		if v != nil || err != nil {
			return v, err
		}
	}
	if a, ok := c.site.hook.attrs.get(name); ok && a.isPropertyOf(0) && c.self() == program.None {
		return nil, fmt.Errorf("whose %s? ctx.%s has no creature to refer to where %s is used: name one", name, name, c.site.hook.name)
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("there is nothing named %s where %s is used; there are: ctx.%s", name, c.site.hook.name, strings.Join(slices.Sorted(maps.Keys(c.site.args)), ", ctx.")))
}

// AttrNames lists the names of Attr, for hints in messages.
func (c *ctx) AttrNames() []string {
	names := append(slices.Collect(maps.Keys(c.site.args)), "round", "in_fight", "creatures")
	for n := range pureMethods {
		names = append(names, n)
	}
	if c.acting {
		names = slices.AppendSeq(names, maps.Keys(actingMethods))
	}
	slices.Sort(names)
	return names
}

// readClock returns the state for reading the time, and records the dependency on the clock.
func (c *ctx) readClock() *machine.State {
	c.m.AddReads(machine.TheClock)
	return c.m.State()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// readState reads the state: the recorded answer when a function is replayed, else the live one.
func (c *ctx) readState(readLive func() (int64, error)) (int64, error) {
	if !c.acting {
		return readLive()
	}
	if c.cursor < len(c.answers) {
		c.cursor++
		return c.answers[c.cursor-1], nil
	}
	v, err := readLive()
	if err == nil {
		c.answers = append(c.answers, v)
		c.cursor++
	}
	return v, err
}

// readValue is readState for a Starlark value.
func (c *ctx) readValue(readLive func() (int64, error), of ir.Type) (starlark.Value, error) {
	v, err := c.readState(readLive)
	if err != nil {
		return nil, err
	}
	if of.Kind == ir.YesNo {
		return starlark.Bool(v != 0), nil
	}
	return starlark.MakeInt64(v), nil
}

var (
	number = ir.Type{Kind: ir.Number}
	yesNo  = ir.Type{Kind: ir.YesNo}
)

// readVar reads the current value of a place: what the function has bound, or the value in the machine.
func (c *ctx) readVar(k int) (starlark.Value, error) {
	p := &c.site.Vars[k]
	if v, ok := c.boundVars[k]; ok {
		return c.toStarlark(p.Type, v)
	}
	v, err := c.readState(func() (int64, error) { return c.m.ReadHookVar(c.site.id, k) })
	if err != nil {
		return nil, err
	}
	return c.toStarlark(p.Type, v)
}

type method = func(*ctx, *starlark.Thread, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// pureMethods only read, or add to the stat whose modifiers are being collected.
var pureMethods = map[string]method{
	"add": (*ctx).add, "times": (*ctx).times, "at_least": (*ctx).atLeast, "at_most": (*ctx).atMost, "becomes": (*ctx).becomes,
	"suppress": (*ctx).suppress, "call": (*ctx).call,
}

// methodNames are the names of all methods.
var methodNames = slices.AppendSeq(slices.Collect(maps.Keys(pureMethods)), maps.Keys(actingMethods))

// currentSum returns the stat that is being summed.
func (c *ctx) currentSum(name string) (*machine.StatSum, error) {
	if c.sum == nil {
		return nil, fmt.Errorf("ctx.%s changes a stat while it is computed: register the function with modify(STAT, ...)", name)
	}
	return c.sum, nil
}

// callPos is the position of the call, if explanations need it: the innermost in a file that the rules know.
func (c *ctx) callPos(t *starlark.Thread) ir.Pos {
	if c.sum != nil && !c.sum.Explains() {
		return ir.Pos{File: -1}
	}
	for i := 1; i < t.CallStackDepth(); i++ {
		pos := t.CallFrame(i).Pos
		if file, ok := c.site.hook.files[pos.Filename()]; ok {
			return ir.Pos{File: file, Span: spanAt(int(pos.Line), int(pos.Col))}
		}
	}
	return ir.Pos{File: -1}
}

// add(amount, type = "", reason = ""): a bonus or a penalty. It unpacks by hand because most hooks call it.
func (c *ctx) add(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	sum, err := c.currentSum("add")
	if err != nil {
		return nil, err
	}
	var amount, kind, reason starlark.Value
	switch len(args) {
	case 3:
		reason = args[2]
		fallthrough
	case 2:
		kind = args[1]
		fallthrough
	case 1:
		amount = args[0]
	case 0:
	default:
		return nil, errors.New("the form is: ctx.add(AMOUNT, type = \"\", reason = \"\")")
	}
	for _, kv := range kwargs {
		name, _ := starlark.AsString(kv[0])
		to := &amount
		switch name {
		case "amount":
		case "type":
			to = &kind
		case "reason":
			to = &reason
		default:
			return nil, fmt.Errorf("ctx.add takes no %s; the form is: ctx.add(AMOUNT, type = \"\", reason = \"\")", name)
		}
		if *to != nil {
			return nil, fmt.Errorf("ctx.add has been given %s twice", name)
		}
		*to = kv[1]
	}
	if amount == nil {
		return nil, errors.New("the form is: ctx.add(AMOUNT, type = \"\", reason = \"\")")
	}
	v, err := c.sumValue(amount, "ctx.add")
	if err != nil {
		return nil, err
	}
	bonus := int16(modifier.Untyped)
	if kind != nil && kind != starlark.None {
		name, ok := starlark.AsString(kind)
		if !ok {
			return nil, fmt.Errorf("ctx.add: the type of a bonus is a text, not %s", kind.Type())
		}
		if name != "" {
			if name != c.type_ {
				if bonus, ok = c.r.f.names.bonusTypes[name]; !ok {
					return nil, fmt.Errorf("ctx.add: %q is not a bonus type; there are: %s", name, strings.Join(c.m.Program().Bonuses, ", "))
				}
				c.type_, c.bonus = name, bonus
			}
			bonus = c.bonus
		}
	}
	reasonText := ""
	if reason != nil && reason != starlark.None {
		var ok bool
		if reasonText, ok = starlark.AsString(reason); !ok {
			return nil, fmt.Errorf("ctx.add: a reason is a text, not %s", reason.Type())
		}
	}
	c.addEntry(t, sum, modifier.Entry{Value: v, Type: bonus}, reasonText)
	return starlark.None, nil
}

// addEntry adds an entry; the default reason is the function's name.
func (c *ctx) addEntry(t *starlark.Thread, sum *machine.StatSum, e modifier.Entry, reason string) {
	if !sum.Explains() {
		sum.Add(e, reason, ir.Pos{})
		return
	}
	if reason == "" {
		reason = c.site.hook.name
	}
	sum.Add(e, strings.Map(printable, reason), c.callPos(t))
}

// printable replaces control characters, which could affect a terminal.
func printable(r rune) rune {
	if isControl(r) {
		return '?'
	}
	return r
}

// sumValue reads an amount for the stat that is being summed.
func (c *ctx) sumValue(v starlark.Value, form string) (int64, error) {
	n, err := toInt(v)
	if err != nil {
		return 0, fmt.Errorf("%s needs %w", form, err)
	}
	if n > modifier.Limit || n < -modifier.Limit {
		return 0, fmt.Errorf("%s: %d is too large: a modifier is from %d to %d", form, n, -int64(modifier.Limit), int64(modifier.Limit))
	}
	return n, nil
}

// toInt converts a number to the int64 of rules.
func toInt(v starlark.Value) (int64, error) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, fmt.Errorf("a whole number, not %s", v.Type())
	}
	n, ok := i.Int64()
	if !ok || n < exact.Min {
		return 0, fmt.Errorf("a whole number from %d to %d", int64(exact.Min), int64(exact.Max))
	}
	return n, nil
}

// addChange is the common part of times, at_least, at_most and becomes.
func (c *ctx) addChange(t *starlark.Thread, name string, op modifier.Op, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	sum, err := c.currentSum(name)
	if err != nil {
		return nil, err
	}
	var amount starlark.Value
	var reason string
	over := 1
	pairs := []any{"amount", &amount, "reason?", &reason}
	if op == modifier.Times {
		pairs = []any{"amount", &amount, "over?", &over, "reason?", &reason}
	}
	if err := starlark.UnpackArgs("ctx."+name, args, kwargs, pairs...); err != nil {
		return nil, err
	}
	v, err := c.sumValue(amount, "ctx."+name)
	if err != nil {
		return nil, err
	}
	if op == modifier.Times && v < 0 {
		return nil, fmt.Errorf("ctx.times: %w", machine.NegativeFactor(v))
	}
	if over < 1 || over > 1<<30 {
		return nil, fmt.Errorf("ctx.times: over is at least 1, not %d", over)
	}
	c.addEntry(t, sum, modifier.Entry{Value: v, Op: op, Den: int32(over), Type: modifier.Untyped}, reason)
	return starlark.None, nil
}

func (c *ctx) times(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return c.addChange(t, "times", modifier.Times, args, kwargs)
}

func (c *ctx) atLeast(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return c.addChange(t, "at_least", modifier.Floor, args, kwargs)
}

func (c *ctx) atMost(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return c.addChange(t, "at_most", modifier.Ceiling, args, kwargs)
}

func (c *ctx) becomes(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return c.addChange(t, "becomes", modifier.Becomes, args, kwargs)
}

// suppress(name, reason = ""): bonuses of that type, or of that term, do not count.
func (c *ctx) suppress(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	sum, err := c.currentSum("suppress")
	if err != nil {
		return nil, err
	}
	var name, reason string
	if err := starlark.UnpackArgs("ctx.suppress", args, kwargs, "name", &name, "reason?", &reason); err != nil {
		return nil, err
	}
	var l modifier.Loss
	if b, ok := c.r.f.names.bonusTypes[name]; ok {
		l.Types = 1 << uint(b)
	}
	p := c.m.Program()
	st := &p.Stats[sum.Stat()]
	for i, term := range st.Terms {
		if term.Name == name && i < modifier.MaxTypes {
			l.Terms |= 1 << uint(i)
		}
	}
	if l == (modifier.Loss{}) {
		var terms []string
		for _, term := range st.Terms {
			terms = append(terms, term.Name)
		}
		return nil, fmt.Errorf("ctx.suppress: %q is neither a bonus type nor a term of %s; its terms: %s", name, st.Name, strings.Join(terms, ", "))
	}
	if reason == "" {
		reason = c.site.hook.name
	}
	sum.Lose(l, strings.Map(printable, reason), c.callPos(t))
	return starlark.None, nil
}

// call(name, ...): the value of a define without a kind.
func (c *ctx) call(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 0 {
		return nil, errors.New("the form is: ctx.call(NAME, VALUE, ...)")
	}
	name, ok := starlark.AsString(args[0])
	if !ok {
		return nil, fmt.Errorf("ctx.call needs the name of a define, not %s", args[0].Type())
	}
	a, err := c.attrNamed(name)
	if err != nil {
		return nil, err
	}
	if a == nil {
		a = &attr{name: name, kindless: -1}
	}
	if a.kindless < 0 {
		return nil, a.noDefine()
	}
	g := defineSignature(&c.m.Program().Defines[a.kindless], name)
	return c.callDefine(&g, a.kindless, program.None, args[1:], kwargs)
}

// noDefine is the error for a name that is not a define without a kind.
func (a *attr) noDefine() error {
	return fmt.Errorf("there is no define %s without a kind; ask a creature for what belongs to it: ctx.self.get(%q)", a.name, a.name)
}

// attrNamed looks up a name, which must appear in the function's source.
func (c *ctx) attrNamed(name string) (*attr, error) {
	if !c.site.hook.names[name] {
		if written := toRulesName(name); c.r.f.names.attrs[written] != nil {
			return nil, fmt.Errorf("%q: a string has the name as it is in the rules, %q", name, written)
		}
		return nil, fmt.Errorf("%q does not appear in the source of %s: a function must spell out the names that it asks for, so that its dependencies are known", name, c.site.hook.name)
	}
	return c.r.f.names.attrs[name], nil
}

// callDefine returns the value of a define, given arguments in order or by label.
func (c *ctx) callDefine(g *signature, id int32, self int64, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	values := make([]int64, 1+len(g.params))
	values[0] = self
	if err := c.assignArgs(g, values[1:], args, kwargs); err != nil {
		return nil, err
	}
	v, err := c.readState(func() (int64, error) {
		c.m.ChargeSteps(readSteps)
		return c.m.ReadDefine(id, values)
	})
	if err != nil {
		return nil, err
	}
	return c.toStarlark(c.m.Program().Defines[id].Type, v)
}

// readSteps is the cost of reading the state, in steps of the command's budget, in addition to the steps of the
// computation.
const readSteps = 10
