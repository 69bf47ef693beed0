package sim

// This file reads single figures from single fights, for those who compare more than two rules at once.

// value is the number that a figure has in a fight: 1 or 0 for a share.
func (f *FightResult) value(x Figure) int64 {
	switch x.Kind {
	case Wins:
		return toInt(f.Side == x.Who)
	case Rounds:
		return int64(f.Rounds)
	case Falls:
		return toInt(f.Combatants[x.Who].Down)
	case Took:
		return f.Combatants[x.Who].Took
	case Dealt:
		return f.Combatants[x.Who].Dealt
	case Left:
		return f.Combatants[x.Who].Left[x.Cause.Resource]
	}
	return f.Causes[x.Cause]
}

// IsShare reports whether a figure is a share of all fights, so that it is 1 or 0 in each of them.
func (f Figure) IsShare() bool { return f.Kind == Wins || f.Kind == Falls }

// Values plays fights under several rules, on the same dice, and returns a figure of each of them: for each of the rules,
// the figure in each fight from Options.From on. If it was stopped, they are those up to the first fight that was not
// played.
func Values(list []Variant, figure Figure, o Options) ([][]int64, error) {
	values := make([][]int64, len(list))
	for i := range values {
		values[i] = make([]int64, o.Fights)
	}
	played := make([]bool, o.Fights)
	o.OnFight = func(fight uint64, results func(int) *FightResult) {
		for i := range values {
			values[i][fight-o.From] = results(i).value(figure)
		}
		played[fight-o.From] = true
	}
	if _, err := Compare(list, o); err != nil {
		return nil, err
	}
	for n, is := range played {
		if !is {
			for i := range values {
				values[i] = values[i][:n]
			}
			break
		}
	}
	return values, nil
}
