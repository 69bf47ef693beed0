package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"arbiter/interp/ground"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/grid"
	"arbiter/stdlib/journal"
	"arbiter/stdlib/spill"
)

// This file puts the journal into words: the transcript that a player reads.
//
// It shows what someone at the table would say aloud: who does what, what is rolled, what changes, who falls.
// Bookkeeping is left out, such as the actions of a turn being spent, or effects that only mark something for the
// rules.

// narrator writes the transcript, as far as the journal has been read.
type narrator struct {
	p              *player
	output         *spill.Bytes
	start          int            // offset in output where the next transcript begins
	from           int            // where the last one began
	position       journal.Mark   // how far the journal has been told
	depths         map[int32]int  // by event: indentation of those told as headings
	rollCounts     map[string]int // number of rolls told, by label
	rolls          []roll
	instances      map[creatureEffect]int // how many instances of an effect a creature has, as far as told
	pendingEffects []effectGroup
	walks          []movement   // going on side by side, as of somebody who is carried
	lastMap        []string     // the map as last shown
	skipped        []textRange  // parts of the transcript that report nothing new: headings and maps
	paragraph      []byte       // a paragraph of a story that may continue
	sinceChoice    []passage    // what was told since the last choice
	previousTitle  string       // the title in effect before that
	lastChoices    []string     // the choices offered last
	telling        int32        // the event that is being told
	origins        []lineOrigin // with Options.Origins: where lines come from, in order
}

// textRange is a range of the transcript: the heading of a round, or a map if round is 0.
type textRange struct{ from, to, round int }

// roll is the address of a roll that has been told, so that it can be explained.
type roll struct {
	address string
	event   int32
}

// effectGroup holds effects that are gained or lost together.
type effectGroup struct {
	who   int32
	kind  uint8
	depth int
	names []string
	event int32 // the first of them
}

// movement holds consecutive steps of one creature.
type movement struct {
	who      int32
	depth    int
	cause    int32
	from, to int64
	broken   bool // something else was told in between
}

func newNarrator(p *player) *narrator {
	return &narrator{p: p, output: &spill.Bytes{}, depths: map[int32]int{}, rollCounts: map[string]int{}, instances: map[creatureEffect]int{}}
}

// line writes a line of the transcript.
func (t *narrator) line(depth int, text string) { t.show(LookPlain, depth, text, text) }

// show writes a line in its plain form for the transcript and its shown form for the screen.
func (t *narrator) show(look Look, depth int, text, shown string) {
	t.showLines(depth, []string{text}, []string{t.paint(look, shown)})
}

// showLines writes lines that may be broken elsewhere on the screen than in the transcript.
func (t *narrator) showLines(depth int, plain, shown []string) {
	t.flushParagraph()
	if t.p.story != nil && !t.p.m.State().InFight {
		depth++ // in a story, events are indented below the text
	}
	t.noteOrigin()
	indent := strings.Repeat("  ", depth)
	t.writeRaw(indent+strings.Join(plain, "\n"+indent), indent+strings.Join(shown, "\n"+indent))
}

func (t *narrator) paint(look Look, text string) string {
	if t.p.o.Paint == nil || look == LookPlain {
		return text
	}
	return t.p.o.Paint(look, text)
}

// lookOf returns the look of an event.
func (t *narrator) lookOf(e *journal.Event) Look {
	switch e.Kind {
	case machine.MomentBegan:
		return LookRound
	case machine.ProcBegan:
		return LookAction
	case machine.CheckRolled, machine.CheckRevised, machine.CheckReplaced:
		if e.Text != 1 && !t.p.m.Program().Checks[e.Code].Open {
			return LookFailure
		}
	case machine.ResourceChanged:
		if e.B < e.A {
			return LookLoss
		}
		return LookGain
	}
	return LookPlain
}

// newText returns the output since the last transcript.
func (t *narrator) newText() string {
	t.writeEvents()
	s, _ := t.output.Read(t.start, t.output.Len())
	t.from, t.start = t.start, t.output.Len()
	return string(s)
}

// transcript returns all of the output, or its end if an earlier part cannot be read.
func (t *narrator) transcript() string {
	all, err := t.output.Read(0, t.output.Len())
	if err != nil {
		all, _ = t.output.Latest()
	}
	return string(all)
}

// writeEvents puts the new events of the journal into words.
func (t *narrator) writeEvents() {
	if j := t.p.m.Journal; j != nil { // nil while events are not recorded
		events := append([]journal.Event(nil), j.Since(t.position)...)
		t.position = j.Mark()
		for i := range events {
			t.writeEvent(&events[i])
		}
	}
	t.endMovement(false)
	t.flushEffects()
}

// addStep adds one square of a movement; consecutive steps are told as one, even if others move between them.
func (t *narrator) addStep(e *journal.Event) {
	t.walkOf(e).to = e.B
	t.p.recordEvent(e, t.p.nameOf(int64(e.Who))+" moves to "+machine.FormatSquare(e.B))
}

// walkOf returns the movement that a step belongs to. Whoever is carried has another cause for each step.
func (t *narrator) walkOf(e *journal.Event) *movement {
	broken := false
	for i := range t.walks {
		w := &t.walks[i]
		same := w.who == e.Who && w.cause == e.Cause
		if w.who == e.Who && w.to == e.A && (same || len(t.walks) > 1 && w.depth == t.under(e)) {
			return w
		}
		broken = broken || same && w.broken
	}
	if slices.ContainsFunc(t.walks, func(w movement) bool { return w.who == e.Who || w.to == 0 }) {
		t.endMovement(false)
		t.walks = t.walks[:0]
	}
	t.walks = append(t.walks, movement{who: e.Who, depth: t.under(e), cause: e.Cause, from: e.A, broken: broken})
	return &t.walks[len(t.walks)-1]
}

// endMovement tells movements that are over or interrupted, unless the heading above one already says so.
func (t *narrator) endMovement(interrupted bool) {
	for i := range t.walks {
		w := &t.walks[i]
		if w.to == 0 {
			continue
		}
		if interrupted || w.broken || !t.isAnnounced(w) {
			t.flushEffects()
			t.telling = w.cause
			t.line(w.depth, fmt.Sprintf("%s moves %s -> %s", t.p.nameOf(int64(w.who)), machine.FormatSquare(w.from), machine.FormatSquare(w.to)))
		}
		*w = movement{who: w.who, cause: w.cause, broken: interrupted}
	}
}

// startText says where a movement begins whose destination the heading of its action names.
func (t *narrator) startText(e *journal.Event) string {
	if at, moves := t.startOf(e); moves {
		return ", from " + machine.FormatSquare(at)
	}
	return ""
}

// startOf is the square where an act that leads to a square began, if its actor moves there.
func (t *narrator) startOf(e *journal.Event) (square int64, moves bool) {
	for _, x := range t.p.m.Journal.Since(journal.Mark(e.ID)) {
		if x.Kind != machine.SquareChanged || x.Who != e.Who {
			continue
		}
		if nearestCause(t.p.m.Journal, &x, func(id int32) bool { return id == e.ID }) == e.ID && slices.ContainsFunc([]int64{e.B, e.C, e.D}, isSquare) {
			return x.A, true
		}
		break
	}
	return 0, false
}

func isSquare(v int64) bool {
	_, ok := grid.Unpack(v)
	return ok
}

// isAnnounced reports whether the heading of the command that caused a movement names its destination.
func (t *narrator) isAnnounced(w *movement) bool {
	j := t.p.m.Journal
	for e := j.ByID(w.cause); e != nil; e = j.ByID(e.Cause) {
		if e.Kind == machine.ProcBegan && e.Who == w.who && slices.Contains([]int64{e.B, e.C, e.D}, w.to) {
			_, told := t.depths[e.ID]
			return told
		}
	}
	return false
}

// chart shows the map, if a script has drawn one and it has changed since last shown.
func (t *narrator) chart() {
	f := t.p.field
	if f == nil || !f.IsDrawn() {
		return
	}
	d := f.Draw(t.p.m)
	paper := ground.Screen{Width: defaultWidth, Columns: utf8.RuneCountInString}
	screen := paper
	if t.p.o.Width != nil && t.p.o.Width() > 0 {
		screen = ground.Screen{Width: t.p.o.Width() - 2, Columns: t.columns}
	}
	plain := d.Lines(nil, paper)
	if slices.Equal(plain, t.lastMap) {
		return
	}
	t.lastMap = plain
	shown := d.Lines(func(sign string, of *ground.Figure) string {
		switch {
		case of == nil:
			return t.paint(LookGround, sign)
		case of.Down:
			return t.paint(LookFallen, sign)
		case of.Side == 0:
			return t.paint(LookFriend, sign)
		}
		return t.paint(LookFoe, sign)
	}, screen)
	from := t.output.Len()
	t.showLines(1, plain, shown)
	t.skipped = append(t.skipped, textRange{from, t.output.Len(), 0})
}

// under returns the indentation of an event: one below its nearest cause that is a heading.
func (t *narrator) under(e *journal.Event) int {
	cause := nearestCause(t.p.m.Journal, e, func(id int32) bool { _, ok := t.depths[id]; return ok })
	if cause == journal.None {
		return 0
	}
	return t.depths[cause] + 1
}

// nearestCause returns the nearest cause of an event that is wanted, or None.
func nearestCause(j *journal.Journal, e *journal.Event, wanted func(id int32) bool) int32 {
	for e = j.ByID(e.Cause); e != nil; e = j.ByID(e.Cause) {
		if wanted(e.ID) {
			return e.ID
		}
	}
	return journal.None
}

func (t *narrator) writeEvent(e *journal.Event) {
	defer t.p.recorder.observe(e) // what it changes belongs to what is told of it
	if e.Kind == machine.SquareChanged {
		if e.A == program.None || e.B == program.None { // the command that brings it in or takes it away tells it
			t.p.recordEvent(e, "")
		} else {
			t.addStep(e)
		}
		return
	}
	text, heading := t.words(e)
	if heading {
		t.depths[e.ID] = t.under(e)
	}
	if text == "" || !t.isFirstOrLast(e, text) {
		if isChange(e) {
			t.p.recordEvent(e, "")
		}
		return
	}
	t.endMovement(true)
	t.telling = e.ID
	depth := t.under(e)
	if d, ok := t.depths[e.ID]; ok {
		depth = d
	}
	if e.Kind != machine.EffectGained && e.Kind != machine.EffectLost {
		t.flushEffects()
		from := t.output.Len()
		t.show(t.lookOf(e), depth, text, text)
		t.p.recordEvent(e, text)
		if e.Kind == machine.MomentBegan {
			t.skipped = append(t.skipped, textRange{from, t.output.Len(), int(e.A)})
			t.chart()
		}
		return
	}
	n := len(t.pendingEffects)
	if n == 0 || t.pendingEffects[n-1].who != e.Who || t.pendingEffects[n-1].kind != e.Kind || t.pendingEffects[n-1].depth != depth {
		t.pendingEffects = append(t.pendingEffects, effectGroup{who: e.Who, kind: e.Kind, depth: depth, event: e.ID})
		n++
	}
	t.pendingEffects[n-1].names = append(t.pendingEffects[n-1].names, text)
	t.p.recordEvent(e, t.p.nameOf(int64(e.Who))+" "+map[uint8]string{machine.EffectGained: "is ", machine.EffectLost: "is no longer "}[e.Kind]+text)
}

// creatureEffect is a creature and an effect with its parameters, in words.
type creatureEffect struct {
	who  int32
	text string
}

// isFirstOrLast reports whether a creature gains its first instance of an effect or loses its last; there can be
// several.
func (t *narrator) isFirstOrLast(e *journal.Event, text string) bool {
	who := creatureEffect{e.Who, text}
	switch e.Kind {
	case machine.EffectGained:
		t.instances[who]++
		return t.instances[who] == 1
	case machine.EffectLost:
		t.instances[who] = max(t.instances[who]-1, 0)
		return t.instances[who] == 0
	}
	return true
}

// flushEffects writes the effects gained or lost together, with one line for all creatures that share them.
func (t *narrator) flushEffects() {
	for len(t.pendingEffects) > 0 {
		x := t.pendingEffects[0]
		var who []string
		for len(t.pendingEffects) > 0 && t.pendingEffects[0].kind == x.kind && t.pendingEffects[0].depth == x.depth && slices.Equal(t.pendingEffects[0].names, x.names) {
			who = append(who, t.p.nameOf(int64(t.pendingEffects[0].who)))
			t.pendingEffects = t.pendingEffects[1:]
		}
		verb := " is "
		if len(who) > 1 {
			verb = " are "
		}
		if x.kind == machine.EffectLost {
			verb += "no longer "
		}
		t.telling = x.event
		t.line(x.depth, enumerate(who)+verb+strings.Join(x.names, ", "))
	}
}

// enumerate joins names as in speech.
func enumerate(names []string) string {
	n := len(names) - 1
	if n < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n], ", ") + " and " + names[n]
}

// words puts an event into words; "" if it is left out. Other events are indented under a heading.
func (t *narrator) words(e *journal.Event) (text string, heading bool) {
	m := t.p.m
	pr := m.Program()
	who, by := t.p.nameOf(int64(e.Who)), ""
	if e.Who >= 0 { // dice in a script may belong to no one
		by = who + " "
	}
	switch e.Kind {
	case machine.ProcBegan:
		if pr.Procs[e.Code].Action || e.Cause == journal.None && t.under(e) == 0 {
			switch {
			case e.Who < 0:
				return "", false
			case pr.Procs[e.Code].Name == ir.LeaveFight:
				return who + " leaves", true
			}
			return m.Describe(e) + t.startText(e), true
		}
	case machine.ProcBrokenOff:
		return who + " breaks off " + pr.Procs[e.Code].Name, false
	case machine.CheckRolled:
		return by + t.checkText(e), false
	case machine.CheckReplaced:
		return by + t.replacedText(e), false
	case machine.CheckRevised:
		c := &pr.Checks[e.Code]
		if c.Open {
			return "", false
		}
		return fmt.Sprintf("%s%s: %s after all", by, pr.Labels[c.Label].Name, t.verdict(c, e.Text == 1)), false
	case machine.PickRolled:
		return m.Describe(e), false
	case machine.CheckChanged:
		return by + t.changeText(e), false
	case machine.DiceRolled:
		label := pr.Labels[e.Code].Name
		switch e.C {
		case 1: // the line of the check shows the die
			return "", false
		case 2:
			return by + t.totalText(label, e), false
		}
		if faces := t.facesText(e); faces != "" {
			return fmt.Sprintf("%s%s: %s (%s) = %d", by, t.address(label, e.ID), m.FormatDice(e.B), faces, e.A), false
		}
		return fmt.Sprintf("%s%s: %s = %d", by, t.address(label, e.ID), m.FormatDice(e.B), e.A), false
	case machine.ResourceChanged:
		if machine.Telling(e.Text) != machine.Told || pr.Resources[e.Code].Internal {
			return "", false
		}
		return fmt.Sprintf("%s %s %d -> %d", who, pr.Resources[e.Code].Name, e.A, e.B), false
	case machine.EffectGained, machine.EffectLost:
		x := &pr.Effects[e.Code]
		if x.Word != ir.ConditionWord || x.Internal || machine.Telling(e.Text) != machine.Told {
			return "", false
		}
		text := x.Name
		for i, v := range []int64{e.B, e.C, e.D} {
			if int32(i) < x.NParams && v < program.RecordTag && v != program.None { // what it has none of goes without saying
				if l := x.Values[i].Label; l != "" {
					text += " " + l
				}
				text += " " + m.Format(x.Values[i].Type, v)
			}
		}
		return text, false
	case machine.NoteWritten, machine.ProcCanceled:
		return m.Describe(e), false
	case machine.ChoiceMade:
		if e.A == 0 && e.B >= int64(machine.OfferChoice) {
			return "", false
		}
		if e.B == int64(machine.ReactionChoice) {
			label := pr.Labels[e.Code].Name
			return who + ": " + label[strings.LastIndexByte(label, '.')+1:], false
		}
		return m.Describe(e), false
	case machine.MomentBegan:
		if e.Code == machine.StartOf*3+machine.OfRound {
			return fmt.Sprintf("Round %d", e.A), false
		}
	}
	return "", false
}

// address assigns an address to the next roll of a label.
func (t *narrator) address(label string, event int32) string {
	t.rollCounts[label]++
	a := fmt.Sprintf("%s#%d", label, t.rollCounts[label])
	t.rolls = append(t.rolls, roll{a, event})
	return a
}

// rollOf returns the address of the roll just told.
func (t *narrator) rollOf(event int32) string {
	if n := len(t.rolls); n > 0 && t.rolls[n-1].event == event {
		return t.rolls[n-1].address
	}
	return ""
}

func signed(n int64) string {
	if n < 0 {
		return fmt.Sprintf("- %d", -n)
	}
	return fmt.Sprintf("+ %d", n)
}
