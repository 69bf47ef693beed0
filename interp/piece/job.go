// Package piece cuts simulations into pieces that other machines can play, and adds up what they counted.
//
// A job is one question: a script, under one set of rules or compared under several, with a seed and a number of
// fights; or an adventure with a number of playthroughs. It is self-contained: with its bundle of files and the program
// it can be answered anywhere. A piece of it is named by what it computes: the job, which of its rules, which range of
// fights. Its result is exact integers, so that losing, repeating or doubling a piece changes nothing, and the sum of the
// pieces is what one machine would have counted.
//
// It must never know how pieces travel, nor what a rule says.
package piece

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"arbiter/interp/session"
	"arbiter/interp/sim"
	"arbiter/interp/sweep"
)

// Version is the version of the documents of jobs and results.
const Version = 1

// Job is a question, with the way in which it is cut. A job from a stranger is bounded by DecodeJob.
type Job struct {
	Version int      `json:"version"`
	Program string   `json:"program"` // identifies the program, see build.ProgramID
	Bundle  string   `json:"bundle"`  // the hash of its files
	Script  string   `json:"script"`  // a path in the bundle
	Title   string   `json:"title"`
	Walk    bool     `json:"walk,omitempty"` // the script is an adventure that is played through; fights are playthroughs
	Seed    uint64   `json:"seed"`
	From    uint64   `json:"from,omitempty"` // the number of the first fight
	Fights  uint64   `json:"fights"`
	Until   float64  `json:"until,omitempty"`  // as in sim.Options
	Adjust  bool     `json:"adjust,omitempty"` // estimates are adjusted for the luck of the dice
	Sweeps  []string `json:"sweeps,omitempty"`
	Arms    []Arm    `json:"arms"` // the first: what the others are compared with

	// What is known once all arms have been built.
	Names   sim.Names       `json:"names"`             // the joint numbers of all arms
	Casts   []*session.Cast `json:"casts,omitempty"`   // of the arms, jointly numbered; their lists of names are those of Names
	Digests []string        `json:"digests,omitempty"` // of the script under the rules of each arm

	// How it is cut.
	Block int    `json:"block"` // at most so many arms in a piece, besides the first
	Step  uint64 `json:"step"`  // fights in a piece
}

// Arm is one set of rules of a job.
type Arm struct {
	Rules       string   `json:"rules"`         // its name
	Set         string   `json:"set,omitempty"` // the part of its name that says which house rules it has
	AlreadyUsed bool     `json:"alreadyUsed,omitempty"`
	With        []string `json:"with,omitempty"` // paths in the bundle, or names of rulesets
	Without     []string `json:"without,omitempty"`
	Values      []int    `json:"values,omitempty"`  // for each sweep, which of its values; none: as written
	Counted     []string `json:"counted,omitempty"` // rulesets of which it is counted what is used
}

// Piece is a part of a job.
type Piece struct {
	Block int    `json:"block"`
	From  uint64 `json:"from"` // the first fight
	Count uint64 `json:"count"`
}

// Limits of a job, for those who take jobs from others.
const (
	// maxArms is how many arms a job has besides the first.
	maxArms = 10_000
	// MaxBlock is how many arms a piece has besides the first.
	MaxBlock = 100
	// maxFights bounds the fights of a job.
	maxFights = 1_000_000_000_000
	// maxPieceFights bounds the fights of a piece: a worker that is given more is not being asked for a piece.
	maxPieceFights = 100_000_000
	// maxSweeps bounds what a job varies.
	maxSweeps = 16
	// maxListed bounds the house rules of an arm.
	maxListed = 100
	// maxJobSize bounds the document of a job, in bytes.
	maxJobSize = 64 << 20
)

// Encode returns the document of a job, whose hash names the job.
func (j *Job) Encode() ([]byte, error) {
	x := *j
	x.Casts = nil
	for _, c := range j.Casts {
		bare := *c
		bare.Resources, bare.Actions, bare.Rules = nil, nil, nil
		x.Casts = append(x.Casts, &bare)
	}
	return json.Marshal(&x)
}

// Question identifies what is asked, however it is cut.
func (j *Job) Question() string {
	x := *j
	x.Block, x.Step, x.Title = 0, 0, ""
	text, err := x.Encode()
	if err != nil {
		return ""
	}
	return HashOf(text)
}

// DecodeJob reads the document of a job.
func DecodeJob(data []byte) (*Job, error) {
	if len(data) > maxJobSize {
		return nil, fmt.Errorf("the job has more than %d bytes", maxJobSize)
	}
	j := new(Job)
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(j); err != nil {
		return nil, fmt.Errorf("the job cannot be read: %w", err)
	}
	if j.Version != Version {
		return nil, fmt.Errorf("the job has format version %d, not %d", j.Version, Version)
	}
	for _, c := range j.Casts {
		if c == nil {
			return nil, errors.New("the job lacks a cast")
		}
		c.Resources, c.Actions, c.Rules = j.Names.Resources, j.Names.Actions, j.Names.Rules
	}
	return j, j.check()
}

// check reports what a job from a stranger cannot be.
func (j *Job) check() error {
	wrong := func(format string, args ...any) error { return fmt.Errorf("the job is refused: "+format, args...) }
	switch {
	case !fs.ValidPath(j.Script) || j.Script == ".":
		return wrong("its script has no proper path")
	case len(j.Arms) < 1 || len(j.Arms) > maxArms+1:
		return wrong("it has %d arms, and at most %d are allowed besides the first", len(j.Arms)-1, maxArms)
	case j.Block < 1 || j.Block > MaxBlock:
		return wrong("its pieces have %d arms besides the first, and at most %d are allowed", j.Block, MaxBlock)
	case j.Fights > maxFights || j.From > maxFights:
		return wrong("it has %d fights from number %d on, and at most %d are allowed", j.Fights, j.From, uint64(maxFights))
	case j.Step < 1 || j.Step > maxPieceFights:
		return wrong("its pieces have %d fights, and at most %d are allowed", j.Step, maxPieceFights)
	case len(j.Sweeps) > maxSweeps:
		return wrong("it varies %d things, and at most %d are allowed", len(j.Sweeps), maxSweeps)
	case j.Adjust && (j.Walk || len(j.Arms) > 1):
		return wrong("only one set of rules can be adjusted for luck")
	case j.Walk && len(j.Arms) > 1:
		return wrong("playthroughs are not compared")
	case !j.Walk && len(j.Casts) != len(j.Arms) || len(j.Digests) != len(j.Arms):
		return wrong("it does not say what takes part in each arm")
	case !(j.Until >= 0 && j.Until < 1):
		return wrong("its precision is no share")
	}
	if len(j.Arms) > 1 && len(j.Arms[0].Values) > 0 {
		return wrong("its first arm, which others are compared with, is not as written")
	}
	for i, a := range j.Arms {
		if len(a.Values) != 0 && len(a.Values) != len(j.Sweeps) {
			return wrong("arm %d does not have a value for each sweep", i)
		}
		for _, v := range a.Values {
			if v < 0 || v >= sweep.MostValues {
				return wrong("arm %d has a value that does not exist", i)
			}
		}
		if n := len(a.With) + len(a.Without) + len(a.Counted); n > maxListed {
			return wrong("arm %d has %d house rules, and at most %d are allowed", i, n, maxListed)
		}
		for _, name := range a.With {
			if !fs.ValidPath(name) {
				return wrong("arm %d has house rules without a proper path", i)
			}
		}
	}
	return nil
}

// Blocks returns into how many groups the arms are divided.
func (j *Job) Blocks() int { return max(1, (len(j.Arms)-1+j.Block-1)/j.Block) }

// InBlock lists the arms of a block: the first of the job, which all others are compared with, and its own.
func (j *Job) InBlock(block int) []int {
	list := []int{0}
	for i := 1 + block*j.Block; i < min(1+(block+1)*j.Block, len(j.Arms)); i++ {
		list = append(list, i)
	}
	return list
}

// Ranges returns into how many ranges the fights are divided.
func (j *Job) Ranges() uint64 { return (j.Fights + j.Step - 1) / j.Step }

// Range returns a range of the fights.
func (j *Job) Range(n uint64) (from, count uint64) {
	from = n * j.Step
	return j.From + from, min(j.Step, j.Fights-from)
}

// PieceID names a piece of a job, whose document has a hash, by what it computes.
func PieceID(job string, p Piece) string {
	return HashOf(fmt.Appendf(nil, "%s %d %d %d", job, p.Block, p.From, p.Count))[:32]
}

// admits reports whether a piece is one of the job.
func (j *Job) admits(p Piece) bool {
	return p.Block >= 0 && p.Block < j.Blocks() && p.Count <= maxPieceFights && p.From >= j.From && p.From-j.From <= j.Fights && p.Count <= j.Fights-(p.From-j.From)
}

// sameRules reports whether two arms have the same house rules.
func (a *Arm) sameRules(b *Arm) bool {
	return slices.Equal(a.With, b.With) && slices.Equal(a.Without, b.Without)
}
