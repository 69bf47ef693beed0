package board

import (
	"fmt"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/view"
)

// This file prints the turn order, and what is left of the current turn.

// Order lists the turn order with its counts, who waits, and which actions are readied. Outside a fight there is no
// order.
func (b Board) Order(v *view.Fight) string {
	if !v.Fighting {
		return "There is no fight.\n"
	}
	var out strings.Builder
	line, used := b.paint(term.Bold, "Order"), len("Order")
	for i, p := range v.Order {
		text, style := term.Clean(p.Who), term.Style("")
		if k := fighterIndex(v, p.Who); k >= 0 {
			if style = nameStyle(v, &v.Fighters[k]); v.Fighters[k].Down {
				text = b.glyph("✗", "x ") + text
			}
		}
		if len(p.Keys) > 0 {
			text += fmt.Sprintf(" %d", p.Keys[0])
		}
		if p.Waits {
			text += " (waits)"
		}
		if p.Who == v.Turn {
			text = b.glyph("▶", "* ") + text
			style = term.Yellow
		}
		text = b.screen.Cut(text, b.width-4)
		comma := ""
		if i < len(v.Order)-1 {
			comma = ","
		}
		if used+1+term.Columns(text)+len(comma) > b.width {
			out.WriteString(line + "\n")
			line, used = " ", 1
		}
		line += " " + b.paint(style, text) + comma
		used += 1 + term.Columns(text) + len(comma)
	}
	out.WriteString(line + "\n")
	if len(v.Turnless) > 0 {
		text := "No place yet: " + strings.Join(v.Turnless, ", ")
		out.WriteString(strings.Join(b.wrapHard(term.Clean(text), "  ", "    "), "\n") + "\n")
	}
	for i := range v.Fighters {
		for _, p := range v.Fighters[i].Plans {
			text := fmt.Sprintf("%s waits: %s, %s", v.Fighters[i].Name, p.When, p.Do)
			out.WriteString(strings.Join(b.wrapHard(term.Clean(text), "  ", "    "), "\n") + "\n")
		}
	}
	return out.String()
}

func fighterIndex(v *view.Fight, name string) int {
	return slices.IndexFunc(v.Fighters, func(f view.Fighter) bool { return f.Name == name })
}

// maxUnmentioned is the size above which an untouched resource is not mentioned.
const maxUnmentioned = 6

// Turn says whose turn it is, and what is left of it.
func (b Board) Turn(v *view.Fight) string {
	k := fighterIndex(v, v.Turn)
	switch {
	case !v.Fighting:
		return "There is no fight.\n"
	case k < 0:
		return fmt.Sprintf("Round %d, nobody's turn.\n", v.Round)
	}
	return b.wrapAfter(fmt.Sprintf("%s's turn, round %d:", term.Clean(v.Turn), v.Round), " "+leftOf(&v.Fighters[k]))
}

// Left says what is left of the turn of whose turn it is; "" if it is nobody's.
func (b Board) Left(v *view.Fight) string {
	k := fighterIndex(v, v.Turn)
	if !v.Fighting || k < 0 {
		return ""
	}
	return b.wrapAfter(term.Clean(v.Turn)+" has left:", " "+leftOf(&v.Fighters[k]))
}

// leftOf lists what is left of a creature's turn. Of actions of which it can take only one, it lists that one; what takes
// the place of all others comes last.
func leftOf(f *view.Fighter) string {
	left, actions := leftAmounts(f.Turn)
	if f.OneAction && actions > 1 {
		left = append([]string{strings.Join(left[:actions], " or ")}, left[actions:]...)
	}
	whole, _ := leftAmounts(f.WholeTurn)
	switch n := len(left); {
	case n == 0 && len(whole) == 0:
		return "nothing"
	case len(whole) == 0:
		return strings.Join(left, ", ")
	case n > 1:
		left = []string{strings.Join(left[:n-1], ", ") + " and " + left[n-1]}
	}
	return strings.Join(append(left, whole...), ", or ")
}

// leftAmounts puts what is left of resources into words, and counts the actions that come first.
func leftAmounts(amounts []view.Amount) (left []string, actions int) {
	for _, a := range amounts {
		switch {
		case a.Value <= 0 || a.High != nil && a.Value == *a.High && a.Value > maxUnmentioned:
		case a.High != nil && *a.High > 1:
			left = append(left, fmt.Sprintf("%s %d of %d", spacedName(a.Name), a.Value, *a.High))
		case a.Value > 1:
			left = append(left, fmt.Sprintf("%s %d", spacedName(a.Name), a.Value))
		default:
			if actions == len(left) && !a.Beside {
				actions++
			}
			left = append(left, spacedName(a.Name))
		}
	}
	return left, actions
}
