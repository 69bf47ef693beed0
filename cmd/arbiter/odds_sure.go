package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"arbiter/interp/session"
)

// This file puts into words what a command changes in any case, such as what it costs: such changes need no table.

var always = big.NewRat(1, 1)

// isSure reports whether an amount ends at the same value whatever happens.
func isSure(m *session.AmountChance) bool { return len(m.Values) == 1 }

// isShown reports whether the text shows an effect: all conditions, and what comes or goes by itself, unless the rules
// keep it out of sight.
func isShown(e *session.EffectChance) bool {
	return !e.Internal && (e.Kind == "condition" || e.Kind != "everyone" && !e.Derived)
}

// isSureEffect reports whether an effect comes or goes whatever happens. Conditions have a row of their own even then.
func isSureEffect(e *session.EffectChance) bool {
	return isShown(e) && e.Kind != "condition" && e.Share.Cmp(always) == 0
}

// sureChanges are the changes that happen in any case, by creature.
func (x *variantChances) sureChanges() string {
	var names []string
	changes := map[string][]string{}
	add := func(who, change string) {
		if !slices.Contains(names, who) {
			names = append(names, who)
		}
		changes[who] = append(changes[who], change)
	}
	for i := range x.Amounts {
		if m := &x.Amounts[i]; isSure(m) && !m.Internal {
			add(m.Who, fmt.Sprintf("%s %d -> %d", m.Name, m.Now, m.Values[0].Value))
		}
	}
	for i := range x.Places {
		if at := &x.Places[i]; at.Share.Cmp(always) == 0 {
			add(at.Who, "moves to "+squareText(at.To))
		}
	}
	for i := range x.Effects {
		if e := &x.Effects[i]; isSureEffect(e) {
			add(e.Who, effectText(e))
		}
	}
	var list []string
	for _, who := range names {
		list = append(list, who+" "+strings.Join(changes[who], ", "))
	}
	return strings.Join(list, "; ")
}

// effectText says what becomes of an effect.
func effectText(e *session.EffectChance) string {
	switch {
	case e.Kind == "condition" && e.Gone:
		return "is no longer " + e.Name
	case e.Kind == "condition":
		return "is " + e.Name
	case e.Gone:
		return "loses " + e.Name
	}
	return "gains " + e.Name
}

// squareText writes a square as a script does.
func squareText(at *[3]int) string {
	switch {
	case at == nil:
		return "a place off the map"
	case at[2] != 0:
		return fmt.Sprintf("(%d, %d, %d)", at[0], at[1], at[2])
	}
	return fmt.Sprintf("(%d, %d)", at[0], at[1])
}
