package prompt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chzyer/readline"

	"arbiter/cmd/arbiter/internal/term"
)

// This file says what each key does: which keys are passed to the library, and which are handled here.

// press handles a key. It returns what is passed to the library, or "" when nothing is left to do.
func (t *terminal) press(k key) string {
	if t.search != nil {
		if out, done := t.searchKey(k); done {
			return out
		}
	}
	t.candidates = nil
	switch k.code {
	case keyText, keyPaste:
		return t.insert(k.text)
	case keyNewline:
		return t.insert("\n")
	case readline.CharEnter, readline.CharCtrlJ:
		return t.enter()
	case readline.CharTab:
		return t.complete()
	case readline.CharBckSearch:
		t.search = t.startSearch()
		return ""
	case readline.CharInterrupt:
		return string(k.code)
	case readline.CharDelete:
		switch {
		case len(t.line) == 0:
			return string(k.code)
		case t.at == len(t.line) && t.line[t.at-1] == '\n': // like the end of a pipe within a block
			t.line = t.line[:t.at-1]
			t.at--
			return editDone + "\r"
		}
		return t.deleteForward()
	case keyDelete:
		return t.deleteForward()
	case readline.CharBackspace, readline.CharCtrlH:
		return strings.Repeat(string(rune(readline.CharBackspace)), t.at-t.previousStart())
	case readline.CharBackward:
		return strings.Repeat(string(k.code), t.at-t.previousStart())
	case readline.CharForward:
		return strings.Repeat(string(k.code), t.currentEnd()-t.at)
	case readline.CharLineStart:
		return t.move(t.lineStart(t.at))
	case readline.CharLineEnd:
		return t.move(t.lineEnd(t.at))
	case readline.CharPrev:
		if start := t.lineStart(t.at); start > 0 {
			above := t.lineStart(start - 1)
			return t.move(min(above+t.at-start, start-1))
		}
		return string(k.code)
	case readline.CharNext:
		if end := t.lineEnd(t.at); end < len(t.line) {
			return t.move(min(end+1+t.at-t.lineStart(t.at), t.lineEnd(end+1)))
		}
		return string(k.code)
	case readline.CharKill, readline.CharCtrlU, readline.CharCtrlY:
		return string(k.code)
	case readline.CharTranspose:
		if len(t.line) < 2 { // the library would leave the cursor outside the line
			return ""
		}
		return string(k.code)
	case readline.CharCtrlW, readline.MetaBackspace:
		if t.inFirstWord() { // the library would also delete what is after the cursor
			return string(rune(readline.CharCtrlU))
		}
		return string(rune(readline.CharCtrlW))
	case readline.MetaBackward:
		return "\x1bb"
	case readline.MetaForward:
		return "\x1bf"
	case readline.MetaDelete:
		return "\x1bd"
	case readline.CharCtrlL:
		t.view.forget()
		t.dev.Write([]byte("\x1b[H\x1b[2J"))
	case readline.CharCtrlZ:
		t.suspend()
	}
	return ""
}

// insert inserts text at the cursor.
func (t *terminal) insert(text string) string {
	add := []rune(text)
	t.line = slices.Insert(t.line, t.at, add...)
	t.at += len(add)
	return editDone
}

// enter ends the line, or starts a new one in an unfinished block.
func (t *terminal) enter() string {
	unfinished := false
	if text := string(t.line); t.prompt.Unfinished != nil {
		t.callUnlocked(func() { unfinished = t.prompt.Unfinished(text) })
	}
	switch {
	case t.panicValue != nil:
		return string(rune(readline.CharInterrupt))
	case unfinished:
		return t.insert("\n")
	}
	return "\r"
}

// complete completes the word before the cursor, or lists the candidates.
func (t *terminal) complete() string {
	if t.prompt.Complete == nil {
		return ""
	}
	text, at := string(t.line), len(string(t.line[:t.at]))
	var c Completion
	t.callUnlocked(func() { c = t.prompt.Complete(text, at) })
	if t.panicValue != nil {
		return string(rune(readline.CharInterrupt))
	}
	next, place, several := c.apply(text, at)
	if several {
		t.candidates = c.Candidates
	} else if next == text && place == at {
		t.dev.Write([]byte{readline.CharBell})
	}
	t.line, t.at = []rune(next), utf8.RuneCountInString(next[:place])
	return editDone
}

// move sets the cursor.
func (t *terminal) move(at int) string {
	t.at = at
	return editDone
}

// deleteForward deletes the character under the cursor.
func (t *terminal) deleteForward() string {
	return strings.Repeat(string(rune(readline.CharDelete)), t.currentEnd()-t.at)
}

// previousStart is the start of the character before the cursor, including its combining marks; the cursor's own place
// at the start.
func (t *terminal) previousStart() int {
	i := t.at
	for i > 0 {
		if i--; t.line[i] == '\n' || t.line[i] == '\t' || term.RuneWidth(t.line[i]) > 0 {
			break
		}
	}
	return i
}

// currentEnd is the end of the character under the cursor, including its combining marks; the cursor's own place at the
// end.
func (t *terminal) currentEnd() int {
	i := t.at
	for i < len(t.line) {
		if i++; i == len(t.line) || t.line[i] == '\n' || t.line[i] == '\t' || term.RuneWidth(t.line[i]) > 0 {
			break
		}
	}
	return i
}

func (t *terminal) lineStart(at int) int {
	for at > 0 && t.line[at-1] != '\n' {
		at--
	}
	return at
}

func (t *terminal) lineEnd(at int) int {
	for at < len(t.line) && t.line[at] != '\n' {
		at++
	}
	return at
}

// inFirstWord reports whether no word begins between the first one and the cursor, by the library's idea of words.
func (t *terminal) inFirstWord() bool {
	for i := t.at - 1; i > 0; i-- {
		if !readline.IsWordBreak(t.line[i]) && readline.IsWordBreak(t.line[i-1]) {
			return false
		}
	}
	return true
}
