package ground

import (
	"fmt"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/grid"
)

// Field is a map with the machine whose creatures stand on it. It answers what rules ask about places; nothing of a
// fight is kept in it, so that a state may be put back at any time.
type Field struct {
	*Map
	asked  *[ir.AskedCount]int32
	prices *grid.Prices
	finder grid.Finder

	// What has been asked since anybody moved or could pass where they could not: guards of rules ask the same again and
	// again.
	at       uint64 // machine.Grounds when it was asked
	boxes    []body
	moves    grid.Mover
	moving   int64        // whose moves those are
	bySight  machine.Seen // on whose places they hang
	whose    int64        // others are in the way of whom
	others   []grid.Occupant
	searches []search
	latest   int

	sights []sight // what the ground says of two places, for good

	// Room that is used again.
	squares []grid.Square
	packed  []int64
	bodies  []grid.Box
	avoided []grid.Square
	way     []grid.Square
}

// body is how much room a creature takes, and whose places that hangs on.
type body struct {
	side int16
	seen machine.Seen
}

// search is a way that was looked for, and what was found.
type search struct {
	at      uint64
	who     int64
	goal    grid.Goal
	avoided []grid.Square
	way     []grid.Square
	found   bool
}

// sight is what the ground alone says of two places.
type sight struct {
	from, to grid.Box
	what     int16 // which question, from 1
	answer   int16
}

const sightBits = 14

// Questions whose answers hang on nothing but the ground.
const (
	effectLine int16 = iota + 1
	sightLine
	hampered
	dimmed
	brushed
)

// settled answers a question about two places that the ground alone decides: what it said once it says always.
func (f *Field) settled(what int16, x, y grid.Box, ask func() int64) int64 {
	if f.sights == nil {
		f.sights = make([]sight, 1<<sightBits)
	}
	h := uint64(x.At.Pack())*0x9e3779b97f4a7c15 ^ uint64(y.At.Pack())
	h = (h ^ uint64(x.Side)<<40 ^ uint64(y.Side)<<48 ^ uint64(what)<<56) * 0xbf58476d1ce4e5b9
	k := &f.sights[h>>(64-sightBits)]
	if k.what != what || k.from != x || k.to != y {
		k.from, k.to, k.what, k.answer = x, y, what, int16(ask())
	}
	return int64(k.answer)
}

// searchesKept is how many ways are remembered.
const searchesKept = 8

// Attach puts the creatures of a machine on a map, and lets its rules ask about it.
func Attach(m *machine.Machine, on *Map) (*Field, error) {
	f := &Field{Map: on, asked: &m.Program().Asked}
	var failed error
	f.prices = grid.NewPrices(func(factor int, diagonal, odd bool) int32 {
		if f.asked[ir.AskStepPrice] < 0 {
			return int32(factor * squareSide)
		}
		v, err := m.Define(f.asked[ir.AskStepPrice], program.None, int64(factor), yes(diagonal), yes(odd))
		if err != nil {
			failed = err
		}
		return int32(min(max(v, 0), grid.MaxPrice))
	})
	for factor := 1; factor <= grid.MaxFactor && f.asked[ir.AskCounts] >= 0; factor++ {
		counts, err := m.Define(f.asked[ir.AskCounts], program.None, int64(factor))
		if err != nil {
			failed = err
		}
		if counts == 0 {
			f.prices.Apart(factor)
		}
	}
	m.Field = f
	m.Natives = f.natives()
	m.Relink()
	return f, failed
}

func yes(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// ask asks the ruleset about a creature, or about two; without an answer it is what otherwise says.
func (f *Field) ask(m *machine.Machine, what ir.Asked, otherwise, who, other int64) int64 {
	if f.asked[what] < 0 {
		return otherwise
	}
	v, ok := m.Ask(f.asked[what], who, other)
	if !ok {
		return otherwise
	}
	return v
}

// box is what a creature would fill at a square.
func (f *Field) box(m *machine.Machine, who int64, at grid.Square) grid.Box {
	f.refresh(m)
	if who < 0 || who >= int64(len(f.boxes)) {
		return grid.One(at)
	}
	b := &f.boxes[who]
	if b.side == 0 {
		before := m.Look()
		side := f.ask(m, ir.AskSpace, squareSide, who, program.None)
		b.side, b.seen = int16(min(max((side+squareSide-1)/squareSide, 1), grid.MaxSide)), m.Looked(before)
	}
	m.See(b.seen)
	return grid.Box{At: at, Side: b.side}
}

// refresh forgets what was asked of an earlier state.
func (f *Field) refresh(m *machine.Machine) {
	if f.at == m.Grounds() && !m.Forgetful {
		return
	}
	f.at = m.Grounds()
	f.whose, f.moving = -1, -1
	f.boxes = append(f.boxes[:0], make([]body, len(m.State().Squares))...)
	if m.Forgetful {
		f.searches = f.searches[:0]
	}
}

// place opens a value that is a creature or a square.
func (f *Field) place(m *machine.Machine, v int64) (grid.Box, error) {
	if s, ok := grid.Unpack(v); ok {
		return grid.One(s), nil
	}
	if squares := m.State().Squares; v >= 0 && v < int64(len(squares)) {
		m.See(machine.SeenOf(v))
		if s, ok := grid.Unpack(squares[v]); ok {
			return f.box(m, v, s), nil
		}
	}
	return grid.Box{}, fmt.Errorf("%s stands on no map", m.FormatThing(v))
}

// places opens two.
func (f *Field) places(m *machine.Machine, a, b int64) (x, y grid.Box, err error) {
	if x, err = f.place(m, a); err == nil {
		y, err = f.place(m, b)
	}
	return x, y, err
}

// list packs squares into a list of the machine.
func (f *Field) list(m *machine.Machine, squares []grid.Square) int64 {
	f.packed = f.packed[:0]
	for _, s := range squares {
		f.packed = append(f.packed, s.Pack())
	}
	m.Spend(len(squares))
	return m.List(f.packed)
}

// unpack opens a list of squares.
func unpack(into []grid.Square, values []int64) []grid.Square {
	for _, v := range values {
		if s, ok := grid.Unpack(v); ok {
			into = append(into, s)
		}
	}
	return into
}

// occupied lists what other creatures fill, and what the ruleset says of passing them.
func (f *Field) occupied(m *machine.Machine, who int64) []grid.Occupant {
	f.refresh(m)
	m.See(machine.Everybody)
	if f.whose == who {
		return f.others
	}
	f.others = f.others[:0]
	for other, at := range m.State().Squares {
		s, ok := grid.Unpack(at)
		if !ok || int64(other) == who {
			continue
		}
		f.others = append(f.others, grid.Occupant{
			Box:   f.box(m, int64(other), s),
			Pass:  f.ask(m, ir.AskPasses, 0, who, int64(other)) != 0,
			Share: f.ask(m, ir.AskShares, 0, who, int64(other)) != 0,
		})
	}
	f.whose = who
	return f.others
}

// mover is a creature as the geometry of ways sees it.
func (f *Field) mover(m *machine.Machine, who int64) (*grid.Mover, error) {
	box, err := f.place(m, who)
	if err != nil {
		return &f.moves, err
	}
	if f.refresh(m); f.moving != who {
		before := m.Look()
		squeeze := f.ask(m, ir.AskSqueezePrice, 0, program.None, program.None)
		f.moves = grid.Mover{
			Box: box, Prices: f.prices,
			CutCorners:    f.ask(m, ir.AskCutsCorners, 0, program.None, program.None) != 0,
			Fly:           f.ask(m, ir.AskFlies, 0, who, program.None) != 0,
			Squeeze:       squeeze > 0,
			SqueezeFactor: uint8(min(max(squeeze, 1), grid.MaxFactor)),
		}
		f.moving, f.bySight = who, m.Looked(before)
	}
	m.See(f.bySight)
	return &f.moves, nil
}
