package session

import (
	"fmt"
	"regexp"
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/format"
	"arbiter/lang/parse"
)

// This file writes a fight that was led from a prompt as a script: with the dice and the answers that fell, and with what
// it printed, so that it comes out the same, to the byte.

// Encounter is the fight as an encounter: the script that it began with, and what was done.
func (l *Live) Encounter() string {
	var b strings.Builder
	b.Write(l.setup)
	b.WriteString("\n# What was done at the table.\n\n")
	l.write(&b)
	return inForm("saved.encounter", b.String())
}

// Test is the fight as a file of one test. What it began with stands in its script, not in a file beside it.
func (l *Live) Test(title string) string {
	var declared, b strings.Builder
	head := "tests " + quoted(title)
	if h := l.p.script.Head; h != nil {
		head += " with " + strings.Join(names(h.With), ", ")
		if len(h.Without) > 0 {
			head += " without " + strings.Join(names(h.Without), ", ")
		}
	}
	seeded := false
	for _, cl := range l.p.script.File.Body {
		switch n := cl.(type) {
		case *ast.Header, *ast.Documentation:
			continue
		case *ast.Directive:
			seeded = seeded || n.Word.Name == "seed"
		}
		to := &declared
		if link.ScriptOnly(cl) {
			to = &b
		}
		to.WriteString(format.Node(cl) + "\n")
	}
	if !seeded {
		fmt.Fprintf(&b, "seed %d\n", l.p.result.Seed)
	}
	l.write(&b)
	return inForm("saved.tests", head+"\n\n"+declared.String()+"\ntest "+quoted(title)+" {\n"+b.String()+"}\n")
}

// write writes what was done, and what was printed at its end.
func (l *Live) write(b *strings.Builder) {
	for _, d := range l.done {
		for i := 0; i < len(d.Given); {
			g := &d.Given[i]
			n := i + 1
			for n < len(d.Given) && d.Given[n].Die == g.Die && d.Given[n].Who == g.Who && d.Given[n].Label == g.Label {
				n++
			}
			var values []string
			for k := i; k < n; k++ {
				values = append(values, d.Given[k].said())
			}
			word := "answer"
			if g.Die {
				word = "dice"
			}
			fmt.Fprintf(b, "%s %s: %s\n", word, g.address(), strings.Join(values, ", "))
			i = n
		}
		b.WriteString(d.Said)
	}
	if printed := string(l.p.out.all[l.p.out.from:]); strings.TrimSpace(printed) != "" && !strings.Contains(printed, `"""`) {
		b.WriteString("transcript \"\"\"\n")
		for line := range strings.Lines(printed) {
			b.WriteString("  " + line)
		}
		b.WriteString("  \"\"\"\n")
	}
}

// aWord is an answer that needs no quotation marks.
var aWord = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9]*(-[a-zA-Z0-9]+)*$`)

// said is an answer as a script gives it.
func (g *Given) said() string {
	switch {
	case g.Word == "" || g.Die:
		return fmt.Sprint(g.Value)
	case aWord.MatchString(g.Word):
		return g.Word
	}
	return quoted(g.Word)
}

// quoted is a text of the language.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}

// inForm puts a script into its form; one that does not parse is left as it is.
func inForm(name, text string) string {
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
