package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Sort orders the list by file and place; diagnostics of one place keep their order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset))
	})
}

// HasErrors tells whether something in the list is worse than a warning.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// String is `file:line:col: error: message`.
func (d Diagnostic) String() string {
	at := d.Span.Start
	return fmt.Sprintf("%s:%d:%d: %s: %s", d.File, at.Line, at.Column, d.Severity, d.Message)
}
