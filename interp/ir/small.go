package ir

// This file tells which bodies are small enough to stand in the place of a call.

// Smallness says how many expressions a body has, if it is plain and has at most MaxSmall: Large otherwise, 0 if nobody
// has looked. It is known also of a body that a snapshot has left for later.
type Smallness int32

const (
	MaxSmall           = 48
	Large    Smallness = -1
)

// SmallnessOf counts the expressions of a body. A plain one uses neither a list nor a variable that only a rule of its
// own has, and so can stand in other code.
func SmallnessOf(body *Expr) Smallness {
	size, plain := 0, true
	WalkExpr(body, func(e *Expr) {
		size++
		if e.Query != nil || e.Call != nil || e.Plan != nil {
			plain = false
		}
		if v := e.Var; e.Op == OpVar && (v == nil || v.Kind == VarWithin || v.Kind == VarMemory || v.Kind == VarInstance) {
			plain = false
		}
	})
	if !plain || size > MaxSmall {
		return Large
	}
	return Smallness(size)
}

// AtMost says whether a body is small, with at most a number of expressions.
func (s Smallness) AtMost(limit int) bool { return s >= 0 && int(s) <= limit }
