package ground

import "slices"

// This file decides who is drawn on a square that several creatures fill: a rider and a steed, two wrestlers.

// Occupant is a creature as a map shows it: its upper left square and how many squares wide it is; 0 is off the map.
type Occupant struct {
	X, Y, Width int
	Down        bool
}

// Share returns who is drawn on each square that is filled, by index, and for each occupant that is drawn nowhere the
// one that stands in its place; -1 for all others.
//
// Standing creatures hide those that are down, and small ones are drawn over large ones. Those of one size take turns
// from square to square, so that both can be seen if they fill more than one.
func Share(list []Occupant) (shown map[[2]int]int, behind []int) {
	all := map[[2]int][]int{}
	for i, o := range list {
		for y := range o.Width {
			for x := range o.Width {
				at := [2]int{o.X + x, o.Y + y}
				all[at] = append(all[at], i)
			}
		}
	}
	shown = make(map[[2]int]int, len(all))
	isShown := make([]bool, len(list))
	for at, who := range all {
		first := slices.MinFunc(who, func(a, b int) int { return rank(&list[a]) - rank(&list[b]) })
		who = slices.DeleteFunc(who, func(i int) bool { return rank(&list[i]) != rank(&list[first]) })
		i := who[(at[0]+at[1]-list[first].X-list[first].Y)%len(who)]
		shown[at], isShown[i] = i, true
	}
	behind = make([]int, len(list))
	for i, o := range list {
		behind[i] = -1
		if o.Width == 0 || isShown[i] {
			continue
		}
		if front := shown[[2]int{o.X, o.Y}]; !list[front].Down {
			behind[i] = front
		}
	}
	return shown, behind
}

// rank orders those who fill a square: the lowest is drawn.
func rank(o *Occupant) int {
	if o.Down {
		return 1<<20 + o.Width
	}
	return o.Width
}
