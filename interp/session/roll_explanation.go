package session

import (
	"fmt"
	"strings"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/words"
	"arbiter/stdlib/journal"
)

// This file explains a past roll: its dice, everything that was added, and what decided it.

// explainThrow explains a roll by its address.
func (p *player) explainThrow(address string, depth Depth) (*Explanation, error) {
	event, err := p.rollAt(address)
	if err != nil {
		return nil, err
	}
	out := &Explanation{Title: address, Parts: []Explained{}}
	for _, e := range p.result.Events {
		if e.Roll == address { // as told
			out.Title = e.Text
		}
	}
	switch {
	case event.Kind == machine.CheckRolled:
		if x := p.m.ExplanationOf(event.ID); x != nil {
			p.explainCheck(out, event, x, depth)
		}
	case event.C == 2:
		for _, x := range p.m.Explanations() {
			if x.Opposed == event.ID {
				out.Parts = append(out.Parts, p.dicePart(event, event.A))
				p.addAddends(out, x.Difficulty, depth, 1, nil)
				break
			}
		}
		out.inTitle = len(out.Parts) <= 2
	default:
		p.explainDice(out, event, depth)
	}
	return out, nil
}

// rollAt returns the event of a roll.
func (p *player) rollAt(address string) (*journal.Event, error) {
	var known []string
	for _, r := range p.narrator.rolls {
		known = append(known, r.address)
		if r.address == address {
			if event := p.m.Journal.ByID(r.event); event != nil {
				return event, nil
			}
		}
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("nothing was rolled")
	}
	if near := words.Nearest(address, known); near != "" {
		return nil, fmt.Errorf("there was no roll %s; did you mean %s?", address, near)
	}
	if len(known) > 10 {
		known = append(known[:10:10], fmt.Sprintf("and %d more", len(known)-10))
	}
	return nil, fmt.Errorf("there was no roll %s; the rolls were: %s", address, strings.Join(known, ", "))
}

// explainDice explains dice to which a number may have been added.
func (p *player) explainDice(out *Explanation, event *journal.Event, depth Depth) {
	added := int64(ir.UnpackDice(event.B).Flat)
	out.Parts = append(out.Parts, p.dicePart(event, event.A-added))
	out.inTitle = true
	x := p.m.ExplanationOf(event.ID)
	switch {
	case x != nil && event.ID == x.Event:
		p.addAddends(out, x.Bonus, depth, 1, nil)
	case added != 0:
		out.Parts = append(out.Parts, Explained{Value: fmt.Sprintf("%+d", added), Name: "added", Counted: true})
	}
}

// dicePart is the line of dice, without what is added to them.
func (p *player) dicePart(event *journal.Event, sum int64) Explained {
	d := ir.UnpackDice(event.B)
	if event.C == 0 {
		d.Flat = 0
	}
	name := p.m.FormatDice(d.Pack())
	if faces := p.narrator.facesText(event); faces != "" {
		name += fmt.Sprintf(" (%s)", faces)
	}
	return Explained{Value: fmt.Sprint(sum), Name: name, Counted: true}
}

// judged is a check with what decides it.
type judged struct {
	*machine.RollExplanation
	natural, margin int64
	success         bool
}

// flips reports whether the check would have had the other result without an amount of its margin.
func (j *judged) flips(amount int64) bool {
	return j != nil && !j.ByFace && j.success != (j.margin-amount >= 0)
}

// flipsWithFace reports whether the check would have had the other result with another face.
func (j *judged) flipsWithFace(face int64) bool {
	if j == nil {
		return false
	}
	for _, v := range j.Faces {
		if v.Natural == face {
			return j.success != v.Succeeds
		}
	}
	return j.success != (j.margin-j.natural+face >= 0)
}

// explainCheck explains a check: its die, its bonus and its target number. It marks what decided it: each part without
// which the check would have had the other result.
func (p *player) explainCheck(out *Explanation, event *journal.Event, x *machine.RollExplanation, depth Depth) {
	j := &judged{x, event.A, event.C - event.D, event.Text == 1}
	c := &p.m.Program().Checks[event.Code]
	if c.Open || c.IsForegone(event.A) {
		j = nil
	}
	p.addNatural(out, event, x, j)
	p.addAddends(out, x.Bonus, depth, 1, j)
	p.addChanges(out, x, program.CheckBonus, 1, j)
	out.inTitle = x.Dice >= 0 && len(out.Parts) == 2 && len(x.Bonus) == 1 && x.Bonus[0].Stat != nil
	if c.Open {
		return
	}
	target := Explanation{Title: fmt.Sprintf("against %d", event.D), Parts: []Explained{}}
	if x.Opposed >= 0 {
		die := p.m.Journal.ByID(x.Opposed)
		part := p.dicePart(die, die.A)
		part.Decided = j.flips(-die.A)
		target.Parts = append(target.Parts, part)
	}
	p.addAddends(&target, x.Difficulty, depth, -1, j)
	p.addChanges(&target, x, program.CheckDifficulty, -1, j)
	target.inTitle = len(target.Parts) == 1
	if len(x.Difficulty) == 1 && x.Difficulty[0].Stat != nil && target.inTitle {
		out.More = append(out.More, target.More...)
	} else {
		out.More = append(out.More, target)
	}
	if j == nil {
		out.Notes = append(out.Notes, "no die was rolled: none could have changed the result")
	} else {
		out.Notes = append(out.Notes, p.decision(out, event, j))
	}
	out.Notes = append(out.Notes, p.revisions(event)...)
}

// addNatural adds the lines of the die, and of the rules that set it.
func (p *player) addNatural(out *Explanation, event *journal.Event, x *machine.RollExplanation, j *judged) {
	was, isRolled := int64(0), x.Dice >= 0
	if isRolled {
		die := p.m.Journal.ByID(x.Dice)
		was = die.A
		out.Parts = append(out.Parts, p.dicePart(die, was))
	}
	for _, c := range x.Changes {
		if c.Part != program.CheckNatural {
			continue
		}
		if n := len(out.Parts); n > 0 {
			out.Parts[n-1].Counted, out.Parts[n-1].Why = false, "replaced by "+p.narrator.ruleName(c.Rule)
		}
		out.Parts = append(out.Parts, p.rulePart(fmt.Sprintf("= %d", c.To), c.Rule))
		was = c.From
	}
	if n := len(out.Parts); n > 0 && (isRolled || n > 1) { // otherwise there would have been a die
		last := &out.Parts[n-1]
		last.Decided = strings.HasPrefix(last.Value, "=") && j.flipsWithFace(was)
	}
	if len(out.Parts) == 0 && event.A != 0 {
		out.Parts = append(out.Parts, Explained{Value: fmt.Sprint(event.A), Name: "no die", Counted: true})
	}
}

// addAddends adds the lines of the numbers that are added up, and below them the explanations of those that are stats.
// The sign is that of the sum in the margin.
func (p *player) addAddends(out *Explanation, addends []machine.AddendExplanation, depth Depth, sign int64, j *judged) {
	for i := range addends {
		a := &addends[i]
		part := Explained{Value: fmt.Sprintf("%+d", a.Value), Name: "added", Counted: true, Decided: j.flips(sign * a.Value)}
		if text := p.writtenAt(a.Pos); text != "" {
			part.Name, part.Where, part.pos = text, p.at(a.Pos), a.Pos
		}
		if a.Stat == nil {
			if depth > 0 {
				for _, read := range a.Reads {
					part.Of = append(part.Of, *p.explanation(read, depth-1))
				}
			}
			out.Parts = append(out.Parts, part)
			continue
		}
		part.Name = p.m.Program().Stats[a.Stat.Stat].Name
		out.Parts = append(out.Parts, part)
		if a.Value != a.Stat.Total {
			sign = -sign
		}
		x := p.explanation(a.Stat, depth)
		for k := range a.Stat.Lines {
			x.Parts[k].Decided = x.Parts[k].Counted && j.flips(sign*(a.Stat.Total-p.m.Without(a.Stat, k)))
		}
		if a.Value != a.Stat.Total {
			sign = -sign
		}
		out.More = append(out.More, *x)
	}
}

// addChanges adds the lines of what rules have added to a part of a check.
func (p *player) addChanges(out *Explanation, x *machine.RollExplanation, part int32, sign int64, j *judged) {
	for _, c := range x.Changes {
		if c.Part == part {
			line := p.rulePart(fmt.Sprintf("%+d", c.To-c.From), c.Rule)
			line.Decided = j.flips(sign * (c.To - c.From))
			out.Parts = append(out.Parts, line)
		}
	}
}

// rulePart is the line of what a rule did.
func (p *player) rulePart(value string, rule int32) Explained {
	e := Explained{Value: value, Name: p.narrator.ruleName(rule), Counted: true}
	if id := p.m.Program().Rules[rule].Part; id >= 0 && int(id) < len(p.checked.Parts) {
		part := p.checked.Parts[id]
		e.Where, e.Cites, e.Doc = p.at(part.Pos), part.Cites, part.Doc
		e.pos, e.path = part.Pos, part.Path
	}
	return e
}

// decision says what decided the check.
func (p *player) decision(x *Explanation, event *journal.Event, j *judged) string {
	if j.ByFace {
		return p.narrator.faceVerdict(&p.m.Program().Checks[event.Code], event) + ", whatever the total"
	}
	var names []string
	var collect func(x *Explanation)
	collect = func(x *Explanation) {
		for _, e := range x.Parts {
			if e.Decided && !x.inTitle {
				names = append(names, e.Value+" "+e.Name)
			}
		}
		for i := range x.More {
			collect(&x.More[i])
		}
	}
	collect(x)
	switch len(names) {
	case 0:
		return "no single modifier decided it"
	case 1:
		return "decided by " + names[0] + ": without it the result would have been different"
	}
	return "decided by each of " + strings.Join(names, ", ") + ": without any one of them the result would have been different"
}

// revisions tells what changed the check after it had been judged, until it was made again.
func (p *player) revisions(event *journal.Event) (notes []string) {
	for id := event.ID + 1; ; id++ {
		e := p.m.Journal.ByID(id)
		if e == nil || e.Kind == machine.CheckRolled && e.Code == event.Code && e.Who == event.Who {
			return notes
		}
		if e.Code != event.Code || e.Who != event.Who || e.Kind != machine.CheckRevised && e.Kind != machine.CheckChanged {
			continue
		}
		note := "afterwards "
		if e.Kind == machine.CheckRevised {
			note += p.narrator.verdict(&p.m.Program().Checks[e.Code], e.Text == 1)
		} else {
			note += fmt.Sprintf("%s %d -> %d", ir.CheckVars[e.C], e.A, e.B)
		}
		if by := p.narrator.causeName(e); by != "" {
			note += ", by " + by
		}
		notes = append(notes, note)
	}
}
