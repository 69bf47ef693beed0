package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Sort orders the list by file and offset; diagnostics at the same place keep their order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset))
	})
}

// HasErrors reports whether the list contains an error, not only warnings.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// String returns `file:line:col: error: message`.
func (d Diagnostic) String() string {
	at := d.Span.Start
	return fmt.Sprintf("%s:%d:%d: %s: %s", d.File, at.Line, at.Column, d.Severity, d.Message)
}
