package parse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// fault is the error of a clause on its way to the loop over clauses; it may pass through participle.
type fault struct{ diag.Diagnostic }

func (f *fault) Error() string { return f.Message }

// halted is the token that the parser sees in a broken clause: no construct continues with it, so all loops end.
var halted = token{Type: tokHalt}

func (p *parser) peek() *token {
	if p.fault != nil {
		return &halted
	}
	return p.lex.Peek()
}

// peekAt looks n tokens ahead, but never past the end of the file.
func (p *parser) peekAt(n int) *token {
	if p.fault != nil {
		return &halted
	}
	for at := p.lex.RawCursor(); ; at++ {
		t := p.tokenAt(at)
		if n == 0 || t.Type == tokEOF {
			return t
		}
		n--
	}
}

// tokenAt returns a token by its index; there is nothing after the end of the file.
func (p *parser) tokenAt(at lexer.RawCursor) *token { return &p.lex.Range(at, at+1)[0] }

func (p *parser) next() *token {
	if p.fault != nil {
		return &halted
	}
	return p.lex.Next()
}

// is reports whether the next token is this bracket, operator or word.
func (p *parser) is(value string) bool {
	t := p.peek()
	return t.Value == value && (t.Type == tokPunct || t.Type == tokName || t.Type == tokWord)
}

// accept takes the next token if it is value.
func (p *parser) accept(value string) bool {
	if !p.is(value) {
		return false
	}
	p.next()
	return true
}

// expect takes value or fails the clause.
func (p *parser) expect(value string) {
	if !p.accept(value) {
		p.want("`" + value + "`")
	}
}

// pos is the position where the next token begins.
func (p *parser) pos() ast.Pos { return toPos(p.lex.Peek().Pos) }

// end is the position where the previous token ends.
func (p *parser) end() ast.Pos {
	at := p.lex.RawCursor()
	if at == 0 {
		return ast.Pos{Line: 1, Column: 1}
	}
	return endOf(p.tokenAt(at - 1))
}

// from is the span from start to the previous token.
func (p *parser) from(start ast.Pos) ast.Span { return ast.Span{Start: start, End: p.end()} }

func (p *parser) spanOf(t *token) ast.Span { return ast.Span{Start: toPos(t.Pos), End: endOf(t)} }

func endOf(t *token) ast.Pos {
	end := toPos(t.Pos)
	end.Offset += len(t.Value)
	end.Column += len(t.Value)
	if t.Type == tokBlock || t.Type == tokUnclosed {
		if n := strings.Count(t.Value, "\n"); n > 0 {
			end.Line += n
			end.Column = len(t.Value) - strings.LastIndexByte(t.Value, '\n')
		}
	} else if t.Type == tokLine && t.Value == "\n" {
		return toPos(t.Pos)
	}
	return end
}

// touches reports whether the next token directly follows the previous one, without white space.
func (p *parser) touches() bool { return p.lex.Peek().Pos.Offset == p.end().Offset }

// fail marks the clause as broken. Only its first error counts.
func (p *parser) fail(span ast.Span, code, message, hint string, related ...diag.Related) {
	if p.fault != nil {
		return
	}
	p.fault = &fault{diag.Diagnostic{File: p.file, Span: span, Severity: diag.Error, Code: code, Message: message,
		Hint: hint, Related: related}}
}

// want fails the clause at the next token, which is not what is expected here.
func (p *parser) want(what string) {
	p.wantAt(p.lex.Peek(), what)
}

func (p *parser) wantAt(t *token, what string) {
	span, found := p.spanOf(t), describe(t)
	if p.atPrompt && t.Type == tokEOF {
		found = "the end of the line"
	}
	if end := p.end(); (t.Value == "}" || t.Type == tokEOF) && end.Line < span.Start.Line && end.Offset > 0 {
		span, found = ast.Span{Start: end, End: end}, "the end of the line" // the place where something is missing
	}
	switch t.Type {
	case tokIllegal:
		p.fail(span, codeIllegal, fmt.Sprintf("the character %q means nothing here", t.Value), equivalentOf(t.Value))
	case tokUnclosed:
		if strings.HasPrefix(t.Value, `"""`) {
			span.End = ast.Pos{Line: span.Start.Line, Column: span.Start.Column + 3, Offset: span.Start.Offset + 3}
			p.braceReported = true // the text has swallowed the brackets after it
			p.fail(span, codeText, `this """ is never closed`, `a text of several lines ends with """`)
			return
		}
		p.fail(span, codeText, "this text is never closed", `a text ends with " on the same line; a text of several lines is between """ and """`)
	case tokMalformed:
		if !digit(t.Value[0]) {
			hint := "a name has letters, digits and inner hyphens"
			if name := strings.Trim(strings.ReplaceAll(t.Value, "_", "-"), "-"); wordLen(name) == len(name) && name != "" {
				hint = "write " + name
			}
			p.fail(span, codeIllegal, fmt.Sprintf("`%s` is not a name: the character \"_\" means nothing here", t.Value), hint)
			return
		}
		if strings.Contains(t.Value, ".") {
			p.fail(span, codeNumber, fmt.Sprintf("`%s` is not a number: there are no decimal fractions", t.Value), "a fraction is written 3/2")
			return
		}
		hint := "put a space before the unit: 30 ft"
		if count, faces, isDice := strings.Cut(strings.ToLower(t.Value), "d"); isDice && digits(count) == len(count) && digits(faces) == len(faces) {
			hint = "dice are written 2d6, d20, d%, 4d6kh3"
		}
		p.fail(span, codeNumber, fmt.Sprintf("`%s` is neither a number nor a name", t.Value), hint)
	case tokDeep:
		p.fail(span, codeDeep, fmt.Sprintf("brackets are nested more than %d deep", maxDepth), "")
	default:
		if near, ok := p.meantAsUnit(t); ok && (near != "" || strings.HasPrefix(what, "the end") || strings.Contains(what, "`)`")) {
			hint := "units are ft, squares, miles, seconds, rounds, minutes, hours, days, weeks, lb, gp, sp, cp, credits, mph, F and %"
			if near != "" {
				hint = "did you mean `" + near + "`?"
			}
			p.fail(span, codeUnit, "there is no unit "+t.Value, hint)
			return
		}
		p.fail(span, codeExpected, "expected "+what+", found "+found, "")
	}
}

// meantAsUnit reports whether a name that is not valid here was probably meant as the unit of the number before it: it
// is close to the name of a unit, or it ends the clause and begins no other.
func (p *parser) meantAsUnit(t *token) (near string, ok bool) {
	at := p.lex.RawCursor()
	if t.Type != tokName || p.lex.Peek() != t && p.lex.Peek().Pos != t.Pos || at == 0 {
		return "", false
	}
	before := p.tokenAt(at - 1)
	if end := endOf(before); end.Line != t.Pos.Line || end.Offset == t.Pos.Offset {
		return "", false
	}
	number := before.Type == tokNumber && digits(before.Value) == len(before.Value)
	if !number && before.Value != ")" || slices.Contains(words.LeadingWords(words.Declaration, words.Clause, words.Statement, words.Script, words.Story, words.Part, words.Trigger, words.Expression), t.Value) {
		return "", false
	}
	near = words.NearestUnit(t.Value)
	next := p.tokenAt(at + 1)
	ends := next.Type == tokLine || next.Type == tokEOF || next.Value == "}" || next.Value == ")" || next.Value == "]" || next.Value == ","
	return near, near != "" && next.Value != ":" || number && ends
}

// wantEnd fails the clause where it should have ended.
func (p *parser) wantEnd(t *token) {
	p.wantAt(t, "the end of the clause")
	if p.fault.Code == codeExpected {
		p.fault.Code = codeExpectedEnd
	}
}

// describe describes a token for an error message.
func describe(t *token) string {
	switch t.Type {
	case tokEOF:
		return "the end of the file"
	case tokLine:
		if t.Value == ";" {
			return "`;`"
		}
		return "the end of the line"
	case tokText, tokBlock:
		return "a text"
	}
	return "`" + t.Value + "`"
}

// gaveUp reports whether there are more errors than anyone would read.
func (p *parser) gaveUp() bool { return len(p.diags) > maxErrors }

// skipLines skips the ends of empty clauses.
func (p *parser) skipLines() {
	for p.peek().Type == tokLine {
		p.next()
	}
}

// report adds the error of the broken clause to the diagnostics.
func (p *parser) report() {
	if p.fault != nil {
		p.fault.File = p.file
		for i := range p.fault.Related {
			p.fault.Related[i].File = p.file
		}
		found := p.fault.Diagnostic
		if len(p.diags) == maxErrors {
			found = diag.Diagnostic{File: p.file, Span: found.Span, Severity: diag.Error,
				Code: codeMany, Message: fmt.Sprintf("more than %d errors: the rest of the file was not read", maxErrors)}
		}
		p.diags = append(p.diags, found)
		p.fault = nil
	}
}

// name takes a name; what says what is named.
func (p *parser) name(what string) ast.Ident {
	t := p.peek()
	switch t.Type {
	case tokName:
		p.next()
		return ast.Ident{Span: p.spanOf(t), Name: t.Value}
	case tokWord:
		p.reserved(t)
	case tokDice:
		p.fail(p.spanOf(t), codeReserved, fmt.Sprintf("`%s` is a die and cannot be a name", t.Value), "")
	default:
		p.want(what)
	}
	return ast.Ident{}
}

// reserved fails the clause at a word of the language in place of a name.
func (p *parser) reserved(t *token) {
	hint := "choose another name; the labels and the words of expressions are reserved"
	if next := p.peekAt(1); p.form == "field" && t.Value == "is" && next.Type == tokName {
		hint = "put the type of a field after a colon: `" + next.Value + ": flag`"
	}
	p.fail(p.spanOf(t), codeReserved, fmt.Sprintf("`%s` is a word of the language and cannot be a name", t.Value), hint)
}

// word takes the next token, which the caller has examined, as a word of the language.
func (p *parser) word() ast.Ident {
	t := p.next()
	return ast.Ident{Span: p.spanOf(t), Name: t.Value}
}

// names takes NAME, ...
func (p *parser) names(what string) []ast.Ident {
	list := []ast.Ident{p.name(what)}
	for p.accept(",") {
		list = append(list, p.name(what))
	}
	return list
}
