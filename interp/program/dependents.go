package program

import "math"

// This file says what depends on a slot, and which writes concern it.

// Dependents lists the listeners of a slot: on the creature that has it (Own), or on every creature (All).
// GroundDefines and Whiles say which writes concern the defines that the host of the ground asks for, and the
// conditions of durations. DecidesDefeat says whether the slot decides who is defeated.
type Dependents struct {
	OwnCached, AllCached  Cached
	OwnNodes, AllNodes    []Listener
	Groups                []Group // of OwnNodes, so that most writes only have to test the groups
	GroundDefines, Whiles Thresholds
	DecidesDefeat         bool
}

// Cached lists the stats, and the defines whose results are cached, that read a slot: those that every write concerns,
// and the others. Their index is that of Program.CacheOfDefine.
type Cached struct {
	EveryWrite []int32
	Listeners  []Listener
}

// Add adds a stat or define.
func (c *Cached) Add(l Listener) {
	if l.Thresholds == EveryWrite {
		c.EveryWrite = append(c.EveryWrite, l.Index)
	} else {
		c.Listeners = append(c.Listeners, l)
	}
}

// CacheOfDefine is the index of a define among what is cached: the stats come first.
func (p *Program) CacheOfDefine(define int32) int32 { return int32(len(p.Stats)) + define }

// Listener is a stat, a define or a node, and which writes concern it.
type Listener struct {
	Index      int32
	Thresholds Thresholds
}

// Group is a run of listeners, from First up to End, that depend on the same number. Thresholds joins theirs.
type Group struct {
	First, End int32
	Thresholds Thresholds
}

// Thresholds are the thresholds that readers compare a slot with; a write that crosses none of them changes nothing for
// them. Low is the least threshold, High the greatest. A slot is below a threshold or at least as high. With a
// WeightedSum, the thresholds are compared with that sum of slots.
type Thresholds struct {
	Low, High   int64
	WeightedSum int32
}

// SumPart is a slot and its weight.
type SumPart struct {
	Slot  int32
	Times int64
}

// EveryWrite is for a reader of the number itself, which every write concerns; NoWrite for one that reads nothing.
var (
	EveryWrite = Thresholds{Low: math.MinInt64, High: math.MaxInt64}
	NoWrite    = Thresholds{Low: math.MaxInt64, High: math.MinInt64}
)

// Join returns the thresholds of both, or EveryWrite if they are of different sums.
func (c Thresholds) Join(d Thresholds) Thresholds {
	switch {
	case c == NoWrite:
		return d
	case d == NoWrite:
		return c
	case c.WeightedSum != d.WeightedSum:
		return EveryWrite
	}
	return Thresholds{min(c.Low, d.Low), max(c.High, d.High), c.WeightedSum}
}

// Crossed says whether a write may cross a threshold.
func (c Thresholds) Crossed(from, to int64) bool {
	return (from >= c.Low || to >= c.Low) && (from < c.High || to < c.High)
}
