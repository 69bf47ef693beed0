package langserver

import "strings"

// This file reads the text before a cursor, which seldom parses: the blocks around it, and the name that is being typed.

// nameAtEnd is the partial name at the end of a text.
func nameAtEnd(text string) string {
	i := len(text)
	for i > 0 && isNameByte(text[i-1]) {
		i--
	}
	return text[i:]
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// enclosing lists the heads of the blocks that are open at the end of a text, the outermost first. quoted is set if the
// text ends within a string or a comment, where nothing is offered.
func enclosing(text string) (blocks []string, quoted bool) {
	start := 0 // of the current statement
	for i := 0; i < len(text); {
		n, c := scanToken(text[i:])
		piece := text[i : i+n]
		i += n
		switch {
		case i == len(text) && (c == aComment || c == aString && !isClosedString(piece)):
			return nil, true
		case piece == "{":
			blocks = append(blocks, strings.TrimSpace(text[start:i-1]))
			start = i
		case piece == "}":
			blocks = blocks[:max(len(blocks)-1, 0)]
			start = i
		case piece == ";":
			start = i
		case piece == "\n":
			// A header may continue on the next line before its block starts.
			if next := strings.TrimLeft(text[i:], " \t\r\n"); !strings.HasPrefix(next, "{") && !strings.HasPrefix(next, `"`) {
				start = i
			}
		}
	}
	return blocks, false
}

// isClosedString reports whether a string has its closing quotes.
func isClosedString(quoted string) bool {
	quote := `"`
	if strings.HasPrefix(quoted, `"""`) {
		quote = `"""`
	}
	return len(quoted) >= 2*len(quote) && strings.HasSuffix(quoted, quote)
}
