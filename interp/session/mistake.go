package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file reports what went wrong and where.

func (p *player) fail(span ast.Span, code, format string, args ...any) {
	p.result.Failures = append(p.result.Failures, diag.Diagnostic{File: p.path(), Span: span, Severity: diag.Error, Code: code, Message: fmt.Sprintf(format, args...)})
}

// halt reports a mistake and stops, because later mistakes would only confuse.
func (p *player) halt(span ast.Span, code, format string, args ...any) {
	p.fail(span, code, format, args...)
	p.stopped = true
}

// haltWith reports mistakes found by the checker and stops.
func (p *player) haltWith(diags diag.List) {
	p.result.Failures = append(p.result.Failures, diags...)
	p.stopped = true
}

// addHint adds advice to the latest failure.
func (p *player) addHint(text string) { p.result.Failures[len(p.result.Failures)-1].Hint = text }

// failed reports an error of the machine: at its own position if that is within the statement, otherwise at the
// statement, with the position in the rules as related information.
func (p *player) failed(span ast.Span, err error) {
	p.stopped = true
	var e *machine.Error
	if !placed(err, &e) {
		p.fail(span, "failed", "%s", message(err))
		return
	}
	at := e.Pos.Span
	if e.File == p.path() && at.Start.Offset >= span.Start.Offset && at.End.Offset <= span.End.Offset {
		p.fail(at, "failed", "%s", e.Message)
		return
	}
	p.fail(span, "failed", "%s", e.Message)
	d := &p.result.Failures[len(p.result.Failures)-1]
	d.Hint = e.Hint
	d.Related = append(d.Related, diag.Related{File: e.File, Span: at, Message: "it happened here"})
	addCallers(d, e)
}

// Mistake returns an error of the machine as a diagnostic at its position in the rules, for use outside of scripts. It
// returns nil for an error without a position.
func Mistake(err error) diag.List {
	if f := (Failures)(nil); errors.As(err, &f) {
		return diag.List(f)
	}
	var e *machine.Error
	if !placed(err, &e) {
		return nil
	}
	d := diag.Diagnostic{File: e.File, Span: e.Pos.Span, Severity: diag.Error, Code: "failed", Message: e.Message, Hint: e.Hint}
	addCallers(&d, e)
	return diag.List{d}
}

func placed(err error, e **machine.Error) bool {
	return errors.As(err, e) && (*e).File != "" && (*e).Pos.Span.Start.Line > 0
}

// addCallers adds the calls that led to an error. Calls at the same position are skipped; they come from definitions
// that were inlined.
func addCallers(d *diag.Diagnostic, e *machine.Error) {
	for i := len(e.Calls) - 1; i >= 0 && len(d.Related) < maxRelated; i-- {
		k := &e.Calls[i]
		if k.File == d.File && k.Span == d.Span {
			continue
		}
		if !slices.ContainsFunc(d.Related, func(r diag.Related) bool { return r.File == k.File && r.Span == k.Span }) {
			d.Related = append(d.Related, diag.Related{File: k.File, Span: k.Span, Message: "called here, in " + k.Name})
		}
	}
}

// message returns the message of an error without its position, which is shown separately.
func message(err error) string {
	if e, ok := err.(*machine.Error); ok {
		return e.Message
	}
	return fmt.Sprint(err)
}

// refusalReason returns the reason for a refusal: its own text, or the condition that does not hold.
func (p *player) refusalReason(r *machine.Result) string {
	if r.Why != "" {
		return r.Why
	}
	if r.Part >= 0 && int(r.Part) < len(p.checked.Parts) {
		part := p.checked.Parts[r.Part]
		if src := p.sourceOf(part.Pos); src != "" {
			return src
		}
		return part.Path
	}
	return "it is not allowed"
}

// sourceOf returns the source at a position, on one line.
func (p *player) sourceOf(pos ir.Pos) string {
	return strings.Join(strings.Fields(p.linesOf(pos)), " ")
}

// linesOf returns a piece of source as it was written.
func (p *player) linesOf(pos ir.Pos) string {
	if int(pos.File) >= len(p.checked.Files) {
		return ""
	}
	src, ok := p.script.Rules.Sources[p.checked.Files[pos.File]]
	if !ok || pos.Span.End.Offset > len(src) || pos.Span.Start.Offset >= pos.Span.End.Offset {
		return ""
	}
	return string(src[pos.Span.Start.Offset:pos.Span.End.Offset])
}

func (p *player) nameOf(who int64) string {
	if who >= 0 && who < int64(len(p.members)) {
		return p.members[who].name
	}
	return "nobody"
}

// refuse reports that a statement was refused, and stops.
func (p *player) refuse(cl ast.Clause, why string) {
	p.fail(cl.Extent(), "refused", "refused: %s", why)
	if c, ok := cl.(*ast.Command); ok && c.Who != nil && why == p.turnOf() {
		p.addHint("`next turn of " + p.source(c.Who) + "` moves on to it")
	} else if by := p.refusedBy; by >= 0 && int(by) < len(p.checked.Parts) {
		part := p.checked.Parts[by]
		owner, _, _ := strings.Cut(part.Path, ".")
		p.addHint(fmt.Sprintf("the rule is %s, at %s", owner, p.at(part.Pos)))
	}
	p.stopped = true
}
