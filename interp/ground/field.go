package ground

import (
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/grid"
)

// Field is a map for the creatures of a machine. It implements the functions of rules about places. Apart from caches
// it has no state of a fight, so the state of the machine can be restored at any time.
type Field struct {
	*Map
	defines     *[ir.CoreDefineCount]int32
	prices      *grid.Prices
	moverPrices map[moverClass]*grid.Prices // for the steps of a creature
	finder      grid.Finder

	// OnArea is called with the squares of each area that rules ask for, which it must not keep; nil: it is not called.
	OnArea      func(squares []grid.Square)
	reading     grid.Reading // of lines of sight and effect
	wholeSpaces bool         // lines for cover and concealment join the outer corners of spaces

	// Cache of what the ruleset says about creatures, until something that it may read changes.
	groundChanges uint64 // machine.GroundChanges when it was filled
	movements     []movement
	relations     []relation // of each creature to each

	// Cache of results that depend on all positions, until a creature moves.
	moveCount    uint64 // machine.MoveCount at that time
	occupantsFor int64  // the creature for which occupants was computed
	occupants    []grid.Occupant
	searches     []search
	latestSearch int

	softGrounds []softGround // cache of the grounds for creatures that enter blocked terrain

	pairResults []pairResult // cache of results for two places that depend only on the ground
	lines       []uint64     // the same for pairs of squares, two bits each: whether it is known, and whether there is a line of effect
	coverLines  []uint8      // the same for pairs of squares: one more than the number of lines that the ground hampers; 0: unknown
	corners     *grid.CornerLines
	areas       []area // cache of the squares around a place, which depend only on the ground

	// Reusable memory.
	squares []grid.Square
	packed  []int64
	between []grid.Box
	mover   grid.Mover
	avoided []grid.Square
	path    []grid.Square
}

// movement is what the ruleset says about how a creature moves. It is cached if it does not depend on positions;
// otherwise it is computed each time.
type movement struct {
	side               int16 // 0: unknown
	isComplete         bool  // the rest is known
	flies, cutsCorners bool
	prices             *grid.Prices
	squeeze            int64 // price of squeezing through a gap; 0: it cannot squeeze
	ground             *grid.Ground
}

// moverClass is what the prices of a creature's steps depend on.
type moverClass struct {
	factor     int64 // multiplies the price of each step, 1..maxStepFactor
	unhampered bool  // no ground makes a step more expensive
}

// maxStepFactor is the highest step factor of a creature. It limits the number of tables of prices.
const maxStepFactor = 64

// relation is what the ruleset says about a creature and another one in its way.
type relation struct{ known, canPass, canShare bool }

// search is a pathfinding query with its result.
type search struct {
	who     int64
	goal    grid.Goal
	avoided []grid.Square
	path    []grid.Square
	found   bool
}

// pairResult is a result for two places that depends only on the ground.
type pairResult struct {
	from, to grid.Box
	query    int16 // which question, from 1
	answer   int16
}

const pairBits = 14

// Questions whose answers depend only on the ground.
const (
	effectLineQuery int16 = iota + 1
	sightLineQuery
	linesBlockedQuery
	linesDimmedQuery
	linesBrushedQuery
)

// cachedAnswer answers a question about two places that depends only on the ground, from the cache if possible.
func (f *Field) cachedAnswer(query int16, x, y grid.Box, compute func() int64) int64 {
	if f.pairResults == nil {
		f.pairResults = make([]pairResult, 1<<pairBits)
	}
	h := uint64(x.At.Pack())*0x9e3779b97f4a7c15 ^ uint64(y.At.Pack())
	h = (h ^ uint64(x.Side)<<40 ^ uint64(y.Side)<<48 ^ uint64(query)<<56) * 0xbf58476d1ce4e5b9
	k := &f.pairResults[h>>(64-pairBits)]
	if k.query != query || k.from != x || k.to != y {
		k.from, k.to, k.query, k.answer = x, y, query, int16(compute())
	}
	return int64(k.answer)
}

// area is the squares around a place, within a distance in feet and a number of levels up and down.
type area struct {
	box     grid.Box
	levels  int16
	feet    int32
	squares []int64 // empty: the slot is unused
}

const (
	areaBits       = 8
	maxAreaSquares = 64 // maximum number of squares of a cached area
)

// squaresAround returns the squares around a place. The result is valid until the next call.
func (f *Field) squaresAround(x grid.Box, feet int32, levels int) []int64 {
	if f.areas == nil {
		f.areas = make([]area, 1<<areaBits)
	}
	h := (uint64(x.At.Pack()) ^ uint64(feet)<<40 ^ uint64(x.Side)<<56 ^ uint64(levels)<<61) * 0x9e3779b97f4a7c15
	k := &f.areas[h>>(64-areaBits)]
	if k.box == x && k.feet == feet && k.levels == int16(levels) && len(k.squares) > 0 {
		return k.squares
	}
	f.squares = f.Grid.Within(f.squares[:0], x, feet, levels, f.prices)
	if len(f.squares) > maxAreaSquares {
		f.packed = pack(f.packed[:0], f.squares)
		return f.packed
	}
	k.box, k.feet, k.levels = x, feet, int16(levels)
	k.squares = pack(k.squares[:0], f.squares)
	return k.squares
}

// hasLine reports whether a line from one box to another is free, for pathfinding.
func (f *Field) hasLine(from, to grid.Box, stop grid.Flags) bool {
	if stop != grid.BlocksEffect {
		return f.Grid.HasLine(from, to, stop, f.reading)
	}
	if a, b := f.column(from), f.column(to); a >= 0 && b >= 0 {
		return f.hasColumnLine(a, b, from, to)
	}
	return f.cachedAnswer(effectLineQuery, from, to, func() int64 { return toInt(f.Grid.HasLine(from, to, stop, f.reading)) }) != 0
}

// maxColumns is the maximum number of columns of a map for which lines between columns are cached, in 256 KiB.
const maxColumns = 1 << 10

// column returns the index of the column of a square on the floor, -1 for anything else, and on a map with too many
// columns.
func (f *Field) column(b grid.Box) int {
	if b.Side != 1 {
		return -1
	}
	return f.columnOf(b.At)
}

func (f *Field) columnOf(s grid.Square) int {
	if len(f.class) > maxColumns {
		return -1
	}
	return f.Grid.ColumnOf(s)
}

// hasColumnLine is hasLine for the floors of two columns.
func (f *Field) hasColumnLine(a, b int, from, to grid.Box) bool {
	if f.lines == nil {
		f.lines = make([]uint64, (len(f.class)*len(f.class)+31)/32)
	}
	i := a*len(f.class) + b
	word, bit := &f.lines[i/32], uint(i%32*2)
	if *word>>bit&1 == 0 {
		*word |= (1 | uint64(toInt(f.Grid.HasLine(from, to, grid.BlocksEffect, f.reading)))<<1) << bit
	}
	return *word>>bit&2 != 0
}

// linesBlocked counts the lines from the best corner of one box to the corners of another that the ground hampers.
func (f *Field) linesBlocked(from, to grid.Box) int64 {
	if a, b := f.column(from), f.column(to); a >= 0 && b >= 0 {
		return f.columnLinesBlocked(a, b, from.At, to.At)
	}
	return f.cachedAnswer(linesBlockedQuery, from, to, func() int64 {
		return int64(f.Grid.BlockedBest(from, to, &grid.Lines{Stop: hampersLines, Whole: f.wholeSpaces}))
	})
}

// hampersLines is what hampers lines for cover.
const hampersLines = grid.BlocksEffect | grid.GivesCover

// columnLinesBlocked is linesBlocked for the floors of two columns.
func (f *Field) columnLinesBlocked(a, b int, from, to grid.Square) int64 {
	if f.coverLines == nil {
		f.coverLines, f.corners = make([]uint8, len(f.class)*len(f.class)), grid.NewCornerLines(f.Grid, hampersLines)
	}
	known := &f.coverLines[a*len(f.class)+b]
	if *known == 0 {
		*known = uint8(f.corners.BlockedBest(from, to)) + 1
	}
	return int64(*known) - 1
}

// maxSearches is the number of cached paths.
const maxSearches = 8

// Attach puts the creatures of a machine on a map, and binds the functions about places for its rules.
func Attach(m *machine.Machine, onMap *Map) (*Field, error) {
	f := &Field{Map: onMap, defines: &m.Program().CoreDefines}
	f.moverPrices = make(map[moverClass]*grid.Prices)
	prices, failed := f.computePrices(m, 1)
	f.prices, f.moverPrices[moverClass{factor: 1}] = prices, prices
	if f.evalCoreDefine(m, ir.CoreLinesGraze, 0, program.None, program.None) != 0 {
		f.reading = grid.OnCorners
	}
	f.wholeSpaces = f.evalCoreDefine(m, ir.CoreOuterCorners, 0, program.None, program.None) != 0
	f.finder.Sees = f.hasLine
	f.AttachTo(m)
	return f, failed
}

// pricesFor returns the prices of the steps of such a creature.
func (f *Field) pricesFor(m *machine.Machine, class moverClass) *grid.Prices {
	if prices := f.moverPrices[class]; prices != nil {
		return prices
	}
	var prices *grid.Prices
	if class.unhampered {
		prices = f.pricesFor(m, moverClass{factor: class.factor}).Plain()
	} else {
		prices, _ = f.computePrices(m, class.factor) // Attach has reported errors
	}
	f.moverPrices[class] = prices
	return prices
}

// computePrices asks the ruleset for the price of each step, with the price of the ground multiplied by a factor.
func (f *Field) computePrices(m *machine.Machine, times int64) (prices *grid.Prices, failed error) {
	prices = grid.NewPrices(func(factor int, diagonal, odd bool) int32 {
		if f.defines[ir.CoreStepPrice] < 0 {
			return int32(min(int64(factor)*times*squareSide, grid.MaxPrice))
		}
		v, err := m.Define(f.defines[ir.CoreStepPrice], program.None, int64(factor)*times, toInt(diagonal), toInt(odd))
		if err != nil {
			failed = err
		}
		return int32(min(max(v, 0), grid.MaxPrice))
	})
	for factor := 1; factor <= grid.MaxFactor && f.defines[ir.CoreDiagonalCounts] >= 0; factor++ {
		counts, err := m.Define(f.defines[ir.CoreDiagonalCounts], program.None, int64(factor)*times)
		if err != nil {
			failed = err
		}
		if counts == 0 {
			prices.ExcludeDiagonals(factor)
		}
	}
	return prices, failed
}

// AttachTo attaches the field to a machine.
func (f *Field) AttachTo(m *machine.Machine) {
	m.Ground = f
	m.Natives, m.FastNatives = f.bindNatives(), f.bindFastNatives()
	m.Relink()
	m.StateChanged()
}

func toInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// evalCoreDefine calls a define of the ruleset for a creature, or for two; if there is no answer, it returns otherwise.
func (f *Field) evalCoreDefine(m *machine.Machine, what ir.CoreDefine, otherwise, who, other int64) int64 {
	if f.defines[what] < 0 {
		return otherwise
	}
	v, ok := m.TryDefine(f.defines[what], who, other)
	if !ok {
		return otherwise
	}
	return v
}

// boxAt returns the squares that a creature would fill at a square.
func (f *Field) boxAt(m *machine.Machine, who int64, at grid.Square) grid.Box {
	f.refresh(m)
	if who < 0 || who >= int64(len(f.movements)) {
		return grid.One(at)
	}
	if side := f.movements[who].side; side != 0 {
		return grid.Box{At: at, Side: side}
	}
	outerReads := m.BeginReads()
	space := f.evalCoreDefine(m, ir.CoreSpace, squareSide, who, program.None)
	side := int16(min(max((space+squareSide-1)/squareSide, 1), grid.MaxSide))
	if m.EndReads(outerReads) == 0 {
		f.movements[who].side = side
	}
	return grid.Box{At: at, Side: side}
}

// refresh invalidates outdated caches.
func (f *Field) refresh(m *machine.Machine) {
	if !f.isFresh(m) {
		f.clearCaches(m)
	}
}

func (f *Field) isFresh(m *machine.Machine) bool {
	return f.groundChanges == m.GroundChanges() && f.moveCount == m.MoveCount() && !m.NoCache
}

func (f *Field) clearCaches(m *machine.Machine) {
	f.occupantsFor, f.searches = -1, f.searches[:0]
	if f.groundChanges != m.GroundChanges() || m.NoCache {
		n := len(m.State().Squares)
		f.movements = slices.Grow(f.movements[:0], n)[:n]
		f.relations = slices.Grow(f.relations[:0], n*n)[:n*n]
		clear(f.movements)
		clear(f.relations)
	}
	f.groundChanges, f.moveCount = m.GroundChanges(), m.MoveCount()
}

// relation returns whether a creature can pass another, and whether it can stay in its square.
func (f *Field) relation(m *machine.Machine, who, other int64) relation {
	var unknown relation
	k := &unknown // for values that are not creatures
	if uint64(who) < uint64(len(f.movements)) {
		k = &f.relations[int(who)*len(f.movements)+int(other)]
	}
	if k.known {
		return *k
	}
	outerReads := m.BeginReads()
	x := relation{
		known:    true,
		canPass:  f.evalCoreDefine(m, ir.CorePasses, 0, who, other) != 0,
		canShare: f.evalCoreDefine(m, ir.CoreShares, 0, who, other) != 0,
	}
	if m.EndReads(outerReads) == 0 {
		*k = x
	}
	return x
}

// boxOf unpacks a value that is a creature or a square.
func (f *Field) boxOf(m *machine.Machine, v int64) (grid.Box, error) {
	if s, ok := grid.Unpack(v); ok {
		return grid.One(s), nil
	}
	if squares := m.State().Squares; uint64(v) < uint64(len(squares)) {
		m.AddReads(machine.ReadsOf(v))
		if f.isFresh(m) && uint64(v) < uint64(len(f.movements)) && f.movements[v].side != 0 {
			if s, ok := grid.Unpack(squares[v]); ok {
				return grid.Box{At: s, Side: f.movements[v].side}, nil
			}
		}
		if s, ok := grid.Unpack(squares[v]); ok {
			return f.boxAt(m, v, s), nil
		}
	}
	return grid.Box{}, fmt.Errorf("%s is not on a map", m.FormatThing(v))
}

// boxesOf unpacks two places.
func (f *Field) boxesOf(m *machine.Machine, a, b int64) (x, y grid.Box, err error) {
	if x, err = f.boxOf(m, a); err == nil {
		y, err = f.boxOf(m, b)
	}
	return x, y, err
}

// areaList is makeList for the squares of an area.
func (f *Field) areaList(m *machine.Machine, squares []grid.Square) int64 {
	if f.OnArea != nil {
		f.OnArea(squares)
	}
	return f.makeList(m, squares)
}

// makeList packs squares into a list of the machine.
func (f *Field) makeList(m *machine.Machine, squares []grid.Square) int64 {
	f.packed = pack(f.packed[:0], squares)
	return listOf(m, f.packed)
}

// listOf creates a list of the machine, and charges for it.
func listOf(m *machine.Machine, squares []int64) int64 {
	m.ChargeSteps(len(squares))
	return m.MakeList(squares)
}

// unpack unpacks a list of squares.
func unpack(into []grid.Square, values []int64) []grid.Square {
	for _, v := range values {
		if s, ok := grid.Unpack(v); ok {
			into = append(into, s)
		}
	}
	return into
}

// listOccupants lists the squares of other creatures, and whether the creature can pass them.
func (f *Field) listOccupants(m *machine.Machine, who int64) []grid.Occupant {
	f.refresh(m)
	m.AddReads(machine.Everybody)
	if f.occupantsFor == who {
		return f.occupants
	}
	f.occupants = f.occupants[:0]
	for other, at := range m.State().Squares {
		s, ok := grid.Unpack(at)
		if !ok || int64(other) == who {
			continue
		}
		box, x := f.boxAt(m, int64(other), s), f.relation(m, who, int64(other))
		f.occupants = append(f.occupants, grid.Occupant{Box: box, Pass: x.canPass, Share: x.canShare})
	}
	f.occupantsFor = who
	return f.occupants
}

// movementOf returns what the ruleset says about how a creature moves.
func (f *Field) movementOf(m *machine.Machine, who int64) movement {
	f.refresh(m)
	var x movement
	if uint64(who) < uint64(len(f.movements)) {
		x = f.movements[who]
	}
	if x.isComplete {
		return x
	}
	outerReads := m.BeginReads()
	x.isComplete = true
	x.squeeze = f.evalCoreDefine(m, ir.CoreSqueezePrice, 0, program.None, program.None)
	x.cutsCorners = f.evalCoreDefine(m, ir.CoreCutsCorners, 0, program.None, program.None) != 0
	x.flies = f.evalCoreDefine(m, ir.CoreFlies, 0, who, program.None) != 0
	x.prices = f.pricesFor(m, moverClass{
		factor:     min(max(f.evalCoreDefine(m, ir.CoreStepFactor, 1, who, program.None), 1), maxStepFactor),
		unhampered: f.evalCoreDefine(m, ir.CoreUnhampered, 0, who, program.None) != 0,
	})
	x.ground = f.softGroundFor(m, who)
	if m.EndReads(outerReads) == 0 && uint64(who) < uint64(len(f.movements)) {
		f.movements[who] = x
	}
	return x
}

// moverOf describes a creature for pathfinding, and returns the ground on which it moves.
func (f *Field) moverOf(m *machine.Machine, who int64) (*grid.Mover, *grid.Ground, error) {
	box, err := f.boxOf(m, who)
	if err != nil {
		return &f.mover, f.Grid, err
	}
	x := f.movementOf(m, who)
	f.mover = grid.Mover{
		Box: box, Prices: x.prices, CutCorners: x.cutsCorners, Fly: x.flies,
		Squeeze: x.squeeze > 0, SqueezeFactor: uint8(min(max(x.squeeze, 1), grid.MaxFactor)),
	}
	return &f.mover, x.ground, nil
}
