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

// defaultSteps is the default limit on steps. A step runs from one die or choice to the next. The limit takes some
// tenths of a second.
const defaultSteps = 10_000

// Options configure the computation.
type Options struct {
	Steps      int                                  // limit on steps, and with it on their work; 0 for DefaultSteps
	Memory     int                                  // limit on the bytes held at a time, approximately; 0 for DefaultMemory
	Sample     int                                  // if the limit is exceeded, run the command this many times with random dice instead; 0: never
	Rounds     int                                  // of a series: how often its steps are repeated; 0: once
	Seed       uint64                               // of those dice
	Faces      bool                                 // fork on each die separately, even if only the total counts
	Keyer      *machine.Keyer                       // tells which branches have reached the same state; nil for one that ignores everything no longer read
	Before     func(*machine.Keyer, *machine.State) // called with each state before a branch continues from it; nil: not called
	OnProgress func(tries bool, done, of int)       // reports progress: steps, or samples if tries is set; nil: no reports
	Stop       func() bool                          // ends the work early: the samples so far are the result; nil: never
	Choose     func(*machine.Result) (int64, error) // answers choices; nil takes the first option
}

// Result holds what can come of a command. All shares are exact if Sampled is 0; otherwise they are estimates from that
// many samples.
type Result struct {
	Sampled   int      // 0: all outcomes were enumerated
	Omitted   *big.Rat // except this share, in which dice keep exploding: for each roll below dice.Unfollowed
	Steps     int      // number of steps run
	Ends      int      // number of distinct end states
	Checks    []Check
	Amounts   []Amount // the resources that may change
	Effects   []Effect // the effects that may be gained or lost
	Places    []Place  // the squares on which creatures may stand that were elsewhere
	Falls     []Fall   // creatures that may be defeated and were not before
	Reactions []Reaction
	Rounds    [][]Fall // of a series: who is defeated after each round, cumulatively
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

// Place is a square to which a creature gets, program.None for off the map, and the share of all outcomes in which it
// does.
type Place struct {
	Who    int32
	Square int64
	Share  *big.Rat
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

// StoppedError reports that Options.Stop has ended the work before there was a result.
type StoppedError struct{ Steps, Limit int }

func (e *StoppedError) Error() string {
	return fmt.Sprintf("stopped after %d steps from die to die, of at most %d", e.Steps, e.Limit)
}

// Of computes the odds of what begin does. The machine must have a journal; afterwards it is back in its initial state.
// The error is a *TooManyError, in which case the result lists the reactions met so far, an error of the machine, or a
// refusal.
func Of(m *machine.Machine, begin func() machine.Result, o Options) (*Result, error) {
	return explore(m, begin, Series{}, o)
}

// explore computes the odds of what begin does, and of a series after it.
func explore(m *machine.Machine, begin func() machine.Result, series Series, o Options) (*Result, error) {
	if o.Steps <= 0 {
		o.Steps = defaultSteps
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.Keyer == nil {
		o.Keyer = machine.NewKeyer(m)
	}
	defer m.WithoutExplanations()()
	c := newExplorer(m, series, o)
	start, wasAsked := m.State().Clone(), m.AskDice
	m.AskDice = true
	if !o.Faces {
		m.AskTotal = func(dice int64) bool { return len(c.totalsOf(dice).list) > 0 }
	}
	rewind := func() {
		m.Abort()
		c.restore(start)
	}
	defer func() {
		rewind()
		m.AskDice = wasAsked
	}()
	err := c.exploreAll(begin)
	many := (*TooManyError)(nil)
	tooMany := errors.As(err, &many)
	if tooMany && o.Sample == 0 {
		c.dropBranches()
		many.About = c.estimate(begin, rewind)
	}
	m.AskTotal = nil
	switch {
	case tooMany && o.Sample == 0:
		return &Result{Steps: c.steps, Reactions: c.reactions}, err
	case tooMany:
		rewind()
		sampler := newExplorer(m, series, o)
		if err := sampler.sample(begin, rewind); err != nil {
			return nil, err
		}
		return sampler.result(), nil
	case err != nil:
		return nil, err
	}
	return c.result(), nil
}

// explorer holds the running counts.
type explorer struct {
	m       *machine.Machine
	options Options
	series  Series
	rounds  []map[int32]share // of a series: by round, who is defeated after it
	mark    journal.Mark      // what happened since the previous die or choice comes after it
	steps   int
	work    int64 // see maxWork
	held    int   // bytes that the states, the ends and the totals take up

	// the initial state: for each creature its amounts, which effects it has, whether it is defeated
	startAmounts  []int64
	startEffects  []bool
	startSquares  []int64
	startDefeated []bool

	totals      map[int64]totals // by packed dice; empty for dice that are forked separately
	omitted     share
	branches    []branch
	byKey       map[machine.Key]int // indices of branches by key
	spareStates []*machine.State
	ends        map[machine.Key]*end
	endOrder    []*end
	checks      map[checkKey]*check
	checkOrder  []*check
	reactions   []Reaction
	sampled     int
}

// newExplorer starts counting from the current state of the machine.
func newExplorer(m *machine.Machine, series Series, o Options) *explorer {
	c := &explorer{
		m: m, options: o, series: series, mark: m.Journal.Mark(), totals: map[int64]totals{}, omitted: nothing,
		byKey: map[machine.Key]int{}, ends: map[machine.Key]*end{}, checks: map[checkKey]*check{},
	}
	c.recordStart()
	return c
}

// branch is a branch that waits at a die or a choice, or between two steps of a series, with its share of all outcomes.
type branch struct {
	state    *machine.State
	checks   checkCounts
	question machine.Result // machine.Done: between two steps
	at       position
	share    share
}

// check is a Check while it is counted.
type check struct {
	checkKey
	made, success share
}

type checkKey struct {
	who, label int32
	nth        int
}

// checkCounts holds the checks so far, by creature and label, with how many there were of each. Their order makes no
// difference to what follows.
type checkCounts []checkKey

// with adds one more check; it does not modify t.
func (c checkCounts) with(who, label int32) (checkCounts, checkKey) {
	k := checkKey{who, label, 1}
	at, met := slices.BinarySearchFunc(c, k, func(a, b checkKey) int {
		return cmp.Or(cmp.Compare(a.who, b.who), cmp.Compare(a.label, b.label))
	})
	c = slices.Clone(c)
	if met {
		c[at].nth++
		return c, c[at]
	}
	return slices.Insert(c, at, k), k
}

// latest returns the last check of a creature with a label; nth is 0 if there is none.
func (c checkCounts) latest(who, label int32) checkKey {
	for _, k := range c {
		if k.who == who && k.label == label {
			return k
		}
	}
	return checkKey{who, label, 0}
}

// mixInto mixes the checks into a key.
func (c checkCounts) mixInto(key machine.Key) machine.Key {
	for _, k := range c {
		key = key.With(uint64(uint32(k.who))<<32 | uint64(uint32(k.label))).With(uint64(k.nth))
	}
	return key
}

// end is an end state, reduced to its differences from the initial state.
type end struct {
	share   share
	amounts []amountChange
	effects []Effect
	places  []Place
	falls   []int32
}

type amountChange struct {
	at    int32 // index into startAmounts
	value int64
}

// recordStart records the initial state.
func (c *explorer) recordStart() {
	p := c.m.Program()
	for who := range c.m.State().Entities {
		for r := range p.Resources {
			c.startAmounts = append(c.startAmounts, c.m.Resource(int32(who), int32(r)))
		}
		for e := range p.Effects {
			c.startEffects = append(c.startEffects, c.m.Has(int32(who), int32(e)))
		}
		c.startSquares = append(c.startSquares, c.m.State().Squares[who])
		down, _ := c.m.Defeated(int32(who))
		c.startDefeated = append(c.startDefeated, down)
	}
}

// restore goes back to a state, with an empty journal: branches merged into one state reached it with different
// histories.
func (c *explorer) restore(s *machine.State) {
	c.m.Restore(s)
	c.m.Journal.Truncate(c.mark)
	c.m.TruncateExplanations(int32(c.mark) + 1)
}

// exploreAll explores every branch.
func (c *explorer) exploreAll(begin func() machine.Result) error {
	if err := c.recordStep(begin(), nil, position{}, whole); err != nil {
		return err
	}
	for len(c.branches) > 0 {
		branches := c.branches
		c.branches = nil
		clear(c.byKey)
		for i := range branches {
			if err := c.fork(&branches[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// fork continues a branch with every face, every total of its dice, or the chosen answer.
func (c *explorer) fork(w *branch) error {
	switch {
	case w.question.Status == machine.Done:
		if err := c.takeStep(w); err != nil {
			return err
		}
	case w.question.Status == machine.NeedChoice:
		v, err := c.choose(&w.question)
		if err == nil {
			err = c.continueWith(w, v, w.share)
		}
		if err != nil {
			return err
		}
	case w.question.Sides == 0:
		dice := c.totalsOf(w.state.Roll.Dice)
		c.omitted = c.omitted.plus(w.share.times(dice.omitted))
		for _, t := range dice.list {
			if err := c.continueWith(w, t.value, w.share.times(t.share)); err != nil {
				return err
			}
		}
	default:
		share := w.share.times(newShare(1, int64(w.question.Sides)))
		for face := int64(1); face <= int64(w.question.Sides); face++ {
			if err := c.continueWith(w, face, share); err != nil {
				return err
			}
		}
	}
	c.spareStates = append(c.spareStates, w.state)
	c.held -= branchBytes(w.checks, w.share)
	return nil
}

// continueWith continues a branch with one answer.
func (c *explorer) continueWith(w *branch, answer int64, share share) error {
	if err := c.count(); err != nil {
		return err
	}
	c.restore(w.state)
	if c.options.Before != nil {
		c.options.Before(c.options.Keyer, c.m.State())
	}
	budget := c.m.State().Budget
	r := c.m.Resume(answer)
	c.work += workOf(w, budget-c.m.State().Budget, share)
	return c.recordStep(r, w.checks, w.at, share)
}

// count counts a step, and reports whether a limit has been reached.
func (c *explorer) count() error {
	if c.steps++; c.steps > c.options.Steps {
		return &TooManyError{Limit: StepLimit, Steps: c.options.Steps}
	}
	if err := c.checkBounds(); err != nil {
		return err
	}
	if c.options.OnProgress != nil {
		c.options.OnProgress(false, c.steps, c.options.Steps)
	}
	if c.stopped() {
		return &StoppedError{c.steps, c.options.Steps}
	}
	return nil
}

func (c *explorer) choose(r *machine.Result) (choice int64, err error) {
	if c.options.Choose != nil {
		choice, err = c.options.Choose(r)
	}
	if r.ChoiceKind == machine.ReactionChoice {
		c.recordReaction(int32(r.Who), r.Label, choice == 1)
	}
	return choice, err
}

// recordReaction records a reaction.
func (c *explorer) recordReaction(who int32, name string, taken bool) {
	for i := range c.reactions {
		if x := &c.reactions[i]; x.Who == who && x.Name == name {
			x.Taken = x.Taken || taken
			return
		}
	}
	c.reactions = append(c.reactions, Reaction{who, name, taken})
}

// recordStep records where a step has led.
func (c *explorer) recordStep(r machine.Result, checks checkCounts, at position, share share) error {
	if !c.series.has() { // of a series there would be a check for each way in which its steps can go
		checks = c.recordChecks(checks, share)
	}
	if r.Status == machine.Done {
		c.recordRound(at, share)
	}
	switch {
	case r.Status == machine.NeedDie, r.Status == machine.NeedChoice, r.Status == machine.Done && at.step < c.series.steps():
		key := at.mixInto(checks.mixInto(c.options.Keyer.Key(c.m.State())))
		if at, met := c.byKey[key]; met {
			w := &c.branches[at]
			w.share = w.share.plus(share)
			return nil
		}
		c.byKey[key] = len(c.branches)
		state := new(machine.State)
		if n := len(c.spareStates); n > 0 {
			state, c.spareStates = c.spareStates[n-1], c.spareStates[:n-1]
		}
		c.held -= state.Bytes()
		state.StoreFrom(c.m.State())
		c.held += state.Bytes() + branchBytes(checks, share)
		c.branches = append(c.branches, branch{state, checks, r, at, share})
		return nil
	case r.Status == machine.Done:
		c.recordEnd(share)
		return nil
	case r.Status == machine.Refused:
		return fmt.Errorf("refused: %s", r.Why)
	}
	return r.Err
}

// recordChecks records the checks of a step and returns all checks so far.
func (c *explorer) recordChecks(checks checkCounts, share share) checkCounts {
	for _, e := range c.m.Journal.Since(c.mark) {
		if e.Kind == machine.CheckRevised {
			c.reviseCheck(checks, e, share)
		}
		if e.Kind != machine.CheckRolled {
			continue
		}
		var k checkKey
		checks, k = checks.with(e.Who, c.m.Program().Checks[e.Code].Label)
		x := c.checks[k]
		if x == nil {
			x = &check{checkKey: k, made: nothing, success: nothing}
			c.checks[k] = x
			c.checkOrder = append(c.checkOrder, x)
		}
		x.made = x.made.plus(share)
		if e.Text == 1 {
			x.success = x.success.plus(share)
		}
	}
	return checks
}

// reviseCheck records that the result of a creature's latest check was changed afterwards, e.g. after a tie or a shot
// at a concealed target.
func (c *explorer) reviseCheck(checks checkCounts, e journal.Event, share share) {
	k := checks.latest(e.Who, c.m.Program().Checks[e.Code].Label)
	x := c.checks[k]
	switch {
	case x == nil:
	case e.Text == 1:
		x.success = x.success.plus(share)
	default:
		x.success = x.success.minus(share)
	}
}

// recordEnd records an end state.
func (c *explorer) recordEnd(share share) {
	key := c.options.Keyer.Key(c.m.State())
	if e := c.ends[key]; e != nil {
		e.share = e.share.plus(share)
		return
	}
	e := c.differences()
	e.share = share
	c.held += e.bytes()
	c.ends[key], c.endOrder = e, append(c.endOrder, e)
}

// differences returns the differences from the initial state.
func (c *explorer) differences() *end {
	e, p := new(end), c.m.Program()
	for who := range c.m.State().Entities {
		for r := range p.Resources {
			at := who*len(p.Resources) + r
			if v := c.m.Resource(int32(who), int32(r)); at >= len(c.startAmounts) || v != c.startAmounts[at] {
				e.amounts = append(e.amounts, amountChange{int32(at), v})
			}
		}
		for d := range p.Effects {
			at := who*len(p.Effects) + d
			had := at < len(c.startEffects) && c.startEffects[at]
			if has := c.m.Has(int32(who), int32(d)); has != had {
				e.effects = append(e.effects, Effect{Who: int32(who), Effect: int32(d), Gone: had})
			}
		}
		if at := c.m.State().Squares[who]; who >= len(c.startSquares) || at != c.startSquares[who] {
			e.places = append(e.places, Place{Who: int32(who), Square: at})
		}
		if down, _ := c.m.Defeated(int32(who)); down && (who >= len(c.startDefeated) || !c.startDefeated[who]) {
			e.falls = append(e.falls, int32(who))
		}
	}
	return e
}

// sample runs the command again and again with random dice.
func (c *explorer) sample(begin func() machine.Result, rewind func()) error {
	r := rand.New(rand.NewPCG(c.options.Seed, 0))
	c.sampled = c.options.Sample
	share := newShare(1, int64(c.sampled))
	for n := range c.options.Sample {
		if c.options.OnProgress != nil {
			c.options.OnProgress(true, n, c.options.Sample)
		}
		if c.stopped() || c.held > c.options.Memory {
			if n == 0 {
				return &StoppedError{c.steps, c.options.Steps}
			}
			c.sampled = n
			c.scale(newShare(int64(c.options.Sample), int64(n)))
			return nil
		}
		rewind()
		at := position{}
		q := begin()
		for c.hasMore(&q, at) {
			c.steps++
			switch {
			case q.Status == machine.Done:
				c.recordRound(at, share)
				q, at = c.nextStep(at)
			case q.Status == machine.NeedDie:
				q = c.m.Resume(r.Int64N(int64(q.Sides)) + 1)
			default:
				v, err := c.choose(&q)
				if err != nil {
					return err
				}
				q = c.m.Resume(v)
			}
		}
		if err := c.recordStep(q, nil, at, share); err != nil {
			return err
		}
	}
	return nil
}

func (c *explorer) stopped() bool { return c.options.Stop != nil && c.options.Stop() }

// scale multiplies all shares.
func (c *explorer) scale(by share) {
	for _, e := range c.endOrder {
		e.share = e.share.times(by)
	}
	for _, k := range c.checkOrder {
		k.made, k.success = k.made.times(by), k.success.times(by)
	}
	for _, falls := range c.rounds {
		for who := range falls {
			falls[who] = falls[who].times(by)
		}
	}
	c.omitted = c.omitted.times(by)
}

// result adds up the counts.
func (c *explorer) result() *Result {
	x := &Result{Sampled: c.sampled, Omitted: c.omitted.rat(), Steps: c.steps, Ends: len(c.endOrder), Reactions: c.reactions}
	for _, k := range c.checkOrder {
		x.Checks = append(x.Checks, Check{k.who, k.label, k.nth, k.made.rat(), k.success.rat()})
	}
	resources := len(c.m.Program().Resources)
	amounts := map[int32]map[int64]share{}
	effects := map[Effect]share{}
	places := map[Place]share{}
	falls := map[int32]share{}
	for _, e := range c.endOrder {
		for _, a := range e.amounts {
			if amounts[a.at] == nil {
				amounts[a.at] = map[int64]share{}
			}
			add(amounts[a.at], a.value, e.share)
		}
		for _, f := range e.effects {
			add(effects, f, e.share)
		}
		for _, at := range e.places {
			add(places, at, e.share)
		}
		for _, who := range e.falls {
			add(falls, who, e.share)
		}
	}
	for at, values := range amounts {
		a := Amount{Who: at / int32(resources), Resource: at % int32(resources)}
		left := whole
		for v, share := range values {
			a.Values = append(a.Values, Value{v, share.rat()})
			left = left.minus(share)
		}
		if int(at) < len(c.startAmounts) {
			a.Now = c.startAmounts[at]
		}
		if left.ways.Sign() > 0 { // the share in which it stays the same
			a.Values = append(a.Values, Value{a.Now, left.rat()})
		}
		slices.SortFunc(a.Values, func(a, b Value) int { return int(max(-1, min(1, a.Value-b.Value))) })
		x.Amounts = append(x.Amounts, a)
	}
	slices.SortFunc(x.Amounts, func(a, b Amount) int { return slices.Compare([]int32{a.Who, a.Resource}, []int32{b.Who, b.Resource}) })
	for e, share := range effects {
		e.Share = share.rat()
		x.Effects = append(x.Effects, e)
	}
	slices.SortFunc(x.Effects, func(a, b Effect) int { return slices.Compare([]int32{a.Who, a.Effect}, []int32{b.Who, b.Effect}) })
	for at, share := range places {
		at.Share = share.rat()
		x.Places = append(x.Places, at)
	}
	slices.SortFunc(x.Places, func(a, b Place) int { return cmp.Or(cmp.Compare(a.Who, b.Who), cmp.Compare(a.Square, b.Square)) })
	for who, share := range falls {
		x.Falls = append(x.Falls, Fall{who, share.rat()})
	}
	slices.SortFunc(x.Falls, func(a, b Fall) int { return int(a.Who - b.Who) })
	for _, falls := range c.rounds {
		var list []Fall
		for who, share := range falls {
			list = append(list, Fall{who, share.rat()})
		}
		slices.SortFunc(list, func(a, b Fall) int { return int(a.Who - b.Who) })
		x.Rounds = append(x.Rounds, list)
	}
	return x
}

func add[K comparable](to map[K]share, key K, more share) {
	if sum, ok := to[key]; ok {
		more = sum.plus(more)
	}
	to[key] = more
}
