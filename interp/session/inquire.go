package session

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"arbiter/interp/machine"
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
	Odds    []Odds   `json:"odds"`            // of the checks that it makes, in their order
	Means   []Mean   `json:"means"`           // what it changes, on the average
	Many    bool     `json:"many,omitempty"`  // too many outcomes to count them out: no odds
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

// mostOutcomes of a command are counted out.
const mostOutcomes = 4_000

// Inquire says what would come of a command.
func (l *Live) Inquire(text string) (*Inquiry, diag.List) {
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
	if !ok || cmd.Who == nil {
		return nil, diag.List{{File: prompt, Severity: diag.Error, Code: "no-command", Message: "this is no command of anybody", Hint: "ask about one: ?WHO: COMMAND"}}
	}
	stmts, vars, diags := p.names.Statement(cmd)
	if len(diags) > 0 {
		return nil, diags
	}
	call := stmts[0].Call
	before := p.moment()
	defer func() { p.recall(before) }()
	who, _ := p.eval(cmd.Span, call.Who, vars)
	args := make([]int64, len(call.Args))
	for i, a := range call.Args {
		args[i] = program.Absent
		if a != nil {
			args[i], _ = p.eval(cmd.Span, a, vars)
		}
	}
	if p.stopped {
		return nil, slices.Clone(p.result.Failures[before.failed:])
	}
	proc := int32(call.Proc.Index)
	x := &Inquiry{Command: strings.TrimSpace(p.source(cmd.Who) + ": " + strings.TrimPrefix(text, p.source(cmd.Who)+":")), Costs: []string{}, Is: []string{}, Odds: []Odds{}, Means: []Mean{}}
	x.Command = strings.Join(strings.Fields(x.Command), " ")
	part := int32(-1)
	x.Legal, part, x.Why = p.m.Legal(int32(who), proc, args)
	if why := p.outOfTurn(cmd, stmts); x.Legal && why != "" {
		x.Legal, x.Why = false, why
	}
	if part >= 0 && int(part) < len(p.rs.Parts) {
		if x.Why == "" {
			x.Why = p.why(&machine.Result{Part: part})
		}
		x.Where = p.at(p.rs.Parts[part].Pos)
	}
	l.price(x, int32(who), proc, args)
	if x.Legal {
		l.odds(x, func() machine.Result { return p.m.Do(int32(who), proc, args) })
	}
	return x, nil
}

// price says what a command costs and what it is.
func (l *Live) price(x *Inquiry, who, proc int32, args []int64) {
	m := l.p.m
	filled, err := m.Filled(who, proc, args)
	if err != nil {
		return
	}
	holds := func(chunk int32) bool {
		v, err := m.Eval(chunk, filled...)
		return err == nil && v != 0
	}
	pr := m.Program()
	for _, c := range pr.Procs[proc].Costs {
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
	for i, chunk := range pr.Procs[proc].Properties {
		if chunk != program.NoChunk && i < len(pr.Properties) && holds(chunk) {
			x.Is = append(x.Is, pr.Properties[i])
		}
	}
}

// odds counts out what a command can come to: at each die the state forks, and each face has its share. What is to be
// chosen is chosen by default.
func (l *Live) odds(x *Inquiry, start func() machine.Result) {
	p := l.p
	m := p.m
	m.Asked = true
	n := len(p.members)
	resources := len(m.Program().Resources)
	now, mean := make([]float64, n*resources), make([]float64, n*resources)
	out, down := make([]bool, n), make([]float64, n)
	for i := range n {
		out[i] = p.defeated(int32(i))
		for k := range resources {
			now[i*resources+k] = float64(m.Resource(int32(i), int32(k)))
		}
	}
	type check struct {
		Odds
		at int
	}
	checks := map[string]*check{}
	mark := m.Journal.Mark()
	count := 0
	var explore func(r machine.Result, weight float64)
	explore = func(r machine.Result, weight float64) {
		if count > mostOutcomes {
			m.Abort()
			return
		}
		switch r.Status {
		case machine.NeedDie, machine.NeedChoice:
			here, written := m.State().Clone(), m.Journal.Mark()
			first, last, share := int64(1), int64(r.Sides), weight/float64(r.Sides)
			if r.Status == machine.NeedChoice {
				first = byDefault(&r, false)
				last, share = first, weight
			}
			for v := first; v <= last; v++ {
				m.Use(here.Clone())
				m.Journal.Truncate(written)
				m.Forget(int32(written) + 1)
				explore(m.Resume(v), share)
			}
		case machine.Done:
			count++
			nth := map[string]int{}
			for _, e := range m.Journal.Since(mark) {
				if e.Kind != machine.CheckThrown {
					continue
				}
				name := strings.TrimSpace(p.nameOf(int64(e.Who)) + " " + m.Program().Labels[m.Program().Checks[e.Code].Label].Name)
				if nth[name]++; nth[name] > 1 {
					name += fmt.Sprintf(" (%d)", nth[name])
				}
				c := checks[name]
				if c == nil {
					c = &check{Odds: Odds{Roll: name}, at: len(checks)}
					checks[name] = c
				}
				c.Made += weight
				if e.Text == 1 {
					c.Success += weight
				}
			}
			for i := range n {
				if p.defeated(int32(i)) {
					down[i] += weight
				}
				for k := range resources {
					mean[i*resources+k] += weight * float64(m.Resource(int32(i), int32(k)))
				}
			}
		}
	}
	explore(start(), 1)
	if x.Many = count > mostOutcomes; x.Many {
		return
	}
	for _, c := range checks {
		c.Success, c.Made = rounded(c.Success/c.Made), rounded(c.Made)
		x.Odds = append(x.Odds, c.Odds)
	}
	slices.SortFunc(x.Odds, func(a, b Odds) int { return cmp.Compare(checks[a.Roll].at, checks[b.Roll].at) })
	for i := range n {
		for k := range resources {
			at := i*resources + k
			if !p.out.paid[int32(k)] && math.Abs(mean[at]-now[at]) > 1e-9 {
				x.Means = append(x.Means, Mean{Who: p.members[i].name, Name: m.Program().Resources[k].Name, Now: now[at], Mean: rounded(mean[at])})
			}
		}
		if !out[i] && down[i] > 1e-9 {
			x.Means = append(x.Means, Mean{Who: p.members[i].name, Mean: rounded(down[i])})
		}
	}
}

// rounded takes off what adding up many shares has put on.
func rounded(v float64) float64 { return math.Round(v*1e9) / 1e9 }
