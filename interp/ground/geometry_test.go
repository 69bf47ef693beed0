package ground_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/ground"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
	"arbiter/rules"
	"arbiter/stdlib/grid"
)

// questions are what TestGeometry asks the rules.
const questions = `encounter "x" with starfinder

creature man { full-hit-points: 30; main-weapon: longsword; base-attack: 4; speed: 60 ft }
weapon rifle { damage: 1d10; types: piercing; increment: 100 ft; is projectile, two-handed }
blast bomb { extent: 20 ft; damage: 1d4; types: fire }
blast cloud { shape: spread-area; extent: 20 ft; damage: 1d4; types: fire }

define creature.ask-line(foe: creature) = line-of-effect(foe, self)
define creature.ask-cover(foe: creature) = self.cover-from(foe, rifle) = normal-cover
define creature.ask-melee-cover(foe: creature) = self.cover-from(foe, longsword) = normal-cover
define creature.ask-total-cover(foe: creature) = self.cover-from(foe, rifle) = total-cover
define creature.ask-concealment(foe: creature) = self.concealment-from(foe, rifle)
define creature.ask-point(origin: square) = if self.cover-from-point(origin) = total-cover then 2
    else if self.cover-from-point(origin) = normal-cover then 1 else 0
define creature.ask-burst(origin: square) = self in caught-in(bomb, origin, origin)
define creature.ask-spread(origin: square) = self in caught-in(cloud, origin, origin)
define creature.ask-clear(spot: square) = self.has-clear-path-to(spot)
define creature.ask-goals(foe: creature) = length(self.charge-goals(foe, longsword))
define creature.ask-nearest(foe: creature, n: number) = self.charge-goals(foe, longsword)[n]
define creature.ask-goal(foe: creature) = self.charge-goal(foe, longsword)
define creature.ask-reach(foe: creature) = self.reaches(foe, longsword)
define creature.ask-flanked(one: creature, other: creature) = self.stands-between(one, other)
`

// A table is a scene that is set up under the rules.
type table struct {
	*testing.T
	*scene
	*machine.Machine
	defines map[string]int32
}

func (t *table) ask(name string, args ...int64) int64 {
	v, err := t.Define(t.defines["ask-"+name], args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, t)
	}
	return v
}

func (t *table) String() string {
	s := strings.Join(t.rows, "\n")
	for _, b := range t.bodies {
		s += fmt.Sprintf("\n%+v", b)
	}
	return s
}

// setUp returns a function that sets up a scene.
func setUp(t *testing.T) func(s *scene) *table {
	s, diags, err := build.Source("x.encounter", []byte(questions), build.Options{Library: rules.FS})
	if err != nil || s.Rules == nil || len(diags) > 0 {
		t.Fatal(diags, err)
	}
	p := s.Rules.Program
	defines := map[string]int32{}
	for i, d := range p.Defines {
		if at := strings.Index(d.Name, "ask-"); at >= 0 {
			defines[d.Name[at:]] = int32(i)
		}
	}
	man := slices.IndexFunc(p.Templates, func(x program.Template) bool { return x.Name == "man" })
	size := slices.IndexFunc(p.Kinds[0].Fields, func(f program.Field) bool { return f.Name == "size" })
	return func(s *scene) *table {
		f, _ := parse.File("x.encounter", []byte("encounter \"x\" with starfinder\nmap \"\"\"\n"+strings.Join(s.rows, "\n")+
			"\n\"\"\" { \"#\": wall; \"|\": bars; \"%\": fog; \":\": rubble }\n"))
		at := slices.IndexFunc(f.Body, func(c ast.Clause) bool { _, ok := c.(*ast.Map); return ok })
		on, diags := ground.Read("x.encounter", p, f.Body[at].(*ast.Map))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		m := machine.New(p)
		if _, err := ground.Attach(m, on); err != nil {
			t.Fatal(err)
		}
		for i, b := range s.bodies {
			if _, err := m.Place(int32(man), machine.Placement{Side: int32(i % 2), Square: b.square(), Fields: map[int32]int64{int32(size): int64(b.size)}}); err != nil {
				t.Fatal(err)
			}
		}
		return &table{t, s, m, defines}
	}
}

var sides = [9]int{1, 1, 1, 1, 1, 2, 3, 4, 6}

// randomScene returns a map of 34 by 34 squares with creatures that do not overlap, far from the borders: the first two
// of the given sizes, and some more.
func randomScene(r *rand.Rand, one, other int, marks string, high bool) *scene {
	const n = 34
	s := &scene{}
	dense := []int{5, 12, 30, 100}[r.IntN(4)]
	for range n {
		row := make([]byte, n)
		for x := range row {
			row[x] = '.'
			if r.IntN(dense) == 0 {
				row[x] = marks[r.IntN(len(marks))]
			}
		}
		s.rows = append(s.rows, string(row))
	}
	put := func(x, y, z, size int) bool {
		b := body{x, y, z, sides[size], size}
		if slices.ContainsFunc(s.bodies, b.overlaps) {
			return false
		}
		s.bodies = append(s.bodies, b)
		return true
	}
	height := func() int {
		if high {
			return r.IntN(4)
		}
		return 0
	}
	put(13+r.IntN(4), 13+r.IntN(4), height(), one)
	for far := 2 + r.IntN(4) + max(sides[one], sides[other]); !put(13+r.IntN(2*far+1)-far, 13+r.IntN(2*far+1)-far, height(), other); {
	}
	for range r.IntN(5) {
		put(8+r.IntN(14), 8+r.IntN(14), height(), r.IntN(9))
	}
	// No one stands in a wall.
	for _, b := range s.bodies {
		for _, c := range b.floor(b.z) {
			if row := []byte(s.rows[c.y]); row[c.x] != '%' && row[c.x] != ':' {
				row[c.x] = '.'
				s.rows[c.y] = string(row)
			}
		}
	}
	return s
}

// TestGeometry compares what the rules say about random placements of creatures of every size with what the text says.
func TestGeometry(t *testing.T) {
	set := setUp(t)
	r := rand.New(rand.NewPCG(32, 2))
	placements, asked, yes := 0, map[string]int{}, map[string]int{}
	runs := 40
	if testing.Short() {
		runs = 3
	}
	for i := range runs * 81 {
		one, other := i%9, i/9%9
		marks := []string{"#", "#|", "%", "#:", "#|%:"}[r.IntN(5)]
		s := set(randomScene(r, one, other, marks, r.IntN(4) == 0))
		placements++
		check := func(name string, got int64, want bool) {
			t.Helper()
			asked[name]++
			if want {
				yes[name]++
			}
			if got != 0 != want {
				t.Fatalf("%s: %d, want %t\n%s", name, got, want, s)
			}
		}
		a, b := s.bodies[0], s.bodies[1]
		compareLines(s, check, a, b)
		if a.z == 0 && b.z == 0 {
			compareCharge(s, check, a, b)
			compareAreas(s, check, r, b)
		}
		feet, steps := a.distance(b)
		reach := []int{0, 0, 0, 5, 5, 10, 15, 20, 30}[a.size]
		check("reach", s.ask("reach", 0, 1), feet <= reach || reach == 10 && steps == 2)
		if len(s.bodies) > 2 {
			check("flanked", s.ask("flanked", 1, 0, 2), flanks(a, b, s.bodies[2]))
		}
	}
	names := make([]string, 0, len(asked))
	for name := range asked {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Logf("%s: %d of %d placements compared, %d of them yes", name, asked[name], placements, yes[name])
		if yes[name] == 0 || yes[name] == asked[name] {
			t.Errorf("%s was never in doubt", name)
		}
	}
}

func compareLines(s *table, check func(name string, got int64, want bool), a, b body) {
	sees := s.hasLine(a, b)
	check("line of effect", s.ask("line", 1, 0), sees)
	check("total cover", s.ask("total-cover", 1, 0), !sees)
	if !sees {
		return
	}
	check("cover from shots", s.ask("cover", 1, 0), s.isCovered(a, b, s.bodies[2:]))
	check("cover in melee", s.ask("melee-cover", 1, 0), s.isCovered(a, b, nil))
	if a.z == 0 && b.z == 0 {
		check("concealment", s.ask("concealment", 1, 0), s.isConcealed(a, b))
	}
}

func compareCharge(s *table, check func(name string, got int64, want bool), a, b body) {
	var ends []body
	for i := range s.ask("goals", 0, 1) {
		v := s.ask("nearest", 0, 1, i+1)
		at, _ := grid.Unpack(v)
		end := body{int(at.X), int(at.Y), int(at.Z), a.side, a.size}
		if i < 4 {
			check("clear path", s.ask("clear", 0, v), s.isClear(a, end, s.bodies[1:]))
		}
		free := end.z == 0 && !slices.ContainsFunc(end.cells(), func(c cell) bool {
			return s.isCover(c) || slices.ContainsFunc(s.bodies[1:], func(o body) bool { return o.has(c) })
		})
		if free && s.isClear(a, end, s.bodies[1:]) {
			ends = append(ends, end)
		}
	}
	var want int64 = program.None
	if len(ends) > 0 {
		want = slices.MinFunc(ends, func(x, y body) int { return bend(a, x, b) - bend(a, y, b) }).square()
	}
	got := s.ask("goal", 0, 1)
	if got != want {
		s.Fatalf("charge: %x, want %x\n%s", got, want, s)
	}
	check("charge", toInt(got != program.None), want != program.None)
}

func compareAreas(s *table, check func(name string, got int64, want bool), r *rand.Rand, b body) {
	x, y := b.x+r.IntN(9)-4, b.y+r.IntN(9)-4
	origin := grid.Square{X: int16(x), Y: int16(y)}.Pack()
	cover := s.ask("point", 1, origin)
	check("total cover from a point", toInt(cover == 2), s.pointCover(x, y, b) == 2)
	check("cover from a point", toInt(cover == 1), s.pointCover(x, y, b) == 1)
	caught := s.ask("burst", 1, origin)
	check("burst", caught, s.reachedBy(x, y, 20, b))
	spread := s.ask("spread", 1, origin)
	if caught != 0 && spread == 0 {
		s.Fatalf("a spread from (%d, %d) loses what a burst reaches\n%s", x, y, s)
	}
	check("spread", spread, spread != 0) // compared in stdlib/grid
}

func toInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
