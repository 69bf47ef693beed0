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

// fix mends a diagnostic. Editors that keep data with diagnostics get it with them, and need not ask.
type fix struct {
	Title string     `json:"title"`
	Edits []textEdit `json:"edits"`
}

// quickFixes offers what mends the mistakes that are asked about.
func (d *document) quickFixes(p *documentParams) (list []codeAction) {
	for _, x := range p.Context.Diagnostics {
		for _, f := range d.fixes(x) {
			list = append(list, codeAction{
				Title: f.Title, Kind: quickFix, Diagnostics: []diagnostic{x}, IsPreferred: true,
				Edit: &workspaceEdit{Changes: map[string][]textEdit{d.uri: f.Edits}},
			})
		}
	}
	return list
}

// fixes are what the linter would mend, or the replacement of the text of a mistake by what its hint suggests.
func (d *document) fixes(x diagnostic) []fix {
	list := d.lintFixes(x)
	m := suggestionPattern.FindStringSubmatch(x.Message)
	if m == nil {
		return list
	}
	if from, to := d.offset(x.Range.Start), d.offset(x.Range.End); from < to && sameShape(d.text[from:to], m[1]) {
		list = append(list, fix{"Write " + m[1], []textEdit{{x.Range, m[1]}}})
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
