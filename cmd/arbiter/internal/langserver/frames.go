package langserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
)

// This file keeps the messages of a stream apart: each is a header with its length, an empty line, and a text in JSON.
// What is none is answered with an error, and the stream goes on with the next header: one bad message costs an editor
// no more than its answer.

// Limits of a message.
const (
	maxHeaderLine  = 4096 // bytes
	maxHeaderLines = 32
	maxMessage     = 64 << 20 // bytes
)

const lengthHeader = "content-length:"

// frames is a stream of messages.
type frames struct {
	stream io.ReadWriteCloser
	in     *bufio.Reader
	rest   []byte // of a line that has been read: the header that it ends in
	skip   int64  // bytes of a message that is too long, which are still to come

	mu sync.Mutex // guards writing
}

func newFrames(stream io.ReadWriteCloser) *frames {
	return &frames{stream: stream, in: bufio.NewReader(stream)}
}

// Close closes the stream.
func (f *frames) Close() error { return f.stream.Close() }

// WriteObject writes a message.
func (f *frames) WriteObject(message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err = f.stream.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(text)), text...))
	return err
}

// ReadObject reads the next message. Its errors are those of the stream.
func (f *frames) ReadObject(message any) error {
	for {
		text, wrong, err := f.next()
		if err != nil {
			return err
		}
		if wrong == nil {
			wrong = Decode(text, message)
		}
		if wrong == nil {
			return nil
		}
		if err := f.WriteObject(Complaint(wrong)); err != nil {
			return err
		}
	}
}

// Complaint is the answer to what is not a message.
func Complaint(wrong *jsonrpc2.Error) any {
	return map[string]any{"jsonrpc": "2.0", "id": nil, "error": wrong}
}

// Decode decodes a message, or says what is wrong with it.
func Decode(text []byte, message any) *jsonrpc2.Error {
	var syntax json.RawMessage
	switch {
	case !utf8.Valid(text):
		return &jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: "the message is not UTF-8"}
	case json.Unmarshal(text, &syntax) != nil:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: "the message is not JSON"}
	case json.Unmarshal(text, message) != nil:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the message is neither a request nor an answer"}
	}
	return nil
}

// WrongParams is the answer to parameters that cannot be read.
func WrongParams(err error) *jsonrpc2.Error {
	message := "the parameters of this method have another form"
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		message = "the parameter " + wrong.Field + " of this method has another form"
	}
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: message}
}

// next reads the text of the next message. If there is something else first, it is skipped up to the next header.
func (f *frames) next() (text []byte, wrong *jsonrpc2.Error, err error) {
	n, err := io.CopyN(io.Discard, f.in, f.skip)
	if f.skip -= n; err != nil {
		return nil, nil, unexpected(err)
	}
	length, why, err := f.header()
	if err != nil {
		return nil, nil, err
	}
	if why == "" && length > maxMessage {
		f.skip = length
		why = fmt.Sprintf("a message has at most %d bytes, not %d", maxMessage, length)
	}
	if why != "" {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: why}, nil
	}
	var b bytes.Buffer // grows with what has come, not with what the header promises
	if _, err := io.CopyN(&b, f.in, length); err != nil {
		return nil, nil, unexpected(err)
	}
	return b.Bytes(), nil, nil
}

// header reads a header and returns the length that it states, or what is wrong with it.
func (f *frames) header() (length int64, why string, err error) {
	length = -1
	stray := false // something else stood before the header
	for lines := 0; ; lines++ {
		line, err := f.line()
		if err != nil {
			return 0, "", err
		}
		text := strings.TrimRight(string(line), "\r\n")
		at := strings.LastIndex(strings.ToLower(text), lengthHeader)
		switch {
		case at >= 0:
			if stray || at > 0 {
				f.rest = []byte(text[at:] + "\r\n")
				return 0, "there is something before the header of a message", nil
			}
			value := strings.TrimSpace(text[len(lengthHeader):])
			if length, err = strconv.ParseInt(value, 10, 64); err != nil || length < 0 {
				return 0, fmt.Sprintf("a message cannot have the length %.40q", value), nil
			}
		case text == "" && length >= 0:
			return length, "", nil
		case text == "" && !stray:
			stray = lines > 0 // an empty line before the header does no harm
		case length >= 0 && lines >= maxHeaderLines:
			return 0, fmt.Sprintf("a header has at most %d lines", maxHeaderLines), nil
		case length < 0 && !strings.HasPrefix(strings.ToLower(text), "content-type:"):
			stray = true
		}
	}
}

// line reads a line; of a longer one the end, in which a header may begin.
func (f *frames) line() ([]byte, error) {
	if f.rest != nil {
		line := f.rest
		f.rest = nil
		return line, nil
	}
	var line []byte
	for {
		part, err := f.in.ReadSlice('\n')
		line = append(line, part...)
		if n := len(line) - maxHeaderLine; n > 0 {
			line = append(line[:0], line[n:]...)
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// unexpected turns the end of the stream into one in the middle of a message.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
