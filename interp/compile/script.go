package compile

import (
	"maps"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/program"
)

// This file compiles loose statements and expressions against a linked program: scripts, tests and the prompt.

// Script compiles loose code, piece by piece, into the program that it was made with. The variables of a script are in
// registers from 1 on (register 0 is none) and stay there from piece to piece.
type Script struct {
	// Complete reads the code of the rules that has been left for later; nil: everything is there. It is called, and the
	// piece compiled again, if compiling fails: hardly any piece needs more than what is at hand.
	Complete func()

	c    *compiler
	vars []*ir.Var
}

// NewScript returns a Script for a program. Compiling a piece appends to the program, so no machine may run it
// meanwhile, and no two scripts may share it: Clone a program that is shared. A duration of a script that waits for a
// procedure needs a program compiled with AnnounceAll.
func NewScript(p *program.Program, rs *ir.Ruleset) *Script {
	c := newCompiler(rs, Options{Cover: p.RecordsCoverage, Marked: p.Marked, Neutral: p.Neutral}, p)
	c.procName, c.tables = p.Index().Procs, tablesOf(p)
	return &Script{c: c}
}

// Piece is compiled loose code.
type Piece struct {
	Chunk         int32
	VarShapes     []program.Shape // of the variables
	InitialValues []program.InitialValue
	Type          int32 // of a value
}

// Checkpoint counts what a state may refer to by index: the variables that statements have bound, their plans,
// durations, texts and lists, and the labels of their dice.
type Checkpoint struct{ variables, plans, durations, labels, texts, heap int }

// Checkpoint returns the counts of what the statements so far have made.
func (s *Script) Checkpoint() Checkpoint {
	return Checkpoint{len(s.vars), len(s.c.p.Plans), len(s.c.p.Durations), len(s.c.p.Labels), len(s.c.p.Texts), len(s.c.p.Heap)}
}

// Rollback discards what was made later, so that a statement that is compiled again gets the same indexes.
func (s *Script) Rollback(since Checkpoint) {
	c := s.c
	s.vars = s.vars[:since.variables]
	waits := len(c.p.Plans) > since.plans || len(c.p.Durations) > since.durations
	c.p.Plans, c.p.Durations = c.p.Plans[:since.plans], c.p.Durations[:since.durations]
	c.p.Labels, c.p.Texts, c.p.Heap = c.p.Labels[:since.labels], c.p.Texts[:since.texts], c.p.Heap[:since.heap]
	maps.DeleteFunc(c.lists, func(_ string, at int64) bool { return at >= int64(since.heap) })
	c.texts.forget(since.texts)
	c.labels.forget(since.labels)
	if !waits {
		return
	}
	c.p.OwnPoints()
	for i := range c.p.Points {
		p := &c.p.Points[i]
		p.Plans = slices.DeleteFunc(p.Plans, func(h program.PlanRule) bool { return int(h.Plan) >= since.plans })
		p.Endings = slices.DeleteFunc(p.Endings, func(e program.Ending) bool { return int(e.Duration) >= since.durations })
	}
	maps.DeleteFunc(c.plans, func(_ *ir.Plan, id int32) bool { return int(id) >= since.plans })
	maps.DeleteFunc(c.durations, func(_ *ir.Duration, id int32) bool { return int(id) >= since.durations })
}

// Statements compiles acting statements; their commands pay and may be refused.
func (s *Script) Statements(stmts []*ir.Stmt, vars []*ir.Var) (Piece, error) {
	return s.orAgain(func() (Piece, error) { return s.statements(stmts, vars) })
}

// Expression compiles a pure expression.
func (s *Script) Expression(e *ir.Expr, vars []*ir.Var) (Piece, error) {
	return s.orAgain(func() (Piece, error) { return s.expression(e, vars) })
}

// orAgain compiles, and once more with all code of the rules at hand if that fails.
func (s *Script) orAgain(compile func() (Piece, error)) (Piece, error) {
	since := s.Checkpoint()
	piece, err := compile()
	if err != nil && s.Complete != nil {
		s.Complete()
		s.Complete = nil
		s.Rollback(since)
		clear(s.c.inlinable)
		return compile()
	}
	return piece, err
}

func (s *Script) statements(stmts []*ir.Stmt, vars []*ir.Var) (Piece, error) {
	c := s.c
	points := len(c.p.Points)
	c.collectWaits(stmts, nil)
	if len(c.p.Points) > points {
		err := &Error{Message: c.p.Points[points].Name + " is announced only in a program that is compiled for scripts"}
		c.points.forget(points)
		c.p.Points = c.p.Points[:points]
		return Piece{}, err
	}
	f := s.begin("script", vars)
	f.mayAct, f.callsAreCommands = true, true
	f.declareStmts(stmts)
	f.body(stmts)
	f.end()
	piece := s.piece(f, -1)
	c.compileWhiles()
	c.compilePlans()
	return piece, s.takeError()
}

func (s *Script) expression(e *ir.Expr, vars []*ir.Var) (Piece, error) {
	f := s.begin("expression", vars)
	f.declareExprs(e)
	f.returnExpr(e)
	return s.piece(f, s.c.typeOf(e.Type)), s.takeError()
}

func (s *Script) begin(name string, vars []*ir.Var) *chunkBuilder {
	s.c.p.Dice = append(s.c.p.Dice, s.c.rs.DiceExprs[len(s.c.p.Dice):]...) // those that only the script rolls
	known := map[*ir.Var]bool{}
	for _, v := range s.vars {
		known[v] = true
	}
	for _, v := range vars {
		if !known[v] {
			known[v] = true
			s.vars = append(s.vars, v)
		}
	}
	f := s.c.newChunk(name, 1+len(s.vars))
	f.self = -1
	f.block(0)
	for i, v := range s.vars {
		f.vars[v] = 1 + i
	}
	return f
}

func (s *Script) piece(f *chunkBuilder, typ int32) Piece {
	piece := Piece{Type: typ, InitialValues: f.initialValues()}
	for _, v := range s.vars {
		piece.VarShapes = append(piece.VarShapes, program.ShapeOf(v.Type))
	}
	piece.Chunk = f.finish(program.Scalar)
	s.c.addPropertyDefaults()
	return piece
}

func (s *Script) takeError() error {
	err := s.c.err
	s.c.err = nil
	return err
}

// InitialEffect compiles an initial effect of a creature that a script places.
func (s *Script) InitialEffect(g ir.InitialEffect) program.InitialEffect { return s.c.initialEffect(g) }

// TypeOf returns the index of a type in the program.
func (s *Script) TypeOf(t ir.Type) int32 { return s.c.typeOf(t) }

// Const returns the value of a constant: a field of a creature that a script places.
func (s *Script) Const(k *ir.Const, t ir.Type) int64 { return s.c.valueOf(k, t) }
