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
	"arbiter/stdlib/pattern"

	"go.starlark.net/starlark"
)

// This file implements the registrations of a file loaded by `use hooks`. Each is converted to the source of an
// equivalent declaration, which is parsed like any other and gets the position of the call. So there is one kind of
// binding, with two notations.

// registration is one declaration: its source, in which functions are named hook-0, hook-1, ...
type registration struct {
	source string
	funcs  []starlark.Callable
	at     starlark.CallFrame
	name   string // its name in the rules
}

// registrar collects the registrations of a module.
type registrar struct {
	list   []registration
	closed bool // the file has been loaded
}

// functions returns the functions that a file can call while it is loaded.
func (r *registrar) functions() starlark.StringDict {
	all := starlark.StringDict{}
	for name, f := range map[string]func(*registerCall) error{
		"modify": r.modify, "suppress": r.suppress, "replace": r.replace, "function": r.function,
		"before": r.ruleFunc("before"), "after": r.ruleFunc("after"), "instead": r.ruleFunc("instead of"), "on": r.ruleFunc(""),
	} {
		all[name] = starlark.NewBuiltin(name, func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if r.closed {
				return nil, sandbox.Refuse("call it at the top level of the file", "%s can only register functions while the file is loaded", name)
			}
			c := &registerCall{fn: name, args: args, kwargs: kwargs}
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

// registerCall is a call of a registration function.
type registerCall struct {
	fn     string
	args   starlark.Tuple
	kwargs []starlark.Tuple
	at     starlark.CallFrame
	funcs  []starlark.Callable
}

// unpack reads the arguments.
func (c *registerCall) unpack(pairs ...any) error {
	err := starlark.UnpackArgs(c.fn, c.args, c.kwargs, pairs...)
	if err == nil || !strings.Contains(err.Error(), "keyword argument") {
		return err
	}
	var takes []string
	for i := 0; i < len(pairs); i += 2 {
		takes = append(takes, strings.TrimRight(pairs[i].(string), "?"))
	}
	return sandbox.Refuse("it takes "+strings.Join(takes, ", "), "%s", err.Error())
}

// addFunc returns the name of a function argument in the declaration. what names the argument in a message.
func (c *registerCall) addFunc(what string, fn starlark.Callable) (string, error) {
	f, ok := fn.(*starlark.Function)
	if !ok || f.Name() == "lambda" {
		return "", fmt.Errorf("%s: a named function is expected: def NAME(ctx): ...", what)
	}
	c.funcs = append(c.funcs, f)
	return fmt.Sprintf("hook-%d", len(c.funcs)-1), nil
}

var (
	namePattern = pattern.New(`^[a-zA-Z][a-zA-Z0-9]*(-[a-zA-Z0-9]+)*$`)
	pathPattern = pattern.New(`^[a-zA-Z][a-zA-Z0-9.-]*(\[[a-zA-Z0-9, -]*\](\.[a-zA-Z0-9-]+)?)?$`)
	linePattern = pattern.New("^[^\n\r{};#\"]*$")
)

// checkForm reports a text that does not have the required form.
func (c *registerCall) checkForm(what, text string, form *regexp.Regexp) error {
	if form.MatchString(text) && len(text) < 400 {
		return nil
	}
	hint := ""
	switch plain := strings.ReplaceAll(strings.TrimSpace(text), "_", "-"); {
	case form == pathPattern() || form == namePattern() && what != "name":
		if plain != text && form.MatchString(plain) {
			hint = "a text has the name as it is in the rules, with `-`: \"" + plain + "\""
		}
	case what == "name":
		hint = "a name has letters, digits and `-`"
		if plain = strings.ToLower(strings.Join(strings.Fields(plain), "-")); namePattern.MatchString(plain) {
			hint += ": \"" + plain + "\""
		}
	}
	return sandbox.Refuse(hint, "%s: %q is not a %s", c.fn, text, what)
}

// declarationName is the name of the declaration: that of name=, or the function's.
func (c *registerCall) declarationName(name string, fn starlark.Callable) (string, error) {
	if name == "" {
		name = strings.ReplaceAll(strings.Trim(fn.Name(), "_"), "_", "-")
	}
	return name, c.checkForm("name", name, namePattern())
}

// effectDeclaration returns a declaration that adds clauses to the effect bearer, or to all creatures if it is "".
func effectDeclaration(name, bearer, clauses string) string {
	if bearer != "" {
		return "extend " + bearer + " { " + clauses + " }"
	}
	return "everyone " + name + " { " + clauses + " }"
}

// add adds a registration.
func (r *registrar) add(c *registerCall, name, text string) error {
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
func (r *registrar) modify(c *registerCall) error {
	var stats starlark.Value
	var bearer, name string
	var fn starlark.Callable
	if err := c.unpack("stat", &stats, "function", &fn, "bearer??", &bearer, "name??", &name); err != nil {
		return err
	}
	return r.registerForStats(c, c.fn, statClause{stats, fn, bearer, name}, func(h, stat string) string { return "+" + h + " to " + stat })
}

// suppress(stat, names, when, bearer = "", name = ""): while the function returns True, the named bonuses do not count
// for a stat, or for each stat of a list.
func (r *registrar) suppress(c *registerCall) error {
	var stats, names starlark.Value
	var bearer, name string
	var fn starlark.Callable
	if err := c.unpack("stat", &stats, "names", &names, "when", &fn, "bearer??", &bearer, "name??", &name); err != nil {
		return err
	}
	list, err := textList(c, names)
	if err != nil {
		return err
	}
	for _, n := range list {
		if err := c.checkForm("bonus type or term", n, namePattern()); err != nil {
			return err
		}
	}
	return r.registerForStats(c, c.fn+": when", statClause{stats, fn, bearer, name}, func(h, stat string) string {
		return "denied " + strings.Join(list, ", ") + " to " + stat + " when " + h
	})
}

// statClause is what a call says of a clause for one or more stats.
type statClause struct {
	stats        starlark.Value
	fn           starlark.Callable
	bearer, name string
}

// registerForStats registers a clause for each stat.
func (r *registrar) registerForStats(c *registerCall, what string, x statClause, clause func(h, stat string) string) error {
	list, err := textList(c, x.stats)
	if err != nil {
		return err
	}
	h, err := c.addFunc(what, x.fn)
	if err != nil {
		return err
	}
	name, err := c.declarationName(x.name, x.fn)
	if err != nil {
		return err
	}
	if x.bearer != "" {
		if err := c.checkForm("name of an effect", x.bearer, namePattern()); err != nil {
			return err
		}
	}
	var clauses []string
	for _, stat := range list {
		if err := c.checkForm("stat", stat, namePattern()); err != nil {
			return err
		}
		clauses = append(clauses, clause(h, stat))
	}
	return r.add(c, name, effectDeclaration(name, x.bearer, strings.Join(clauses, "; ")))
}

// textList reads one text, or a list of them.
func textList(c *registerCall, v starlark.Value) ([]string, error) {
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
func (r *registrar) replace(c *registerCall) error {
	var at string
	var fn starlark.Callable
	if err := c.unpack("path", &at, "function", &fn); err != nil {
		return err
	}
	h, err := c.addFunc(c.fn, fn)
	if err == nil {
		err = c.checkForm("path", at, pathPattern())
	}
	if err != nil {
		return err
	}
	return r.add(c, "", "override "+at+" = "+h)
}

// before, after, instead(path, function, ...) and on(moment, function, ...): the function acts at that time.
func (r *registrar) ruleFunc(word string) func(*registerCall) error {
	return func(c *registerCall) error {
		var at, bearer, name, once, by string
		var fn, when starlark.Callable
		if err := c.unpack("path", &at, "function", &fn, "when??", &when, "once??", &once, "by??", &by, "bearer??", &bearer, "name??", &name); err != nil {
			return err
		}
		h, err := c.addFunc(c.fn, fn)
		if err == nil {
			name, err = c.declarationName(name, fn)
		}
		if word != "" && err == nil {
			err = c.checkForm("path", at, pathPattern())
		} else if err == nil {
			err = c.checkForm("moment", at, linePattern())
		}
		if err == nil {
			err = c.checkForm("name of an effect", bearer, regexp.MustCompile(namePattern().String()+"|^$"))
		}
		if err == nil {
			err = c.checkForm("expression", by, linePattern())
		}
		guard := ""
		if when != nil && err == nil {
			guard, err = c.addFunc(c.fn+": when", when)
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
		return r.add(c, name, text)
	}
}

// function(name, function, params = "", gives = "number"): rules can call it.
func (r *registrar) function(c *registerCall) error {
	var name, params string
	gives := "number"
	var fn starlark.Callable
	if err := c.unpack("name", &name, "function", &fn, "params?", &params, "gives?", &gives); err != nil {
		return err
	}
	_, err := c.addFunc(c.fn, fn)
	if err == nil {
		err = c.checkForm("name", name, namePattern())
	}
	if err == nil {
		err = c.checkForm("list of parameters", params, linePattern())
	}
	if err == nil {
		err = c.checkForm("type", gives, linePattern())
	}
	if err != nil {
		return err
	}
	return r.add(c, name, "use "+name+"("+params+"): "+gives+" from \"hook-0\"")
}

// declarations parses the registrations of a module into a file.
func (m *module) declarations(user string, use *ast.Use) (*ast.File, diag.List) {
	file := &ast.File{Path: m.path}
	var diags diag.List
	if len(m.registrations) == 0 {
		diags = append(diags, diag.Diagnostic{File: user, Span: use.File.Span, Severity: diag.Error, Code: "starlark",
			Message: m.path + " registers nothing", Hint: "call modify, before, after, instead, on, replace, suppress or function in it; or name a function of it: use NAME from \"" + use.File.Value + "\""})
	}
	used := map[string]bool{}
	for _, reg := range m.registrations {
		span := spanAt(int(reg.at.Pos.Line), int(reg.at.Pos.Col))
		span.End.Column = span.Start.Column + 1
		at := m.displayPath(reg.at.Pos.Filename())
		f, wrong := parse.File(at, []byte("ruleset hooks\n"+reg.source+"\n"))
		for _, d := range wrong {
			d.Span, d.Related = span, nil
			diags = append(diags, d)
		}
		if len(wrong) > 0 {
			continue
		}
		hookKeys := map[string]string{}
		var keys []string
		for i, fn := range reg.funcs {
			key := fmt.Sprintf("%s (%s)", strings.ReplaceAll(fn.Name(), "_", "-"), m.name)
			if have := m.funcs[key]; have != nil && have != fn {
				key = fmt.Sprintf("%s (%s:%d)", strings.ReplaceAll(fn.Name(), "_", "-"), m.name, reg.at.Pos.Line)
			}
			m.funcs[key] = fn
			hookKeys[fmt.Sprintf("hook-%d", i)] = key
			keys = append(keys, key)
		}
		for _, cl := range f.Body[1:] {
			if u, ok := cl.(*ast.Use); ok {
				u.Function = hookKeys["hook-0"]
				u.File.Value = path.Base(m.path)
			}
			setPositions(reflect.ValueOf(cl), span, hookKeys)
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

// setPositions sets the position of every node to that of the call, and the names of the functions.
func setPositions(v reflect.Value, span ast.Span, names map[string]string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			setPositions(v.Elem(), span, names)
		}
	case reflect.Slice:
		for i := range v.Len() {
			setPositions(v.Index(i), span, names)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[ast.Span]() {
			if v.CanSet() {
				v.Set(reflect.ValueOf(span))
			}
			return
		}
		for i := range v.NumField() {
			setPositions(v.Field(i), span, names)
		}
	case reflect.String:
		if now, ok := names[v.String()]; ok && v.CanSet() {
			v.SetString(now)
		}
	}
}
