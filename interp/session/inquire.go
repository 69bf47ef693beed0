package session

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/stdlib/journal"
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

// mostSteps, from one die or choice to the next, are gone to count a command out.
const mostSteps = 40_000

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
	if !ok {
		return nil, diag.List{{File: prompt, Severity: diag.Error, Code: "no-command", Message: "this is no command of anybody", Hint: "ask about one: ?WHO: COMMAND"}}
	}
	stmts, vars, diags := p.names.Statement(cmd)
	if len(diags) > 0 {
		return nil, diags
	}
	if cmd.Who == nil { // a procedure of nobody
		return nil, diag.List{{File: prompt, Span: cmd.Span, Severity: diag.Error, Code: "no-command", Message: "nobody is to do this", Hint: "ask about a command: ?WHO: COMMAND"}}
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
	x := &Inquiry{Command: strings.TrimSpace(p.source(cmd.Who) + ": " + strings.TrimPrefix(text, p.source(cmd.Who)+":")), Costs: []string{}, Is: []string{}, Stirs: []string{}, Odds: []Odds{}, Means: []Mean{}}
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

// odds counts out what a command can come to, die after die: each face has its share, and ways that have come to the same go
// on together. What is to be chosen is chosen by default: reactions are taken.
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
	made, good := map[string]float64{}, map[string]float64{} // by the check
	var order []string
	mark := m.Journal.Mark()

	// way is how it stands at a die or a choice, with the share that comes to it.
	type way struct {
		state   *machine.State
		written journal.Mark
		thrown  string // the checks so far, in their order
		asked   machine.Result
		share   float64
	}
	var open []way
	var spare []*machine.State // of ways that have been gone
	known := map[string]int{}  // of open, by state and checks
	steps := 0
	// gone takes what a way has come to since it was at a mark.
	gone := func(r machine.Result, from journal.Mark, thrown string, share float64) {
		for _, e := range m.Journal.Since(from) {
			if e.Kind != machine.CheckThrown {
				continue
			}
			name := strings.TrimSpace(p.nameOf(int64(e.Who)) + " " + m.Program().Labels[m.Program().Checks[e.Code].Label].Name)
			nth := strings.Count(thrown, "\n"+name+"\n") + 1
			thrown += "\n" + name + "\n"
			if nth > 1 {
				name += fmt.Sprintf(" (%d)", nth)
			}
			if _, met := made[name]; !met {
				order = append(order, name)
			}
			made[name] += share
			if e.Text == 1 {
				good[name] += share
			}
		}
		switch r.Status {
		case machine.NeedDie, machine.NeedChoice:
			if name := strings.TrimSpace(l.who(&r) + " " + r.Label); r.Status == machine.NeedChoice && r.Kind == machine.Reaction && !slices.Contains(x.Stirs, name) {
				x.Stirs = append(x.Stirs, name)
			}
			key := fmt.Sprintf("%x %s", m.State().Hash(), thrown)
			if at, met := known[key]; met {
				open[at].share += share
				return
			}
			known[key] = len(open)
			state := new(machine.State)
			if k := len(spare); k > 0 {
				state, spare = spare[k-1], spare[:k-1]
			}
			state.CopyFrom(m.State())
			open = append(open, way{state, m.Journal.Mark(), thrown, r, share})
		case machine.Done:
			for i := range n {
				if p.defeated(int32(i)) {
					down[i] += share
				}
				for k := range resources {
					mean[i*resources+k] += share * float64(m.Resource(int32(i), int32(k)))
				}
			}
		}
	}
	gone(start(), mark, "", 1)
	for len(open) > 0 {
		ways := open
		open, known = nil, map[string]int{}
		for _, w := range ways {
			first, last := int64(1), int64(w.asked.Sides)
			if w.asked.Status == machine.NeedChoice {
				first = byDefault(&w.asked, false)
				last = first
			}
			for v := first; v <= last; v++ {
				if steps++; steps > mostSteps {
					m.Abort()
					x.Many = true
					return
				}
				m.Restore(w.state)
				m.Journal.Truncate(w.written)
				m.Forget(int32(w.written) + 1)
				gone(m.Resume(v), w.written, w.thrown, w.share/float64(last-first+1))
			}
			spare = append(spare, w.state)
		}
	}
	for _, name := range order {
		x.Odds = append(x.Odds, Odds{Roll: name, Made: rounded(made[name]), Success: rounded(good[name] / made[name])})
	}
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
