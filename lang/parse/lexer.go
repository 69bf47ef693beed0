package parse

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"arbiter/lang/ast"
	"arbiter/lang/words"
)

type token = lexer.Token

// The token types. The scanner never fails: an error is a token too, and the parser reports it.
const (
	tokEOF       lexer.TokenType = lexer.EOF - iota
	tokLine                      // the end of a clause: the end of its line, or ;
	tokName                      // a name, or a word of the language that can also be a name
	tokWord                      // a label or a word of expressions: never a name, except after a dot
	tokNumber                    // 15, 30 ft, 25%
	tokDice                      // 2d6, d20, d%, 4d6kh3: opaque
	tokText                      // "..."
	tokBlock                     // """..."""
	tokCite                      // book.topic.01, or the 04 of `book.topic.01 to 04`
	tokPunct                     // brackets and operators
	tokIllegal                   // a character without a meaning
	tokMalformed                 // 30ft, 1.5, iron_nerve
	tokUnclosed                  // a text without its closing quotes
	tokDeep                      // a bracket inside too many others
	tokHalt                      // returned instead of any token once the clause is broken
)

var symbols = map[string]lexer.TokenType{"EOF": tokEOF, "Line": tokLine, "Name": tokName, "Word": tokWord,
	"Number": tokNumber, "Dice": tokDice, "Text": tokText, "Block": tokBlock, "Cite": tokCite, "Punct": tokPunct,
	"Illegal": tokIllegal, "Malformed": tokMalformed, "Unclosed": tokUnclosed, "Deep": tokDeep, "Halt": tokHalt}

// definition is the scanner in the form that participle requires.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return symbols }

func (definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newScanner(string(src)), nil
}

func (definition) LexString(_, src string) (lexer.Lexer, error) { return newScanner(src), nil }

// scanner splits a source into tokens. Next adds the line ends that end a clause (lines.go).
type scanner struct {
	src       string
	base      int // the offset where it begins in its file
	off       int
	line      int
	lineStart int // offset of the first byte of the line; negative if it is before the source

	last      token          // the previous token
	lastEnd   lexer.Position // where it ends
	held      token          // a token held back after a line end
	holding   bool
	nest      []byte // the open brackets
	exhausted bool   // the end of the source has been returned
	citing    bool   // inside the ids of a `cite`
	comments  []ast.Comment
}

func newScanner(src string) *scanner {
	s := &scanner{src: src, line: 1}
	if strings.HasPrefix(src, "\ufeff") {
		s.off = 3 // a byte order mark
	}
	s.last.Type = tokLine
	return s
}

// Next implements lexer.Lexer.
func (s *scanner) Next() (token, error) {
	if s.holding {
		s.holding = false
		return s.emit(s.held), nil
	}
	newline := s.skipBlanks()
	end := s.lastEnd
	t := s.scan()
	if newline && s.endsClause(&t) {
		s.unwind()
		s.held, s.holding = t, true
		s.last = token{Type: tokLine, Value: "\n", Pos: end}
		return s.last, nil
	}
	return s.emit(t), nil
}

// section lexes up to a line end outside all brackets: one declaration or statement of the top level. participle keeps
// all tokens of its lexer, so sections keep its memory small. Only the last section can lack a }, so they also show
// where one is missing.
type section struct {
	*scanner
	ended bool
}

// Next implements lexer.Lexer.
func (s *section) Next() (token, error) {
	if s.ended {
		return token{Type: tokEOF, Pos: s.last.Pos}, nil
	}
	t, err := s.scanner.Next()
	switch t.Type {
	case tokLine:
		s.ended = s.holding && len(s.nest) == 0 && !isText(&s.held) && !isCite(&s.held)
	case tokEOF:
		s.exhausted = true
	}
	return t, err
}

// emit returns a token and tracks open brackets.
func (s *scanner) emit(t token) token {
	if t.Type == tokPunct {
		switch c := t.Value[0]; c {
		case '(', '[', '{':
			if len(s.nest) >= maxDepth {
				t.Type = tokDeep
			}
			s.nest = append(s.nest, c)
		case ')', ']':
			if n := len(s.nest); n > 0 && s.nest[n-1] != '{' {
				s.nest = s.nest[:n-1]
			}
		case '}':
			s.unwind()
			if n := len(s.nest); n > 0 {
				s.nest = s.nest[:n-1]
			}
		}
	}
	s.last = t
	return t
}

// unwind drops the ( and [ that the clause left open.
func (s *scanner) unwind() {
	for n := len(s.nest); n > 0 && s.nest[n-1] != '{'; n-- {
		s.nest = s.nest[:n-1]
	}
}

func (s *scanner) pos() lexer.Position {
	return lexer.Position{Offset: s.base + s.off, Line: s.line, Column: s.off - s.lineStart + 1}
}

// skipBlanks skips white space and comments and reports whether a line ended.
func (s *scanner) skipBlanks() (newline bool) {
	for s.off < len(s.src) {
		switch s.src[s.off] {
		case '\n':
			newline = true
			s.off++
			s.line++
			s.lineStart = s.off
		case ' ', '\t', '\r':
			s.off++
		case '#':
			start := s.pos()
			text := strings.TrimRight(lineOf(s.src[s.off:]), " \t\r")
			s.off += len(text)
			s.comments = append(s.comments, ast.Comment{Text: text, OwnLine: s.lastEnd.Line != s.line,
				Span: ast.Span{Start: toPos(start), End: toPos(s.pos())}})
			s.off += len(lineOf(s.src[s.off:]))
		default:
			return newline
		}
	}
	return newline
}

// lineOf returns the rest of the line.
func lineOf(src string) string {
	if n := strings.IndexByte(src, '\n'); n >= 0 {
		return src[:n]
	}
	return src
}

// take makes a token from the next n bytes.
func (s *scanner) take(t lexer.TokenType, n int) token {
	tok := token{Type: t, Value: s.src[s.off : s.off+n], Pos: s.pos()}
	if t == tokBlock || t == tokUnclosed {
		if lines := strings.Count(tok.Value, "\n"); lines > 0 {
			s.line += lines
			s.lineStart = s.off + strings.LastIndexByte(tok.Value, '\n') + 1
		}
	}
	s.off += n
	s.lastEnd = s.pos()
	return tok
}

func (s *scanner) scan() token {
	src := s.src[s.off:]
	if src == "" {
		return token{Type: tokEOF, Pos: s.pos()}
	}
	if n := s.citation(src); n > 0 {
		s.citing = true
		return s.take(tokCite, n)
	}
	c := src[0]
	if s.citing && c != ',' && !strings.HasPrefix(src, "to ") {
		s.citing = false
	}
	switch {
	case digit(c):
		return s.number(src)
	case letter(c) || c >= utf8.RuneSelf && wordLen(src) > 0:
		return s.word(src)
	case c == '"':
		return s.text(src)
	case c == ';':
		return s.take(tokLine, 1)
	case (c == '!' || c == '<' || c == '>') && len(src) > 1 && src[1] == '=':
		return s.take(tokPunct, 2)
	case strings.IndexByte("{}()[],.:=<>+-*/|", c) >= 0:
		return s.take(tokPunct, 1)
	case c < utf8.RuneSelf:
		return s.take(tokIllegal, 1)
	}
	_, n := utf8.DecodeRuneInString(src)
	return s.take(tokIllegal, n)
}

// number scans dice, and numbers with their units.
func (s *scanner) number(src string) token {
	if n := diceLen(src); n > 0 {
		return s.take(tokDice, n)
	}
	n := digits(src)
	if n < len(src) {
		switch c := src[n]; {
		case c == '%':
			return s.take(tokNumber, n+1)
		case letter(c):
			return s.take(tokMalformed, n+wordLen(src[n:]))
		case c == '.' && n+1 < len(src) && digit(src[n+1]):
			return s.take(tokMalformed, n+1+digits(src[n+1:]))
		}
	}
	blank := n
	for blank < len(src) && src[blank] == ' ' {
		blank++
	}
	if blank > n {
		if w := wordLen(src[blank:]); w > 0 && words.IsUnit(src[blank:blank+w]) && !strings.HasPrefix(src[blank+w:], ":") {
			return s.take(tokNumber, blank+w)
		}
	}
	return s.take(tokNumber, n)
}

func (s *scanner) word(src string) token {
	afterDot := s.last.Type == tokPunct && s.last.Value == "."
	if src[0] == 'd' && !afterDot {
		if n := diceLen(src); n > 0 {
			return s.take(tokDice, n)
		}
	}
	n := wordLen(src)
	if strings.IndexByte(src[:n], '_') >= 0 { // in Starlark it stands for -, so names containing it would be ambiguous
		return s.take(tokMalformed, n)
	}
	if !afterDot && words.Reserved(src[:n]) {
		return s.take(tokWord, n)
	}
	return s.take(tokName, n)
}

// text scans "..." up to the end of its line and """...""" over several lines.
func (s *scanner) text(src string) token {
	const quotes = `"""`
	if strings.HasPrefix(src, quotes) {
		if n := strings.Index(src[3:], quotes); n >= 0 {
			return s.take(tokBlock, n+6)
		}
		return s.take(tokUnclosed, unclosedLen(src))
	}
	for i := 1; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			if i+1 < len(src) && src[i+1] != '\n' {
				i++
			}
		case '"':
			return s.take(tokText, i+1)
		}
	}
	return s.take(tokUnclosed, len(strings.TrimRight(lineOf(src), " \t\r")))
}

// unclosedLen ends a block without closing quotes before the next declaration in column 1, so that the declarations
// after it are still read.
func unclosedLen(src string) int {
	for i := 0; ; {
		n := strings.IndexByte(src[i:], '\n')
		if n < 0 {
			return len(src)
		}
		i += n + 1
		if w := wordLen(src[i:]); w > 0 && beginsDeclaration(src[i:i+w]) && strings.HasPrefix(src[i+w:], " ") {
			return len(strings.TrimRight(src[:i], " \t\r\n"))
		}
	}
}

// citation returns the length of a catalogue id where one is expected.
func (s *scanner) citation(src string) int {
	dotted := true
	switch {
	case s.last.Type == tokName && s.last.Value == "cite":
	case s.citing && s.last.Type == tokPunct: // the comma between ids
	case s.citing && s.last.Type == tokWord: // the `to` of a run
		dotted = false
	default:
		return 0
	}
	n, dots := 0, 0
	for n < len(src) && (letter(src[n]) || digit(src[n]) || src[n] == '-' || src[n] == '.') {
		if src[n] == '.' {
			dots++
		}
		n++
	}
	for n > 0 && (src[n-1] == '.' || src[n-1] == '-') {
		n--
	}
	if n == 0 || src[0] == '-' || src[0] == '.' || dotted && dots == 0 {
		return 0
	}
	return n
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

func digits(src string) int {
	n := 0
	for n < len(src) && digit(src[n]) {
		n++
	}
	return n
}

// wordLen returns the length of the kebab-case name that src begins with. A hyphen between two characters of a name
// belongs to the name, so a subtraction needs spaces.
func wordLen(src string) int {
	n := 0
	for n < len(src) {
		switch c := src[n]; {
		case letter(c) || digit(c) && n > 0:
			n++
		case c == '-' && n > 0 && n+1 < len(src) && (digit(src[n+1]) || letterLen(src[n+1:]) > 0):
			n++
		case c >= utf8.RuneSelf && letterLen(src[n:]) > 0:
			n += letterLen(src[n:])
		default:
			return n
		}
	}
	return n
}

// letterLen returns the length in bytes of the letter, of any script, that src begins with.
func letterLen(src string) int {
	if letter(src[0]) {
		return 1
	}
	if r, n := utf8.DecodeRuneInString(src); r != utf8.RuneError && unicode.IsLetter(r) {
		return n
	}
	return 0
}

// diceLen returns the length of the dice that src begins with: [N]d(N|%|F) and the modifiers that touch it, including
// comparisons with a number.
func diceLen(src string) int {
	n := digits(src)
	if n+1 >= len(src) || src[n] != 'd' {
		return 0
	}
	switch c := src[n+1]; {
	case digit(c), c == '%', c == 'F' && wordLen(src[n+1:]) == 1:
		n += 2
	default:
		return 0
	}
	for n < len(src) {
		if c := comparisonLen(src[n:]); c > 0 {
			n += c
		} else if letter(src[n]) || digit(src[n]) || src[n] == '!' {
			n++
		} else {
			break
		}
	}
	if n+1 < len(src) && src[n] == '-' && letter(src[n+1]) && src[0] == 'd' {
		return 0 // a name such as d20-modern
	}
	return n
}

// comparisonLen returns the length of the comparison that src begins with, including the first digit of its number.
func comparisonLen(src string) int {
	n := 0
	for _, sign := range []string{"<>", "<=", ">=", "==", "<", ">", "="} {
		if strings.HasPrefix(src, sign) {
			n = len(sign)
			break
		}
	}
	digits := n
	if n > 0 && n < len(src) && (src[n] == '-' || src[n] == '+') {
		digits++
	}
	if n == 0 || digits >= len(src) || !digit(src[digits]) {
		return 0
	}
	return digits + 1
}

func toPos(p lexer.Position) ast.Pos {
	return ast.Pos{Line: p.Line, Column: p.Column, Offset: p.Offset}
}
