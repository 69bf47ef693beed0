package dice

import (
	"cmp"
	"slices"
	"sync"
)

// A Die is one rolled face.
type Die struct {
	Face   int32 // as rolled; a Fate die shows 1..3
	Sides  int32
	Fate   bool
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
	Failed                    // is counted as one less
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

func (e *evaluation) release() {
	e.draw = nil
	evaluationPool.Put(e)
}

// eval returns the value of n, which is meaningless once a die is wanted.
func (e *evaluation) eval(n node) int64 {
	switch n := n.(type) {
	case *number:
		return n.value
	case *pool:
		return e.pool(n)
	case *group:
		return e.group(n)
	case *negation:
		return -e.eval(n.operand)
	case *binary:
		left := e.eval(n.left)
		if e.wanted != 0 {
			return 0
		}
		right := e.eval(n.right)
		if e.wanted != 0 {
			return 0
		}
		return apply(n.op, left, right)
	case *function:
		return n.applyTo(e.eval(n.numerator))
	case *decimal:
		return floorDiv(n.over, n.under)
	case *test:
		left := e.eval(n.over)
		if e.wanted != 0 {
			return 0
		}
		if right := e.eval(n.other); e.wanted == 0 && n.op.holds(left, right) {
			return 1
		}
	}
	return 0
}

func (e *evaluation) pool(p *pool) int64 {
	first := len(e.dice)
	for range p.count {
		e.rollChain(p, first)
		if e.wanted != 0 {
			return 0
		}
	}
	mark := len(e.parts)
	for i := first; i < len(e.dice); i++ {
		if d := &e.dice[i]; d.Marks&valueless == 0 {
			e.parts = append(e.parts, part{value: d.Value, from: i, to: i + 1})
		}
	}
	total := e.scoreParts(mark, &p.scoring)
	if p.order != asRolled {
		slices.SortStableFunc(e.dice[first:], func(a, b Die) int {
			if p.order == descending {
				a, b = b, a
			}
			return cmp.Compare(a.Face, b.Face)
		})
	}
	return total
}

// rollChain rolls one die of the pool and all rolls that it leads to.
func (e *evaluation) rollChain(p *pool, first int) {
	head, rollCount := -1, 0
	for {
		face, ok := e.rollDie(p, first, &rollCount)
		if !ok {
			return
		}
		last := len(e.dice) - 1
		d := &e.dice[last]
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
				e.dice[head].Value += d.Value
				d.Value, d.Marks = 0, d.Marks|Joined
			}
		}
		if rollCount >= maxChain || !p.explode.holds(face) {
			return
		}
		d.Marks |= Exploded
	}
}

// rollDie rolls one die until it needs no reroll, and returns the face that it shows then.
func (e *evaluation) rollDie(p *pool, first int, rollCount *int) (face int64, ok bool) {
	redrawn := false
	for again := false; ; again = true {
		if n := len(e.dice); n == len(e.faces) {
			if e.draw == nil {
				e.wanted = p.sides
				return 0, false
			}
			e.faces = append(e.faces, e.draw(n, p.sides))
		}
		rolled := e.faces[len(e.dice)]
		face = int64(rolled) + int64(p.offset)
		taken := p.unique && !(p.uniqueOnce && redrawn) && e.isShown(first, rolled)
		redrawn = redrawn || taken
		e.dice = append(e.dice, Die{Face: rolled, Sides: p.sides, Fate: p.offset != 0, Column: p.column})
		*rollCount++
		unwanted := p.reroll.holds(face) && !(p.once && again)
		if !unwanted && !taken || *rollCount >= maxChain {
			return face, true
		}
		e.dice[len(e.dice)-1].Marks = Rerolled
	}
}

// isShown reports whether a die of the pool that began at first shows the face.
func (e *evaluation) isShown(first int, face int32) bool {
	for i := first; i < len(e.dice); i++ {
		if d := &e.dice[i]; d.Face == face && d.Marks&Rerolled == 0 {
			return true
		}
	}
	return false
}

func (e *evaluation) group(g *group) int64 {
	mark := len(e.parts)
	for _, n := range g.parts {
		from := len(e.dice)
		value := e.eval(n)
		if e.wanted != 0 {
			return 0
		}
		e.parts = append(e.parts, part{value: value, from: from, to: len(e.dice)})
	}
	return e.scoreParts(mark, &g.scoring)
}

// scoreParts removes the parts from index mark on and returns their result.
func (e *evaluation) scoreParts(mark int, s *scoring) int64 {
	parts := e.parts[mark:]
	e.parts = e.parts[:mark]
	return e.scoreAll(parts, s)
}

// scoreAll returns the result of the parts.
func (e *evaluation) scoreAll(parts []part, s *scoring) int64 {
	left := len(parts)
	for _, sel := range s.selects {
		drop := sel.dropped(left)
		e.drop(parts, drop, sel.keep != sel.highest)
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
			e.mark(p, Counted)
		case s.fails.holds(p.value):
			total--
			e.mark(p, Failed)
		}
	}
	return total
}

// drop drops the n highest or lowest of the remaining parts; of equal ones the last.
func (e *evaluation) drop(parts []part, n int, highest bool) {
	if n == 0 {
		return
	}
	rankOf := func(p *part) int64 { // the lowest worth is dropped
		if highest {
			return -p.value
		}
		return p.value
	}
	e.ranks = e.ranks[:0]
	for i := range parts {
		if p := &parts[i]; !p.dropped {
			e.ranks = append(e.ranks, rankOf(p))
		}
	}
	slices.Sort(e.ranks)
	limit := e.ranks[n-1]
	first, _ := slices.BinarySearch(e.ranks, limit)
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
		e.mark(p, Dropped)
	}
}

func (e *evaluation) mark(p *part, m Mark) {
	for i := p.from; i < p.to; i++ {
		e.dice[i].Marks |= m
	}
}
