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
)

// This file answers what would come of a command, before it is given: whether it is allowed, what it costs, and how likely
// it is to succeed. Nothing of it happens.

// Inquiry is what would come of a command.
type Inquiry struct {
	Command string   `json:"command"`
	Legal   bool     `json:"legal"`
	Why     string   `json:"why,omitempty"`   // it is not, and where the rule stands that says so
	Where   string   `json:"where,omitempty"` // PATH:LINE
	Costs   []string `json:"costs"`           // the ways to pay that there are: "standard-action"
	Is      []string `json:"is"`              // the properties that it has: "provokes"
	Stirs   []string `json:"stirs"`           // the reactions that may answer it: "Bron parry"
	Odds    []Odds   `json:"odds"`            // of the checks that it makes, in their order
	Means   []Mean   `json:"means"`           // what it changes, on the average
	Many    bool     `json:"many,omitempty"`  // too much can come of it to count it out: no odds
}

// Odds of one check: how often it is made at all, and how often it succeeds when it is made.
type Odds struct {
	Roll    string  `json:"roll"` // Alia strike.blow
	Made    float64 `json:"made"`
	Success float64 `json:"success"`
}

// Mean is what an amount of somebody is on the average, and how likely a creature is to be out of the fight.
type Mean struct {
	Who  string  `json:"who"`
	Name string  `json:"name"` // of the resource; "" for being out of the fight
	Now  float64 `json:"now"`
	Mean float64 `json:"mean"`
}

// question is a command that is only asked about.
type question struct {
	text  string // WHO: COMMAND
	cmd   *ast.Command
	stmts []*ir.Stmt
	who   int32
	proc  int32
	args  []int64
}

// question reads a command of somebody, and works out what is named in it.
func (l *Live) question(text string) (*question, diag.List) {
	p := l.p
	p.script.Rules.Sources[prompt] = []byte(text)
	clauses, diags := parse.Statement(prompt, text)
	if len(diags) > 0 {
		return nil, diags
	}
	if len(clauses) == 1 {
		clauses[0] = l.acting(clauses[0])
	}
	cmd, ok := (*ast.Command)(nil), len(clauses) == 1
	if ok {
		cmd, ok = clauses[0].(*ast.Command)
	}
	if !ok {
		var all ast.Span
		if n := len(clauses); n > 0 {
			all = ast.Span{Start: clauses[0].Extent().Start, End: clauses[n-1].Extent().End}
		}
		return nil, diag.List{{File: prompt, Span: all, Severity: diag.Error, Code: "no-command", Message: "this is no command of anybody", Hint: "the form is: WHO: COMMAND"}}
	}
	stmts, vars, diags := p.names.Statement(cmd)
	if len(diags) > 0 {
		return nil, diags
	}
	if cmd.Who == nil { // a procedure of nobody
		return nil, diag.List{{File: prompt, Span: cmd.Span, Severity: diag.Error, Code: "no-command", Message: "nobody is to do this", Hint: "the form is: WHO: COMMAND"}}
	}
	call, failed := stmts[0].Call, len(p.result.Failures)
	who, _ := p.eval(cmd.Span, call.Who, vars)
	q := &question{cmd: cmd, stmts: stmts, who: int32(who), proc: int32(call.Proc.Index), args: make([]int64, len(call.Args))}
	for i, a := range call.Args {
		q.args[i] = program.Absent
		if a != nil {
			q.args[i], _ = p.eval(cmd.Span, a, vars)
		}
	}
	if p.stopped {
		return nil, slices.Clone(p.result.Failures[failed:])
	}
	q.text = strings.Join(strings.Fields(p.source(cmd.Who)+": "+strings.TrimPrefix(text, p.source(cmd.Who)+":")), " ")
	return q, nil
}

// Inquire says what would come of a command.
func (l *Live) Inquire(text string) (*Inquiry, diag.List) {
	p := l.p
	before := p.moment()
	defer func() { p.recall(before) }()
	q, diags := l.question(text)
	if len(diags) > 0 {
		return nil, diags
	}
	x := &Inquiry{Command: q.text, Costs: []string{}, Is: []string{}, Stirs: []string{}, Odds: []Odds{}, Means: []Mean{}}
	part := int32(-1)
	x.Legal, part, x.Why = p.m.Legal(q.who, q.proc, q.args)
	if why := p.outOfTurn(q.cmd, q.stmts); x.Legal && why != "" {
		x.Legal, x.Why = false, why
	}
	if part >= 0 && int(part) < len(p.rs.Parts) {
		if x.Why == "" {
			x.Why = p.why(&machine.Result{Part: part})
		}
		x.Where = p.at(p.rs.Parts[part].Pos)
	}
	l.price(x, q)
	if x.Legal {
		l.odds(x, q)
	}
	return x, nil
}

// Begins tells a text that begins with somebody or with a deed: it is meant as a command, or as a number of somebody.
func (l *Live) Begins(text string) bool {
	first := text
	if i := strings.IndexAny(text, " .:#"); i >= 0 {
		first = text[:i]
	}
	if slices.Contains(l.Names(), first) {
		return true
	}
	p, ok := l.p.rs.Lookup(first).(*ir.Proc)
	return ok && p.Name == first && first != text
}

// price says what a command costs and what it is.
func (l *Live) price(x *Inquiry, q *question) {
	m := l.p.m
	filled, err := m.Filled(q.who, q.proc, q.args)
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

// odds counts out what a command can come to.
func (l *Live) odds(x *Inquiry, q *question) {
	c, err := l.chances(q, odds.Options{})
	if many := (*odds.TooMany)(nil); errors.As(err, &many) {
		x.Many = true
	}
	if c == nil {
		return
	}
	x.Stirs = append(append(x.Stirs, c.Reactions...), c.Declined...)
	for _, k := range c.Checks {
		x.Odds = append(x.Odds, Odds{Roll: k.Roll, Made: k.Made.Float(), Success: k.Success.Float()})
	}
	for _, a := range c.Amounts {
		if a.Mean.Cmp(new(big.Rat).SetInt64(a.Now)) != 0 {
			x.Means = append(x.Means, Mean{Who: a.Who, Name: a.Name, Now: float64(a.Now), Mean: a.Mean.Float()})
		}
	}
	for _, f := range c.Falls {
		x.Means = append(x.Means, Mean{Who: f.Who, Mean: f.Share.Float()})
	}
	slices.SortStableFunc(x.Means, func(a, b Mean) int { return cmp.Compare(l.p.memberOf(a.Who), l.p.memberOf(b.Who)) })
}
