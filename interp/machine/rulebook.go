package machine

import (
	"arbiter/interp/program"
	"arbiter/stdlib/effect"
)

// This file computes from a program what its machines look up, once for all of them: loose code adds nothing to it.

// rulebook is what a machine looks up in its program. Nothing in it changes.
type rulebook struct {
	stride          int // slots per creature
	creatureFields  []program.Field
	referringFields []int32   // those that may refer to the arena
	referringValues [][]int32 // the same of the values of each effect
	stats           []statInfo
	defines         []defineInfo
	ownDefineCount  int           // number of defines whose results are kept by creature
	ruleRanks       []ruleRank    // by rule
	affectsPoints   []bool        // by effect: whether its coming can affect a point
	cannots         [][]cannotRef // by permission
	mustEffects     []int32       // effects that leave a single command
	prices          [][]pricePart // by procedure
}

// statInfo is what the dispatch loop needs of a stat.
type statInfo struct {
	paramCount uint8
	cacheable  bool
	ownMods    []modRef // its modifiers that its creature carries
	foeMods    []modRef // those that the opponent carries
}

// modRef refers to a modifier of a stat by its index, and to the effect that it is part of.
type modRef struct{ effect, index int32 }

// defineInfo is what the dispatch loop needs of a define.
type defineInfo struct {
	start, length int32 // of its code
	regCount      int32
	version       int32 // index of the version of its results
	ownIndex      int32 // index of its result among those of a creature, -1: it has other parameters too
	cacheable     program.Cacheable
}

// cannotRef refers to a Cannot of an effect by its index.
type cannotRef struct{ effect, index int32 }

// rulebookOf returns that of a program and its copies.
func rulebookOf(p *program.Program) rulebook {
	return *p.Derived(func() any { return newRulebook(p) }).(*rulebook)
}

func newRulebook(p *program.Program) *rulebook {
	x := &rulebook{stride: int(p.Stride), affectsPoints: affectingPoints(p), cannots: make([][]cannotRef, len(p.Permissions))}
	if len(p.Kinds) > 0 {
		x.creatureFields = p.Kinds[0].Fields
	}
	for i, f := range x.creatureFields {
		if f.Shape != program.Scalar {
			x.referringFields = append(x.referringFields, int32(i))
		}
	}
	for i := range p.Stats {
		x.stats = append(x.stats, newStatInfo(p, &p.Stats[i]))
	}
	for i := range p.Defines {
		x.addDefine(p, i)
	}
	for i := range p.Rules {
		x.ruleRanks = append(x.ruleRanks, rankOf(&p.Rules[i]))
	}
	for i := range p.Procs {
		x.prices = append(x.prices, pricesOf(p, &p.Procs[i]))
	}
	for i := range p.Effects {
		x.addEffect(&p.Effects[i], int32(i))
	}
	return x
}

func newStatInfo(p *program.Program, st *program.Stat) statInfo {
	x := statInfo{paramCount: uint8(len(st.Params)), cacheable: !st.Volatile && len(st.Params) <= maxSituation && !p.RecordsCoverage}
	for k := range st.Mods {
		ref := modRef{st.Mods[k].Effect, int32(k)}
		if st.Mods[k].Against {
			x.foeMods = append(x.foeMods, ref)
		} else {
			x.ownMods = append(x.ownMods, ref)
		}
	}
	return x
}

func (x *rulebook) addDefine(p *program.Program, i int) {
	d := &p.Defines[i]
	ch := &p.Chunks[d.Chunk]
	info := defineInfo{start: ch.Start, length: ch.End - ch.Start, regCount: ch.Regs, version: int32(len(p.Stats) + i), ownIndex: -1, cacheable: d.Cacheable}
	switch {
	case p.RecordsCoverage || ch.Params > program.MaxCachedParams:
		info.cacheable = program.CacheNothing
	case info.cacheable != program.CacheNothing && ch.Params == 1:
		info.ownIndex = int32(x.ownDefineCount)
		x.ownDefineCount++
	}
	x.defines = append(x.defines, info)
}

func (x *rulebook) addEffect(e *program.Effect, id int32) {
	var refs []int32
	for k, v := range e.Values {
		if v.Shape != program.Scalar && k < len(effect.Instance{}.Vals) {
			refs = append(refs, int32(k))
		}
	}
	x.referringValues = append(x.referringValues, refs)
	if len(e.Musts.Commands) > 0 {
		x.mustEffects = append(x.mustEffects, id)
	}
	for i, k := range e.Cannots {
		x.cannots[k.Permission] = append(x.cannots[k.Permission], cannotRef{id, int32(i)})
	}
}
