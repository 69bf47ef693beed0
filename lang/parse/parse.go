// Package parse turns source text into the syntax tree and diagnostics.
//
// Our own lexer feeds participle. The loops over clauses belong to this package, and each clause is chosen by its first
// word. The head of a declaration is a small participle grammar (heads.go); frequent constructs such as expressions,
// commands, modifiers and terms are parsed by hand. The first error of a clause stops that clause: from then on the
// parser sees only a sentinel token, so every loop ends, and the loop over clauses reports the error and continues
// after the clause (body.go). So a broken clause costs one diagnostic and hides no other.
//
// The package must never know what a name means: whether a clause is allowed where it is, and whether an unknown first
// word is a kind, is for the checker to decide.
package parse

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
)

// MaxSource is the maximum size of a file in bytes, ten times the size of the longest rulebook.
const MaxSource = 4 << 20

// Limits that keep hostile input from exhausting memory or the stack.
const (
	maxDepth  = 200  // nested brackets, `if`, `not` and quantifiers
	maxErrors = 1000 // diagnostics per file; then the parser gives up
	maxChain  = 1000 // operators in a row: their tree is as deep as the chain is long
)

// File parses a file. The tree is never nil; Bad and BadExpr replace broken parts.
func File(path string, src []byte) (*ast.File, diag.List) {
	p := newParser(path, string(src))
	file := &ast.File{Path: path}
	p.catchPanic(func() { file.Body = p.clauses(p.kindOfFile()) })
	file.Comments, file.UnparsedNames = p.scan.comments, p.unparsedNames
	file.Start, file.End = ast.Pos{Line: 1, Column: 1}, toPos(p.scan.pos())
	if strings.HasPrefix(string(src), "\xff\xfe") || strings.HasPrefix(string(src), "\xfe\xff") {
		start := ast.Pos{Line: 1, Column: 1}
		return file, diag.List{{File: path, Severity: diag.Error, Code: codeIllegal, Span: ast.Span{Start: start, End: start},
			Message: "this is UTF-16", Hint: "save the file as UTF-8"}}
	}
	return file, p.finishDiags()
}

// Statement parses a line or a pasted block from the prompt, with the same grammar as a file.
func Statement(path, src string) ([]ast.Clause, diag.List) {
	p := newParser(path, src)
	p.script, p.atPrompt = true, true
	var body []ast.Clause
	p.catchPanic(func() { body = p.clauses(inScript) })
	return body, p.finishDiags()
}

// IsName reports whether name is a valid name: letters, digits and inner hyphens, and not a word of the language.
func IsName(name string) bool {
	f, found := File("", []byte("ruleset "+name))
	if found.HasErrors() || len(f.Body) != 1 {
		return false
	}
	h, ok := f.Body[0].(*ast.Header)
	return ok && h.Name.Name == name
}

// Unfinished reports whether brackets or triple quotes are still open, so that the input continues on the next line.
func Unfinished(src string) bool {
	s := newScanner(src)
	for {
		t, err := s.Next()
		if err != nil || t.EOF() {
			return err == nil && len(s.nest) > 0
		}
		if t.Type == tokUnclosed && strings.HasPrefix(t.Value, `"""`) {
			return true
		}
	}
}

// Expression parses a single expression.
func Expression(path, src string) (ast.Expr, diag.List) {
	p := newParser(path, src)
	x := p.wholeExpr()
	if x == nil || p.diags.HasErrors() {
		x = &ast.BadExpr{Span: ast.Span{Start: ast.Pos{Line: 1, Column: 1}, End: toPos(p.scan.pos())}}
	}
	return x, p.finishDiags()
}

// wholeExpr parses an expression that must be the whole source.
func (p *parser) wholeExpr() (x ast.Expr) {
	p.lex, _ = lexer.Upgrade(p.scan)
	p.catchPanic(func() {
		p.skipLines()
		x = p.expr()
		p.skipLines()
		if t := p.peek(); t.Type != tokEOF {
			p.want("the end of the expression")
		}
		p.report()
	})
	return x
}

// parser reads participle's tokens. A second, short-lived parser on the same tokens parses the parts of a head that
// participle hands back to us.
type parser struct {
	lex   *lexer.PeekingLexer
	file  string
	scan  *scanner
	diags diag.List

	fault         *fault    // the first error of the current clause; no token is seen until it is reported
	ownedLabels   labels    // the labels that belong to the enclosing construct, not to the name before them
	depth         int       // nesting of expressions
	level         int       // nesting of blocks
	broken        int       // the column of the declaration before this one if it is broken, else 0
	pendingBody   body      // the block that the current clause still has to open, for recovery
	firstToken    token     // the first token of the current clause
	form          string    // the entry of the word table that shows its form, if the first word does not determine it
	script        bool      // an encounter, tests or the prompt
	atPrompt      bool      // at the prompt: the source is one line or a few
	inScene       bool      // inside a scene
	missingBrace  bool      // a { lacks its }: a declaration in column 1 ends every block
	suspectBrace  *ast.Span // an opening brace whose closing brace is too far to the left
	braceReported bool      // the missing } has been reported
	unparsedNames []string  // names that broken clauses may have declared
}

// newParser starts parsing a source.
func newParser(path, src string) *parser {
	p := &parser{file: path}
	if len(src) > MaxSource {
		p.diags = append(p.diags, diag.Diagnostic{File: path, Severity: diag.Error, Code: codeSize,
			Span:    ast.Span{Start: ast.Pos{Line: 1, Column: 1}, End: ast.Pos{Line: 1, Column: 1}},
			Message: fmt.Sprintf("the file is too large: the limit is %d bytes", MaxSource),
			Hint:    "split it into several files"})
		src = ""
	}
	if at := invalidUTF8(src); at >= 0 {
		from := ast.Pos{Line: strings.Count(src[:at], "\n") + 1, Column: at - strings.LastIndexByte(src[:at], '\n'), Offset: at}
		to := ast.Pos{Line: from.Line, Column: from.Column + 1, Offset: at + 1}
		p.diags = append(p.diags, diag.Diagnostic{File: path, Severity: diag.Error, Code: codeIllegal, Span: ast.Span{Start: from, End: to},
			Message: "this is not UTF-8", Hint: "save the file as UTF-8"})
	}
	p.scan = newScanner(src)
	return p
}

// invalidUTF8 returns the offset of the first byte that is not valid UTF-8, -1 if there is none.
func invalidUTF8(src string) int {
	if utf8.ValidString(src) {
		return -1
	}
	at := 0
	for {
		r, n := utf8.DecodeRuneInString(src[at:])
		if r == utf8.RuneError && n < 2 {
			return at
		}
		at += n
	}
}

// section advances to the next section of the source, if there is one.
func (p *parser) section() bool {
	if p.scan.exhausted {
		return false
	}
	p.lex, _ = lexer.Upgrade(&section{scanner: p.scan}) // the scanner never fails
	p.missingBrace = len(p.scan.nest) > 0
	return true
}

// kindOfFile determines the kind of a file by its header, or without one by the file name.
func (p *parser) kindOfFile() body {
	for p.section() && p.firstWord() == "" {
	}
	switch p.firstWord() {
	case "ruleset":
		return inFile
	case "encounter", "tests", "adventure":
		p.script = true
		return inScript
	}
	switch filepath.Ext(p.file) {
	case ".encounter", ".tests", ".adventure", ".session":
		p.script = true
		return inScript
	}
	return inFile
}

// firstWord returns the first token of the section that is not the end of an empty line.
func (p *parser) firstWord() string {
	p.skipLines()
	return p.lex.Peek().Value
}

// catchPanic turns an internal error into a diagnostic: whatever the input, a caller gets an answer.
func (p *parser) catchPanic(run func()) {
	defer func() {
		if r := recover(); r != nil {
			p.diags = append(p.diags, diag.Diagnostic{File: p.file, Severity: diag.Error, Code: codeInternal,
				Span: ast.Span{Start: toPos(p.scan.pos()), End: toPos(p.scan.pos())}, Message: fmt.Sprintf("the parser failed here: %v", r),
				Hint: "this is a mistake in the parser; please report the file"})
		}
	}()
	run()
}

func (p *parser) finishDiags() diag.List {
	p.diags.Sort()
	p.dropRepeatedMisnames()
	return p.diags
}

// dropRepeatedMisnames keeps only one diagnostic for each word of the language used as a name. Further ones at that
// word, or right after it, are uses of the name.
func (p *parser) dropRepeatedMisnames() {
	reported := map[string]bool{}
	p.diags = slices.DeleteFunc(p.diags, func(d diag.Diagnostic) bool {
		from, to := d.Span.Start.Offset-p.scan.base, d.Span.End.Offset-p.scan.base
		if from < 0 || to < from || to > len(p.scan.src) || d.Code != codeReserved && len(reported) == 0 {
			return false
		}
		switch d.Code {
		case codeReserved, codeExpected, codeExpectedEnd:
			word := p.scan.src[from:to]
			before := strings.TrimRight(p.scan.src[:from], " ")
			before = before[strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
			if reported[word] || reported[before] {
				return true
			}
			reported[word] = d.Code == codeReserved
		}
		return false
	})
}
