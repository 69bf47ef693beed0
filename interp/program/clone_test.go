package program

import (
	"slices"
	"testing"
)

// Copies share what they do not change, whichever of them has the room of the original.
func TestCopiesAreApart(t *testing.T) {
	p := &Program{
		Code:   append(make([]Instr, 0, 8), Instr{D: 1}),
		Texts:  slices.Clip([]string{"a"}),
		Points: []Point{{Plans: append(make([]PlanRule, 0, 4), PlanRule{Plan: 1})}},
		Procs:  []Proc{{Ways: []int32{1}}},
		Stats:  []Stat{{Name: "s"}},
	}
	p.Finish()
	copies := []*Program{p.Clone(), p.Clone(), p.Copy(), p.Clone()}
	for i, c := range copies {
		n := int32(i + 10)
		c.Code = append(c.Code, Instr{D: n})
		c.Texts = append(c.Texts, string('a'+n))
		c.Points[0].Plans = append(c.Points[0].Plans, PlanRule{Plan: n})
		c.Procs[0].Ways = []int32{n}
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
		if c.Procs[0].Ways[0] != n {
			t.Errorf("copy %d has the ways %v", i, c.Procs[0].Ways)
		}
		if want := map[bool]string{true: "changed", false: "s"}[i == 2]; c.Stats[0].Name != want {
			t.Errorf("copy %d has the stat %s", i, c.Stats[0].Name)
		}
	}
}
