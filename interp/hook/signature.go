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
	of       string // its name in messages
	call     string // start of the call, up to the name
	name     string // as in the source
	params   []program.Param
	wants    wanted
	defaults []program.Default // of a procedure
	absent   int64             // value of missing arguments
	labelled bool              // all arguments need labels
}

// wanted says which arguments are required.
type wanted uint8

const (
	wantsNone wanted = iota
	wantsAll
	wantsUndefaulted
)

func ofDefine(d *program.Define, name string) signature {
	g := signature{of: d.Name, call: "ctx.call(", name: name, params: d.Params, wants: wantsAll}
	if len(g.params) > 0 && g.params[0].Name == "self" {
		g.params = g.params[1:]
	}
	return g
}

func ofProperty(d *program.Define, name string) signature {
	g := ofDefine(d, name)
	g.call = "get("
	return g
}

// ofStat is the signature of a stat in a situation, of which missing parts are none.
func ofStat(p *program.Program, id int32) signature {
	st := &p.Stats[id]
	g := signature{of: st.Name, call: "get(", name: st.Name, params: st.Params, absent: program.None}
	for of := st.Of; len(g.params) == 0 && of >= 0; of = p.Stats[of].Of {
		g.params = p.Stats[of].Params
	}
	return g
}

func ofProc(q *program.Proc) signature {
	return signature{of: q.Name, call: "ctx.do(WHO, ", name: q.Name, params: q.Params, wants: wantsUndefaulted, defaults: q.Defaults, absent: program.Absent}
}

func ofEffect(e *program.Effect, call string, wants wanted) signature {
	return signature{of: e.Name, call: call, name: e.Name, params: e.Values[:e.NParams], wants: wants, absent: program.Absent, labelled: true}
}

// parameter finds a parameter by its label or its name, -1 if there is none.
func (g *signature) parameter(word string) int {
	word = hyphenated(word)
	at := -1
	for i := range g.params {
		if g.params[i].Label == word || g.params[i].Name == word {
			at = i
		}
	}
	return at
}

// misfit is why a call does not match a signature.
type misfit struct{ message, hint string }

func (x *misfit) Error() string { return x.message }

func (g *signature) misfit(format string, args ...any) error {
	return &misfit{fmt.Sprintf(format, args...), "the form is: " + g.form()}
}

func (g *signature) tooMany(n int) error {
	if g.labelled {
		return g.misfit("the values of %s have labels", g.of)
	}
	return g.misfit("%s takes %d values, not %d", g.of, len(g.params), n)
}

func (g *signature) takesNo(word string) error {
	var forms []string
	for i := range g.params {
		if p := &g.params[i]; p.Label != "" {
			forms = append(forms, underscored(p.Label)+"=")
		} else {
			forms = append(forms, p.Name)
		}
	}
	if len(forms) == 0 {
		return g.misfit("%s takes no values", g.of)
	}
	return g.misfit("%s takes no %s; it takes: %s", g.of, hyphenated(word), strings.Join(forms, ", "))
}

func (g *signature) twice(i int) error {
	return g.misfit("%s is given %s twice", g.of, g.params[i].Name)
}

// missing returns an error for a missing required argument, nil if there is none.
func (g *signature) missing(given func(i int) bool) error {
	if g.wants == wantsNone {
		return nil
	}
	for i := range g.params {
		if !given(i) && (g.wants == wantsAll || g.wants == wantsUndefaulted && g.defaults[i].Required) {
			return g.misfit("%s needs %s", g.of, g.params[i].Name)
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
			b.WriteString(underscored(p.Label) + " = ")
		case g.labelled:
			b.WriteString(underscored(p.Name) + " = ")
		}
		b.WriteString(strings.ToUpper(p.Name))
	}
	return b.String() + ")"
}

// checkCall checks a call statically, as far as the source shows its arguments.
func (g *signature) checkCall(w *written) error {
	if w.values > len(g.params) || g.labelled && w.values > 0 {
		return g.tooMany(w.values)
	}
	given := map[int]bool{}
	for i := range w.values {
		given[i] = true
	}
	for _, word := range w.labels {
		i := g.parameter(word)
		switch {
		case i < 0:
			return g.takesNo(word)
		case given[i]:
			return g.twice(i)
		}
		given[i] = true
	}
	if w.more {
		return nil
	}
	return g.missing(func(i int) bool { return given[i] })
}

// arguments assigns values to the parameters, by position, label or name.
func (c *ctx) arguments(g *signature, into []int64, args starlark.Tuple, kwargs []starlark.Tuple) error {
	return starlarkError(c.fill(g, into, args, kwargs))
}

// starlarkError converts an error for Starlark.
func starlarkError(err error) error {
	if x, ok := err.(*misfit); ok {
		return sandbox.Refuse(x.hint, "%s", x.message)
	}
	return err
}

func (c *ctx) fill(g *signature, into []int64, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) > len(g.params) || g.labelled && len(args) > 0 {
		return g.tooMany(len(args))
	}
	for i := range into {
		into[i] = program.Absent
	}
	set := func(i int, v starlark.Value) error {
		x, err := c.number(g.params[i].Type, v)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", g.of, g.params[i].Name, err)
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
		i := g.parameter(word)
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
	if err := g.missing(func(i int) bool { return into[i] != program.Absent }); err != nil {
		return err
	}
	for i := range into {
		if into[i] == program.Absent {
			into[i] = g.absent
		}
	}
	return nil
}
