package main

import (
	"cmp"
	"slices"
	"strings"

	"arbiter/interp/sensitivity"
	"arbiter/interp/session"
)

// This file measures what each part of a house rule does, and what two of them do together.

// houseParts measures the share of each part of the house rules, and of those that move something in pairs.
func (s *sensitive) houseParts(d *sensitivityDocument, used []session.Addition, f *sensitivityFlags) error {
	house := s.script.Rules.House
	if len(house) == 0 {
		return nil
	}
	d.House = &houseEffects{Rulesets: house, Parts: []changeEffect{}, Interactions: []changeEffect{}}
	var parts []session.Addition
	for _, x := range used {
		if !slices.Contains(house, x.Ruleset) || x.Kind == "option" { // an option is a value, and among what is changed
			continue
		}
		if !slices.ContainsFunc(parts, func(y session.Addition) bool { return strings.HasPrefix(x.Path, y.Path+".") }) {
			parts = append(parts, x)
		}
	}
	from := f.screen
	full, err := s.playOff(nil, from, f.fights)
	if err != nil {
		return err
	}
	d.Fights += uint64(len(full))
	all, without := []int32{}, make([][]int64, len(parts))
	var effects []sensitivity.Effect
	var at []int // of the effects
	for i := range parts {
		all = append(all, parts[i].Part())
		if s.stopped() {
			break
		}
		s.progress.Set(i, len(parts))
		if without[i], err = s.playOff([]int32{parts[i].Part()}, from, f.fights); err != nil {
			return err
		}
		if without[i] == nil {
			continue
		}
		d.Fights += uint64(len(without[i]))
		effects, at = append(effects, sensitivity.EffectOf(without[i], full, d.Share)), append(at, i)
	}
	sensitivity.Mark(effects)
	for k, e := range effects {
		d.House.Parts = append(d.House.Parts, effectOfPart(&parts[at[k]]).with(e))
	}
	none, err := s.playOff(all, from, f.fights)
	if err != nil {
		return err
	}
	if len(all) > 0 && none != nil {
		d.Fights += uint64(len(none))
		d.House.All = changeEffect{Of: strings.Join(house, " + "), Kind: "ruleset", Now: "on", To: "off"}.with(sensitivity.EffectOf(none, full, d.Share))
		d.House.All.Significant = d.House.All.PValue < 0.05
	}
	order := []int{}
	for k, e := range effects {
		if e.Different > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(abs(effects[b].By), abs(effects[a].By)) })
	order = order[:min(len(order), maxPaired)]
	var pairs []sensitivity.Effect
	for n, a := range order {
		for _, b := range order[n+1:] {
			if s.stopped() {
				break
			}
			i, k := at[a], at[b]
			both, err := s.playOff([]int32{parts[i].Part(), parts[k].Part()}, from, f.fights)
			if err != nil {
				return err
			}
			if both == nil {
				continue
			}
			d.Fights += uint64(len(both))
			// With both on, less what each does alone, added to that without either.
			pairs = append(pairs, sensitivity.Interaction(both, without[k], without[i], full))
			d.House.Interactions = append(d.House.Interactions, changeEffect{Of: parts[i].Path + ", " + parts[k].Path, Kind: "interaction", Now: "on", To: "off"})
		}
	}
	sensitivity.Mark(pairs)
	for i, e := range pairs {
		d.House.Interactions[i] = d.House.Interactions[i].with(e)
	}
	byChange := func(a, b changeEffect) int { return cmp.Compare(abs(b.Change), abs(a.Change)) }
	slices.SortStableFunc(d.House.Parts, byChange)
	slices.SortStableFunc(d.House.Interactions, byChange)
	return nil
}

func abs(x float64) float64 { return max(x, -x) }
