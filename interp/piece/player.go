package piece

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"time"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
	"arbiter/interp/walk"
	"arbiter/lang/diag"
)

// This file plays pieces.

// Player plays pieces of one block of a job. It is not safe for concurrent use; Clone makes one for each goroutine.
type Player struct {
	job      *Job
	block    int
	variants []sim.Variant
	story    *build.Script // of a walk
	rolls    []session.Roll
	marks    bool // it is counted what of some rulesets is used
}

// MistakesError is that the script of a job, or its rules, has mistakes.
type MistakesError struct{ Diags diag.List }

func (e *MistakesError) Error() string { return e.Diags[0].String() }

// mismatchError is that the files and the program give other rules than the job was made with.
type mismatchError struct{ Rules string }

func (e *mismatchError) Error() string {
	if e.Rules == "" {
		return "the rules here are not those that the job was made with"
	}
	return "the rules here are not those that the job was made with (" + e.Rules + ")"
}

// Open builds the script of a job under the rules of a block. files has its files, and nothing else is read: o says the
// rest about the build. A job whose casts are not known yet is not compared with them.
func (j *Job) Open(files fs.FS, block int, o build.Options) (*Player, error) {
	p := &Player{job: j, block: block}
	o.Files, o.Compile = files, compile.Options{}
	if j.Walk {
		o.With, o.Without = j.Arms[0].With, j.Arms[0].Without
		s, err := buildScript(j.Script, o)
		if err != nil {
			return nil, err
		}
		if s.Story == nil {
			return nil, fmt.Errorf("%s is not an adventure", j.Script)
		}
		p.story = s
		if len(j.Digests) > 0 && j.Digests[0] != s.Digest() {
			return nil, &mismatchError{}
		}
		return p, nil
	}
	var first *build.Script
	var sweeps []*sweep.Sweep
	for _, i := range j.InBlock(block) {
		a := &j.Arms[i]
		script, s, err := j.armScript(a, first, sweeps, o)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first, sweeps = script, s
		}
		t, err := session.NewTrials(script, session.Options{Additions: Among(a.Counted)})
		p.marks = p.marks || len(a.Counted) > 0
		if f := (session.Failures)(nil); errors.As(err, &f) {
			return nil, &MistakesError{diag.List(f)}
		}
		if err != nil {
			return nil, err
		}
		if len(j.Digests) > 0 && j.Digests[i] != t.Cast().Digest {
			return nil, &mismatchError{a.Rules}
		}
		if j.Adjust {
			if !t.KnowsDice() {
				return nil, errors.New("the luck of this script is not known")
			}
			p.rolls = sim.RollsOf(t, j.Seed)
		}
		p.variants = append(p.variants, sim.Variant{Rules: a.Rules, AlreadyUsed: a.AlreadyUsed, Trials: t})
	}
	return p, nil
}

// armScript builds the script under the rules of an arm. For the first, which is nil until then, it also reads what is
// varied, against the script without any values.
func (j *Job) armScript(a *Arm, first *build.Script, sweeps []*sweep.Sweep, o build.Options) (*build.Script, []*sweep.Sweep, error) {
	o.With, o.Without = a.With, a.Without
	if first == nil {
		plain, err := buildScript(j.Script, o)
		if err != nil {
			return nil, nil, err
		}
		if sweeps, err = j.readSweeps(plain); err != nil || len(a.Values) == 0 {
			return plain, sweeps, err
		}
		first = plain
	}
	for k, v := range a.Values {
		if k >= len(sweeps) || v >= len(sweeps[k].Values) {
			return nil, nil, errors.New("a value that does not exist")
		}
		amendment, diags := sweeps[k].Amendment(v)
		if len(diags) > 0 {
			return nil, nil, &MistakesError{diags}
		}
		o.Amend = append(o.Amend, amendment)
	}
	if a.sameRules(&j.Arms[0]) {
		if s, ok := first.Amended(o.Amend); ok {
			return s, sweeps, nil
		}
	}
	s, err := buildScript(j.Script, o)
	if e := (*MistakesError)(nil); errors.As(err, &e) {
		for k := range a.Values {
			e.Diags = sweeps[k].Place(e.Diags)
		}
	}
	return s, sweeps, err
}

// readSweeps reads what is varied.
func (j *Job) readSweeps(s *build.Script) (list []*sweep.Sweep, err error) {
	for k, text := range j.Sweeps {
		x, diags := sweep.Parse(SweepName(k), text)
		if len(diags) == 0 {
			diags = x.Check(s)
		}
		if len(diags) > 0 {
			return nil, &MistakesError{diags}
		}
		list = append(list, x)
	}
	return list, nil
}

// SweepName is the name under which diagnostics show the text of a sweep of a job.
func SweepName(k int) string { return fmt.Sprintf("sweep %d", k+1) }

func buildScript(path string, o build.Options) (*build.Script, error) {
	s, diags, err := build.File(path, o)
	switch {
	case err != nil:
		return nil, err
	case diags.HasErrors():
		return nil, &MistakesError{diags}
	case s == nil || s.Rules == nil || s.Head == nil || s.Head.Word.Name == "ruleset":
		return nil, fmt.Errorf("%s is not a script that can be played", path)
	}
	return s, nil
}

// Describe builds all arms of a job, and fills in what is known of them then. It must be called before a job is encoded.
// each is called with a player for each block; nil: not called.
func (j *Job) Describe(files fs.FS, o build.Options, each func(block int, p *Player) error) error {
	var casts []*session.Cast
	for block := range j.Blocks() {
		p, err := j.Open(files, block, o)
		if err != nil {
			return err
		}
		if each != nil {
			if err := each(block, p); err != nil {
				return err
			}
		}
		if j.Walk {
			j.Digests = []string{p.story.Digest()}
			return nil
		}
		for k, v := range p.variants {
			if k > 0 || block == 0 {
				casts = append(casts, v.Trials.Cast())
			}
		}
	}
	return j.describeBy(casts)
}

// describeBy is Describe for a job whose arms have been built already. Names that the job has keep their numbers.
func (j *Job) describeBy(casts []*session.Cast) (err error) {
	if j.Casts, err = sim.JoinCasts(casts, j.Names); err != nil {
		return err
	}
	all := j.Casts[0]
	j.Names = sim.Names{Members: all.Members, Resources: all.Resources, Actions: all.Actions, Rules: all.Rules}
	j.Digests = nil
	for _, c := range j.Casts {
		j.Digests = append(j.Digests, c.Digest)
	}
	return nil
}

// Among returns a function that reports whether a ruleset is one of those named; nil if none is.
func Among(names []string) func(ruleset string) bool {
	if len(names) == 0 {
		return nil
	}
	return func(ruleset string) bool { return slices.Contains(names, ruleset) }
}

// Clone returns a player for another goroutine.
func (p *Player) Clone() (*Player, error) {
	c := *p
	c.variants = slices.Clone(p.variants)
	for i := range c.variants {
		t, err := c.variants[i].Trials.Clone()
		if err != nil {
			return nil, err
		}
		c.variants[i].Trials = t
	}
	return &c, nil
}

// ErrStopped is that a piece was given up before its end.
var ErrStopped = errors.New("stopped")

// Play plays a piece. stop is called between fights, and gives the piece up.
func (p *Player) Play(x Piece, stop func() bool) (*Result, error) {
	if !p.job.admits(x) || x.Block != p.block {
		return nil, errors.New("this is no piece of the job")
	}
	if p.marks { // what was used before this piece does not count
		fresh, err := p.Clone()
		if err != nil {
			return nil, err
		}
		p = fresh
	}
	r := &Result{Fights: x.Count}
	if p.job.Walk {
		t, err := walk.Walk(p.story, walk.Options{Seed: p.job.Seed, From: x.From, Walks: max(1, x.Count), Workers: 1, Stop: stop})
		switch {
		case err != nil:
			return nil, err
		case t.Walks < x.Count:
			return nil, ErrStopped
		}
		r.Walk = t
		return r, nil
	}
	o := sim.Options{Seed: p.job.Seed, From: x.From, Fights: x.Count, Workers: 1, Stop: stop, Names: p.job.Names, Adjust: p.rolls}
	if p.job.Until > 0 {
		o.OnBatch = func(arms []*sim.Arm) {
			var batch []*sim.Arm
			for _, a := range arms {
				batch = append(batch, a.Deciding())
			}
			r.Batches = append(r.Batches, batch)
		}
	}
	arms, err := sim.Compare(p.variants, o)
	if f := (*sim.FightError)(nil); errors.As(err, &f) {
		r.Batches = nil
		r.Failed = &Failed{f.Fight, f.Err.Error()}
		return r, nil
	}
	switch {
	case err != nil:
		return nil, err
	case arms[0].Tally.Fights < x.Count:
		return nil, ErrStopped
	}
	for _, a := range arms {
		r.Arms = append(r.Arms, &sim.Arm{Tally: a.Tally, Pairs: a.Pairs})
	}
	return r, nil
}

// Measure returns how many seconds a fight takes in all arms of the block, measured over some time.
func (p *Player) Measure(clock func() time.Time, over time.Duration) (seconds float64, err error) {
	for n, tries := uint64(1), 0; ; n, tries = 2*n, tries+1 { // the first fights are slow: much is met for the first time
		n = min(n, p.job.Fights)
		began := clock()
		r, err := p.Play(Piece{Block: p.block, Count: n}, nil)
		if err != nil {
			return 0, err
		}
		spent := clock().Sub(began) // negative if the clock was set
		if spent >= over || r.Failed != nil || tries > maxMeasures {
			return min(max(spent.Seconds(), 1e-9)/float64(max(n, 1)), longestFight), nil
		}
	}
}

// maxMeasures bounds how often the time of a fight is measured, and longestFight is the longest that a fight is taken to last, in seconds: a
// clock can say anything.
const (
	maxMeasures  = 20
	longestFight = 600
)

// Cut decides into what pieces a job is cut that takes so many seconds for a fight in the arms of a block, so that a
// piece takes about as long as wanted.
func (j *Job) Cut(perFight, wanted float64) {
	n := max(1, wanted/max(perFight, 1e-12))
	if j.Until > 0 {
		j.Step = max(1, min(uint64(n/sim.Batch+0.5), maxPieceFights/sim.Batch)) * sim.Batch
		return
	}
	unit := math.Pow(10, max(0, math.Floor(math.Log10(n))-1)) // two digits are exact enough
	j.Step = uint64(min(max(1, math.Floor(n/unit)*unit), maxPieceFights, float64(max(j.Fights, 1))))
}

// Fight plays one fight of a job again, for its error.
func (p *Player) Fight(n uint64) error {
	_, err := sim.Compare(p.variants, sim.Options{Seed: p.job.Seed, From: n, Fights: 1, Workers: 1, Names: p.job.Names})
	return err
}
