package session

import (
	"fmt"
	"strings"

	"arbiter/interp/machine"
	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file answers the questions of the machine while a script is played: dice and choices.

func (p *player) asked() {
	p.narrator.flushParagraph() // the text must be readable before an answer
	if p.atQuestion != nil {
		p.atQuestion()
	}
}

// face answers a die.
func (p *player) face(span ast.Span, r *machine.Result) (int64, bool) {
	who := p.nameOf(r.Who)
	s, ok := p.dice.take(who, r.Label)
	if !ok {
		if p.o.Strict && !p.rollsWithSeed() {
			message := fmt.Sprintf("%s rolls d%d for %s, but no die is scripted for it", who, r.Sides, r.Label)
			if before := p.narrator.latestCheck(); before != "" {
				message += "; before it, " + before
			}
			p.halt(span, "no-die", "%s", message)
			p.addHint(p.unscriptedHint(who, r.Label))
			return 0, false
		}
		if p.live != nil {
			return p.live.askDie(r)
		}
		return p.seededFace(r), true
	}
	if a := s.value; !a.isNum || a.number < 1 || a.number > int64(r.Sides) {
		rolls := "is rolled"
		if r.Who >= 0 {
			rolls = who + " rolls"
		}
		p.halt(s.span, "bad-die", "%s is not a face of the d%d that %s for %s", a, r.Sides, rolls, r.Label)
		return 0, false
	}
	if a := p.o.Attendant; a != nil {
		s.value.number = a.Die(who, r, s.value.number)
	}
	p.live.scripted(r, true, s.value.number, "")
	return s.value.number, true
}

// seededFace is the face of a die that nobody states, which an attendant may change.
func (p *player) seededFace(r *machine.Result) int64 {
	face := int64(p.m.SeededFace())
	if a := p.o.Attendant; a != nil {
		return a.Die(p.nameOf(r.Who), r, face)
	}
	return face
}

// unscriptedHint suggests what to write for a die, or points out a similar name that was written.
func (p *player) unscriptedHint(who, path string) string {
	for _, s := range p.dice.named {
		wrong := p.checked.UnknownLabel(s.path, true)
		if wrong != "" && (s.who == who && ownerOf(s.path) == ownerOf(path) || words.Nearest(s.who+" "+s.path, []string{who + " " + path}) != "") {
			return fmt.Sprintf("%s, for which a die is scripted: did you mean `dice %s %s`?", wrong, who, path)
		}
	}
	if who == p.nameOf(-1) {
		return fmt.Sprintf("write `dice %s: N` before it, or state a `seed`", path)
	}
	return fmt.Sprintf("write `dice %s %s: N` before it, or state a `seed`", who, path)
}

// ownerOf is the procedure, action or rule in the label of a roll: strike for strike.to-hit.
func ownerOf(path string) string { return path[:max(strings.LastIndexByte(path, '.'), 0)] }

// rollsWithSeed reports whether unscripted dice are rolled with the seed.
func (p *player) rollsWithSeed() bool { return !p.dice.strict || p.hasSeed }

// choose answers a choice, from the script or by default.
func (p *player) choose(span ast.Span, r *machine.Result) (int64, bool) {
	s, ok := p.answers.take(p.nameOf(r.Who), r.Label)
	a := s.value
	if !ok && p.live != nil {
		return p.live.askChoice(r)
	}
	if r.ChoiceKind == machine.RulingChoice {
		if !ok || !a.isNum {
			p.halt(span, "no-ruling", "the game master is asked for %s", r.Label)
			p.addHint("give the answer first: answer " + r.Label + ": NUMBER")
			return 0, false
		}
		p.live.scripted(r, false, a.number, "")
		return a.number, true
	}
	if !ok {
		return defaultAnswer(r, p.playing), true
	}
	for i, way := range r.Options {
		if sameChoice(way, a.text) || a.isNum && a.number == int64(i+1) || a.text == "yes" && i == 1 && r.ChoiceKind >= machine.OfferChoice {
			p.live.scripted(r, false, int64(i), way)
			return int64(i), true
		}
	}
	p.halt(s.span, "bad-answer", "%s is not an answer to %s", a, r.Label)
	p.addHint("the choices are: " + strings.Join(r.Options, ", "))
	return 0, false
}

// defaultAnswer returns the default answer. For offers and reactions, the rules can determine it. Otherwise a reaction
// is taken, and an offer is declined unless tactics play. For a choice, it is the first option.
func defaultAnswer(r *machine.Result, playing bool) int64 {
	if r.Default == machine.Accept || r.Default == machine.NoAdvice && (r.ChoiceKind == machine.ReactionChoice || r.ChoiceKind == machine.OfferChoice && playing) {
		return 1
	}
	return 0
}
