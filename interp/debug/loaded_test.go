package debug

import (
	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/lang/ast"
)

// loaded sets one die, and does nothing else.
type loaded struct {
	at, n int
	face  int64
}

func (l *loaded) Begin(*session.Stage)                            {}
func (l *loaded) End()                                            {}
func (l *loaded) Statement(string, ast.Span) bool                 { return true }
func (l *loaded) Instruction(*machine.Machine, int32)             {}
func (l *loaded) Enter(*machine.Machine, *machine.Evaluation)     {}
func (l *loaded) Leave(*machine.Machine, int64)                   {}
func (l *loaded) Gained(_ *machine.Machine, effect, bearer int32) {}
func (l *loaded) Die(_ string, _ *machine.Result, face int64) int64 {
	if l.n++; l.n-1 == l.at {
		return l.face
	}
	return face
}
