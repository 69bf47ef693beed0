package hook

import (
	"fmt"
	"strings"

	"arbiter/interp/program"
	"arbiter/interp/sandbox"

	"go.starlark.net/starlark"
)

// signature is what a name refers to and the parameters it takes. The arguments of a call are checked statically, as
// far as the source shows them, and again at run time.
type signature struct {
	title       string // its name in messages
	call        string // start of the call, up to the name
	name        string // as in the source
	params      []program.Param
	requirement requirement
	defaults    []program.Default // of a procedure
	absent      int64             // value of missing arguments
	labelled    bool              // all arguments need labels
}

// requirement says which arguments are required.
type requirement uint8

const (
	requireNone requirement = iota
	requireAll
	requireUndefaulted
)

func defineSignature(d *program.Define, name string) signature {
	g := signature{title: d.Name, call: "ctx.call(", name: name, params: d.Params, requirement: requireAll}
	if len(g.params) > 0 && g.params[0].Name == "self" {
		g.params = g.params[1:]
	}
	return g
}

func propertySignature(d *program.Define, name string) signature {
	g := defineSignature(d, name)
	g.call = "get("
	return g
}

// statSignature is the signature of a stat in a situation, of which missing parts are none.
func statSignature(p *program.Program, id int32) signature {
	st := &p.Stats[id]
	g := signature{title: st.Name, call: "get(", name: st.Name, params: st.Params, absent: program.None}
	for of := st.ViewOf; len(g.params) == 0 && of >= 0; of = p.Stats[of].ViewOf {
		g.params = p.Stats[of].Params
	}
	return g
}

func procSignature(q *program.Proc) signature {
	return signature{title: q.Name, call: "ctx.do(WHO, ", name: q.Name, params: q.Params, requirement: requireUndefaulted, defaults: q.Defaults, absent: program.Absent}
}

func effectSignature(e *program.Effect, call string, wants requirement) signature {
	return signature{title: e.Name, call: call, name: e.Name, params: e.Values[:e.NParams], requirement: wants, absent: program.Absent, labelled: true}
}

// findParam finds a parameter by its label or its name, -1 if there is none.
func (g *signature) findParam(word string) int {
	word = toRulesName(word)
	at := -1
	for i := range g.params {
		if g.params[i].Label == word || g.params[i].Name == word {
			at = i
		}
	}
	return at
}

// callError is why a call does not match a signature.
type callError struct{ message, hint string }

func (x *callError) Error() string { return x.message }

func (g *signature) errorf(format string, args ...any) error {
	return &callError{fmt.Sprintf(format, args...), "the form is: " + g.form()}
}

func (g *signature) tooMany(n int) error {
	if g.labelled {
		return g.errorf("the values of %s have labels", g.title)
	}
	return g.errorf("%s takes %d values, not %d", g.title, len(g.params), n)
}

func (g *signature) takesNo(word string) error {
	var forms []string
	for i := range g.params {
		if p := &g.params[i]; p.Label != "" {
			forms = append(forms, toStarlarkName(p.Label)+"=")
		} else {
			forms = append(forms, p.Name)
		}
	}
	if len(forms) == 0 {
		return g.errorf("%s takes no values", g.title)
	}
	return g.errorf("%s takes no %s; it takes: %s", g.title, toRulesName(word), strings.Join(forms, ", "))
}

func (g *signature) twice(i int) error {
	return g.errorf("%s is given %s twice", g.title, g.params[i].Name)
}

// checkMissing returns an error for a missing required argument, nil if there is none.
func (g *signature) checkMissing(isGiven func(i int) bool) error {
	if g.requirement == requireNone {
		return nil
	}
	for i := range g.params {
		if !isGiven(i) && (g.requirement == requireAll || g.requirement == requireUndefaulted && g.defaults[i].Required) {
			return g.errorf("%s needs %s", g.title, g.params[i].Name)
		}
	}
	return nil
}

// form returns the form of the call.
func (g *signature) form() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%q", g.call, g.name)
	for i := range g.params {
		p := &g.params[i]
		b.WriteString(", ")
		switch {
		case p.Label != "":
			b.WriteString(toStarlarkName(p.Label) + " = ")
		case g.labelled:
			b.WriteString(toStarlarkName(p.Name) + " = ")
		}
		b.WriteString(strings.ToUpper(p.Name))
	}
	return b.String() + ")"
}

// checkCall checks a call statically, as far as the source shows its arguments.
func (g *signature) checkCall(w *sourceArgs) error {
	if w.positional > len(g.params) || g.labelled && w.positional > 0 {
		return g.tooMany(w.positional)
	}
	given := map[int]bool{}
	for i := range w.positional {
		given[i] = true
	}
	for _, word := range w.labels {
		i := g.findParam(word)
		switch {
		case i < 0:
			return g.takesNo(word)
		case given[i]:
			return g.twice(i)
		}
		given[i] = true
	}
	if w.hasMore {
		return nil
	}
	return g.checkMissing(func(i int) bool { return given[i] })
}

// assignArgs assigns values to the parameters, by position, label or name.
func (c *ctx) assignArgs(g *signature, into []int64, args starlark.Tuple, kwargs []starlark.Tuple) error {
	return starlarkError(c.assignValues(g, into, args, kwargs))
}

// starlarkError converts an error for Starlark.
func starlarkError(err error) error {
	if x, ok := err.(*callError); ok {
		return sandbox.Refuse(x.hint, "%s", x.message)
	}
	return err
}

func (c *ctx) assignValues(g *signature, into []int64, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > len(g.params) || g.labelled && len(args) > 0 {
		return g.tooMany(len(args))
	}
	for i := range into {
		into[i] = program.Absent
	}
	set := func(i int, v starlark.Value) error {
		x, err := c.fromStarlark(g.params[i].Type, v)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", g.title, g.params[i].Name, err)
		}
		into[i] = x
		return nil
	}
	for i, v := range args {
		if err := set(i, v); err != nil {
			return err
		}
	}
	for _, kv := range kwargs {
		word, _ := starlark.AsString(kv[0])
		i := g.findParam(word)
		if i < 0 {
			return g.takesNo(word)
		}
		if into[i] != program.Absent {
			return g.twice(i)
		}
		if err := set(i, kv[1]); err != nil {
			return err
		}
	}
	if err := g.checkMissing(func(i int) bool { return into[i] != program.Absent }); err != nil {
		return err
	}
	for i := range into {
		if into[i] == program.Absent {
			into[i] = g.absent
		}
	}
	return nil
}
