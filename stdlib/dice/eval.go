package dice

import (
	"slices"
	"sync"
)

// A Die is one rolled face.
type Die struct {
	Face   int32 // as rolled; a Fate die shows 1..3
	Sides  int32
	Column int32 // of its dice in the text
	Value  int64 // 0 if it was rerolled or added to the die before
	Marks  Mark
}

// A Mark says what happened to a die.
type Mark uint16

const (
	Dropped  Mark = 1 << iota // does not count
	Counted                   // is counted as one
	Rerolled                  // was rerolled, and does not count
	Exploded                  // added the next die
	Extra                     // was added by an exploding die
	Joined                    // was added to the value of the first die of its chain
	Raised                    // was raised to its minimum
	Lowered                   // was lowered to its maximum
	Critical                  // shows a face that cs names
	Fumbled                   // shows a face that cf names
)

// Has reports whether m includes all of the other marks.
func (m Mark) Has(other Mark) bool { return m&other == other }

// valueless are the marks of dice that have no value of their own.
const valueless = Rerolled | Joined

// A evaluation is the evaluation of an expression over the faces so far. When they run out, wanted is set to the sides
// of the next die, and everything returns immediately: the next evaluation starts over with one more face. So no state
// is kept between two dice.
type evaluation struct {
	faces  []int32
	dice   []Die // one for each face used
	parts  []part
	ranks  []int64 // for sorting
	wanted int32
	draw   func(n int, sides int32) int32 // supplies further faces; nil: none
}

// A part is one of several values that a scoring chooses from: a die, or a total in braces.
type part struct {
	value    int64
	from, to int // its dice
	dropped  bool
}

// evaluationPool is a pool of evaluations, to reuse their memory.
var evaluationPool = sync.Pool{New: func() any { return new(evaluation) }}

// newEvaluation returns a throw ready for evaluation. It copies the faces, so that the caller's need not escape to the
// heap.
func newEvaluation(faces []int32) *evaluation {
	t := evaluationPool.Get().(*evaluation)
	*t = evaluation{faces: append(t.faces[:0], faces...), dice: t.dice[:0], parts: t.parts[:0], ranks: t.ranks[:0]}
	return t
}

func (t *evaluation) release() {
	t.draw = nil
	evaluationPool.Put(t)
}

// eval returns the value of n, which is meaningless once a die is wanted.
func (t *evaluation) eval(n node) int64 {
	switch n := n.(type) {
	case *number:
		return n.value
	case *pool:
		return t.pool(n)
	case *group:
		return t.group(n)
	case *negation:
		return -t.eval(n.operand)
	case *binary:
		left := t.eval(n.left)
		if t.wanted != 0 {
			return 0
		}
		right := t.eval(n.right)
		if t.wanted != 0 {
			return 0
		}
		return apply(n.op, left, right)
	case *function:
		return n.applyTo(t.eval(n.numerator))
	}
	return 0
}

func (t *evaluation) pool(p *pool) int64 {
	first := len(t.dice)
	for range p.count {
		t.rollChain(p, first)
		if t.wanted != 0 {
			return 0
		}
	}
	mark := len(t.parts)
	for i := first; i < len(t.dice); i++ {
		if d := &t.dice[i]; d.Marks&valueless == 0 {
			t.parts = append(t.parts, part{value: d.Value, from: i, to: i + 1})
		}
	}
	return t.scoreParts(mark, &p.scoring)
}

// rollChain rolls one die of the pool and all rolls that it leads to.
func (t *evaluation) rollChain(p *pool, first int) {
	head, rollCount := -1, 0
	for {
		face, ok := t.rollDie(p, first, &rollCount)
		if !ok {
			return
		}
		last := len(t.dice) - 1
		d := &t.dice[last]
		d.Value = p.value(face)
		switch {
		case d.Value > face:
			d.Marks |= Raised
		case d.Value < face:
			d.Marks |= Lowered
		}
		if p.critical.holds(face) {
			d.Marks |= Critical
		}
		if p.fumble.holds(face) {
			d.Marks |= Fumbled
		}
		if head < 0 {
			head = last
		} else {
			d.Marks |= Extra
			if p.penetrate {
				d.Value--
			}
			if p.compound {
				t.dice[head].Value += d.Value
				d.Value, d.Marks = 0, d.Marks|Joined
			}
		}
		if rollCount >= MaxChain || !p.explode.holds(face) {
			return
		}
		d.Marks |= Exploded
	}
}

// rollDie rolls one die until it needs no reroll, and returns the face that it shows then.
func (t *evaluation) rollDie(p *pool, first int, rollCount *int) (face int64, ok bool) {
	for again := false; ; again = true {
		if n := len(t.dice); n == len(t.faces) {
			if t.draw == nil {
				t.wanted = p.sides
				return 0, false
			}
			t.faces = append(t.faces, t.draw(n, p.sides))
		}
		rolled := t.faces[len(t.dice)]
		face = int64(rolled) + int64(p.offset)
		taken := p.unique && t.isShown(first, rolled)
		t.dice = append(t.dice, Die{Face: rolled, Sides: p.sides, Column: p.column})
		*rollCount++
		unwanted := p.reroll.holds(face) && !(p.once && again)
		if !unwanted && !taken || *rollCount >= MaxChain {
			return face, true
		}
		t.dice[len(t.dice)-1].Marks = Rerolled
	}
}

// isShown reports whether a die of the pool that began at first shows the face.
func (t *evaluation) isShown(first int, face int32) bool {
	for i := first; i < len(t.dice); i++ {
		if d := &t.dice[i]; d.Face == face && d.Marks&Rerolled == 0 {
			return true
		}
	}
	return false
}

func (t *evaluation) group(g *group) int64 {
	mark := len(t.parts)
	for _, n := range g.parts {
		from := len(t.dice)
		value := t.eval(n)
		if t.wanted != 0 {
			return 0
		}
		t.parts = append(t.parts, part{value: value, from: from, to: len(t.dice)})
	}
	return t.scoreParts(mark, &g.scoring)
}

// scoreParts removes the parts from index mark on and returns their result.
func (t *evaluation) scoreParts(mark int, s *scoring) int64 {
	parts := t.parts[mark:]
	t.parts = t.parts[:mark]
	left := len(parts)
	for _, sel := range s.selects {
		drop := sel.dropped(left)
		t.drop(parts, drop, sel.keep != sel.highest)
		left -= drop
	}
	total := int64(0)
	for i := range parts {
		p := &parts[i]
		switch {
		case p.dropped:
		case s.counts.op == never:
			total += p.value
		case s.counts.holds(p.value):
			total++
			t.mark(p, Counted)
		}
	}
	return total
}

// drop drops the n highest or lowest of the remaining parts; of equal ones the last.
func (t *evaluation) drop(parts []part, n int, highest bool) {
	if n == 0 {
		return
	}
	rankOf := func(p *part) int64 { // the lowest worth is dropped
		if highest {
			return -p.value
		}
		return p.value
	}
	t.ranks = t.ranks[:0]
	for i := range parts {
		if p := &parts[i]; !p.dropped {
			t.ranks = append(t.ranks, rankOf(p))
		}
	}
	slices.Sort(t.ranks)
	limit := t.ranks[n-1]
	first, _ := slices.BinarySearch(t.ranks, limit)
	atLimit := n - first
	for i := len(parts) - 1; i >= 0; i-- {
		p := &parts[i]
		w := rankOf(p)
		if p.dropped || w > limit || w == limit && atLimit == 0 {
			continue
		}
		if w == limit {
			atLimit--
		}
		p.dropped = true
		t.mark(p, Dropped)
	}
}

func (t *evaluation) mark(p *part, m Mark) {
	for i := p.from; i < p.to; i++ {
		t.dice[i].Marks |= m
	}
}
