package session

import (
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file handles declarations at the prompt: a creature, a condition, a house rule. The initial script is built
// again with the declaration, and all commands are run again. A declaration that would change their results is refused.

// Rebuild builds the initial script of a fight from another text.
type Rebuild func(text []byte) (*build.Script, diag.List, error)

// declares reports whether all, or some, of the clauses are declarations.
func declares(clauses []ast.Clause) (all, some bool) {
	n := 0
	for _, cl := range clauses {
		if !link.ScriptOnly(cl) {
			n++
		}
	}
	return n == len(clauses), n > 0
}

// declare adds declarations.
func (l *Live) declare(text string, record record) *Reply {
	fail := func(code, message, hint string) *Reply {
		return &Reply{Failures: diag.List{{File: prompt, Severity: diag.Error, Code: code, Message: message, Hint: hint}}}
	}
	if l.rebuild == nil {
		return fail("misplaced", "nothing can be declared here", "put it into a .rules file, and start with --with FILE")
	}
	whole := strings.TrimRight(string(l.setup), "\n") + "\n\n"
	above := strings.Count(whole, "\n")
	whole += text + "\n"
	s, diags, err := l.rebuild([]byte(whole))
	if err != nil {
		return &Reply{Err: err}
	}
	if diags.HasErrors() || s == nil || s.Rules == nil {
		l.p.script.Rules.Sources[prompt] = []byte(text)
		return &Reply{Failures: positionsAtPrompt(diags, l.from, above)}
	}
	fresh, out := NewLive(s, l.o, nil)
	if len(out.Failures) > 0 {
		return fail("changes-past", "with this the fight would start differently: "+out.Failures[0].Message, "put it into the script, and start again")
	}
	for _, d := range l.done {
		again := *d
		out := fresh.execute(&again, slices.Clone(d.Answers), recordNone)
		if out.Err != nil || len(out.Failures) > 0 {
			return fail("changes-past", "with this "+strings.TrimSpace(d.Text)+" would have gone differently", "put it into the script, and start again")
		}
	}
	if string(fresh.p.narrator.output) != string(l.p.narrator.output) {
		return fail("changes-past", "this would change what has already happened", "put it into the script, and start again")
	}
	if record == recordAll {
		if err := l.put(Note{"declare", text}); err != nil {
			return &Reply{Err: err}
		}
	}
	l.p, l.done, l.setup, l.undone = fresh.p, fresh.done, []byte(whole), nil
	l.p.live, l.p.o.Out = l, &l.screen
	l.screen.Reset()
	return &Reply{}
}

// positionsAtPrompt moves positions in text that was typed, which is appended to the script, to the prompt.
func positionsAtPrompt(list diag.List, file string, above int) diag.List {
	move := func(f *string, span *ast.Span) {
		if *f == file && span.Start.Line > above {
			*f = prompt
			span.Start.Line -= above
			span.End.Line -= above
		}
	}
	list = slices.Clone(list)
	for i := range list {
		d := &list[i]
		d.Related = slices.Clone(d.Related)
		move(&d.File, &d.Span)
		for k := range d.Related {
			move(&d.Related[k].File, &d.Related[k].Span)
		}
	}
	return list
}
