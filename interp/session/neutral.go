package session

import (
	"arbiter/interp/build"
	"arbiter/interp/compile"
)

// This file switches parts of the rules off, or changes their options, to see what they do.

// NewRecompiler compiles the rules of a script again and again, each time without another part or with another option.
func NewRecompiler(s *build.Script) (*build.Recompiler, error) {
	return s.Recompiler(compile.Options{AnnounceAll: true})
}

// Neutral returns a script under whose rules some parts are as if they were absent, or give the zero of their type.
func Neutral(s *build.Script, parts ...int32) (*build.Script, error) {
	off := map[int32]bool{}
	for _, id := range parts {
		off[id] = true
	}
	return s.Recompiled(compile.Options{Neutral: off, AnnounceAll: s.WaitsForEvents()})
}

// Part is the part of the rules that an addition is; -1 if no code is it, so that it cannot be switched off.
func (a *Addition) Part() int32 {
	if mark := a.Stages[len(a.Stages)-1].Mark; mark >= 0 {
		return mark / 2
	}
	return -1
}

// LimitRounds breaks fights off after some rounds, if they do not end earlier: without a part of the rules they may not end
// at all.
func (t *Trials) LimitRounds(n int) {
	if t.script == nil {
		t.rounds = min(t.rounds, n)
	}
}
