package profile

import (
	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/stdlib/dice"
)

// Options says which fights are measured.
type Options struct {
	Seed       uint64
	Fights     uint64
	Stop       func() bool              // called between fights; nil: never stops
	OnProgress func(done, total uint64) // nil: not called
}

// Fights plays fights twice, once to count steps and once to take time, and returns how many were measured. The nth
// fight is that of a simulation with the same seed. The error is a *sim.FightError.
func (f *Profiler) Fights(t *session.Trials, o Options) (done uint64, err error) {
	if done, err = f.count(t, o, 0); err != nil || done == 0 {
		return done, err
	}
	defer t.Observe(nil, machine.OnlyCalls)
	t.Observe(f, machine.OnlyCalls)
	defer f.Time()()
	again := o
	again.Fights = done
	_, err = play(t, again, o.Fights)
	return done, err
}

// count plays fights to count steps.
func (f *Profiler) count(t *session.Trials, o Options, before uint64) (done uint64, err error) {
	t.Observe(f, machine.EveryInstruction)
	defer t.Observe(nil, machine.EveryInstruction)
	return play(t, o, before)
}

// play plays fights until it is stopped, and returns how many. Progress is counted from those before them.
func play(t *session.Trials, o Options, before uint64) (uint64, error) {
	for n := range o.Fights {
		if o.Stop != nil && o.Stop() {
			return n, nil
		}
		if o.OnProgress != nil {
			o.OnProgress(before+n, before+o.Fights)
		}
		if _, err := t.Fight(dice.FightSeed(o.Seed, n)); err != nil {
			return n, &sim.FightError{Fight: n, Err: err}
		}
	}
	return o.Fights, nil
}
