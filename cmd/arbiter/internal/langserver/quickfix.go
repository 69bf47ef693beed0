package langserver

import (
	"strings"

	"arbiter/stdlib/pattern"
)

// This file offers quick fixes for mistakes whose hint says what was meant.

// quickFix is the protocol's name for it.
const quickFix = "quickfix"

// suggestionPattern is a hint that names what was probably meant.
var suggestionPattern = pattern.New("did you mean `([^`]+)`\\?")

// quickFixes offers to replace the text of a mistake by what its hint suggests.
func (d *document) quickFixes(p *documentParams) (list []codeAction) {
	for _, x := range p.Context.Diagnostics {
		list = append(list, d.lintFixes(x)...)
		m := suggestionPattern.FindStringSubmatch(x.Message)
		if m == nil {
			continue
		}
		from, to := d.offset(x.Range.Start), d.offset(x.Range.End)
		if from >= to || !sameShape(d.text[from:to], m[1]) {
			continue
		}
		list = append(list, codeAction{
			Title: "Write " + m[1], Kind: quickFix, Diagnostics: []diagnostic{x}, IsPreferred: true,
			Edit: &workspaceEdit{Changes: map[string][]textEdit{d.uri: {{x.Range, m[1]}}}},
		})
	}
	return list
}

// sameShape reports whether one text can replace another: both are a single name, or have equally many words or
// parts.
func sameShape(a, b string) bool {
	for _, separator := range []string{" ", "."} {
		if strings.Count(a, separator) != strings.Count(b, separator) {
			return false
		}
	}
	return !strings.ContainsAny(a, "\n\"{}")
}
