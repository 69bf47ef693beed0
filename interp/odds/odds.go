// Package odds computes the exact odds of a command in a fight: the ordinary program runs over every outcome of its
// dice. The state forks at each die, each face has its exact share, and branches that reach the same state are merged.
//
// It must never know what a rule means, nor how a fight is told.
package odds

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"arbiter/interp/machine"
	"arbiter/stdlib/journal"
)

// MostSteps is the default limit on steps. A step runs from one die or choice to the next. The limit takes some tenths
// of a second.
const MostSteps = 10_000

// Options configure the computation.
type Options struct {
	Steps  int                                  // limit on steps; 0 for MostSteps
	Sample int                                  // if the limit is exceeded, run the command this many times with random dice instead; 0: never
	Seed   uint64                               // of those dice
	Faces  bool                                 // fork on each die separately, even if only the total counts
	Keyer  *machine.Keyer                       // tells which branches have reached the same state; nil for one that ignores everything no longer read
	Before func(*machine.Keyer, *machine.State) // called with each state before a branch continues from it; nil: not called
	Told   func(tries bool, done, of int)       // reports progress: steps, or samples if tries is set; nil: no reports
	Choose func(*machine.Result) (int64, error) // answers choices; nil takes the first option
}

// Result holds what can come of a command. All shares are exact if Sampled is 0; otherwise they are estimates from that
// many samples.
type Result struct {
	Sampled   int      // 0: all outcomes were enumerated
	Beyond    *big.Rat // except this share, in which dice keep exploding: for each roll below dice.Unfollowed
	Steps     int      // number of steps run
	Ends      int      // number of distinct end states
	Checks    []Check
	Amounts   []Amount // the resources that may change
	Effects   []Effect // the effects that may be gained or lost
	Falls     []Fall   // creatures that may be defeated and were not before
	Reactions []Reaction
}

// Check is the nth check of a creature with a label: the share of all outcomes in which it is made, and in which it
// succeeds.
type Check struct {
	Who, Label    int32
	Nth           int
	Made, Success *big.Rat
}

// Amount is the distribution of a resource of a creature afterwards.
type Amount struct {
	Who, Resource int32
	Now           int64
	Values        []Value // ascending
}

// Value is a value with its share.
type Value struct {
	Value int64
	Share *big.Rat
}

// Effect is an effect that a creature gains or loses (Gone), and the share of all outcomes in which it does.
type Effect struct {
	Who, Effect int32
	Gone        bool
	Share       *big.Rat
}

// Fall is the probability that a creature is defeated.
type Fall struct {
	Who   int32
	Share *big.Rat
}

// Reaction is a reaction that was offered on some branch.
type Reaction struct {
	Who   int32 // -1: nobody
	Name  string
	Taken bool // on some branch
}

// Mean returns the mean of the amount.
func (a *Amount) Mean() *big.Rat {
	sum, part := new(big.Rat), new(big.Rat)
	for _, v := range a.Values {
		sum.Add(sum, part.Mul(part.SetInt64(v.Value), v.Share))
	}
	return sum
}

// TooMany reports that not all outcomes could be enumerated.
type TooMany struct{ Steps int }

func (e *TooMany) Error() string {
	return fmt.Sprintf("too many outcomes: more than %d steps from die to die", e.Steps)
}

// Of computes the odds of what begin does. The machine must have a journal; afterwards it is back in its initial state.
// The error is a *TooMany, in which case the result lists the reactions met so far, an error of the machine, or a
// refusal.
func Of(m *machine.Machine, begin func() machine.Result, o Options) (*Result, error) {
	if o.Steps <= 0 {
		o.Steps = MostSteps
	}
	if o.Keyer == nil {
		o.Keyer = machine.NewKeyer(m)
	}
	c := newCount(m, o)
	start, asked := m.State().Clone(), m.Asked
	m.Asked = true
	if !o.Faces {
		m.Totals = func(dice int64) bool { return len(c.totalsOf(dice).list) > 0 }
	}
	back := func() {
		m.Abort()
		c.restore(start)
	}
	defer func() {
		back()
		m.Asked = asked
	}()
	err := c.all(begin)
	m.Totals = nil
	many := (*TooMany)(nil)
	switch tooMany := errors.As(err, &many); {
	case tooMany && o.Sample == 0:
		return &Result{Steps: c.steps, Reactions: c.reactions}, err
	case tooMany:
		back()
		tried := newCount(m, o)
		if err := tried.sample(begin, back); err != nil {
			return nil, err
		}
		return tried.result(), nil
	case err != nil:
		return nil, err
	}
	return c.result(), nil
}

// count holds the running counts.
type count struct {
	m     *machine.Machine
	o     Options
	mark  journal.Mark // what happened since the previous die or choice comes after it
	steps int

	// the initial state: for each creature its amounts, which effects it has, whether it is defeated
	now   []int64
	borne []bool
	down  []bool

	totals    map[int64]totals // by packed dice; empty for dice that are forked separately
	beyond    *big.Rat
	ways      []way
	open      map[machine.Key]int // indices of ways by key
	spare     []*machine.State
	ends      map[machine.Key]*end
	order     []*end
	checks    map[checkKey]*Check
	made      []*Check
	reactions []Reaction
	sampled   int
}

// newCount starts counting from the current state of the machine.
func newCount(m *machine.Machine, o Options) *count {
	c := &count{
		m: m, o: o, mark: m.Journal.Mark(), totals: map[int64]totals{}, beyond: new(big.Rat),
		open: map[machine.Key]int{}, ends: map[machine.Key]*end{}, checks: map[checkKey]*Check{},
	}
	c.look()
	return c
}

// way is a branch that waits at a die or a choice, with its share of all outcomes.
type way struct {
	state  *machine.State
	thrown throws
	asked  machine.Result
	share  *big.Rat
}

type checkKey struct {
	who, label int32
	nth        int
}

// throws holds the checks so far, by creature and label, with how many there were of each. Their order makes no
// difference to what follows.
type throws []checkKey

// and adds one more check; it does not modify t.
func (t throws) and(who, label int32) (throws, checkKey) {
	k := checkKey{who, label, 1}
	at, met := slices.BinarySearchFunc(t, k, func(a, b checkKey) int {
		return cmp.Or(cmp.Compare(a.who, b.who), cmp.Compare(a.label, b.label))
	})
	t = slices.Clone(t)
	if met {
		t[at].nth++
		return t, t[at]
	}
	return slices.Insert(t, at, k), k
}

// latest returns the last check of a creature with a label; nth is 0 if there is none.
func (t throws) latest(who, label int32) checkKey {
	for _, k := range t {
		if k.who == who && k.label == label {
			return k
		}
	}
	return checkKey{who, label, 0}
}

// into mixes the checks into a key.
func (t throws) into(key machine.Key) machine.Key {
	for _, k := range t {
		key = key.And(uint64(uint32(k.who))<<32 | uint64(uint32(k.label))).And(uint64(k.nth))
	}
	return key
}

// end is an end state, reduced to its differences from the initial state.
type end struct {
	share   *big.Rat
	amounts []changed
	effects []Effect
	falls   []int32
}

type changed struct {
	at    int32 // index into now
	value int64
}

// look records the initial state.
func (c *count) look() {
	p := c.m.Program()
	for who := range c.m.State().Entities {
		for r := range p.Resources {
			c.now = append(c.now, c.m.Resource(int32(who), int32(r)))
		}
		for e := range p.Effects {
			c.borne = append(c.borne, c.m.Has(int32(who), int32(e)))
		}
		down, _ := c.m.Defeated(int32(who))
		c.down = append(c.down, down)
	}
}

// restore goes back to a state, with an empty journal: branches merged into one state reached it with different
// histories.
func (c *count) restore(s *machine.State) {
	c.m.Restore(s)
	c.m.Journal.Truncate(c.mark)
	c.m.Forget(int32(c.mark) + 1)
}

// all explores every branch.
func (c *count) all(begin func() machine.Result) error {
	if err := c.came(begin(), nil, big.NewRat(1, 1)); err != nil {
		return err
	}
	for len(c.ways) > 0 {
		ways := c.ways
		c.ways = nil
		clear(c.open)
		for i := range ways {
			if err := c.on(&ways[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// on continues a branch with every face, every total of its dice, or the chosen answer.
func (c *count) on(w *way) error {
	switch {
	case w.asked.Status == machine.NeedChoice:
		v, err := c.chosen(&w.asked)
		if err == nil {
			err = c.with(w, v, w.share)
		}
		if err != nil {
			return err
		}
	case w.asked.Sides == 0:
		dice := c.totalsOf(w.state.Throw.Dice)
		c.beyond.Add(c.beyond, new(big.Rat).Mul(w.share, dice.beyond))
		for _, t := range dice.list {
			if err := c.with(w, t.value, new(big.Rat).Mul(w.share, t.share)); err != nil {
				return err
			}
		}
	default:
		share := new(big.Rat).Mul(w.share, big.NewRat(1, int64(w.asked.Sides)))
		for face := int64(1); face <= int64(w.asked.Sides); face++ {
			if err := c.with(w, face, share); err != nil {
				return err
			}
		}
	}
	c.spare = append(c.spare, w.state)
	return nil
}

// with continues a branch with one answer.
func (c *count) with(w *way, answer int64, share *big.Rat) error {
	if c.steps++; c.steps > c.o.Steps {
		return &TooMany{c.o.Steps}
	}
	if c.o.Told != nil {
		c.o.Told(false, c.steps, c.o.Steps)
	}
	c.restore(w.state)
	if c.o.Before != nil {
		c.o.Before(c.o.Keyer, c.m.State())
	}
	return c.came(c.m.Resume(answer), w.thrown, share)
}

func (c *count) chosen(r *machine.Result) (way int64, err error) {
	if c.o.Choose != nil {
		way, err = c.o.Choose(r)
	}
	if r.Kind == machine.Reaction {
		c.offered(int32(r.Who), r.Label, way == 1)
	}
	return way, err
}

// offered records a reaction.
func (c *count) offered(who int32, name string, taken bool) {
	for i := range c.reactions {
		if x := &c.reactions[i]; x.Who == who && x.Name == name {
			x.Taken = x.Taken || taken
			return
		}
	}
	c.reactions = append(c.reactions, Reaction{who, name, taken})
}

// came records where a step has led.
func (c *count) came(r machine.Result, thrown throws, share *big.Rat) error {
	thrown = c.tally(thrown, share)
	switch r.Status {
	case machine.NeedDie, machine.NeedChoice:
		key := thrown.into(c.o.Keyer.Key(c.m.State()))
		if at, met := c.open[key]; met {
			w := &c.ways[at]
			w.share = new(big.Rat).Add(w.share, share)
			return nil
		}
		c.open[key] = len(c.ways)
		state := new(machine.State)
		if n := len(c.spare); n > 0 {
			state, c.spare = c.spare[n-1], c.spare[:n-1]
		}
		state.CopyFrom(c.m.State())
		c.ways = append(c.ways, way{state, thrown, r, share})
		return nil
	case machine.Done:
		c.ended(share)
		return nil
	case machine.Refused:
		return fmt.Errorf("refused: %s", r.Why)
	}
	return r.Err
}

// tally records the checks of a step and returns all checks so far.
func (c *count) tally(thrown throws, share *big.Rat) throws {
	for _, e := range c.m.Journal.Since(c.mark) {
		if e.Kind == machine.CheckRevised {
			c.revised(thrown, e, share)
		}
		if e.Kind != machine.CheckThrown {
			continue
		}
		var k checkKey
		thrown, k = thrown.and(e.Who, c.m.Program().Checks[e.Code].Label)
		x := c.checks[k]
		if x == nil {
			x = &Check{Who: k.who, Label: k.label, Nth: k.nth, Made: new(big.Rat), Success: new(big.Rat)}
			c.checks[k] = x
			c.made = append(c.made, x)
		}
		x.Made.Add(x.Made, share)
		if e.Text == 1 {
			x.Success.Add(x.Success, share)
		}
	}
	return thrown
}

// revised records that the result of a creature's latest check was changed afterwards, e.g. after a tie or a shot at a
// concealed target.
func (c *count) revised(thrown throws, e journal.Event, share *big.Rat) {
	k := thrown.latest(e.Who, c.m.Program().Checks[e.Code].Label)
	x := c.checks[k]
	switch {
	case x == nil:
	case e.Text == 1:
		x.Success.Add(x.Success, share)
	default:
		x.Success.Sub(x.Success, share)
	}
}

// ended records an end state.
func (c *count) ended(share *big.Rat) {
	key := c.o.Keyer.Key(c.m.State())
	if e := c.ends[key]; e != nil {
		e.share.Add(e.share, share)
		return
	}
	e := c.unlike()
	e.share = new(big.Rat).Set(share)
	c.ends[key], c.order = e, append(c.order, e)
}

// unlike returns the differences from the initial state.
func (c *count) unlike() *end {
	e, p := new(end), c.m.Program()
	for who := range c.m.State().Entities {
		for r := range p.Resources {
			at := who*len(p.Resources) + r
			if v := c.m.Resource(int32(who), int32(r)); at >= len(c.now) || v != c.now[at] {
				e.amounts = append(e.amounts, changed{int32(at), v})
			}
		}
		for d := range p.Effects {
			at := who*len(p.Effects) + d
			had := at < len(c.borne) && c.borne[at]
			if has := c.m.Has(int32(who), int32(d)); has != had {
				e.effects = append(e.effects, Effect{Who: int32(who), Effect: int32(d), Gone: had})
			}
		}
		if down, _ := c.m.Defeated(int32(who)); down && (who >= len(c.down) || !c.down[who]) {
			e.falls = append(e.falls, int32(who))
		}
	}
	return e
}

// sample runs the command again and again with random dice.
func (c *count) sample(begin func() machine.Result, back func()) error {
	r := rand.New(rand.NewPCG(c.o.Seed, 0))
	c.sampled = c.o.Sample
	share := big.NewRat(1, int64(c.sampled))
	for n := range c.sampled {
		if c.o.Told != nil {
			c.o.Told(true, n, c.sampled)
		}
		back()
		q := begin()
		for q.Status == machine.NeedDie || q.Status == machine.NeedChoice {
			c.steps++
			if q.Status == machine.NeedDie {
				q = c.m.Resume(r.Int64N(int64(q.Sides)) + 1)
				continue
			}
			v, err := c.chosen(&q)
			if err != nil {
				return err
			}
			q = c.m.Resume(v)
		}
		if err := c.came(q, nil, share); err != nil {
			return err
		}
	}
	return nil
}

// result adds up the counts.
func (c *count) result() *Result {
	x := &Result{Sampled: c.sampled, Beyond: c.beyond, Steps: c.steps, Ends: len(c.order), Reactions: c.reactions}
	for _, k := range c.made {
		x.Checks = append(x.Checks, *k)
	}
	resources := len(c.m.Program().Resources)
	amounts := map[int32]map[int64]*big.Rat{}
	effects := map[Effect]*big.Rat{}
	falls := map[int32]*big.Rat{}
	for _, e := range c.order {
		for _, a := range e.amounts {
			if amounts[a.at] == nil {
				amounts[a.at] = map[int64]*big.Rat{}
			}
			add(amounts[a.at], a.value, e.share)
		}
		for _, f := range e.effects {
			add(effects, f, e.share)
		}
		for _, who := range e.falls {
			add(falls, who, e.share)
		}
	}
	for at, values := range amounts {
		a := Amount{Who: at / int32(resources), Resource: at % int32(resources)}
		left := big.NewRat(1, 1)
		for v, share := range values {
			a.Values = append(a.Values, Value{v, share})
			left.Sub(left, share)
		}
		if int(at) < len(c.now) {
			a.Now = c.now[at]
		}
		if left.Sign() > 0 { // the share in which it stays the same
			a.Values = append(a.Values, Value{a.Now, left})
		}
		slices.SortFunc(a.Values, func(a, b Value) int { return int(max(-1, min(1, a.Value-b.Value))) })
		x.Amounts = append(x.Amounts, a)
	}
	slices.SortFunc(x.Amounts, func(a, b Amount) int { return slices.Compare([]int32{a.Who, a.Resource}, []int32{b.Who, b.Resource}) })
	for e, share := range effects {
		e.Share = share
		x.Effects = append(x.Effects, e)
	}
	slices.SortFunc(x.Effects, func(a, b Effect) int { return slices.Compare([]int32{a.Who, a.Effect}, []int32{b.Who, b.Effect}) })
	for who, share := range falls {
		x.Falls = append(x.Falls, Fall{who, share})
	}
	slices.SortFunc(x.Falls, func(a, b Fall) int { return int(a.Who - b.Who) })
	return x
}

func add[K comparable](to map[K]*big.Rat, key K, share *big.Rat) {
	if to[key] == nil {
		to[key] = new(big.Rat)
	}
	to[key].Add(to[key], share)
}
