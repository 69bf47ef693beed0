package statblock

import (
	"strings"
	"unicode/utf8"
)

// Items splits a list at the separators that stand outside of brackets. It drops `and` in front of an item, and items
// without words.
func Items(text, separators string) []string {
	var list []string
	depth, start := 0, 0
	add := func(item string) {
		item = strings.TrimSpace(item)
		if rest, ok := strings.CutPrefix(item, "and "); ok {
			item = strings.TrimSpace(rest)
		}
		if Words(item) > 0 {
			list = append(list, strings.TrimSuffix(item, "."))
		}
	}
	for i, r := range text {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth = max(0, depth-1)
		case depth == 0 && strings.ContainsRune(separators, r) && !insideNumber(text, i, r):
			add(text[start:i])
			start = i + utf8.RuneLen(r)
		}
	}
	add(text[start:])
	return list
}

// insideNumber reports whether the comma at i is part of a number, such as 1,000.
func insideNumber(text string, i int, r rune) bool {
	return r == ',' && i > 0 && i+3 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1]) && isDigit(text[i+2]) && isDigit(text[i+3])
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
