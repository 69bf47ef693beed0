package parse

import (
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// body says what the clauses of a block are, so that nothing has to be guessed: whether `NAME:` is an actor or a
// property, and whether an unknown word is a command or a mistake.
type body uint8

const (
	inNothing    body = iota
	inFile            // the top level of a file of rules: an unknown word is a kind
	inScript          // the top level of a script, the prompt
	inStatements      // NAME: is an actor
	inEffect          // no commands
	inAction          // NAME: is a property
	inExtend          // of a whole definition: anything its body may hold
	inTemplate        // FIELD: EXPR, is, has, printed
	inFields          // FIELD: EXPR
	inKind            // FIELD, ...: TYPE
	inStat            // TERM: EXPR
	inRoll            // die, natural
	inSide            // members
	inLegend          // "#": NAME
	inClaims          // COND
	inArms            // not clauses, but recovered like them
	inOptions
	inChoices
	inThenBlocks
	inRows
)

// clauses parses up to the end of the source. The first section may already be read.
func (p *parser) clauses(in body) (list []ast.Clause) {
	clause := func() ast.Clause { return p.clause(in) }
	for !p.gaveUp() && (p.lex != nil || p.section()) {
		if p.isRestOfBroken() {
			p.skipSection()
		}
		list = items(p, list, clause, badClause)
		if p.gaveUp() {
			break
		}
		if t := p.lex.Peek(); t.Type != tokEOF {
			if !p.closesUnopened(list, t) {
				p.fail(p.spanOf(t), codeStray, "this `}` has no matching `{`", "")
				p.report()
			}
			p.next()
			continue
		}
		p.lex = nil
	}
	return list
}

// isRestOfBroken reports whether the section is the rest of a broken declaration of an earlier one: its lines are indented
// further, or it begins with a sign, as a block without a head does. What is wrong there follows from what was wrong before.
func (p *parser) isRestOfBroken() bool {
	if p.broken == 0 {
		return false
	}
	p.skipLines()
	t := p.lex.Peek()
	if p.level > 0 || t.Type == tokEOF {
		return false
	}
	return t.Pos.Column > p.broken || t.Type == tokPunct && t.Value != "}"
}

// skipSection skips the rest of the section.
func (p *parser) skipSection() {
	for p.lex.Peek().Type != tokEOF {
		p.lex.Next()
	}
}

// closesUnopened reports whether a } closes the body of a declaration whose { is missing. The indented lines in between
// belong to that body; this counts as one mistake, and their own diagnostics are dropped.
func (p *parser) closesUnopened(list []ast.Clause, t *token) bool {
	i := len(list) - 1
	for i >= 0 && list[i].Extent().Start.Column > 1 {
		i--
	}
	if i < 0 || t.Pos.Column > 1 {
		return false
	}
	head := list[i].Extent()
	reported := slices.ContainsFunc(p.diags, func(d diag.Diagnostic) bool {
		return d.Code == codeExpected && strings.Contains(d.Message, "`{`") && head.Start.Offset <= d.Span.Start.Offset && d.Span.Start.Offset <= head.End.Offset
	})
	_, bad := list[i].(*ast.Bad)
	switch n := list[i].(type) {
	case *ast.Effect:
		bad = n.Body == nil
	case *ast.Procedure:
		bad = n.Body == nil
	case *ast.Resource:
		bad = n.Body == nil
	default:
		bad = bad && reported
	}
	if !bad {
		return false
	}
	p.diags = slices.DeleteFunc(p.diags, func(d diag.Diagnostic) bool { return d.Span.Start.Offset > head.End.Offset })
	if !reported {
		p.fail(ast.Span{Start: head.End, End: head.End}, codeExpected, "expected `{`, found the end of the line", "the matching `}` is below",
			diag.Related{File: p.file, Span: p.spanOf(t), Message: "this has no match"})
		p.report()
	}
	for k := i; k < len(list); k++ {
		list[k] = &ast.Bad{Span: list[k].Extent()}
	}
	return true
}

// block parses { CLAUSES }.
func (p *parser) block(in body) *ast.Block {
	list, span := braces(p, in, func() ast.Clause { return p.clause(in) }, badClause)
	if p.fault != nil {
		return nil
	}
	return &ast.Block{Span: span, Clauses: list}
}

// blockIf parses a block if there is one.
func (p *parser) blockIf(in body) *ast.Block {
	if !p.is("{") {
		return nil
	}
	return p.block(in)
}

func badClause(at ast.Span) ast.Clause { return &ast.Bad{Span: at} }

// braces parses { ITEM ... }.
func braces[T any](p *parser, in body, item func() T, bad func(ast.Span) T) ([]T, ast.Span) {
	p.pendingBody = in
	open := p.spanOf(p.lex.Peek())
	p.expect("{")
	if p.fault != nil {
		return nil, ast.Span{}
	}
	first, form, owned := p.firstToken, p.form, p.ownedLabels
	p.ownedLabels = 0
	p.level++
	list := items(p, nil, item, bad)
	p.level--
	p.pendingBody, p.firstToken, p.form, p.ownedLabels = inNothing, first, form, owned
	p.closeBrace(open)
	return list, p.from(open.Start)
}

// items parses ITEM after ITEM, each on its own line or after a `;` (or, for fields, a comma), up to a } or the end of
// the section. A broken item costs one diagnostic; bad, if set, makes its replacement.
func items[T any](p *parser, list []T, item func() T, bad func(ast.Span) T) []T {
	for {
		p.skipLines()
		t := p.lex.Peek()
		if p.endsItems(t) {
			return list
		}
		at := p.lex.MakeCheckpoint()
		p.pendingBody, p.firstToken, p.form = inNothing, *t, ""
		x := item()
		if p.level == 0 {
			p.broken = 0
		}
		if p.fault == nil {
			switch t := p.peek(); {
			case t.Type == tokLine || p.endsItems(t) || p.newDeclaration(t):
			case isField(x) && p.endsField():
				p.next()
			default:
				p.wantEnd(t)
			}
		}
		if p.fault == nil {
			list = append(list, x)
			continue
		}
		p.addHint()
		p.report()
		if p.level == 0 {
			p.broken = t.Pos.Column
		}
		p.lex.LoadCheckpoint(at)
		from, outer := p.lex.RawCursor(), p.inScene
		p.inScene = outer || t.Value == "scene"
		p.skipItem(t.Pos.Column)
		p.inScene = outer
		p.recordUnparsed(from)
		if bad != nil {
			list = append(list, bad(p.from(toPos(t.Pos))))
		}
	}
}

func (p *parser) endsItems(t *token) bool {
	return t.Type == tokEOF || p.gaveUp() || t.Type == tokPunct && t.Value == "}" || p.level > 0 && p.newDeclaration(t)
}

// newDeclaration reports, in a file with more { than }, whether a declaration begins here in column 1: then every open
// block lacks its closing brace.
func (p *parser) newDeclaration(t *token) bool {
	if !p.missingBrace || t.Pos.Column != 1 || t.Type != tokName && t.Type != tokWord {
		return false
	}
	if beginsDeclaration(t.Value) {
		return p.peekAt(1).Type != tokPunct
	}
	if p.script || t.Type != tokName || p.peekAt(1).Type != tokName {
		return false
	}
	switch third := p.peekAt(2); third.Type {
	case tokText:
		return true
	default:
		return third.Value == "{" || third.Value == "extends" || third.Value == "cite"
	}
}

// beginsDeclaration reports whether a word begins a clause that is allowed at the top level only.
func beginsDeclaration(word string) bool {
	switch word {
	case "ruleset", "encounter", "tests", "adventure", "use", "option", "enum", "bonus", "permission", "kind", "stat",
		"view", "define", "table", "resource", "condition", "feat", "trait", "effect", "everyone", "procedure", "action",
		"override", "extend", "remove", "tactics", "side", "map", "given", "test", "scene", "include":
		return true
	}
	return false
}

// closeBrace takes the } of a block, or reports the unclosed {, once for all open blocks.
func (p *parser) closeBrace(open ast.Span) {
	t := p.lex.Peek()
	if t.Type == tokPunct && t.Value == "}" {
		// A } further left than the line of its { suggests that this { is the unclosed one.
		if p.missingBrace && p.suspectBrace == nil && p.opensLine(t) && t.Pos.Column < p.indentOf(open) {
			p.suspectBrace = &open
		}
		p.lex.Next()
		return
	}
	if p.braceReported || p.gaveUp() {
		return
	}
	p.braceReported = true
	if p.suspectBrace != nil {
		open = *p.suspectBrace
	}
	d := diag.Diagnostic{File: p.file, Span: open, Severity: diag.Error, Code: codeUnclosed, Message: "this `{` is never closed"}
	if t.Type != tokEOF {
		d.Related = append(d.Related, diag.Related{File: p.file, Span: p.spanOf(t), Message: "the next declaration starts here"})
	}
	p.diags = append(p.diags, d)
}

// opensLine reports whether t is the first token of its line; indentOf returns the column where the line of a position
// begins. Both look only at tokens.
func (p *parser) opensLine(t *token) bool { return p.end().Line < t.Pos.Line }

func (p *parser) indentOf(at ast.Span) int {
	column := at.Start.Column
	for i := p.lex.RawCursor() - 1; i >= 0; i-- {
		t := p.tokenAt(i)
		if t.Pos.Line < at.Start.Line {
			break
		}
		if t.Pos.Line == at.Start.Line && t.Type != tokLine {
			column = min(column, t.Pos.Column)
		}
	}
	return column
}

// skipItem skips a broken clause that begins in a column; at the top level, with the lines of its section that are
// indented further. The block that it was about to open is still parsed, so the clauses inside report their own mistakes.
func (p *parser) skipItem(column int) {
	in := p.pendingBody
	p.pendingBody = inNothing
	for depth := 0; ; {
		t := p.lex.Peek()
		switch {
		case t.Type == tokEOF, p.level+depth > 0 && p.newDeclaration(t):
			return
		case t.Type == tokLine && depth == 0:
			if next := p.peekAt(1); p.level > 0 || next.Type == tokEOF || next.Pos.Line == t.Pos.Line || next.Pos.Column <= column {
				return
			}
		case t.Type == tokPunct && t.Value == "{" || t.Type == tokDeep:
			if in != inNothing && depth == 0 && t.Type != tokDeep {
				p.discard(in)
				in = inNothing
				continue
			}
			if t.Value == "{" {
				depth++
			}
		case t.Type == tokPunct && t.Value == "}":
			if depth == 0 {
				return
			}
			depth--
		}
		p.lex.Next()
	}
}

// recordUnparsed records the names that the broken clause skipped since from may have declared: each that comes second
// in the clause, or in a clause of its block, after a word that declares or is not a word of the language, and what
// belongs to it, as in `define creature.leader`; and those that it gives, as in `as save`. A map has no name and is recorded
// by its word.
func (p *parser) recordUnparsed(from lexer.RawCursor) {
	end := p.lex.RawCursor()
	token := func(at lexer.RawCursor) *token {
		if at >= end {
			return &halted
		}
		return p.tokenAt(at)
	}
	name := func(at lexer.RawCursor) bool {
		t := token(at)
		if t.Type == tokName {
			p.unparsedNames = append(p.unparsedNames, t.Value)
		}
		return t.Type == tokName
	}
	first := true
	for at := from; at < end; at++ {
		t := token(at)
		switch {
		case first && t.Value == "map":
			name(at)
		case first && t.Type == tokName && token(at+1).Type == tokName && mayDeclare(t.Value):
			if name(at+1) && token(at+2).Value == "." {
				name(at + 3)
			}
		case t.Value == "as" || t.Value == "each":
			name(at + 1)
		}
		first = t.Type == tokLine || t.Value == "{" || first && t.Value == "}"
	}
}

// mayDeclare reports whether a clause that begins with a word may declare a name.
func mayDeclare(word string) bool {
	return beginsDeclaration(word) || word == "keep" || word == "let" || !slices.Contains(leadingWords(), word)
}

var leadingWords = sync.OnceValue(func() []string {
	return words.LeadingWords(words.Declaration, words.Clause, words.Statement, words.Script, words.Story)
})

// discard parses a block for its diagnostics.
func (p *parser) discard(in body) {
	switch in {
	case inArms:
		p.arms()
	case inOptions:
		p.options()
	case inChoices:
		p.storyWays()
	case inThenBlocks:
		p.thenBlocks()
	case inRows:
		p.rows()
	default:
		p.block(in)
	}
}
