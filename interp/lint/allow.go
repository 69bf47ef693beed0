package lint

import (
	"slices"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/stdlib/pattern"
)

// This file reads the comments that switch rules off for a clause or a file:
//
//	# lint: allow CODE, CODE: the reason
//	# lint: allow-file CODE: the reason
//
// At the end of a line the first is about that line; on a line of its own, about the clause that follows it.

const codeBareAllow, codeIdleAllow = "bare-allow", "idle-allow"

var allowRules = []*Rule{
	{Code: codeBareAllow, Severity: diag.Warning, Summary: "A comment that allows something gives no reason, or names no rule.",
		Why: "Whoever reads it later cannot tell whether the reason still holds. A code that is misspelt allows nothing.",
		How: "Say why: `# lint: allow CODE: the reason`."},
	{Code: codeIdleAllow, Severity: diag.Warning, Summary: "A comment allows what is not there.",
		Why: "It is left over from something that has been mended, and would hide the same fault if it came back.",
		How: "Remove the comment.", Fixes: true},
}

// allowance is such a comment.
type allowance struct {
	comment *ast.Comment
	codes   []string
	reason  string
	from    int // the first line that it is about, and the last
	to      int
	used    bool
}

var allowForm = pattern.New(`^#\s*lint:\s*(allow-file|allow)\b\s*([^:]*?)\s*(?::\s*(.*))?$`)

// allow drops the findings that comments allow, and reports comments that are of no use.
func allow(f *file, s *Settings, found []Finding) []Finding {
	list := allowances(f)
	kept := slices.DeleteFunc(found, func(x Finding) bool {
		for i := range list {
			a := &list[i]
			if line := x.Span.Start.Line; line >= a.from && line <= a.to && slices.Contains(a.codes, x.Code) {
				a.used = true
				return true
			}
		}
		return false
	})
	p := &pass{file: f, settings: s, found: &kept}
	bare, idle := Find(codeBareAllow), Find(codeIdleAllow)
	for _, a := range list {
		unknown := slices.IndexFunc(a.codes, func(c string) bool { return Find(c) == nil })
		off := slices.ContainsFunc(a.codes, func(c string) bool { r := Find(c); return r != nil && s.severity(r) == "" })
		switch p.rule, p.severity = bare, s.severity(bare); {
		case p.severity == "":
		case unknown >= 0:
			p.report(a.comment.Span, "there is no rule "+a.codes[unknown], "`arbiter lint --rules` lists them")
			continue
		case len(a.codes) == 0 || a.reason == "":
			p.report(a.comment.Span, "this comment does not say what it allows, and why", "write: # lint: allow CODE: the reason")
			continue
		}
		if p.rule, p.severity = idle, s.severity(idle); p.severity != "" && !a.used && !off {
			p.report(a.comment.Span, "there is nothing here that this comment allows", "remove it", f.withoutComment(a.comment))
		}
	}
	return kept
}

// allowances finds the comments of a file, and what each is about.
func allowances(f *file) (list []allowance) {
	comments := f.Parsed.Comments
	for i := range comments {
		m := allowForm.FindStringSubmatch(comments[i].Text)
		if m == nil {
			continue
		}
		a := allowance{comment: &comments[i], reason: m[3], from: comments[i].Start.Line, to: comments[i].Start.Line}
		for _, code := range strings.Split(m[2], ",") {
			if code = strings.TrimSpace(code); code != "" {
				a.codes = append(a.codes, code)
			}
		}
		switch {
		case m[1] == "allow-file":
			a.from, a.to = 0, 1<<30
		case comments[i].OwnLine:
			next := a.to + 1
			for j := i + 1; j < len(comments) && comments[j].OwnLine && comments[j].Start.Line == next; j++ {
				next++ // more comments
			}
			a.to = max(next, f.lastLineOfClauseAt(next))
		}
		list = append(list, a)
	}
	return list
}

// lastLineOfClauseAt returns the line on which the outermost clause ends that begins on a line.
func (f *file) lastLineOfClauseAt(line int) int {
	for _, n := range f.nodes[1:] {
		if cl, ok := n.at.(ast.Clause); ok && cl.Extent().Start.Line == line {
			return cl.Extent().End.Line
		}
	}
	return line
}

// withoutComment removes a comment, with its line if nothing else is on it.
func (f *file) withoutComment(c *ast.Comment) Edit {
	s := c.Span
	for s.Start.Offset > 0 && (f.Text[s.Start.Offset-1] == ' ' || f.Text[s.Start.Offset-1] == '\t') {
		s.Start.Offset--
		s.Start.Column--
	}
	if c.OwnLine && s.End.Offset < len(f.Text) && f.Text[s.End.Offset] == '\n' {
		s.End = ast.Pos{Line: s.End.Line + 1, Column: 1, Offset: s.End.Offset + 1}
	}
	return Edit{s, ""}
}
