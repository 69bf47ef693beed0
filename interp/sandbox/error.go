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

// Kind says whose fault an error is, or which limit was reached.
type Kind uint8

const (
	Failed   Kind = iota // by the script: fail(), a wrong type, a missing key, a file that is not there
	Invalid              // the text is no Starlark, or uses what the sandbox leaves out
	Steps                // the limit of steps
	Memory               // the limit of bytes
	Depth                // the limit of calls inside each other, of nesting, or recursion
	Refused              // by the host: see Refuse
	Internal             // a fault of the sandbox or of the host
)

var kindNames = [...]string{"failed", "invalid", "steps", "memory", "depth", "refused", "internal"}

func (k Kind) String() string { return kindNames[k] }

// Frame is a place in the text as its author wrote it. Line and Col count from 1, Col in runes; Line 0 is an unknown place.
type Frame struct {
	Name string // of the function; "" is the top level of the file
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

// Error is what went wrong in a script, and where.
type Error struct {
	Kind    Kind
	Message string
	Hint    string  // what to do about it; may be empty
	Frames  []Frame // the calls that led here, innermost last; empty when no place is known
	Line    string  // the text of the line of the innermost frame, for a caret under Col
	Cause   error   // what the host said, if it was the host
}

// At gives the innermost frame, the zero Frame when no place is known.
func (e *Error) At() Frame {
	if len(e.Frames) == 0 {
		return Frame{}
	}
	return e.Frames[len(e.Frames)-1]
}

// Error gives the place and the message in one line, without the hint.
func (e *Error) Error() string {
	if len(e.Frames) == 0 {
		return e.Message
	}
	return e.At().String() + ": " + e.Message
}

// Refuse is the error with which a function or a value of the host tells a script that it may not do what it tries: it
// becomes an Error of the kind Refused. Any other error of the host becomes one of the kind Failed.
func Refuse(hint, format string, args ...any) error {
	return &stop{kind: Refused, message: fmt.Sprintf(format, args...), hint: hint}
}

// stop is an error on its way through the interpreter: what it says, before it is known where.
type stop struct {
	kind          Kind
	message, hint string
}

func (s *stop) Error() string { return s.message }

func stopped(kind Kind, hint, format string, args ...any) *stop {
	return &stop{kind: kind, message: fmt.Sprintf(format, args...), hint: hint}
}

// asError gives an error of the parser, the resolver or the interpreter its kind and its places.
func asError(err error, texts *texts) *Error {
	var done *Error
	if errors.As(err, &done) { // of the check, or of a file that this one loads
		done.show(texts)
		return done
	}
	e := &Error{Kind: Failed, Message: err.Error(), Cause: err}
	var (
		s      *stop
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
			if f.Pos.Line > 0 { // a built-in function has no place
				e.Frames = append(e.Frames, frame(f.Name, f.Pos))
			}
		}
		// Arguments that do not fit are the caller's fault; the interpreter finds out in the function that is called.
		if at := e.At(); len(e.Frames) > 1 && strings.HasPrefix(e.Message, "function "+at.Name+" ") {
			e.Frames = e.Frames[:len(e.Frames)-1]
		}
		if s == nil && strings.HasSuffix(e.Message, "called recursively") {
			e.Kind, e.Hint = Depth, "a function cannot call itself, directly or indirectly: use a for loop"
		}
	case errors.As(err, &parse):
		e.Kind, e.Message, e.Frames = Invalid, parse.Msg, []Frame{frame("", parse.Pos)}
		if rest, ok := strings.CutPrefix(e.Message, "got newline, want "); ok { // which the parser finds at the line behind it
			e.Message = "expected " + rest + ", found the end of the line"
			if at := &e.Frames[0]; at.Col == 1 && at.Line > 1 && texts != nil {
				at.Line--
				at.Col = utf8.RuneCountInString(texts.line(at.File, at.Line)) + 1
			}
		}
		if strings.HasPrefix(e.Message, "got import,") {
			e.Hint = "there is no import; load(\"FILE.star\", \"NAME\") loads a definition from a file next to this one"
		}
	case errors.As(err, &unsure):
		e.Kind, e.Message, e.Frames = Invalid, unsure[0].Msg, []Frame{frame("", unsure[0].Pos)}
	}
	e.Message = shortened(e.Message)
	e.show(texts)
	return e
}

// longestMessage is in bytes: a message names values, and some are large.
const longestMessage = 1000

func shortened(s string) string {
	if len(s) <= longestMessage {
		return s
	}
	return strings.ToValidUTF8(s[:longestMessage], "") + "..."
}

// show notes the text of the line.
func (e *Error) show(texts *texts) {
	if at := e.At(); at.Line > 0 && e.Line == "" {
		e.Line = texts.line(at.File, at.Line)
	}
}

func frame(name string, pos syntax.Position) Frame {
	if name == "<toplevel>" {
		name = ""
	}
	return Frame{Name: name, File: pos.Filename(), Line: int(pos.Line), Col: int(pos.Col)}
}
