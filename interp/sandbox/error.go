package sandbox

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Kind says what caused an error, or which limit was reached.
type Kind uint8

const (
	Failed   Kind = iota // the script failed: fail(), a wrong type, a missing key, a missing file
	Invalid              // the source is not Starlark, or uses an unsupported feature
	Steps                // limit of steps
	Memory               // limit of bytes
	Depth                // limit of nested calls or nested values, or recursion
	Refused              // refused by the host: see Refuse
	Internal             // a bug of the sandbox or of the host
)

var kindNames = [...]string{"failed", "invalid", "steps", "memory", "depth", "refused", "internal"}

func (k Kind) String() string { return kindNames[k] }

// Frame is a position in the original source. Line and Col count from 1, Col in runes; Line 0 is an unknown position.
type Frame struct {
	Name string // of the function; "" for the top level of the file
	File string
	Line int
	Col  int
}

func (f Frame) String() string {
	if f.Line == 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col)
}

// Error is an error in a script.
type Error struct {
	Kind    Kind
	Message string
	Hint    string  // how to fix it; may be empty
	Frames  []Frame // the call stack, innermost last; empty if no position is known
	Line    string  // the source line of the innermost frame, for a caret under Col
	Cause   error   // the underlying error
}

// At returns the innermost frame, the zero Frame if no position is known.
func (e *Error) At() Frame {
	if len(e.Frames) == 0 {
		return Frame{}
	}
	return e.Frames[len(e.Frames)-1]
}

// Error returns the position and the message in one line, without the hint.
func (e *Error) Error() string {
	if len(e.Frames) == 0 {
		return e.Message
	}
	return e.At().String() + ": " + e.Message
}

// Refuse returns the error by which a function or a value of the host refuses something to a script: it becomes an
// Error of kind Refused. Any other error of the host becomes one of kind Failed.
func Refuse(hint, format string, args ...any) error {
	return &rawError{kind: Refused, message: fmt.Sprintf(format, args...), hint: hint}
}

// rawError is an error on its way through the interpreter, before its position is known.
type rawError struct {
	kind          Kind
	message, hint string
}

func (s *rawError) Error() string { return s.message }

func rawErrorf(kind Kind, hint, format string, args ...any) *rawError {
	return &rawError{kind: kind, message: fmt.Sprintf(format, args...), hint: hint}
}

// asError converts an error of the parser, the resolver or the interpreter, adding its kind and positions.
func asError(err error, texts *fileSet) *Error {
	var existing *Error
	if errors.As(err, &existing) { // from the check, or from a file that this one loads
		existing.setLine(texts)
		return existing
	}
	e := &Error{Kind: Failed, Message: err.Error(), Cause: err}
	var (
		s      *rawError
		eval   *starlark.EvalError
		parse  syntax.Error
		unsure resolve.ErrorList
	)
	if errors.As(err, &s) {
		e.Kind, e.Message, e.Hint = s.kind, s.message, s.hint
	}
	switch {
	case errors.As(err, &eval):
		for _, f := range eval.CallStack {
			if f.Pos.Line > 0 { // a built-in function has no position
				e.Frames = append(e.Frames, frameAt(f.Name, f.Pos))
			}
		}
		// Wrong arguments are the caller's fault, but the interpreter reports them in the callee.
		if at := e.At(); len(e.Frames) > 1 && strings.HasPrefix(e.Message, "function "+at.Name+" ") {
			e.Frames = e.Frames[:len(e.Frames)-1]
		}
		if m := calledTooEarly.FindStringSubmatch(e.Message); m != nil && e.At().Name == "" {
			e.Hint = "name the function without calling it: " + m[1]
		}
		if s == nil && strings.HasSuffix(e.Message, "called recursively") {
			e.Kind, e.Hint = Depth, "a function cannot call itself, directly or indirectly: use a for loop"
		}
	case errors.As(err, &parse):
		e.Kind, e.Message, e.Frames = Invalid, parse.Msg, []Frame{frameAt("", parse.Pos)}
		if rest, ok := strings.CutPrefix(e.Message, "got newline, want "); ok { // the parser reports it in the next line
			e.Message = "expected " + rest + ", found the end of the line"
			if at := &e.Frames[0]; at.Col == 1 && at.Line > 1 && texts != nil {
				at.Line--
				at.Col = utf8.RuneCountInString(texts.line(at.File, at.Line)) + 1
			}
		}
		if at := e.At(); texts != nil {
			e.Hint = foreignHint(e.Message, texts.line(at.File, at.Line))
		}
	case errors.As(err, &unsure):
		e.Kind, e.Message, e.Frames = Invalid, unsure[0].Msg, []Frame{frameAt("", unsure[0].Pos)}
	}
	e.Message = truncateMessage(e.Message)
	e.setLine(texts)
	return e
}

// maxMessageLength limits messages, in bytes: they contain values, and some are large.
const maxMessageLength = 1000

func truncateMessage(s string) string {
	if len(s) <= maxMessageLength {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessageLength], "") + "..."
}

// setLine records the source line.
func (e *Error) setLine(texts *fileSet) {
	if at := e.At(); at.Line > 0 && e.Line == "" {
		e.Line = texts.line(at.File, at.Line)
	}
}

func frameAt(name string, pos syntax.Position) Frame {
	if name == "<toplevel>" {
		name = ""
	}
	return Frame{Name: name, File: pos.Filename(), Line: int(pos.Line), Col: int(pos.Col)}
}
