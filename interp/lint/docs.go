package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file has the rules about what is written for readers: sentences, comments, lines.

const codeLongLine = "long-line"

var docRules = []*Rule{
	{Code: "missing-doc", check: missingDoc,
		Summary: "An option, an action, a procedure, a feat, a trait or a table of rules has no sentence.",
		Why:     "Rulebooks, editors and `arbiter rules show` have nothing to say about it.",
		How:     "Write what it means in a sentence after its name."},
	{Code: "doc-style", Severity: diag.Warning, check: docStyle,
		Summary: "The sentence of a declaration does not begin with a capital, or has no full stop.",
		Why:     "It stands in a printed rulebook between others that do.",
		How:     "Write a sentence."},
	{Code: "todo-comment", Severity: diag.Note, check: todoComment,
		Summary: "A comment says that something is left to do.",
		Why:     "Nobody looks for it there.",
		How:     "Do it, or write it down where you keep such things."},
	{Code: codeLongLine, Severity: diag.Note, check: longLine,
		Summary: "A line is longer than 120 characters (or than the settings say), not counting rows of tables, and lines with a long text.",
		Why:     "It is cut off or wrapped on most screens, and the end is overlooked.",
		How:     "Break it after a comma or an operator; `arbiter fmt` does so for code."},
	{Code: "commented-code", Severity: diag.Warning, check: commentedCode,
		Summary: "A comment consists of code.",
		Why:     "Whoever reads it wonders whether it should be in force. Old versions are in the history of the file.",
		How:     "Remove it."},
	{Code: "empty-doc", Severity: diag.Warning, check: emptyDoc,
		Summary: "The sentence of a declaration is empty, or only repeats its name.",
		Why:     "It says nothing, and seems to be there.",
		How:     "Say what the thing means, or leave the sentence out."},
}

// docs iterates over the declarations that can have a sentence.
func (f *file) docs(visit func(name *ast.Ident, m *ast.Meta, needed bool)) {
	for _, n := range f.nodes {
		switch n := n.at.(type) {
		case *ast.Option, *ast.Procedure, *ast.Effect, *ast.Table, *ast.Define, *ast.Stat, *ast.Resource, *ast.Kind, *ast.Enum, *ast.Rule, *ast.Template, *ast.Tactics:
			h := ast.HeadOf(n.(ast.Clause))
			visit(h.Name, h.Meta, slices.Contains(documented, h.Word))
		case *ast.Change:
			visit(&n.Word, &n.Meta, false)
		}
	}
}

// documented are the declarations that need a sentence: what somebody chooses at the table, or looks up there.
var documented = []string{"option", "action", "procedure", "feat", "trait", "table"}

func missingDoc(p *pass) {
	if p.isScript() {
		return
	}
	p.docs(func(name *ast.Ident, m *ast.Meta, needed bool) {
		if needed && m.Doc == nil {
			p.report(name.Span, name.Name+" has no sentence", "write what it means after its name")
		}
	})
}

func docStyle(p *pass) {
	p.docs(func(name *ast.Ident, m *ast.Meta, _ bool) {
		if m.Doc == nil || strings.TrimSpace(m.Doc.Value) == "" {
			return
		}
		text := strings.TrimSpace(m.Doc.Value)
		first, _ := utf8.DecodeRuneInString(text)
		switch {
		case unicode.IsLower(first):
			p.report(m.Doc.Span, "this sentence begins with a small letter", "begin it with a capital")
		case !strings.ContainsAny(text[len(text)-1:], ".!?)\"'") && !strings.HasSuffix(text, "…"):
			p.report(m.Doc.Span, "this sentence has no full stop", "end it with one")
		}
	})
}

func emptyDoc(p *pass) {
	p.docs(func(name *ast.Ident, m *ast.Meta, _ bool) {
		if m.Doc == nil {
			return
		}
		if said := strings.Trim(strings.TrimSpace(m.Doc.Value), "."); said == "" || strings.EqualFold(strings.ReplaceAll(said, " ", "-"), name.Name) {
			p.report(m.Doc.Span, "this sentence says nothing", "say what it means, or leave it out")
		}
	})
}

func todoComment(p *pass) {
	for _, c := range p.Parsed.Comments {
		if todoForm.MatchString(c.Text) {
			p.report(c.Span, "something is left to do here", "do it, or write it down where you keep such things")
		}
	}
}

func longLine(p *pass) {
	line, offset := 0, 0
	texts := map[int]bool{} // lines whose length is that of a text, which cannot be broken
	for _, t := range each[ast.Text](p.file) {
		texts[t.End.Line] = texts[t.End.Line] || t.End.Column > p.number() || t.End.Column-t.Start.Column > p.number()/2 || t.Block
		for k := t.Start.Line; k < t.End.Line; k++ {
			texts[k] = true
		}
	}
	for _, n := range each[ast.Row](p.file) { // the columns of a table are aligned
		texts[n.Start.Line] = true
	}
	for raw := range strings.Lines(string(p.Text)) {
		line++
		text := strings.TrimRight(raw, "\r\n")
		if n := utf8.RuneCountInString(text); n > p.number() && !texts[line] && strings.Contains(strings.TrimSpace(text), " ") {
			cut := 0
			for range p.number() {
				_, size := utf8.DecodeRuneInString(text[cut:])
				cut += size
			}
			p.report(ast.Span{Start: ast.Pos{Line: line, Column: cut + 1, Offset: offset + cut}, End: ast.Pos{Line: line, Column: len(text) + 1, Offset: offset + len(text)}},
				fmt.Sprintf("this line has %d characters", n), "break it after a comma or an operator")
		}
		offset += len(raw)
	}
}

// maxCommented is the longest comment that is tried as code, in lines.
const maxCommented = 100

func commentedCode(p *pass) {
	list := p.Parsed.Comments
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].OwnLine && list[end].Start.Line == list[end-1].Start.Line+1 {
			end++
		}
		run := list[i:end]
		i = end
		if !run[0].OwnLine || len(run) > maxCommented {
			continue
		}
		var code strings.Builder
		for _, c := range run {
			code.WriteString(strings.TrimPrefix(c.Text, "#") + "\n")
		}
		if text := code.String(); isCode(text) {
			p.report(ast.Span{Start: run[0].Start, End: run[len(run)-1].End}, "this comment is code", "remove it")
		}
	}
}

// isCode reports whether a text is nothing but code: it parses, and has what prose has not.
func isCode(text string) bool {
	if !strings.ContainsAny(text, "{=") {
		return false
	}
	parsed, diags := parse.File("comment", []byte(text))
	if diags.HasErrors() || len(parsed.Body) == 0 {
		return false
	}
	for _, cl := range parsed.Body {
		switch cl.(type) {
		case *ast.Command, *ast.Bad, *ast.Documentation, *ast.Template:
			return false // a sentence may have this form
		}
	}
	return true
}
