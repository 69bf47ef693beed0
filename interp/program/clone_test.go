package program

import (
	"slices"
	"testing"

	"arbiter/interp/ir"
)

// Copies share what they do not change, whichever of them has the room of the original.
func TestCopiesAreApart(t *testing.T) {
	p := &Program{
		Code:   append(make([]Instr, 0, 8), Instr{D: 1}),
		Texts:  slices.Clip([]string{"a"}),
		Points: []Point{{Plans: append(make([]PlanRule, 0, 4), PlanRule{Plan: 1})}},
		Stats:  []Stat{{Name: "s"}},
	}
	p.Finish()
	copies := []*Program{p.Clone(), p.Clone(), p.Copy(), p.Clone()}
	for i, c := range copies {
		n := int32(i + 10)
		c.Code = append(c.Code, Instr{D: n})
		c.Texts = append(c.Texts, string('a'+n))
		c.OwnPoints()
		c.Points[0].Plans = append(c.Points[0].Plans, PlanRule{Plan: n})
	}
	copies[2].Stats[0].Name = "changed"
	for i, c := range append(copies, p) {
		n, more := int32(i+10), 1
		if c == p {
			n, more = 1, 0
		}
		if len(c.Code) != 1+more || c.Code[0].D != 1 || c.Code[more].D != n {
			t.Errorf("copy %d has the code %v", i, c.Code)
		}
		if len(c.Texts) != 1+more || more > 0 && c.Texts[1] != string('a'+n) {
			t.Errorf("copy %d has the texts %v", i, c.Texts)
		}
		if plans := c.Points[0].Plans; len(plans) != 1+more || plans[0].Plan != 1 || plans[more].Plan != n {
			t.Errorf("copy %d has the plans %v", i, plans)
		}
		if want := map[bool]string{true: "changed", false: "s"}[i == 2]; c.Stats[0].Name != want {
			t.Errorf("copy %d has the stat %s", i, c.Stats[0].Name)
		}
	}
}

// A copy has the room of one that has been released, and what its original has.
func TestReleasedCopies(t *testing.T) {
	p := &Program{Texts: slices.Clip([]string{"a"}), Points: []Point{{Name: "start"}}}
	p.Pos.Append([]ir.Pos{{File: 1}})
	p.Finish()
	use := func(c *Program, n int) {
		if len(c.Texts) != 1 || len(c.Points) != 1 || len(c.Points[0].Plans) != 0 || c.Pos.Of(1) != (ir.Pos{}) {
			t.Errorf("copy %d begins with the texts %v, the points %v and the position %v", n, c.Texts, c.Points, c.Pos.Of(1))
		}
		c.OwnPoints()
		c.Points[0].Plans = append(c.Points[0].Plans, PlanRule{Plan: int32(n)})
		c.Texts = append(c.Texts, string(rune('a'+n)))
		c.Pos.Append([]ir.Pos{{File: int32(n)}})
	}
	first := p.Clone()
	use(first, 2)
	first.Release()
	second, third := p.Clone(), p.Clone()
	use(second, 3)
	use(third, 4)
	if &second.Texts[0] != &first.Texts[0] || &third.Texts[0] == &first.Texts[0] {
		t.Error("the room of the first copy is not that of the second alone")
	}
	for n, c := range map[int32]*Program{3: second, 4: third} {
		if c.Texts[1] != string('a'+n) || c.Points[0].Plans[0].Plan != n || c.Pos.Of(0).File != 1 || c.Pos.Of(1).File != n {
			t.Errorf("copy %d has the texts %v and the plans %v", n, c.Texts, c.Points[0].Plans)
		}
	}
	if len(p.Texts) != 1 || len(p.Points[0].Plans) != 0 {
		t.Errorf("the original has the texts %v and the points %v", p.Texts, p.Points)
	}
}

// What is derived from a program is made once for all its copies, from what it has itself.
func TestDerived(t *testing.T) {
	p := &Program{Texts: []string{"a"}}
	p.Finish()
	made := 0
	derive := func() any { made++; return made }
	for _, c := range []*Program{p.Clone(), p, p.Clone()} {
		if x := c.Derived(derive); x != 1 {
			t.Errorf("%v has been derived", x)
		}
	}
	if x := p.Copy().Derived(derive); x != 2 {
		t.Errorf("a program that anything can be replaced in has what was derived from another: %v", x)
	}
}
