package logbook

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The parts of a file; spec/logbook.md describes them.
const (
	magic     = "arbiter logbook "
	version   = 1
	firstLine = magic + "1\n"
	headerEnd = "---"
	nextLine  = "\\\n  | " // between two lines of a text
	sumMark   = " #"
	sumDigits = 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum extends the checksum of a file to its next bytes.
func checksum(sum uint32, next []byte) uint32 { return crc32.Update(sum, castagnoli, next) }

// appendHeader appends the first line and the header to an empty file.
func appendHeader(out []byte, header []Entry) ([]byte, uint32, error) {
	out = append(out, firstLine...)
	sum := checksum(0, out)
	for _, e := range header {
		var err error
		if out, sum, err = appendEntry(out, sum, e); err != nil {
			return nil, 0, err
		}
	}
	out, sum = seal(append(out, headerEnd...), len(out), sum)
	return out, sum, nil
}

// appendEntry appends an entry to out and returns the checksum including it; sum is the checksum of the file so far.
func appendEntry(out []byte, sum uint32, e Entry) ([]byte, uint32, error) {
	if !isWord(e.Kind) {
		return nil, 0, &Unfit{fmt.Sprintf("the kind %q is not a short word of small letters, digits and hyphens", e.Kind)}
	}
	if !utf8.ValidString(e.Text) {
		return nil, 0, &Unfit{fmt.Sprintf("the text of the %s is not UTF-8", e.Kind)}
	}
	start := len(out)
	out = append(append(out, e.Kind...), ": "...)
	for _, r := range e.Text {
		switch {
		case r == '\n':
			out = append(out, nextLine...)
		case r == '\\' || !strconv.IsPrint(r): // so that everything in the file is visible
			quoted := strconv.AppendQuoteRune(nil, r)
			out = append(out, quoted[1:len(quoted)-1]...)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	out, sum = seal(out, start, sum)
	return out, sum, nil
}

// seal ends the lines that begin at start with the checksum of everything before it.
func seal(out []byte, start int, sum uint32) ([]byte, uint32) {
	out = append(out, sumMark...)
	sum = checksum(sum, out[start:])
	start = len(out)
	out = fmt.Appendf(out, "%0*x\n", sumDigits, sum)
	return out, checksum(sum, out[start:])
}

// isWord reports whether s can be a kind: at most 32 lowercase letters, digits and hyphens, a letter first.
func isWord(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return s != "" && len(s) <= 32 && strings.Trim(s, letters+"0123456789-") == "" && strings.Contains(letters, s[:1])
}

// A scan is the result of parse.
type scan struct {
	Log
	good int    // number of intact bytes
	last int    // where the last write among them began
	sum  uint32 // the checksum of the good bytes
}

// parse reads a whole file. With an error the log holds what precedes the fault.
func parse(path string, data []byte) (s scan, err error) {
	if s.good, err = parseFirstLine(path, data); err != nil {
		return s, err
	}
	s.sum = checksum(0, data[:s.good])
	inHeader := true
	for line := 2; s.good < len(data); {
		rest := data[s.good:]
		length, lines := entryLength(rest)
		body, sum, why := unseal(rest[:length], s.sum)
		switch {
		case why != "" && inTorn(rest):
			if inHeader {
				return s, &Unfinished{path}
			}
			s.Torn = &Torn{path, line, string(rest)}
			return s, nil
		case why == "" && inHeader && string(body) == headerEnd:
			inHeader = false
		case why == "":
			var e Entry
			if e, why = parseEntry(string(body)); why != "" {
				break
			}
			e.Line = line
			if inHeader {
				s.Header = append(s.Header, e)
			} else {
				s.Entries = append(s.Entries, e)
				s.last = s.good
			}
		}
		if why != "" {
			return s, &Damaged{path, line, why}
		}
		s.good += length
		s.sum = sum
		line += lines
	}
	if inHeader {
		return s, &Unfinished{path}
	}
	return s, nil
}

// parseFirstLine returns the length of the first line.
func parseFirstLine(path string, data []byte) (int, error) {
	first, _, ended := bytes.Cut(data, []byte{'\n'})
	if !ended && bytes.HasPrefix([]byte(firstLine), bytes.TrimRight(first, "\x00")) {
		return 0, &Unfinished{path}
	}
	number, found := bytes.CutPrefix(first, []byte(magic))
	if !found {
		return 0, &NotALogbook{path, "does not start with the words " + strings.TrimSpace(magic)}
	}
	n, err := strconv.Atoi(string(number))
	switch {
	case err == nil && n > version:
		return 0, &NewerVersion{path, n}
	case bytes.HasSuffix(number, []byte{'\r'}):
		return 0, &Damaged{path, 1, carriageReturn}
	case string(first)+"\n" != firstLine:
		return 0, &Damaged{path, 1, "the number of the format cannot be read"}
	}
	return len(first) + 1, nil
}

// entryLength returns the length in bytes, including the final line end, and the number of lines of the entry at the
// start of data.
func entryLength(data []byte) (length, lines int) {
	for {
		end := bytes.IndexByte(data[length:], '\n')
		if end < 0 {
			return len(data), lines + 1
		}
		length += end + 1
		lines++
		if end == 0 || data[length-2] != '\\' {
			return length, lines
		}
	}
}

const carriageReturn = "it ends in a carriage return: some program has changed the line endings"

// unseal checks the checksum at the end of an entry. It returns what precedes it and the checksum of the file including
// the entry, or says what is wrong. The final line end may be missing; the checksum includes it.
func unseal(entry []byte, sum uint32) (body []byte, after uint32, why string) {
	entry = bytes.TrimSuffix(entry, []byte{'\n'})
	body = entry[:max(0, len(entry)-sumDigits)]
	before, marked := bytes.CutSuffix(body, []byte(sumMark))
	switch {
	case len(entry) == 0:
		return nil, 0, "it is empty: remove it"
	case entry[len(entry)-1] == '\r':
		return nil, 0, carriageReturn
	case bytes.IndexByte(entry, 0) >= 0:
		return nil, 0, "it contains zero bytes, as after a disk failure"
	case !marked:
		return nil, 0, "it does not end in a checksum"
	}
	sum = checksum(sum, body)
	if digits := fmt.Appendf(nil, "%0*x", sumDigits, sum); !bytes.Equal(entry[len(body):], digits) {
		return nil, 0, "it does not match its checksum: it was changed, or an earlier line was removed, duplicated or moved"
	}
	return before, checksum(checksum(sum, entry[len(body):]), []byte{'\n'}), ""
}

// inTorn reports whether rest, which does not begin with an intact entry, can be left over from one write interrupted
// by a power failure. Then it either has no end, or has one at its last byte and zero blocks that never reached the
// disk before it. An earlier end shows that more was written later, so the fault is another.
func inTorn(rest []byte) bool {
	for i, c := range rest {
		if c == '\n' && (i == 0 || rest[i-1] != '\\' && rest[i-1] != 0) {
			return i == len(rest)-1 && bytes.IndexByte(rest, 0) >= 0
		}
	}
	return true
}

// parseEntry parses what precedes a checksum, or says what is wrong.
func parseEntry(body string) (e Entry, why string) {
	kind, text, found := strings.Cut(body, ": ")
	if !found || !isWord(kind) {
		return e, "it does not start with a kind and a colon"
	}
	plain, err := unescape(text)
	if err != nil || !utf8.ValidString(plain) {
		return e, "its text cannot be read: it is not UTF-8, or has an invalid escape"
	}
	return Entry{Kind: kind, Text: plain}, ""
}

// unescape reverses the escapes of appendEntry.
func unescape(text string) (string, error) {
	if !strings.Contains(text, `\`) {
		return text, nil
	}
	var out []byte
	for {
		plain, _, found := strings.Cut(text, `\`)
		out = append(out, plain...)
		text = text[len(plain):]
		if !found {
			return string(out), nil
		}
		if rest, ok := strings.CutPrefix(text, nextLine); ok {
			out, text = append(out, '\n'), rest
			continue
		}
		r, wide, rest, err := strconv.UnquoteChar(text, 0)
		switch {
		case err != nil:
			return "", err
		case r >= utf8.RuneSelf && !wide:
			return "", errors.New("a byte is not a character")
		}
		out, text = utf8.AppendRune(out, r), rest
	}
}
