package langserver

import (
	"slices"
	"strings"
	"sync"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/lang/ast"
	"arbiter/lang/words"
	"arbiter/stdlib/pattern"
)

// This file provides semantic tokens: comments, doc strings, numbers, words of the language, and names by what they
// name. They give editors highlighting without a grammar of their own.

// tokenType is a token type.
type tokenType uint32

const (
	noToken tokenType = iota
	aComment
	aString
	aNumber
	aKeyword
	aProperty
	aFunction
	aType
	aValue
	aVariable
)

// tokenTypeNames are the token types of the protocol, in the order of the constants; tokens refer to them by index.
var tokenTypeNames = []string{"comment", "string", "number", "keyword", "property", "function", "type", "enumMember", "variable"}

// lineToken is a token within one line.
type lineToken struct {
	line, from, to int // from 0; columns in bytes
	tokenType
}

// tokens are the tokens of a document, in the numbers of the protocol.
func (s *server) tokens(d *document) []uint32 { return d.encoded(s.lineTokens(d)) }

// encoded writes tokens as the protocol does: each by its distance from the one before.
func (d *document) encoded(list []lineToken) []uint32 {
	data := []uint32{}
	line, character := 0, 0
	for _, x := range list {
		text := d.line(x.line)
		from, to := min(x.from, len(text)), min(x.to, len(text))
		at, width := d.width(text[:from]), d.width(text[from:to])
		if width == 0 {
			continue
		}
		if x.line != line {
			character = 0
		}
		data = append(data, uint32(x.line-line), uint32(at-character), uint32(width), uint32(x.tokenType-aComment), 0)
		line, character = x.line, at
	}
	return data
}

// lineTokens splits a document into tokens, in source order.
func (s *server) lineTokens(d *document) (list []lineToken) {
	named := map[int]tokenType{} // by the offset at which a name starts
	m := s.resolverOf(d)
	for _, x := range s.mentions(d) {
		named[x.At.Start.Offset] = m.tokenTypeOf(x)
	}
	citing := false // inside the ids of a citation
	for i := 0; i < len(d.text); {
		n, c := scanToken(d.text[i:])
		if id := idPattern().FindString(d.text[i:]); citing && id != "" {
			n, c = len(id), aValue
		}
		text := d.text[i : i+n]
		if x, known := named[i]; known && c == aKeyword {
			c = x
		} else if c == aKeyword && !languageWords()[text] {
			c = aVariable
		}
		citing = c == aKeyword && text == "cite" || citing && (c == aValue || c == aNumber || c == aComment || text == "to" || strings.Contains(" \t\r\n,", text))
		if c != noToken {
			list = append(list, d.splitToken(i, i+n, c)...)
		}
		i += n
	}
	return list
}

// idPattern is the id of a rule in the catalogue.
var idPattern = pattern.New(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+`)

// languageWords are the words of the language, units among them.
var languageWords = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{"cite": true, "self": true, "language": true}
	for _, w := range words.Labels() {
		known[w] = true
	}
	for w := range words.Units {
		known[w] = true
	}
	for _, e := range words.All() {
		for _, text := range append([]string{e.Word}, e.Forms...) {
			for _, w := range wordPattern().FindAllString(text, -1) {
				known[w] = true
			}
		}
	}
	return known
})

// wordPattern is a word in a form, as opposed to what stands for something.
var wordPattern = pattern.New(`\b[a-z]+(-[a-z]+)*\b`)

// scanToken measures the token at the start of a text and classifies it. A name counts as a word of the language until
// it is resolved.
func scanToken(text string) (n int, c tokenType) {
	switch b := text[0]; {
	case b == '#':
		if n = strings.IndexByte(text, '\n'); n < 0 {
			n = len(text)
		}
		return n, aComment
	case b == '"':
		quote := `"`
		if strings.HasPrefix(text, `"""`) {
			quote = `"""`
		}
		n = len(quote)
		for n < len(text) && !strings.HasPrefix(text[n:], quote) && (text[n] != '\n' || quote != `"`) {
			if text[n] == '\\' {
				n++
			}
			n++
		}
		return min(n+len(quote), len(text)), aString
	case '0' <= b && b <= '9':
		for n < len(text) && isNameByte(text[n]) {
			n++
		}
		return n, aNumber
	case b == 'd' && len(text) > 1 && (text[1] == '%' || '0' <= text[1] && text[1] <= '9'): // dice, or a name such as d20-modern
		for n = 2; n < len(text) && isNameByte(text[n]) && text[n] != '-'; n++ {
		}
		if n+1 < len(text) && text[n] == '-' && ('a' <= text[n+1] && text[n+1] <= 'z') {
			for n < len(text) && isNameByte(text[n]) {
				n++
			}
			return n, aKeyword
		}
		return n, aNumber
	case isNameByte(b) && b != '-':
		for n < len(text) && isNameByte(text[n]) {
			n++
		}
		return len(strings.TrimRight(text[:n], "-")), aKeyword
	}
	return 1, noToken
}

// splitToken splits a token at line ends.
func (l *lines) splitToken(from, to int, c tokenType) (list []lineToken) {
	line, _ := slices.BinarySearch(l.begins, from+1)
	for line--; from < to; line++ {
		end := to
		if line+1 < len(l.begins) {
			end = min(end, l.begins[line+1])
		}
		list = append(list, lineToken{line, from - l.begins[line], end - l.begins[line], c})
		from = end
	}
	return list
}

// positionAt is the position of a byte offset.
func (l *lines) positionAt(offset int) position {
	line, _ := slices.BinarySearch(l.begins, offset+1)
	return l.position(ast.Pos{Line: line, Column: offset - l.begins[line-1] + 1})
}

// tokenTypeOf is the token type of a name, depending on what it names.
func (m *nameResolver) tokenTypeOf(x handbook.Mention) tokenType {
	switch kind := m.Kind(x.To); kind {
	case "":
		return aVariable
	case "stat", "view", "resource", "option", "table", "term":
		return aProperty
	case "define", "action", "procedure", "rule", "reaction", "step", "use":
		return aFunction
	case "enum":
		if x.Name != x.To { // one of its values
			return aValue
		}
		return aType
	case "kind", "bonus", "roll", "role", "condition", "feat", "trait", "effect", "everyone":
		return aType
	}
	return aValue
}
