package ground

import (
	"errors"
	"fmt"
	"slices"

	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/grid"
)

// This file implements the functions about places: each unpacks its arguments, calls the geometry, and packs the
// result.

// native is a function about places before it is bound to its field.
type native func(f *Field, m *machine.Machine, args []int64) (int64, error)

func (f *Field) bindNatives() map[string]machine.Native {
	bound := map[string]machine.Native{}
	for name, fn := range natives {
		bound[name] = func(m *machine.Machine, args []int64) (int64, error) { return fn(f, m, args) }
	}
	return bound
}

var natives = map[string]native{
	"distance": pairNative(func(f *Field, x, y grid.Box) int64 { return int64(grid.Distance(x, y, f.prices)) }),
	"steps":    pairNative(func(f *Field, x, y grid.Box) int64 { return int64(grid.Steps(x, y)) }),
	"adjacent": pairNative(func(f *Field, x, y grid.Box) int64 { return toInt(grid.Adjacent(x, y)) }),
	"slope":    pairNative(func(f *Field, x, y grid.Box) int64 { return int64(grid.Slope(x.At, y.At)) }),
	"line-of-effect": pairNative(func(f *Field, x, y grid.Box) int64 {
		return toInt(f.hasLine(x, y, grid.BlocksEffect))
	}),
	"line-of-sight": pairNative(func(f *Field, x, y grid.Box) int64 {
		return f.cachedAnswer(sightLineQuery, x, y, func() int64 { return toInt(f.Grid.HasLine(x, y, grid.BlocksSight, f.reading)) })
	}),
	"lines-blocked": pairNative((*Field).linesBlocked),
	"some-line-blocked": pairNative(func(f *Field, x, y grid.Box) int64 {
		_, all := f.Grid.Blocked(x, y, grid.BlocksEffect|grid.GivesCover, nil)
		return toInt(all > 0)
	}),
	"lines-dimmed": pairNative(func(f *Field, x, y grid.Box) int64 {
		return f.cachedAnswer(linesDimmedQuery, x, y, func() int64 {
			return int64(f.Grid.BlockedBest(x, y, &grid.Lines{Stop: grid.Conceals, Whole: f.wholeSpaces, Inside: true}))
		})
	}),
	"lines-brushed": pairNative(func(f *Field, x, y grid.Box) int64 {
		return f.cachedAnswer(linesBrushedQuery, x, y, func() int64 {
			return int64(f.Grid.BlockedBest(x, y, &grid.Lines{Stop: grid.Conceals, Whole: f.wholeSpaces, Inside: true, Touch: true}))
		})
	}),
	"lines-screened":   screenNative(0),
	"lines-obstructed": screenNative(grid.BlocksEffect | grid.GivesCover),
	"flanks": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		third := a[2]
		x, y, err := f.boxesOf(m, a[0], a[1])
		if err != nil {
			return 0, err
		}
		z, err := f.boxOf(m, third)
		return toInt(grid.Flanks(x, y, z)), err
	},
	"elevation": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		x, err := f.boxOf(m, a[0])
		return int64(x.At.Z) * squareSide, err
	},
	"ground-below": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		x, err := f.boxOf(m, a[0])
		if z, ok := f.Grid.Below(x); ok {
			x.At.Z = z
		}
		return x.At.Pack(), err
	},
	"bend": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		var x [4]grid.Box
		for i := range x {
			var err error
			if x[i], err = f.boxOf(m, a[i]); err != nil {
				return 0, err
			}
		}
		return int64(grid.Bend(x[0], x[1], x[2], x[3])), nil
	},
	"terrain": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		s, _ := grid.Unpack(a[0])
		return m.MakeList(f.At(int(s.X), int(s.Y)).Terrain), nil
	},

	"squares-of": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		x, err := f.boxOf(m, a[0])
		return listOf(m, f.squaresAround(x, 0, int(x.Side))), err
	},
	"squares-within": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		far := clampFeet(a[1])
		x, err := f.boxOf(m, a[0])
		return listOf(m, f.squaresAround(x, far, 0)), err
	},
	"squares-aligned": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		to, _ := grid.Unpack(a[1])
		x, err := f.boxOf(m, a[0])
		f.squares = grid.Swept(f.squares[:0], x, to)
		return f.makeList(m, f.squares), err
	},
	"squares-between": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		x, y, err := f.boxesOf(m, a[0], a[1])
		f.squares = grid.Between(f.squares[:0], x, y)
		return f.makeList(m, f.squares), err
	},
	"corner-line-of-effect": cornerNative(func(f *Field, at grid.Square, to grid.Box) int64 {
		return toInt(f.Grid.HasLineFrom(at, to, grid.BlocksEffect))
	}),
	"corner-lines-blocked": cornerNative(func(f *Field, at grid.Square, to grid.Box) int64 {
		return int64(f.Grid.BlockedBestFrom(at, to, grid.BlocksEffect|grid.GivesCover, f.wholeSpaces))
	}),
	"corner-squares-between": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[0])
		to, err := f.boxOf(m, a[1])
		f.squares = grid.BetweenFrom(f.squares[:0], at, to)
		return f.makeList(m, f.squares), err
	},
	"burst": areaNative(func(f *Field, at grid.Square, far int32) []grid.Square {
		return f.Grid.Burst(f.squares[:0], at, far, 0, f.prices)
	}),
	"spread": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[0])
		var ok bool
		if f.squares, ok = f.finder.Spread(f.squares[:0], f.Grid, at, clampFeet(a[1]), f.prices); !ok {
			return 0, errSpread
		}
		return f.areaList(m, f.squares), nil
	},
	"cylinder": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[0])
		f.squares = f.Grid.Cylinder(f.squares[:0], at, clampFeet(a[1]), clampFeet(a[2]), f.prices)
		return f.areaList(m, f.squares), nil
	},
	"cone": directedAreaNative(func(f *Field, at, to grid.Square, far int32) []grid.Square {
		return f.Grid.Cone(f.squares[:0], at, to, far, 0, f.prices)
	}),
	"ray": directedAreaNative(func(f *Field, at, to grid.Square, far int32) []grid.Square {
		return f.Grid.LineArea(f.squares[:0], at, to, far, 0, f.prices)
	}),
	"creatures-in": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		squares := m.ListElements(a[0])
		f.packed = f.packed[:0]
		m.AddReads(machine.Everybody)
		for who, at := range m.State().Squares {
			if f.fillsOneSquare(m, int64(who)) {
				if slices.Contains(squares, at) {
					f.packed = append(f.packed, int64(who))
				}
				continue
			}
			if s, ok := grid.Unpack(at); ok {
				box := f.boxAt(m, int64(who), s)
				f.squares = unpack(f.squares[:0], squares)
				if slices.ContainsFunc(f.squares, box.Holds) {
					f.packed = append(f.packed, int64(who))
				}
			}
		}
		return m.MakeList(f.packed), nil
	},
	"line": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		x, y, err := f.boxesOf(m, a[0], a[1])
		f.squares = grid.Line(f.squares[:0], x.At, y.At)
		return f.makeList(m, f.squares), err
	},
	"straight": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		f.squares = unpack(f.squares[:0], m.ListElements(a[0]))
		return toInt(grid.Straight(f.squares)), nil
	},
	"off-course": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		x, y, err := f.boxesOf(m, a[0], a[1])
		return grid.OffCourse(x, y, int(a[2]%360), float64(clampFeet(a[3]))/squareSide).Pack(), err
	},
	"step-away": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		n := int(clampFeet(a[2])) / squareSide
		x, y, err := f.boxesOf(m, a[0], a[1])
		f.squares = grid.StepAway(f.squares[:0], x.At, y.At, n)
		if n := len(f.squares); n > 0 {
			return f.squares[n-1].Pack(), err
		}
		return x.At.Pack(), err
	},

	"free": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		who := a[0]
		at, _ := grid.Unpack(a[1])
		return toInt(f.canStay(m, who, at)), nil
	},
	"squares-filled": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[1])
		box := f.boxAt(m, a[0], at)
		return listOf(m, f.squaresAround(box, 0, int(box.Side))), nil
	},
	"distance-from": standingNative(func(f *Field, x, y grid.Box) int64 { return int64(grid.Distance(x, y, f.prices)) }),
	"steps-from":    standingNative(func(f *Field, x, y grid.Box) int64 { return int64(grid.Steps(x, y)) }),
	"squeezed": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		x, err := f.boxOf(m, a[0])
		_, squeezed := f.groundOf(m, a[0]).Fits(x)
		return toInt(squeezed), err
	},
	"path-length": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		f.path = unpack(f.path[:0], m.ListElements(a[1]))
		mover, on, err := f.moverOf(m, a[0])
		if err != nil {
			return 0, err
		}
		if len(f.path) > 0 && f.path[0] != mover.Box.At {
			return 0, fmt.Errorf("this path begins at %s, but %s, who would take it, is at %s",
				machine.FormatSquare(f.path[0].Pack()), m.FormatThing(a[0]), machine.FormatSquare(mover.Box.At.Pack()))
		}
		cost, ok := f.finder.Cost(on, mover, f.path)
		if !ok {
			return unreachable, nil
		}
		return int64(cost), nil
	},
	"path-part": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		who, far := a[0], clampFeet(a[2])
		f.path = unpack(f.path[:0], m.ListElements(a[1]))
		mover, on, err := f.moverOf(m, who)
		if err != nil {
			return 0, err
		}
		part, _ := f.finder.Prefix(on, mover, f.listOccupants(m, who), f.path, far)
		return f.makeList(m, part), nil
	},
	"path-to": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[1])
		return f.findPath(m, a[0], grid.Goal{Near: grid.One(at), Exactly: true}, a[2])
	},
	"path-within": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		who, far, avoid := a[0], clampFeet(a[2]), a[3]
		x, err := f.boxOf(m, a[1])
		if err != nil {
			return 0, err
		}
		return f.findPath(m, who, grid.Goal{Near: x, Max: far}, avoid)
	},
	"path-between": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		who, near, far, avoid := a[0], clampFeet(a[2]), clampFeet(a[3]), a[4]
		x, err := f.boxOf(m, a[1])
		if err != nil {
			return 0, err
		}
		return f.findPath(m, who, grid.Goal{Near: x, Min: near, Max: far}, avoid)
	},
	"path-in-sight": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		who, far, avoid := a[0], clampFeet(a[2]), a[3]
		x, err := f.boxOf(m, a[1])
		if err != nil {
			return 0, err
		}
		return f.findPath(m, who, grid.Goal{Near: x, Min: 1, Max: far, Sight: grid.BlocksEffect}, avoid)
	},
	"reachable": func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		who, far := a[0], clampFeet(a[1])
		mover, on, err := f.moverOf(m, who)
		if err != nil {
			return 0, err
		}
		f.squares = f.finder.Reachable(f.squares[:0], on, mover, f.listOccupants(m, who), far)
		m.ChargeSteps(f.finder.Followed())
		return f.makeList(m, f.squares), nil
	},
}

var errSpread = errors.New("an area that spreads so far turns too many corners here; give it a smaller radius")

// unreachable is the price of an impossible path.
const unreachable = 1_000_000

// clampFeet clamps a distance for the geometry.
func clampFeet(v int64) int32 { return int32(min(max(v, 0), unreachable)) }

// pairNative wraps a function of two places.
func pairNative(fn func(f *Field, x, y grid.Box) int64) native {
	return func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		x, y, err := f.boxesOf(m, a[0], a[1])
		if err != nil {
			return 0, err
		}
		return fn(f, x, y), nil
	}
}

// screenNative is a function of two places and the creatures in between; what else stops a line is given.
func screenNative(stop grid.Flags) native {
	return func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		list := a[2]
		x, y, err := f.boxesOf(m, a[0], a[1])
		f.between = f.between[:0]
		for _, who := range m.ListElements(list) {
			if b, err := f.boxOf(m, who); err == nil {
				f.between = append(f.between, b)
			}
		}
		return int64(f.Grid.BlockedBest(x, y, &grid.Lines{Stop: stop, Bodies: f.between, Whole: f.wholeSpaces})), err
	}
}

// standingNative wraps a function of a creature as if it stood on a square, and a place.
func standingNative(fn func(f *Field, x, y grid.Box) int64) native {
	return func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[1])
		y, err := f.boxOf(m, a[2])
		if err != nil {
			return 0, err
		}
		return fn(f, f.boxAt(m, a[0], at), y), nil
	}
}

// cornerNative wraps a function of a corner and a place.
func cornerNative(fn func(f *Field, at grid.Square, to grid.Box) int64) native {
	return func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[0])
		to, err := f.boxOf(m, a[1])
		if err != nil {
			return 0, err
		}
		return fn(f, at, to), nil
	}
}

// areaNative wraps a function that returns an area around a corner.
func areaNative(fn func(f *Field, at grid.Square, far int32) []grid.Square) native {
	return func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[0])
		f.squares = fn(f, at, clampFeet(a[1]))
		return f.areaList(m, f.squares), nil
	}
}

// directedAreaNative wraps a function that returns an area from a corner in a direction.
func directedAreaNative(fn func(f *Field, at, to grid.Square, far int32) []grid.Square) native {
	return func(f *Field, m *machine.Machine, a []int64) (int64, error) {
		at, _ := grid.Unpack(a[0])
		to, _ := grid.Unpack(a[1])
		f.squares = fn(f, at, to, clampFeet(a[2]))
		return f.areaList(m, f.squares), nil
	}
}

// findPath finds a path, none if there is none.
func (f *Field) findPath(m *machine.Machine, who int64, goal grid.Goal, avoid int64) (int64, error) {
	f.avoided = unpack(f.avoided[:0], m.ListElements(avoid))
	mover, ground, err := f.moverOf(m, who)
	if err != nil {
		return 0, err
	}
	f.refresh(m)
	for i := range f.searches {
		if x := &f.searches[i]; x.who == who && x.goal == goal && slices.Equal(x.avoided, f.avoided) {
			return f.pathList(m, x), nil
		}
	}
	f.latestSearch = (f.latestSearch + 1) % maxSearches
	if n := len(f.searches); n < maxSearches {
		f.latestSearch, f.searches = n, slices.Grow(f.searches, 1)[:n+1] // reuses the memory of an earlier one
	}
	x := &f.searches[f.latestSearch]
	path, _, ok := f.finder.Find(ground, mover, f.listOccupants(m, who), goal, f.avoided, unreachable)
	m.ChargeSteps(f.finder.Followed())
	x.who, x.goal, x.found = who, goal, ok
	x.path = append(x.path[:0], path...)
	x.avoided = append(x.avoided[:0], f.avoided...)
	return f.pathList(m, x), nil
}

func (f *Field) pathList(m *machine.Machine, x *search) int64 {
	if !x.found {
		return program.None
	}
	return f.makeList(m, x.path)
}

// canStay reports whether a creature could stay on a square.
func (f *Field) canStay(m *machine.Machine, who int64, at grid.Square) bool {
	box := f.boxAt(m, who, at)
	fits, squeezed := f.groundOf(m, who).Fits(box)
	if !fits && !(squeezed && f.evalCoreDefine(m, ir.CoreSqueezePrice, 0, program.None, program.None) > 0) {
		return false
	}
	return f.blocker(m, who, box, false, true) == program.None
}

// WhyUnfit returns why a creature cannot be at its position, "" if it can.
func (f *Field) WhyUnfit(m *machine.Machine, who int64) string {
	return f.WhyUnfitAt(m, who, m.State().Squares[who])
}

// WhyUnfitAt returns why a creature could not be on a square, "" if it could.
func (f *Field) WhyUnfitAt(m *machine.Machine, who, square int64) string {
	at, ok := grid.Unpack(square)
	if !ok {
		return "no square is given"
	}
	box := f.boxAt(m, who, at)
	if fits, squeezed := f.groundOf(m, who).Fits(box); !fits && !squeezed {
		return "the ground does not allow it"
	}
	if other := f.blocker(m, who, box, false, true); other != program.None {
		return m.FormatThing(other) + " is there"
	}
	return ""
}

// blocker returns the first creature in a box that another cannot pass, or with which it cannot stay; none if there is
// none. The ruleset is consulted only for creatures in the box.
func (f *Field) blocker(m *machine.Machine, who int64, box grid.Box, pass, stay bool) int64 {
	m.AddReads(machine.Everybody)
	at := box.At.Pack()
	for other, s := range m.State().Squares {
		if int64(other) == who || s != at && box.Side == 1 && f.fillsOneSquare(m, int64(other)) {
			continue
		}
		square, ok := grid.Unpack(s)
		if !ok || !grid.Overlap(f.boxAt(m, int64(other), square), box) {
			continue
		}
		if x := f.relation(m, who, int64(other)); pass && !x.canPass || stay && !x.canShare {
			return int64(other)
		}
	}
	return program.None
}

// --- movement --------------------------------------------------------------------------------------------

// Path returns the squares of a `moves` statement, without the current square of the creature.
func (f *Field) Path(m *machine.Machine, who int64, kind string, amount, goal int64, into []int64) ([]int64, error) {
	box, err := f.boxOf(m, who)
	if err != nil {
		return into, err
	}
	f.path = f.path[:0]
	if kind == "along" {
		for i, v := range m.ListElements(goal) {
			if s, ok := grid.Unpack(v); ok && (i > 0 || s != box.At) {
				f.path = append(f.path, s)
			}
		}
		return pack(into, f.path), nil
	}
	to, err := f.boxOf(m, goal)
	if err != nil {
		return into, err
	}
	far := int32(unreachable)
	if amount != program.None {
		far = clampFeet(amount)
	}
	switch kind {
	case "to", "toward":
		f.path = grid.Line(f.path, box.At, to.At)
	case "away":
		return pack(into, grid.Push(f.path, box.At, to.At, far, f.prices)), nil
	default:
		return into, fmt.Errorf("nobody moves %s", kind)
	}
	n := 1
	for n < len(f.path) && grid.Distance(grid.One(box.At), grid.One(f.path[n]), f.prices) <= far {
		n++
	}
	return pack(into, f.path[min(1, len(f.path)):min(n, len(f.path))]), nil
}

func pack(into []int64, squares []grid.Square) []int64 {
	for _, s := range squares {
		into = append(into, s.Pack())
	}
	return into
}

// CanEnter reports whether the ground and the creatures there allow a creature to take a step now.
func (f *Field) CanEnter(m *machine.Machine, who, square int64, last bool) bool {
	to, ok := grid.Unpack(square)
	mover, ground, err := f.moverOf(m, who)
	if !ok || err != nil {
		return false
	}
	if _, ok := f.finder.Cost(ground, mover, append(f.squares[:0], mover.Box.At, to)); !ok {
		return false
	}
	return f.blocker(m, who, grid.Box{At: to, Side: mover.Box.Side}, true, last) == program.None
}
