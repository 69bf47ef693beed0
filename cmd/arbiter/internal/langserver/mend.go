package langserver

import (
	"regexp"
	"strings"
)

// This file mends a mistake whose hint says what was meant.

// quickFix is what the protocol calls it.
const quickFix = "quickfix"

// meant is a hint that names what was probably meant.
var meant = regexp.MustCompile("did you mean `([^`]+)`\\?")

// mend offers to write what a hint takes for meant in the place of what it was taken for.
func (s *server) mend(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []codeAction{}
	d, _ := s.asked(p)
	if d == nil {
		return list
	}
	for _, x := range p.Context.Diagnostics {
		m := meant.FindStringSubmatch(x.Message)
		if m == nil {
			continue
		}
		from, to := d.offset(x.Range.Start), d.offset(x.Range.End)
		if from >= to || !alikeInForm(d.text[from:to], m[1]) {
			continue
		}
		list = append(list, codeAction{
			Title: "Write " + m[1], Kind: quickFix, Diagnostics: []diagnostic{x}, IsPreferred: true,
			Edit: workspaceEdit{map[string][]textEdit{d.uri: {{x.Range, m[1]}}}},
		})
	}
	return list
}

// alikeInForm tells whether a text can stand in the place of another: both are one name, or as many words, or as many parts.
func alikeInForm(a, b string) bool {
	for _, between := range []string{" ", "."} {
		if strings.Count(a, between) != strings.Count(b, between) {
			return false
		}
	}
	return !strings.ContainsAny(a, "\n\"{}")
}
