package session

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/odds"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/stdlib/resource"
)

// This file predicts the result of a command: whether it is allowed, what it costs, and how likely it is to succeed.
// The command is not carried out.

// Inquiry is the prediction for a command.
type Inquiry struct {
	Command  string      `json:"command"`
	Legal    bool        `json:"legal"`
	Why      string      `json:"why,omitempty"`   // why it is not legal
	Where    string      `json:"where,omitempty"` // PATH:LINE of the rule that forbids it
	Costs    []string    `json:"costs"`           // the available ways to pay: "standard-action"
	Is       []string    `json:"is"`              // its properties: "provokes"
	Triggers []string    `json:"triggers"`        // reactions that it may trigger: "Bron parry"
	Odds     []CheckOdds `json:"odds"`            // of the checks that it makes, in order
	Means    []Mean      `json:"means"`           // what it changes on average
	TooMany  bool        `json:"many,omitempty"`  // too many outcomes to compute odds

	Amounts []AmountChance `json:"amounts,omitempty"` // what may change, with every value that it may get
}

// CheckOdds are the odds of one check: how often it is made, and how often it succeeds if made.
type CheckOdds struct {
	Roll    string  `json:"roll"` // Alia strike.to-hit
	Made    float64 `json:"made"`
	Success float64 `json:"success"`
}

// Mean is the mean of an amount, or the probability that a creature is out of the fight.
type Mean struct {
	Who  string  `json:"who"`
	Name string  `json:"name"` // the resource; "" for being out of the fight
	Now  float64 `json:"now"`
	Mean float64 `json:"mean"`
}

// question is a command that is only being asked about.
type question struct {
	text  string // WHO: COMMAND
	cmd   *ast.Command
	stmts []*ir.Stmt
	who   int32
	proc  int32
	args  []int64
}

// question parses a command and evaluates its arguments.
func (l *Live) question(text string) (*question, diag.List) {
	p := l.p
	p.script.Rules.Sources[prompt] = []byte(text)
	clauses, diags := parse.Statement(prompt, text)
	if len(diags) > 0 {
		return nil, diags
	}
	switch len(clauses) {
	case 0:
	case 1:
		clauses[0] = l.acting(clauses[0])
	default:
		return nil, diag.List{{File: prompt, Span: clauses[1].Extent(), Severity: diag.Error, Code: "no-command", Message: "this is a second command",
			Hint: "ask about one at a time: do the first in the script or at the prompt, then ask about the second"}}
	}
	cmd, ok := (*ast.Command)(nil), len(clauses) == 1
	if ok {
		cmd, ok = clauses[0].(*ast.Command)
	}
	if !ok {
		var all ast.Span
		if len(clauses) > 0 {
			all = clauses[0].Extent()
		}
		return nil, diag.List{{File: prompt, Span: all, Severity: diag.Error, Code: "no-command", Message: "this is not a command of a creature", Hint: "the form is: WHO: COMMAND"}}
	}
	stmts, vars, diags := p.names.Statements(cmd)
	if len(diags) > 0 {
		return nil, diags
	}
	if cmd.Who == nil { // a procedure without an actor
		return nil, diag.List{{File: prompt, Span: cmd.Span, Severity: diag.Error, Code: "no-command", Message: "who is to do this?", Hint: "the form is: WHO: COMMAND"}}
	}
	if d := p.absentIn(cmd.Span, stmts); d != nil {
		return nil, diag.List{*d}
	}
	call, failed := stmts[0].Call, len(p.result.Failures)
	if _, err := p.compiler.Statements(stmts, vars); err != nil { // for the plans among the arguments
		return nil, diag.List{{File: prompt, Span: cmd.Span, Severity: diag.Error, Code: "no-command", Message: "what waits for an event can be asked about only at a prompt", Hint: "begin one with `arbiter play FILE`, then type ?COMMAND"}}
	}
	who, _ := p.eval(cmd.Span, call.Who, vars)
	q := &question{cmd: cmd, stmts: stmts, who: int32(who), proc: int32(call.Proc.Index), args: make([]int64, len(call.Args))}
	for i, a := range call.Args {
		q.args[i] = program.Absent
		if a != nil {
			q.args[i] = p.argument(cmd.Span, a, vars)
		}
	}
	if p.stopped {
		return nil, slices.Clone(p.result.Failures[failed:])
	}
	q.text = strings.Join(strings.Fields(p.source(cmd.Who)+": "+strings.TrimPrefix(strings.TrimSpace(text), p.source(cmd.Who)+":")), " ")
	return q, nil
}

// argument evaluates an argument of a command. A list or a plan stays for as long as the command is asked about.
func (p *player) argument(span ast.Span, x *ir.Expr, vars []*ir.Var) int64 {
	piece, err := p.compiler.Expression(x, vars)
	if err != nil {
		p.halt(span, "too-large", "%s", err)
		return program.Absent
	}
	p.m.Relink()
	v, err := p.m.EvalKeeping(piece.Chunk, p.m.Vars()...)
	if err != nil {
		p.failed(span, err)
	}
	return v
}

// Inquire predicts the result of a command.
func (l *Live) Inquire(text string) (*Inquiry, diag.List) {
	p := l.p
	if l.aside > 0 {
		return nil, diag.List{{File: prompt, Severity: diag.Error, Code: "refused", Message: "a command waits for its answer", Hint: "answer first, then ask about another"}}
	}
	before := p.snapshot()
	defer func() { p.restore(before) }()
	q, diags := l.question(text)
	if len(diags) > 0 {
		return nil, diags
	}
	x := &Inquiry{Command: q.text, Costs: []string{}, Is: []string{}, Triggers: []string{}, Odds: []CheckOdds{}, Means: []Mean{}}
	part := int32(-1)
	x.Legal, part, x.Why = p.m.Legal(q.who, q.proc, q.args)
	if why := p.outOfTurn(q.cmd, q.stmts); x.Legal && why != "" {
		x.Legal, x.Why = false, why
	}
	if part >= 0 && int(part) < len(p.checked.Parts) {
		if x.Why == "" {
			x.Why = p.refusalReason(&machine.Result{Part: part})
		}
		x.Where = p.at(p.checked.Parts[part].Pos)
	}
	l.addCosts(x, q)
	if x.Legal {
		l.addOdds(x, q)
	}
	return x, nil
}

// Begins reports whether a text begins with a combatant or an action; it is then meant as a command, or as a stat of
// the combatant.
func (l *Live) Begins(text string) bool {
	first := text
	if i := strings.IndexAny(text, " .:#"); i >= 0 {
		first = text[:i]
	}
	if slices.Contains(l.Names(), first) {
		return true
	}
	p, ok := l.p.checked.Lookup(first).(*ir.Proc)
	return ok && p.Name == first && first != text
}

// Understands reports whether a text is a command of a creature, or changes one, and has no mistakes. Whether it is
// allowed does not matter.
func (l *Live) Understands(text string) bool {
	clauses, diags := parse.Statement(prompt, text)
	if len(diags) > 0 || len(clauses) != 1 {
		return false
	}
	cl := l.acting(clauses[0])
	switch cl := cl.(type) {
	case *ast.Command:
		if cl.Who == nil {
			return false
		}
	case *ast.Gain:
	default:
		return false
	}
	before := l.p.snapshot()
	defer func() { l.p.restore(before) }()
	stmts, _, diags := l.p.names.Statements(cl)
	return len(diags) == 0 && l.p.absentIn(cl.Extent(), stmts) == nil
}

// Vocabulary lists the names of what the rules define that a command can contain: procedures, things, effects and
// resources.
func (l *Live) Vocabulary() (names []string) {
	c := l.p.checked
	for _, x := range c.Procs {
		names = append(names, x.Name)
	}
	for _, x := range c.Templates {
		if x.Kind != c.Kinds[0] { // a command is about combatants, not about what they are made of
			names = append(names, x.Name)
		}
	}
	for _, x := range c.Effects {
		names = append(names, x.Name)
	}
	for _, x := range c.Resources {
		names = append(names, x.Name)
	}
	return names
}

// addCosts determines the costs and properties of a command.
func (l *Live) addCosts(x *Inquiry, q *question) {
	m := l.p.m
	filled, err := m.FillArgs(q.who, q.proc, q.args)
	if err != nil {
		return
	}
	holds := func(chunk int32) bool {
		v, err := m.Eval(chunk, filled...)
		return err == nil && v != 0
	}
	pr := m.Program()
	for _, c := range pr.Procs[q.proc].Costs {
		if c.Guard != program.NoChunk && !holds(c.Guard) {
			continue
		}
		var parts []string
		for _, part := range c.Parts {
			n := int64(part.Count)
			if part.Amount != program.NoChunk {
				n, _ = m.Eval(part.Amount, filled...)
			}
			name := pr.Resources[part.Resource].Name
			if n != 1 {
				name = fmt.Sprintf("%d %s", n, name)
			}
			parts = append(parts, name)
		}
		if len(parts) > 0 {
			x.Costs = append(x.Costs, strings.Join(parts, " and "))
		}
	}
	for i, chunk := range pr.Procs[q.proc].Properties {
		if chunk != program.NoChunk && i < len(pr.Properties) && holds(chunk) {
			x.Is = append(x.Is, pr.Properties[i])
		}
	}
}

// priceOf returns what a command costs, by resource: the first of its costs that can be paid.
func (l *Live) priceOf(q *question) map[int32]int64 {
	m := l.p.m
	filled, err := m.FillArgs(q.who, q.proc, q.args)
	if err != nil {
		return nil
	}
	for _, c := range m.Program().Procs[q.proc].Costs {
		if c.Guard != program.NoChunk {
			if v, err := m.Eval(c.Guard, filled...); err != nil || v == 0 {
				continue
			}
		}
		price, payable := map[int32]int64{}, true
		for _, part := range c.Parts {
			n := int64(part.Count)
			if part.Amount != program.NoChunk {
				n, _ = m.Eval(part.Amount, filled...)
			}
			price[part.Resource] += n
			low, _, err := m.Bounds(q.who, part.Resource)
			payable = payable && err == nil && (low == resource.NoFloor || m.Resource(q.who, part.Resource)-n >= low)
		}
		if payable {
			return price
		}
	}
	return nil
}

// addOdds computes the odds of a command.
func (l *Live) addOdds(x *Inquiry, q *question) {
	c, err := l.computeOdds([]*question{q}, odds.Options{})
	if many := (*odds.TooManyError)(nil); errors.As(err, &many) {
		x.TooMany = true
	}
	if c == nil {
		return
	}
	x.Triggers = append(append(x.Triggers, c.Reactions...), c.Declined...)
	for _, k := range c.Checks {
		x.Odds = append(x.Odds, CheckOdds{Roll: k.Roll, Made: k.Made.Float(), Success: k.Success.Float()})
	}
	for _, a := range c.Amounts {
		if !a.isPrice() && !a.Internal && a.Mean.Cmp(new(big.Rat).SetInt64(a.Now)) != 0 {
			x.Means = append(x.Means, Mean{Who: a.Who, Name: a.Name, Now: float64(a.Now), Mean: a.Mean.Float()})
			x.Amounts = append(x.Amounts, a)
		}
	}
	for _, f := range c.Falls {
		x.Means = append(x.Means, Mean{Who: f.Who, Mean: f.Share.Float()})
	}
	slices.SortStableFunc(x.Means, func(a, b Mean) int { return cmp.Compare(l.p.memberOf(a.Who), l.p.memberOf(b.Who)) })
}
