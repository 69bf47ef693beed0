package machine_test

import (
	"encoding/binary"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/machine"
	"arbiter/interp/program"
	"arbiter/stdlib/journal"
)

// FuzzMachine runs unlikely commands, arguments and answers. The machine may refuse or fail, but it must never have to
// turn a panic of its own into an error.
func FuzzMachine(f *testing.F) {
	k := brawlChecked(f)
	p, err := compile.Compile(k.Ruleset, compile.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{0, 0, 1, 1, 3, 8, 0, 0, 0, 0, 1, 1, 2, 0, 2})
	f.Add([]byte("what would nobody give: 0123456789 and more of the same, over and over"))
	odd := []int64{0, 1, 2, -1, -2, program.None, program.Absent, program.MasterDecides, program.RecordTag, program.RecordTag | program.ArenaBase,
		program.ArenaBase, program.ArenaBase + 7, 1 << 62, -1 << 62, program.EntityText, 99}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 400 {
			return
		}
		m := newBrawl(t, p, 3)
		m.AskDice = len(data)%2 == 0
		if len(data)%3 == 0 {
			m.Journal = &journal.Journal{}
		}
		next := func() int64 {
			if len(data) == 0 {
				return 0
			}
			v := int64(data[0])
			data = data[1:]
			return v
		}
		value := func() int64 {
			if v := next(); v%4 > 0 {
				return odd[v/4%int64(len(odd))]
			}
			if len(data) >= 8 {
				v := int64(binary.LittleEndian.Uint64(data))
				data = data[8:]
				return v
			}
			return next()
		}
		sound := func(err error) {
			if e, ok := err.(*machine.Error); ok && e.Panic {
				t.Fatalf("%v", e)
			}
		}
		for range 60 {
			var r machine.Result
			switch next() % 11 {
			case 0:
				r = m.BeginFight()
			case 1:
				r = m.NextTurn()
			case 2:
				r = m.EndFight()
			case 3:
				r = m.Pass(value())
			case 4:
				_, err := m.Stat(int32(value()), int32(next()), value(), value())
				sound(err)
			case 5:
				_, err := m.Explain(int32(value()), int32(next()), value(), value())
				sound(err)
			case 6:
				m.Legal(int32(value()), int32(next()), []int64{value(), value()})
			case 7:
				r = m.Resume(value())
			default:
				r = m.Do(int32(next()%4)-1, int32(next()), []int64{value(), value()})
			}
			sound(r.Err)
			for n := 0; (r.Status == machine.NeedDie || r.Status == machine.NeedChoice) && n < 50 && len(data) > 0; n++ {
				v := next()
				if r.Status == machine.NeedDie {
					v = 1 + v%int64(max(r.Sides, 1))
				}
				r = m.Resume(v)
				sound(r.Err)
				if r.Status == machine.Failed && m.Busy() {
					break
				}
			}
			if m.Busy() && next()%2 == 0 {
				m.Abort()
			}
			if j := m.Journal; j != nil {
				for i := range j.Since(0) {
					m.Describe(&j.Since(0)[i])
				}
				j.Truncate(0)
			}
		}
	})
}
