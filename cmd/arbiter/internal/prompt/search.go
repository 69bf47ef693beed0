package prompt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chzyer/readline"
)

// This file searches the history backwards, the usual Ctrl-R. The library's own search crashes when the history is
// empty.

// search is a search in progress.
type search struct {
	past  []string
	query string
	found int // the entry that the line shows; len(past) before the first, -1 when there is none
	line  []rune
	at    int // the line and the cursor when the search started
}

func (t *terminal) seekFrom() *search {
	past := t.past()
	return &search{past: past, found: len(past), line: slices.Clone(t.line), at: t.at}
}

func (s *search) String() string {
	text := "search: " + shown(s.query)
	if s.found < 0 {
		text += " (nothing found)"
	}
	return text
}

// older looks for the query, ignoring case, in the entries before an index, and returns the entry and the byte offset
// of the query in it.
func (s *search) older(before int) (entry, at int) {
	query := strings.ToLower(s.query)
	for i := before - 1; i >= 0; i-- {
		if at := strings.LastIndex(strings.ToLower(s.past[i]), query); at >= 0 {
			return i, at
		}
	}
	return -1, 0
}

// seek handles a key during a search. A key without a meaning for the search ends it and then acts as usual on the line
// that was found.
func (t *terminal) seek(k key) (out string, done bool) {
	s := t.search
	from := len(s.past)
	switch k.code {
	case keyText:
		s.query += k.text
		if from = s.found + 1; s.found < 0 {
			from = 0
		}
	case readline.CharBackspace, readline.CharCtrlH:
		_, size := utf8.DecodeLastRuneInString(s.query)
		s.query = s.query[:len(s.query)-size]
	case readline.CharBckSearch:
		if s.found >= 0 {
			from = s.found
		}
	case readline.CharBell: // Ctrl-G: as if there had been no search
		t.line, t.at, t.search = s.line, s.at, nil
		return push, true
	case keyEscape:
		t.search = nil
		return "", true
	default:
		t.search = nil
		return "", false
	}
	if s.query == "" {
		s.found, t.line, t.at = len(s.past), slices.Clone(s.line), s.at
		return push, true
	}
	i, at := s.older(min(from, len(s.past)))
	if i < 0 && k.code == readline.CharBckSearch && s.found >= 0 && s.found < len(s.past) {
		t.dev.Write([]byte{readline.CharBell}) // the oldest match stays
		return push, true
	}
	if s.found = i; i >= 0 {
		entry := s.past[i]
		at = min(at, len(entry)) // a capital may take more bytes than its small letter
		t.line, t.at = []rune(entry), utf8.RuneCountInString(entry[:at])
	}
	return push, true
}
