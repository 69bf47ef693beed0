package hook

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/interp/sandbox"

	"go.starlark.net/starlark"
)

// Runner runs functions for one machine. All that it keeps between calls is reusable memory.
type Runner struct {
	f      *Functions
	things []*thing // creatures, by number
	sites  []*site  // of the program, created on first use
	levels []*level // one for each nested hook
	depth  int
}

// maxLevels limits the nesting of hooks that read values computed by other hooks.
const maxLevels = 16

// NewRunner returns a runner for one machine.
func (f *Functions) NewRunner() *Runner { return &Runner{f: f} }

// level is the state of one running hook.
type level struct {
	ctx    *ctx
	thread *sandbox.Thread
	args   [1]starlark.Value
	mark   machine.Mark // progress of the machine when a value hook was called
	undo   func()       // restores mark
}

// site is a place in the rules where a hook is called, prepared for calls.
type site struct {
	*program.Site
	id    int32
	hook  *function
	args  map[string]int // index of the value, by name
	vars  map[string]int // index of the place, by name
	scope table[meaning] // all attributes of ctx
}

// meaning is what a name means: a given value, which may have a place, or a method. Indexes are -1 if absent.
type meaning struct{ arg, variable, method int }

func (r *Runner) site(m *machine.Machine, id int32) *site {
	for int(id) >= len(r.sites) {
		r.sites = append(r.sites, nil)
	}
	if x := r.sites[id]; x != nil {
		return x
	}
	p := &m.Program().Sites[id]
	x := &site{Site: p, id: id, hook: &r.f.hooks[p.Hook], args: map[string]int{}, vars: map[string]int{}}
	scope := map[string]meaning{}
	for i, name := range methodNames {
		scope[name] = meaning{-1, -1, i}
	}
	for i := range p.Vars {
		x.vars[toStarlarkName(p.Vars[i].Name)] = i
	}
	for i, n := range p.Names {
		name := toStarlarkName(n)
		k, ok := x.vars[name]
		if !ok {
			k = -1
		}
		x.args[name], scope[name] = i, meaning{i, k, -1}
	}
	x.scope = newTable(scope)
	r.sites[id] = x
	return x
}

// toStarlarkName and hyphenated convert names between the rules and Starlark, where `-` is an operator and some names
// are keywords.
func toStarlarkName(name string) string {
	if reserved[name] {
		return name + "_"
	}
	return strings.ReplaceAll(name, "-", "_")
}

// reserved contains the reserved words of Starlark.
var reserved = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields("and as assert async await break class continue def del elif else except finally for from global if import in is lambda load nonlocal not or pass raise return try while with yield") {
		words[w] = true
	}
	return words
}()

func toRulesName(name string) string {
	return strings.ReplaceAll(strings.TrimSuffix(name, "_"), "_", "-")
}

// pushLevel starts the next level.
func (r *Runner) pushLevel(m *machine.Machine, id int32, args []int64) (*level, error) {
	if r.depth == maxLevels {
		return nil, &machine.Error{Message: fmt.Sprintf("Starlark functions nested more than %d deep: %s", maxLevels, r.chain()),
			Hint: "a function cannot read a number that it changes itself: read what that is computed from"}
	}
	if r.depth == len(r.levels) {
		l := &level{thread: sandbox.NewThread(sandbox.Limits{})}
		l.ctx = newCtx(r, l.thread)
		l.args[0] = l.ctx
		l.undo = func() { l.ctx.m.Undo(l.mark, l.ctx.sum) }
		r.levels = append(r.levels, l)
	}
	l := r.levels[r.depth]
	r.depth++
	c := l.ctx
	c.m, c.site, c.args = m, r.site(m, id), args
	c.sum, c.acting, c.suspended = nil, false, false
	return l, nil
}

func (r *Runner) popLevel(l *level) {
	r.depth--
	c := l.ctx
	c.m, c.args, c.sum = nil, nil, nil
	if c.acting {
		c.answers, c.request, c.newlyBound = nil, nil, c.newlyBound[:0]
		clear(c.boundVars)
	}
}

// chain names the running hooks, outermost first.
func (r *Runner) chain() string {
	var names []string
	for _, l := range r.levels[:r.depth] {
		names = append(names, l.ctx.site.hook.name)
	}
	return machine.FormatChain(names)
}

// Value implements machine.Hooks.
func (r *Runner) Value(m *machine.Machine, id int32, args []int64, sum *machine.StatSum) (int64, error) {
	l, err := r.pushLevel(m, id, args)
	if err != nil {
		return 0, err
	}
	defer r.popLevel(l)
	c := l.ctx
	c.sum = sum
	undo := l.undo
	if sum != nil && sum.Explains() { // explanations need the positions of the calls
		undo = nil
	} else {
		l.mark = m.Mark()
	}
	v, err := r.call(l, undo)
	if err != nil {
		return 0, err
	}
	return c.convertResult(v)
}

// What a call of a function costs, and each of its steps, in steps of the command: they take longer than instructions.
const (
	callSteps    = 100
	stepsPerStep = 2
)

// call runs the function of a level, with its context or with the values of its parameters. undo undoes what it has
// done.
func (r *Runner) call(l *level, undo func()) (starlark.Value, error) {
	c := l.ctx
	x := c.site
	var args starlark.Tuple = l.args[:]
	if names := x.Names; !x.hook.takesContext {
		args = nil
		if x.Label >= 0 { // an acting function also needs its context
			args = append(args, c)
		}
		for i := 1; i < len(names); i++ {
			v, err := c.toStarlark(x.Types[i], c.args[i])
			if err != nil {
				return nil, err
			}
			args = append(args, v)
		}
	}
	v, err := l.thread.Run(x.hook.fn, args, undo)
	c.m.ChargeSteps(callSteps + stepsPerStep*int(l.thread.Steps()))
	if err != nil && !c.suspended {
		return nil, r.failure(x.hook, err)
	}
	return v, nil
}

// failure converts an error of a function to a machine error, with its position in the file.
func (r *Runner) failure(h *function, err error) error {
	var e *sandbox.Error
	if !errors.As(err, &e) {
		return err
	}
	out := &machine.Error{Message: h.name + ": " + e.Message, Hint: e.Hint}
	for _, f := range e.Frames {
		name := f.Name
		if name == "" {
			name = "the top level"
		}
		out.Calls = append(out.Calls, machine.Call{File: h.module.displayPath(f.File), Span: spanAt(f.Line, f.Col), Name: name})
	}
	var inner *machine.Error // the code that it called failed
	if errors.As(e.Cause, &inner) && (inner.Panic || inner.File != "") {
		inner.Calls = append(out.Calls, inner.Calls...)
		return inner
	}
	if inner != nil {
		out.Hint = cmp.Or(out.Hint, inner.Hint)
	}
	if n := len(out.Calls); n > 0 {
		last := out.Calls[n-1]
		out.File, out.Pos = last.File, ir.Pos{File: -1, Span: last.Span}
	}
	return out
}

// Act implements machine.Hooks.
func (r *Runner) Act(m *machine.Machine, id int32, args, answers []int64, request *machine.HookRequest) ([]int64, error) {
	l, err := r.pushLevel(m, id, args)
	if err != nil {
		return answers, err
	}
	defer r.popLevel(l)
	c := l.ctx
	c.acting, c.answers, c.cursor, c.request, c.requests = true, answers, 0, request, 0
	v, err := r.call(l, nil)
	if err != nil {
		return answers, err
	}
	answers = c.answers
	for _, i := range c.newlyBound {
		request.Sets = append(request.Sets, machine.Setting{Var: i, Value: c.boundVars[i]})
	}
	if c.suspended {
		return answers, nil
	}
	request.Kind, request.Amount = machine.Returned, program.None
	if !c.site.ValueUnused {
		request.Amount, err = c.convertResult(v)
	}
	return answers, err
}
