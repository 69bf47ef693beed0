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
	entries []string
	query   string
	current int // the entry that the line shows; len(entries) before the first, -1 when there is none
	line    []rune
	at      int // the line and the cursor when the search started
}

func (t *terminal) startSearch() *search {
	past := t.historyEntries()
	return &search{entries: past, current: len(past), line: slices.Clone(t.line), at: t.at}
}

func (s *search) String() string {
	text := "search: " + s.query
	if s.current < 0 {
		text += " (nothing found)"
	}
	return text
}

// older looks for the query, ignoring case, in the entries before an index, and returns the entry and the byte offset
// of the query in it.
func (s *search) older(before int) (entry, at int) {
	query := strings.ToLower(s.query)
	for i := before - 1; i >= 0; i-- {
		if at := strings.LastIndex(strings.ToLower(s.entries[i]), query); at >= 0 {
			return i, at
		}
	}
	return -1, 0
}

// searchKey handles a key during a search. A key without a meaning for the search ends it and then acts as usual on the
// line that was found.
func (t *terminal) searchKey(k key) (out string, done bool) {
	s := t.search
	from := len(s.entries)
	switch k.code {
	case keyText:
		s.query += k.text
		if from = s.current + 1; s.current < 0 {
			from = 0
		}
	case readline.CharBackspace, readline.CharCtrlH:
		_, size := utf8.DecodeLastRuneInString(s.query)
		s.query = s.query[:len(s.query)-size]
	case readline.CharBckSearch:
		if s.current >= 0 {
			from = s.current
		}
	case readline.CharBell: // Ctrl-G: as if there had been no search
		t.line, t.at, t.search = s.line, s.at, nil
		return editDone, true
	case keyEscape:
		t.search = nil
		return "", true
	default:
		t.search = nil
		return "", false
	}
	if s.query == "" {
		s.current, t.line, t.at = len(s.entries), slices.Clone(s.line), s.at
		return editDone, true
	}
	i, at := s.older(min(from, len(s.entries)))
	if i < 0 && k.code == readline.CharBckSearch && s.current >= 0 && s.current < len(s.entries) {
		t.dev.Write([]byte{readline.CharBell}) // the oldest match stays
		return editDone, true
	}
	if s.current = i; i >= 0 {
		entry := s.entries[i]
		at = min(at, len(entry)) // a capital may take more bytes than its small letter
		t.line, t.at = []rune(entry), utf8.RuneCountInString(entry[:at])
	}
	return editDone, true
}
