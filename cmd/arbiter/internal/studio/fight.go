package studio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"arbiter/cmd/arbiter/internal/show"
	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/odds"
	"arbiter/interp/replay"
	"arbiter/interp/session"
	"arbiter/lang/diag"
)

// This file builds and plays the script that the page shows, from the texts that it has.

// fight says what is played.
type fight struct {
	Path  string            `json:"path"`  // of the script
	With  []string          `json:"with"`  // house rules: paths of files
	Texts map[string]string `json:"texts"` // the files that are unsaved, by path
	Seed  *uint64           `json:"seed"`  // null: the script's
}

// mistakes are the diagnostics of scripts that cannot be played.
type mistakes struct {
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

func (m *mistakes) Error() string {
	for _, d := range m.Diagnostics {
		if d.Severity == string(diag.Error) {
			return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message)
		}
	}
	return "the scripts have mistakes"
}

// mistakes are diagnostics with the paths of the folder.
func (s *Studio) mistakes(list diag.List) *mistakes {
	m := &mistakes{show.JSON(list)}
	for i := range m.Diagnostics {
		d := &m.Diagnostics[i]
		d.File = s.shown(d.File)
		for k := range d.Related {
			d.Related[k].File = s.shown(d.Related[k].File)
		}
	}
	return m
}

// shown is a path as the page knows it: that of an embedded file stays.
func (s *Studio) shown(file string) string {
	rel, err := filepath.Rel(s.folder.dir, file)
	if err != nil || !filepath.IsAbs(file) || strings.HasPrefix(rel, "..") {
		return file
	}
	return filepath.ToSlash(rel)
}

// buildOptions are those of a build with unsaved texts, which count instead of what the disk has.
func (s *Studio) buildOptions(f *fight) (build.Options, error) {
	o := build.Options{Library: s.o.Library, KnownCitation: s.o.KnownCitation}
	for _, w := range f.With {
		if err := checkPath(w); err != nil {
			return o, err
		}
		o.With = append(o.With, s.folder.absolute(w))
	}
	texts := map[string]string{}
	for p, text := range f.Texts {
		if err := checkPath(p); err != nil {
			return o, err
		}
		texts[s.folder.absolute(p)] = text
	}
	o.ReadFile = func(file string) ([]byte, error) {
		if text, unsaved := texts[file]; unsaved {
			return []byte(text), nil
		}
		return build.ReadFile(file)
	}
	return o, nil
}

// build builds what is to be played, as long as it is wanted.
func (s *Studio) build(ctx context.Context, f *fight, how compile.Options) (*build.Script, diag.List, error) {
	if err := checkPath(f.Path); err != nil {
		return nil, nil, err
	}
	o, err := s.buildOptions(f)
	if err != nil {
		return nil, nil, err
	}
	o.Compile, o.Stop = how, s.stops(ctx)
	script, diags, err := build.File(s.folder.absolute(f.Path), o)
	switch {
	case errors.Is(err, build.ErrStopped):
		return nil, nil, ctx.Err()
	case errors.Is(err, os.ErrNotExist):
		return nil, nil, fmt.Errorf("%s is gone from the disk", f.Path)
	case err != nil:
		return nil, nil, err
	case script != nil && script.IsPart():
		return nil, nil, fmt.Errorf("%s is part of an adventure: play the file that includes it", f.Path)
	case diags.HasErrors() || script == nil || script.Rules == nil:
		return nil, nil, s.mistakes(diags)
	}
	if word := script.Head.Word.Name; word == "ruleset" || word == "tests" {
		return nil, nil, fmt.Errorf("%s is no fight: choose an encounter", f.Path)
	}
	return script, diags, nil
}

// fightDocument is a fight that was played.
type fightDocument struct {
	Replay      *replay.Document  `json:"replay"`
	Diagnostics []show.Diagnostic `json:"diagnostics"`
}

// run plays a script to its end by tactics.
func (s *Studio) run(ctx context.Context, f fight) (any, error) {
	script, warnings, err := s.build(ctx, &f, compile.Options{Unoptimized: true})
	if err != nil {
		return nil, err
	}
	if script.Story == nil && session.OnlySetsUp(script.File.Body) {
		return nil, fmt.Errorf("%s only sets up a fight: end it with `fight on`, or play it live", path.Base(f.Path))
	}
	result := session.Run(script, session.Options{Seed: f.Seed, Unchecked: f.Seed != nil || len(f.With) > 0, Record: true})
	return fightDocument{result.Replay, s.mistakes(append(warnings, result.Failures...)).Diagnostics}, nil
}

type oddsParams struct {
	fight
	Command string `json:"command"`
}

// maxOddsSteps bounds how much of a command is enumerated while the page waits.
const maxOddsSteps = 200_000

// odds computes the odds of a command at the point where the script hands over to tactics.
func (s *Studio) odds(ctx context.Context, p oddsParams) (any, error) {
	script, _, err := s.build(ctx, &p.fight, compile.Options{})
	if err != nil {
		return nil, err
	}
	if script.Story != nil {
		return nil, errors.New("an adventure has no single fight: ask about commands while you play it")
	}
	c, diags, err := session.ComputeOdds(script, session.Options{Seed: p.Seed}, p.Command, odds.Options{Steps: maxOddsSteps, Stop: s.stops(ctx)})
	if len(diags) > 0 {
		return nil, s.mistakes(diags)
	}
	return c, err
}
