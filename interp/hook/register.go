package hook

import (
	"fmt"
	"path"
	"reflect"
	"regexp"
	"strings"

	"arbiter/interp/sandbox"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"

	"go.starlark.net/starlark"
)

// This file implements the registrations of a file loaded by `use hooks`. Each is converted to the source of an
// equivalent declaration, which is parsed like any other and gets the position of the call. So there is one kind of
// binding, with two notations.

// registration is one declaration: its source, in which functions are named hook-0, hook-1, ...
type registration struct {
	text  string
	funcs []starlark.Callable
	at    starlark.CallFrame
	name  string // its name in the rules
}

// registrar collects the registrations of a module.
type registrar struct {
	list   []registration
	closed bool // the file has been loaded
}

// names returns the functions that a file can call while it is loaded.
func (r *registrar) names() starlark.StringDict {
	all := starlark.StringDict{}
	for name, f := range map[string]func(*call) error{
		"modify": r.modify, "suppress": r.suppress, "replace": r.replace, "function": r.function,
		"before": r.rule("before"), "after": r.rule("after"), "instead": r.rule("instead of"), "on": r.rule(""),
	} {
		all[name] = starlark.NewBuiltin(name, func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if r.closed {
				return nil, sandbox.Refuse("call it at the top level of the file", "%s can only register functions while the file is loaded", name)
			}
			c := &call{fn: name, args: args, kwargs: kwargs}
			if t.CallStackDepth() > 1 {
				c.at = t.CallFrame(1)
			}
			if err := f(c); err != nil {
				return nil, err
			}
			return starlark.None, nil
		})
	}
	return all
}

// call is a call of a registration function.
type call struct {
	fn     string
	args   starlark.Tuple
	kwargs []starlark.Tuple
	at     starlark.CallFrame
	funcs  []starlark.Callable
}

// unpack reads the arguments.
func (c *call) unpack(pairs ...any) error {
	return starlark.UnpackArgs(c.fn, c.args, c.kwargs, pairs...)
}

// hook returns the name of a function argument in the declaration. what names the argument in a message.
func (c *call) hook(what string, fn starlark.Callable) (string, error) {
	f, ok := fn.(*starlark.Function)
	if !ok || f.Name() == "lambda" {
		return "", fmt.Errorf("%s: a named function is expected: def NAME(ctx): ...", what)
	}
	c.funcs = append(c.funcs, f)
	return fmt.Sprintf("hook-%d", len(c.funcs)-1), nil
}

var (
	aName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9]*(-[a-zA-Z0-9]+)*$`)
	aPath = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9.-]*(\[[a-zA-Z0-9, -]*\](\.[a-zA-Z0-9-]+)?)?$`)
	aLine = regexp.MustCompile("^[^\n\r{};#\"]*$")
)

// check reports a text that does not have the required form.
func (c *call) check(what, text string, form *regexp.Regexp) error {
	if form.MatchString(text) && len(text) < 400 {
		return nil
	}
	return fmt.Errorf("%s: %q is not a %s", c.fn, text, what)
}

// declarationName is the name of the declaration: that of name=, or the function's.
func (c *call) declarationName(name string, fn starlark.Callable) (string, error) {
	if name == "" {
		name = strings.ReplaceAll(strings.Trim(fn.Name(), "_"), "_", "-")
	}
	return name, c.check("name", name, aName)
}

// effectDeclaration returns a declaration that adds clauses to the effect bearer, or to all creatures if it is "".
func effectDeclaration(name, bearer, clauses string) string {
	if bearer != "" {
		return "extend " + bearer + " { " + clauses + " }"
	}
	return "everyone " + name + " { " + clauses + " }"
}

// keep adds a registration.
func (r *registrar) keep(c *call, name, text string) error {
	if len(r.list) == maxRegistrations {
		return fmt.Errorf("%s: more than %d registrations in one file", c.fn, maxRegistrations)
	}
	for i := range r.list {
		if name != "" && r.list[i].name == name {
			return sandbox.Refuse("give one of them another name: name = \""+name+"-again\"", "%s: %s is the name of another registration, in line %d", c.fn, name, r.list[i].at.Pos.Line)
		}
	}
	r.list = append(r.list, registration{text, c.funcs, c.at, name})
	return nil
}

// maxRegistrations limits the registrations of one file.
const maxRegistrations = 1000

// modify(stat, function, bearer = "", name = ""): the function adds to a stat, or to each stat of a list.
func (r *registrar) modify(c *call) error {
	var stats starlark.Value
	var bearer, name string
	var fn starlark.Callable
	if err := c.unpack("stat", &stats, "function", &fn, "bearer??", &bearer, "name??", &name); err != nil {
		return err
	}
	return r.toStats(c, c.fn, stats, fn, bearer, name, func(h, stat string) string { return "+" + h + " to " + stat })
}

// suppress(stat, names, when, bearer = "", name = ""): while the function returns True, the named bonuses do not count
// for a stat, or for each stat of a list.
func (r *registrar) suppress(c *call) error {
	var stats, names starlark.Value
	var bearer, name string
	var fn starlark.Callable
	if err := c.unpack("stat", &stats, "names", &names, "when", &fn, "bearer??", &bearer, "name??", &name); err != nil {
		return err
	}
	list, err := texts(c, names)
	if err != nil {
		return err
	}
	for _, n := range list {
		if err := c.check("bonus type or term", n, aName); err != nil {
			return err
		}
	}
	return r.toStats(c, c.fn+": when", stats, fn, bearer, name, func(h, stat string) string {
		return "denied " + strings.Join(list, ", ") + " to " + stat + " when " + h
	})
}

// toStats registers a clause for each stat.
func (r *registrar) toStats(c *call, what string, stats starlark.Value, fn starlark.Callable, bearer, name string, clause func(h, stat string) string) error {
	list, err := texts(c, stats)
	if err != nil {
		return err
	}
	h, err := c.hook(what, fn)
	if err != nil {
		return err
	}
	if name, err = c.declarationName(name, fn); err != nil {
		return err
	}
	if bearer != "" {
		if err := c.check("name of an effect", bearer, aName); err != nil {
			return err
		}
	}
	var clauses []string
	for _, stat := range list {
		if err := c.check("stat", stat, aName); err != nil {
			return err
		}
		clauses = append(clauses, clause(h, stat))
	}
	return r.keep(c, name, effectDeclaration(name, bearer, strings.Join(clauses, "; ")))
}

// texts reads one text, or a list of them.
func texts(c *call, v starlark.Value) ([]string, error) {
	if s, ok := starlark.AsString(v); ok {
		return []string{s}, nil
	}
	it, ok := v.(starlark.Iterable)
	if !ok {
		return nil, fmt.Errorf("%s: a text or a list of texts is expected, not %s", c.fn, v.Type())
	}
	var list []string
	iter := it.Iterate()
	defer iter.Done()
	for x := starlark.Value(nil); iter.Next(&x); {
		s, ok := starlark.AsString(x)
		if !ok {
			return nil, fmt.Errorf("%s: a list of texts is expected, but %s is not a text", c.fn, x.Type())
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: the list is empty", c.fn)
	}
	return list, nil
}

// replace(path, function): the function computes a term, an amount, a define, a bound or a condition instead.
func (r *registrar) replace(c *call) error {
	var at string
	var fn starlark.Callable
	if err := c.unpack("path", &at, "function", &fn); err != nil {
		return err
	}
	h, err := c.hook(c.fn, fn)
	if err == nil {
		err = c.check("path", at, aPath)
	}
	if err != nil {
		return err
	}
	return r.keep(c, "", "override "+at+" = "+h)
}

// before, after, instead(path, function, ...) and on(moment, function, ...): the function acts at that time.
func (r *registrar) rule(word string) func(*call) error {
	return func(c *call) error {
		var at, bearer, name, once, by string
		var fn, when starlark.Callable
		if err := c.unpack("path", &at, "function", &fn, "when??", &when, "once??", &once, "by??", &by, "bearer??", &bearer, "name??", &name); err != nil {
			return err
		}
		h, err := c.hook(c.fn, fn)
		if err == nil {
			name, err = c.declarationName(name, fn)
		}
		if word != "" && err == nil {
			err = c.check("path", at, aPath)
		} else if err == nil {
			err = c.check("moment", at, aLine)
		}
		if err == nil {
			err = c.check("name of an effect", bearer, regexp.MustCompile(aName.String()+"|^$"))
		}
		if err == nil {
			err = c.check("expression", by, aLine)
		}
		guard := ""
		if when != nil && err == nil {
			guard, err = c.hook(c.fn+": when", when)
		}
		if err != nil {
			return err
		}
		text := "rule " + name + " " + strings.TrimSpace(word+" "+at)
		if by != "" {
			text += " by " + by
		}
		if guard != "" {
			text += " when " + guard
		}
		if once != "" {
			if once != "round" && once != "turn" && once != "fight" {
				return fmt.Errorf("%s: once is \"round\", \"turn\" or \"fight\", not %q", c.fn, once)
			}
			text += " once per " + once
		}
		text += " { " + h + " }"
		if bearer != "" {
			text = "extend " + bearer + " { " + text + " }"
		}
		return r.keep(c, name, text)
	}
}

// function(name, function, params = "", gives = "number"): rules can call it.
func (r *registrar) function(c *call) error {
	var name, params string
	gives := "number"
	var fn starlark.Callable
	if err := c.unpack("name", &name, "function", &fn, "params?", &params, "gives?", &gives); err != nil {
		return err
	}
	_, err := c.hook(c.fn, fn)
	if err == nil {
		err = c.check("name", name, aName)
	}
	if err == nil {
		err = c.check("list of parameters", params, aLine)
	}
	if err == nil {
		err = c.check("type", gives, aLine)
	}
	if err != nil {
		return err
	}
	return r.keep(c, name, "use "+name+"("+params+"): "+gives+" from \"hook-0\"")
}

// declarations parses the registrations of a module into a file.
func (m *module) declarations(user string, use *ast.Use) (*ast.File, diag.List) {
	file := &ast.File{Path: m.path}
	var diags diag.List
	if len(m.regs) == 0 {
		diags = append(diags, diag.Diagnostic{File: user, Span: use.File.Span, Severity: diag.Error, Code: "starlark",
			Message: m.path + " registers nothing", Hint: "call modify, before, after, instead, on, replace, suppress or function in it; or name a function of it: use NAME from \"" + use.File.Value + "\""})
	}
	used := map[string]bool{}
	for _, reg := range m.regs {
		span := spanAt(int(reg.at.Pos.Line), int(reg.at.Pos.Col))
		span.End.Column = span.Start.Column + 1
		at := m.shown(reg.at.Pos.Filename())
		f, wrong := parse.File(at, []byte("ruleset hooks\n"+reg.text+"\n"))
		for _, d := range wrong {
			d.Span, d.Related = span, nil
			diags = append(diags, d)
		}
		if len(wrong) > 0 {
			continue
		}
		own := map[string]string{}
		var keys []string
		for i, fn := range reg.funcs {
			key := fmt.Sprintf("%s (%s)", strings.ReplaceAll(fn.Name(), "_", "-"), m.name)
			if have := m.funcs[key]; have != nil && have != fn {
				key = fmt.Sprintf("%s (%s:%d)", strings.ReplaceAll(fn.Name(), "_", "-"), m.name, reg.at.Pos.Line)
			}
			m.funcs[key] = fn
			own[fmt.Sprintf("hook-%d", i)] = key
			keys = append(keys, key)
		}
		for _, cl := range f.Body[1:] {
			if u, ok := cl.(*ast.Use); ok {
				u.Function = own["hook-0"]
				u.File.Value = path.Base(m.path)
			}
			place(reflect.ValueOf(cl), span, own)
			file.Body = append(file.Body, cl)
		}
		if _, isUse := f.Body[len(f.Body)-1].(*ast.Use); isUse {
			continue
		}
		for _, key := range keys {
			if used[key] {
				continue
			}
			used[key] = true
			file.Body = append(file.Body, &ast.Use{Span: span, Name: ast.Ident{Span: span, Name: key}, Function: key, File: ast.Text{Span: span, Value: path.Base(m.path)}})
		}
	}
	return file, diags
}

// place sets the position of every node to that of the call, and the names of the functions.
func place(v reflect.Value, span ast.Span, names map[string]string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			place(v.Elem(), span, names)
		}
	case reflect.Slice:
		for i := range v.Len() {
			place(v.Index(i), span, names)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[ast.Span]() {
			if v.CanSet() {
				v.Set(reflect.ValueOf(span))
			}
			return
		}
		for i := range v.NumField() {
			place(v.Field(i), span, names)
		}
	case reflect.String:
		if now, ok := names[v.String()]; ok && v.CanSet() {
			v.SetString(now)
		}
	}
}
