package session

import (
	"bytes"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/spill"
)

// This file handles declarations at the prompt (a creature, a condition, a house rule) and rulesets that are added. The
// initial script is built again with them, and all commands are run again. Whatever would change their results is refused.

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
	return l.startAgain(s, []byte(whole), Note{"declare", text}, record, "put it into the script, and start again")
}

// startAgain plays everything again by another script, which then takes the place of the present one. It is refused if
// anything would have gone differently; the hint says what to do then. The note records the change.
func (l *Live) startAgain(s *build.Script, setup []byte, note Note, record record, hint string) *Reply {
	differs := func(message string) *Reply {
		return &Reply{Failures: diag.List{{File: prompt, Severity: diag.Error, Code: "changes-past", Message: message, Hint: hint}}}
	}
	fresh, out := NewLive(s, l.o, nil)
	if len(out.Failures) > 0 {
		return differs("with this the fight would start differently: " + out.Failures[0].Message)
	}
	kept := false
	defer func() {
		if !kept {
			fresh.Close()
		}
	}()
	if d, err := fresh.follow(l); err != nil {
		return &Reply{Err: err}
	} else if d != nil {
		return differs("with this " + strings.TrimSpace(d.Text) + " would have gone differently")
	}
	if same, err := sameBytes(fresh.p.narrator.output, l.p.narrator.output); err != nil {
		return &Reply{Err: err}
	} else if !same {
		return differs("this would change what has already happened")
	}
	if record == recordAll {
		if err := l.put(note); err != nil {
			return &Reply{Err: err}
		}
	}
	kept = true
	l.Close()
	l.p, l.commands, l.script, l.setup = fresh.p, fresh.commands, s, setup
	l.p.live, l.p.o.Out = l, &l.screen
	l.screen.Reset()
	return &Reply{}
}

// sameBytes reports whether two transcripts are the same.
func sameBytes(a, b *spill.Bytes) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	const step = 1 << 20
	for from := 0; from < a.Len(); from += step {
		x, err := a.Read(from, min(from+step, a.Len()))
		if err != nil {
			return false, err
		}
		y, err := b.Read(from, min(from+step, b.Len()))
		if err != nil || !bytes.Equal(x, y) {
			return false, err
		}
	}
	return true, nil
}

// Extend builds the script of a fight with one more ruleset, from now on in every Rebuild. Call undo to leave it out
// again.
type Extend func(name string, text []byte) (s *build.Script, diags diag.List, undo func(), err error)

// AllowRulesets allows rulesets to be added, using x to build the script with them.
func (l *Live) AllowRulesets(x Extend) { l.extend = x }

// AddRuleset adds a ruleset by its name or its file.
func (l *Live) AddRuleset(name string) *Reply { return l.addRuleset(name, recordAll) }

func (l *Live) addRuleset(name string, record record) *Reply {
	if l.extend == nil {
		return &Reply{Failures: diag.List{{File: prompt, Severity: diag.Error, Code: "misplaced", Message: "no ruleset can be added here", Hint: "start with --with " + name}}}
	}
	s, diags, undo, err := l.extend(name, l.setup)
	if err != nil {
		undo()
		return &Reply{Failures: diag.List{{File: prompt, Severity: diag.Error, Code: "refused", Message: err.Error()}}}
	}
	if diags.HasErrors() || s == nil || s.Rules == nil {
		undo()
		return &Reply{Failures: diags}
	}
	r := l.startAgain(s, l.setup, Note{"with", name}, record, "start again with --with "+name)
	if r.Err != nil || len(r.Failures) > 0 {
		undo()
	}
	return r
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
