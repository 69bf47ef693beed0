package prompt

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chzyer/readline"
)

// This file decodes keys from the bytes that a terminal sends. Sequences without a meaning here are swallowed whole;
// the library would take their ends for text, and some of them for the end of the input.

// key is one key, or a run of text that was typed or pasted.
type key struct {
	code rune // a control character, one of the library's Meta codes, or one of those below
	text string
}

// Codes of keys that are not characters, in addition to those of the library, which are small negative numbers.
const (
	keyText rune = -100 - iota
	keyPaste
	keyNewline // Alt-Enter: a new line of the block, even of a finished one
	keyDelete  // forward; Ctrl-D does more
	keyEscape
	keyNone // not a key
)

// device is what an editor needs of a terminal.
type device interface {
	Read(p []byte) (int, error)    // waits for bytes; io.EOF after Wake
	Ready(wait time.Duration) bool // whether bytes arrive within that time
	Write(p []byte) (int, error)
	Size() (columns, rows int)
	Raw() error     // each key immediately, without echo
	Restore() error // as it was before Raw
	Suspend() bool  // stops the process group; false if it cannot
	Wake()          // ends Read, now and permanently
}

// keyboard decodes what a device reads.
type keyboard struct {
	dev device
	buf []byte // read but not yet decoded
}

// escapeWait is how long the rest of a sequence may take. After that, the escape was a key of its own.
const escapeWait = 50 * time.Millisecond

// maxSequence bounds an escape sequence, in bytes; anything longer is noise.
const maxSequence = 4096

// fill reads more bytes.
func (k *keyboard) fill() error {
	var b [4096]byte
	n, err := k.dev.Read(b[:])
	k.buf = append(k.buf, b[:n]...)
	if n > 0 {
		return nil
	}
	return err
}

// nextKey returns the next key. It fails when the device does.
func (k *keyboard) nextKey() (key, error) {
	for {
		if len(k.buf) == 0 {
			if err := k.fill(); err != nil {
				return key{}, err
			}
			continue
		}
		switch c := k.buf[0]; {
		case c == readline.CharEsc:
			x, err := k.readSequence()
			if err != nil {
				return key{}, err
			}
			if x.code != keyNone {
				return x, nil
			}
		case c < 0x20 || c == readline.CharBackspace:
			if bytes.HasPrefix(k.buf, []byte("\r\n")) { // one line end of text sent with CRLF
				k.drop(1)
			}
			k.drop(1)
			if c != 0 { // 0 is Ctrl-Space, which the library takes for the end of the input
				return key{code: rune(c)}, nil
			}
		default:
			if text := k.takeText(); text != "" {
				return key{code: keyText, text: text}, nil
			}
			if err := k.fill(); err != nil { // the rest of a character will never come
				k.buf = nil
				return key{}, err
			}
		}
	}
}

// takeText takes the complete characters up to the next control character.
func (k *keyboard) takeText() string {
	n := 0
	for n < len(k.buf) {
		c := k.buf[n]
		if c < 0x20 || c == readline.CharBackspace {
			break
		}
		if !utf8.FullRune(k.buf[n:]) {
			break
		}
		_, size := utf8.DecodeRune(k.buf[n:])
		n += size
	}
	text := strings.ToValidUTF8(string(k.buf[:n]), "\ufffd")
	k.buf = k.buf[n:]
	return text
}

// waitFor waits until there are more than i bytes. It returns false when they do not arrive in time.
func (k *keyboard) waitFor(i int) bool {
	for len(k.buf) <= i {
		if !k.dev.Ready(escapeWait) || k.fill() != nil {
			return false
		}
	}
	return true
}

// drop drops decoded bytes.
func (k *keyboard) drop(n int) { k.buf = k.buf[min(n, len(k.buf)):] }

// readSequence decodes what begins with an escape.
func (k *keyboard) readSequence() (key, error) {
	if !k.waitFor(1) {
		k.drop(1)
		return key{code: keyEscape}, nil
	}
	switch c := k.buf[1]; c {
	case readline.CharEsc:
		k.drop(1)
		return key{code: keyEscape}, nil
	case '[':
		return k.readControl()
	case 'O':
		if !k.waitFor(2) {
			k.drop(2)
			return key{code: keyNone}, nil
		}
		final := k.buf[2]
		k.drop(3)
		if final == 'M' { // from the numeric keypad
			return key{code: readline.CharEnter}, nil
		}
		return key{code: sequenceKey(final, "")}, nil
	case ']', 'P', '_', '^', 'X': // the terminal's answer to another program's query
		for i := 2; i < maxSequence && k.waitFor(i); i++ {
			if k.buf[i] == readline.CharBell || k.buf[i] == '\\' && k.buf[i-1] == readline.CharEsc {
				k.drop(i + 1)
				return key{code: keyNone}, nil
			}
		}
		k.drop(maxSequence)
		return key{code: keyNone}, nil
	case '\r', '\n':
		k.drop(2)
		return key{code: keyNewline}, nil
	case readline.CharBackspace, readline.CharCtrlH:
		k.drop(2)
		return key{code: readline.MetaBackspace}, nil
	case 'b', 'f', 'd':
		k.drop(2)
		return key{code: map[byte]rune{'b': readline.MetaBackward, 'f': readline.MetaForward, 'd': readline.MetaDelete}[c]}, nil
	}
	k.drop(1)
	if k.buf[0] < 0x20 {
		return key{code: keyNone}, nil // escape, then a key of its own
	}
	for n := 1; !utf8.FullRune(k.buf) && k.waitFor(n); n++ {
	}
	_, size := utf8.DecodeRune(k.buf)
	k.drop(size)
	return key{code: keyNone}, nil
}

// readControl decodes ESC [ parameters letter.
func (k *keyboard) readControl() (key, error) {
	i := 2
	for ; ; i++ {
		if i == maxSequence || !k.waitFor(i) {
			k.drop(i)
			return key{code: keyNone}, nil
		}
		if c := k.buf[i]; c < 0x20 || c > 0x3f {
			break
		}
	}
	parameters, final := string(k.buf[2:i]), k.buf[i]
	if final < 0x40 || final > 0x7e { // broken off: what follows is a key of its own
		k.drop(i)
		return key{code: keyNone}, nil
	}
	k.drop(i + 1)
	switch {
	case final == '~' && parameters == "200":
		return k.readPaste()
	case final == '[' && k.waitFor(0): // a function key of the Linux console
		k.drop(1)
		return key{code: keyNone}, nil
	}
	return key{code: sequenceKey(final, parameters)}, nil
}

// sequenceKey returns the key of a sequence by its last character. The second parameter of an arrow encodes the
// modifiers: with Control or Alt an arrow moves by words.
func sequenceKey(final byte, parameters string) rune {
	_, modifier, _ := strings.Cut(parameters, ";")
	words := modifier == "3" || modifier == "5"
	switch {
	case final == 'C' && words:
		return readline.MetaForward
	case final == 'D' && words:
		return readline.MetaBackward
	}
	switch final {
	case 'A':
		return readline.CharPrev
	case 'B':
		return readline.CharNext
	case 'C':
		return readline.CharForward
	case 'D':
		return readline.CharBackward
	case 'H':
		return readline.CharLineStart
	case 'F':
		return readline.CharLineEnd
	case '~':
		switch parameters {
		case "1", "7":
			return readline.CharLineStart
		case "4", "8":
			return readline.CharLineEnd
		case "3":
			return keyDelete
		}
	}
	return keyNone
}

// pasteEnd ends pasted text, if the terminal was asked to bracket it.
var pasteEnd = []byte("\x1b[201~")

// readPaste takes everything up to the closing bracket. Text beyond maxText is not stored, but the result stays too
// long, so that it is refused.
func (k *keyboard) readPaste() (key, error) {
	var text []byte
	for {
		i := bytes.Index(k.buf, pasteEnd)
		n := i
		if i < 0 {
			n = max(0, len(k.buf)-len(pasteEnd)+1) // part of the bracket may have arrived
		}
		if len(text) <= maxText {
			text = append(text, k.buf[:n]...)
		}
		k.drop(n)
		if i >= 0 {
			k.drop(len(pasteEnd))
			return key{code: keyPaste, text: normalizePaste(text)}, nil
		}
		if err := k.fill(); err != nil {
			return key{}, err
		}
	}
}

// normalizePaste normalizes pasted text: its line ends become line feeds, with none at the end, and other control
// characters are removed.
func normalizePaste(b []byte) string {
	s := strings.ToValidUTF8(string(b), "\ufffd")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r < 0x20 && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0:
			return -1
		}
		return r
	}, s)
	return strings.TrimRight(s, "\n")
}
