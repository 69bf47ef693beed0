package parse

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// This file parses the text of a scene: words, values in braces, and variable pieces; and the text of a note, which has
// no variable pieces.
//
// A text is parsed from its source form, not from its value, so that each piece has its position.

// SceneText parses a text of a scene.
func SceneText(file string, t *ast.Text) ([]ast.TextPiece, diag.List) {
	r := textParser{file: file, forms: pieceForms}
	return r.read(t)
}

// Note parses the text of a note.
func Note(file string, t *ast.Text) ([]ast.TextPiece, diag.List) {
	r := textParser{file: file, note: true, forms: "a value is in braces: {target}"}
	return r.read(t)
}

// textParser parses a text piece by piece.
type textParser struct {
	file            string
	note            bool
	forms           string // the forms allowed in braces, for hints
	src             string
	base            int // the offset where it begins in its file
	block           bool
	indent          int // of a block: the number of spaces removed from each line
	off, end        int
	line, lineStart int
	depth           int
	diags           diag.List
}

func (r *textParser) read(t *ast.Text) ([]ast.TextPiece, diag.List) {
	r.src, r.base, r.block = t.Raw, t.Start.Offset, t.Block
	r.line, r.lineStart = t.Start.Line, 1-t.Start.Column
	quotes := 1
	if r.block {
		quotes = 3
	}
	r.off, r.end = quotes, len(r.src)-quotes
	if r.off > r.end {
		return nil, nil // it was not a text
	}
	if r.block {
		r.trimFrame()
	}
	parts := r.parts(false)
	return parts, r.diags
}

// trimFrame removes what unindent removes: the line end after the opening quotes and the line of the closing ones.
func (r *textParser) trimFrame() {
	body := r.src[r.off:r.end]
	last := strings.LastIndexByte(body, '\n') + 1
	if strings.Trim(body[last:], " \t") == "" {
		r.indent = len(body) - last
		r.end = r.off + max(last-1, 0)
		if r.end > r.off && r.src[r.end-1] == '\r' {
			r.end--
		}
	}
	for _, nl := range []string{"\r\n", "\n"} {
		if strings.HasPrefix(r.src[r.off:max(r.end, r.off)], nl) {
			r.off += len(nl)
			r.newLine()
			break
		}
	}
}

// newLine begins a line at the current position.
func (r *textParser) newLine() {
	r.line++
	r.lineStart = r.off
	for n := 0; n < r.indent && r.off < r.end && (r.src[r.off] == ' ' || r.src[r.off] == '\t'); n++ {
		r.off++
	}
}

func (r *textParser) pos() ast.Pos {
	return ast.Pos{Line: r.line, Column: r.off - r.lineStart + 1, Offset: r.base + r.off}
}

func (r *textParser) fail(span ast.Span, code, message, hint string) {
	if r.note {
		code = codeBadText
	}
	r.diags = append(r.diags, diag.Diagnostic{File: r.file, Span: span, Severity: diag.Error, Code: code, Message: message, Hint: hint})
}

// nextBytes is the span of the next n bytes.
func (r *textParser) nextBytes(n int) ast.Span {
	at := r.pos()
	return ast.Span{Start: at, End: ast.Pos{Line: at.Line, Column: at.Column + n, Offset: at.Offset + n}}
}

// parts reads up to the end, or inside braces up to a | or the closing brace.
func (r *textParser) parts(inside bool) (list []ast.TextPiece) {
	start := r.pos()
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			list = append(list, ast.TextPiece{Span: ast.Span{Start: start, End: r.pos()}, Text: words.String()})
			words.Reset()
		}
	}
	for r.off < r.end {
		c := r.src[r.off]
		two := r.src[r.off:min(r.off+2, r.end)]
		switch {
		case two == "{{" || !r.note && two == "}}" && r.depth < 2 || inside && two == "||": // two braces may close in a row
			words.WriteByte(c)
			r.off += 2
		case inside && (c == '|' || c == '}'):
			flush()
			return list
		case c == '}' && !r.note:
			r.fail(r.nextBytes(1), codeStray, "this } has no matching {", "for a brace in a text write }}")
			r.off++
		case c == '{':
			flush()
			if t, ok := r.bracketPiece(); ok {
				list = append(list, t)
			}
			start = r.pos()
		case c == '\r' && two == "\r\n":
			r.off++
		case c == '\n':
			words.WriteByte('\n')
			r.off++
			r.newLine()
		case c == '\\' && !r.block && len(two) == 2:
			if r.off += 2; two[1] == 'n' {
				words.WriteByte('\n')
			} else {
				words.WriteByte(two[1])
			}
		default:
			words.WriteByte(c)
			r.off++
		}
	}
	flush()
	return list
}

// The forms of variable pieces, for messages.
const pieceForms = "the forms are: {VALUE}, {if COND: A | B}, {sequence: A | B}, {cycle: A | B}, {shuffle: A | B}, {first time: A | B}"

// bracketPiece reads {VALUE}, {if COND: A | B}, {sequence: A | B ...} and the like.
func (r *textParser) bracketPiece() (t ast.TextPiece, ok bool) {
	open := r.nextBytes(1)
	t.Start = open.Start
	r.off++
	if r.depth++; r.depth > maxDepth {
		r.fail(open, codeDeep, "braces nested too deep", fmt.Sprintf("at most %d", maxDepth))
		r.off = r.end
		return t, false
	}
	defer func() { r.depth-- }()
	for r.off < r.end && r.src[r.off] == ' ' {
		r.off++
	}
	word := ""
	for _, w := range []string{"if", "sequence", "cycle", "shuffle", "first time"} {
		if rest := r.src[r.off:r.end]; !r.note && startsWithWord(rest, strings.Fields(w)[0]) && strings.HasPrefix(rest, w) {
			after := strings.TrimLeft(rest[len(w):], " ")
			if w == "if" || strings.HasPrefix(after, ":") {
				word = w
				r.off += len(w)
			}
		}
	}
	t.Word, _, _ = strings.Cut(word, " ")
	bad := len(r.diags)
	if word == "" && !r.note {
		if n, several := r.alternatives(); several {
			r.fail(r.nextBytes(n), codeExpected, "these alternatives have no word that says which of them is told", r.wordOfAlternatives(r.src[r.off:r.off+n]))
			r.skip(n)
			r.off++
			return t, false
		}
	}
	if word == "" || word == "if" {
		t.Value = r.expression(word == "if")
	}
	if word == "" {
		if !r.close(open) {
			return t, false
		}
		t.End = r.pos()
		return t, t.Value != nil && len(r.diags) == bad
	}
	for r.off < r.end && r.src[r.off] == ' ' {
		r.off++
	}
	if r.off < r.end && r.src[r.off] == ':' {
		r.off++
	} else if len(r.diags) == bad && r.off < r.end {
		r.fail(r.nextBytes(0), codeExpected, "expected `:` after "+word+" here", pieceForms)
	}
	for {
		for r.off < r.end && r.src[r.off] == ' ' {
			r.off++
		}
		t.Ways = append(t.Ways, trimEnd(r.parts(true)))
		if r.off >= r.end || r.src[r.off] != '|' {
			break
		}
		r.off++
	}
	if !r.close(open) {
		return t, false
	}
	t.End = r.pos()
	if most := 2; (word == "if" || word == "first time") && len(t.Ways) > most {
		r.fail(t.Span, codeExpected, fmt.Sprintf("{%s: ...} has at most two variants, not %d", word, len(t.Ways)), pieceForms+"; for a | in a text write ||")
	}
	return t, len(r.diags) == bad
}

// alternatives returns the length of what is in the braces here, and whether it is several texts with | between them.
// If these or outer braces are never closed, it is not.
func (r *textParser) alternatives() (n int, several bool) {
	n = -1
	depth := r.depth
	for i := r.off; i < r.end && depth > 0; i++ {
		switch c := r.src[i]; {
		case c == '{':
			depth++
		case c == '}':
			if depth == r.depth && n < 0 {
				n = i - r.off
			}
			depth--
		case c == '|' && depth == r.depth && n < 0:
			several = true
		}
	}
	return n, several && depth == 0
}

// wordOfAlternatives is the hint to alternatives without a word: what they are called in another language, a word without
// its colon, a condition without its word.
func (r *textParser) wordOfAlternatives(text string) string {
	head, _, _ := strings.Cut(text, "|")
	before, _, colon := strings.Cut(head, ":")
	for sign, word := range map[string]string{"&": "cycle", "~": "shuffle", "!": "sequence"} {
		if strings.HasPrefix(text, sign) {
			return "write {" + word + ": A | B}; " + r.forms
		}
	}
	if word := foreignAlternatives[strings.TrimSpace(before)]; colon && word != "" {
		return "write {" + word + ": A | B}; " + r.forms
	}
	if colon {
		return "write {if " + strings.TrimSpace(before) + ": A | B}; " + r.forms
	}
	for _, word := range []string{"sequence", "cycle", "shuffle", "first time"} {
		if strings.HasPrefix(text, word+" ") {
			return "put a colon after the word: {" + word + ": A | B}"
		}
	}
	return r.forms + "; for a brace in a text write {{"
}

// foreignAlternatives are words for alternatives that others use, with those of this language.
var foreignAlternatives = map[string]string{
	"one of": "shuffle", "random": "shuffle", "choose": "shuffle", "pick": "shuffle", "any": "shuffle", "stopping": "sequence", "once": "sequence", "first": "first time",
}

// trimEnd removes the spaces at the end of a way.
func trimEnd(list []ast.TextPiece) []ast.TextPiece {
	if n := len(list) - 1; n >= 0 && list[n].Word == "" && list[n].Value == nil {
		if list[n].Text = strings.TrimRight(list[n].Text, " "); list[n].Text == "" {
			return list[:n]
		}
	}
	return list
}

// close takes the closing brace.
func (r *textParser) close(open ast.Span) bool {
	if r.off < r.end && r.src[r.off] == '}' {
		r.off++
		return true
	}
	if !slices.ContainsFunc(r.diags, func(d diag.Diagnostic) bool { return d.Code == codeUnclosed }) { // only the innermost is reported
		r.fail(open, codeUnclosed, "this { is never closed", "for a brace in a text write {{; "+r.forms)
	}
	r.off = r.end
	return false
}

// expression reads up to the closing brace, or up to the colon of a condition.
func (r *textParser) expression(cond bool) ast.Expr {
	n := r.extent(cond)
	if r.off+n == r.end { // the brace is never closed: report only that
		r.off = r.end
		return nil
	}
	text := r.src[r.off : r.off+n]
	if strings.TrimSpace(text) == "" {
		r.fail(r.nextBytes(1), codeExpected, "an expression is missing here", r.forms)
		return nil
	}
	if !r.block {
		text = plainQuotes(text)
	}
	p := &parser{file: r.file, scan: newScanner(text)}
	p.scan.base, p.scan.line, p.scan.lineStart = r.base+r.off, r.line, r.lineStart-r.off
	x := p.wholeExpr()
	if cond && p.diags.HasErrors() && r.src[r.off+n] != ':' {
		r.fail(p.diags[0].Span, codeExpected, "expected `:` after the condition", r.forms)
		p.diags = p.diags[:0]
		x = nil
	}
	for _, d := range p.diags {
		if d.Hint == "" {
			d.Hint = r.forms
		}
		if r.note {
			d.Code = codeBadText
		}
		d.Message = strings.Replace(d.Message, "found the end of the file", "found the end of the braces", 1)
		r.diags = append(r.diags, d)
	}
	r.skip(n)
	if p.diags.HasErrors() {
		return nil
	}
	return x
}

// skip moves on by n bytes, which may contain line ends.
func (r *textParser) skip(n int) {
	text := r.src[r.off : r.off+n]
	if lines := strings.Count(text, "\n"); lines > 0 {
		r.line += lines
		r.lineStart = r.off + strings.LastIndexByte(text, '\n') + 1
	}
	r.off += n
}

// plainQuotes removes the escapes from the quotes in an expression inside a text, keeping every offset.
func plainQuotes(text string) string {
	parts := strings.Split(text, `\"`)
	var b strings.Builder
	for i, part := range parts {
		switch {
		case i == 0:
		case i%2 > 0:
			b.WriteString(` "`)
		default:
			b.WriteString(`" `)
		}
		b.WriteString(part)
	}
	return b.String()
}

// extent is the length of an expression: up to what ends it outside brackets and quotes.
func (r *textParser) extent(cond bool) int {
	depth, quoted := 0, false
	for i := r.off; i < r.end; i++ {
		switch c := r.src[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == '}' && depth == 0, c == '|' && depth == 0, c == ':' && cond && depth == 0:
			return i - r.off
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return r.end - r.off
}
