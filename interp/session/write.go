package session

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/lang/parse"
	"arbiter/lang/words"
	"arbiter/stdlib/pattern"
)

// This file writes a fight that was played interactively as a script, with all dice and answers and with its
// transcript, so that it can be reproduced to the byte.

// Encounter returns the fight as an encounter: the initial script and the commands. Rulesets given in addition to the
// script are added to its header.
func (l *Live) Encounter() (string, error) {
	var b strings.Builder
	b.WriteString(l.openingScript())
	b.WriteString("\n# A session, saved.\n\n")
	err := l.writeCommands(&b)
	return formatScript("saved.encounter", b.String()), err
}

// openingScript returns the initial script, with the rulesets and the seed with which it was played.
func (l *Live) openingScript() string {
	type insertion struct {
		at, end int
		text    string
	}
	var list []insertion
	with, without := l.rulesets()
	if h := l.p.script.Head; h != nil && len(h.With) > 0 {
		last := h.With[len(h.With)-1]
		list = append(list, insertion{last.Span.End.Offset, last.Span.End.Offset, wordAndNames(", ", with[len(h.With):])})
		word := " without "
		if n := len(h.Without); n > 0 {
			last, word = h.Without[n-1], ", "
		}
		list = append(list, insertion{last.Span.End.Offset, last.Span.End.Offset, wordAndNames(word, without[len(h.Without):])})
	}
	if l.o.Seed != nil {
		seed, at := fmt.Sprintf("seed %d", *l.o.Seed), len(l.setup)
		for _, cl := range slices.Backward(l.p.script.File.Body) {
			if d, ok := cl.(*ast.Directive); ok && d.Word.Name == "seed" {
				list = append(list, insertion{d.Span.Start.Offset, d.Value.Extent().End.Offset, seed})
				at = -1
			} else if at >= 0 && link.ScriptOnly(cl) {
				at = cl.Extent().Start.Offset
			}
		}
		if at >= 0 {
			list = append(list, insertion{at, at, "\n" + seed + "\n"})
		}
	}
	slices.SortStableFunc(list, func(a, b insertion) int { return a.at - b.at })
	var b strings.Builder
	done := 0
	for _, i := range list {
		b.Write(l.setup[done:i.at])
		b.WriteString(i.text)
		done = i.end
	}
	b.Write(l.setup[done:])
	return b.String()
}

// rulesets lists the rulesets in use and those left out; the ones of the script come first.
func (l *Live) rulesets() (with, without []string) {
	if h := l.p.script.Head; h != nil {
		with, without = names(h.With), names(h.Without)
	}
	r := l.p.script.Rules
	return append(with, r.House...), append(without, r.Excluded...)
}

// wordAndNames returns a word followed by a list of names, or "" if there are none.
func wordAndNames(word string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return word + strings.Join(list, ", ")
}

// Test returns the fight as a test file with one test. It contains the initial script; it does not refer to another
// file.
func (l *Live) Test(title string) (string, error) {
	var declared, b strings.Builder
	with, without := l.rulesets()
	head := "tests " + format.Quoted(title) + wordAndNames(" with ", with) + wordAndNames(" without ", without)
	fmt.Fprintf(&b, "seed %d\n", l.seed)
	for _, cl := range l.p.script.File.Body {
		switch n := cl.(type) {
		case *ast.Header, *ast.Documentation:
			continue
		case *ast.Directive:
			if n.Word.Name == "seed" {
				continue
			}
		}
		to := &declared
		if link.ScriptOnly(cl) {
			to = &b
		}
		to.WriteString(format.Node(cl) + "\n")
	}
	err := l.writeCommands(&b)
	return formatScript("saved.tests", head+"\n\n"+declared.String()+"\ntest "+format.Quoted(title)+" {\n"+b.String()+"}\n"), err
}

// writeCommands writes the commands, and the transcript at their end. Every die and answer is named, including those
// that were scripted in advance: in this order none can be taken for another roll.
func (l *Live) writeCommands(b *strings.Builder) error {
	for n := range l.commands.done {
		d, err := l.commands.at(n)
		if err != nil {
			return err
		}
		for i := 0; i < len(d.allAnswers); {
			g := &d.allAnswers[i]
			n := i + 1
			for n < len(d.allAnswers) && d.allAnswers[n].Die == g.Die && d.allAnswers[n].Who == g.Who && d.allAnswers[n].Label == g.Label {
				n++
			}
			var values []string
			for k := i; k < n; k++ {
				values = append(values, d.allAnswers[k].source())
			}
			word := "answer"
			if g.Die {
				word = "dice"
			}
			fmt.Fprintf(b, "%s %s: %s\n", word, g.Address(), strings.Join(values, ", "))
			i = n
		}
		b.WriteString(d.statement)
	}
	t := l.p.narrator
	text, err := t.output.Read(t.start, t.output.Len())
	if printed := string(text); strings.TrimSpace(printed) != "" && !strings.Contains(printed, `"""`) {
		b.WriteString("transcript \"\"\"\n")
		for line := range strings.Lines(printed) {
			b.WriteString("  " + line)
		}
		b.WriteString("  \"\"\"\n")
	}
	return err
}

// wordPattern matches an answer that needs no quotation marks.
var wordPattern = pattern.New(`^[a-zA-Z][a-zA-Z0-9]*(-[a-zA-Z0-9]+)*$`)

// source returns an answer as written in a script.
func (a *Answer) source() string {
	switch {
	case a.Word == "" || a.Die:
		return fmt.Sprint(a.Value)
	case wordPattern.MatchString(a.Word) && (!words.Reserved(a.Word) || a.Word == "yes" || a.Word == "no"):
		return a.Word
	}
	return format.Quoted(a.Word)
}

// formatScript formats a script; one that does not parse is left as it is.
func formatScript(name, text string) string {
	f, diags := parse.File(name, []byte(text))
	if diags.HasErrors() {
		return text
	}
	return string(format.Format(f, []byte(text)))
}

func names(ids []ast.Ident) []string {
	var list []string
	for _, id := range ids {
		list = append(list, id.Name)
	}
	return list
}

// withoutScripted returns a statement without the dice and answers in it, or nil if nothing else is left.
func withoutScripted(cl ast.Clause) ast.Clause {
	inside := func(b *ast.Block) *ast.Block {
		if b == nil {
			return nil
		}
		x := *b
		x.Clauses = nil
		for _, cl := range b.Clauses {
			if cl = withoutScripted(cl); cl != nil {
				x.Clauses = append(x.Clauses, cl)
			}
		}
		return &x
	}
	switch n := cl.(type) {
	case *ast.Scripted:
		return nil
	case *ast.Repeat:
		x := *n
		x.Body = inside(n.Body)
		return &x
	case *ast.If:
		x := *n
		x.Then, x.Else = inside(n.Then), inside(n.Else)
		return &x
	}
	return cl
}
