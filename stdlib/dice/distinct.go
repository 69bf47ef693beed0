package dice

import (
	"math/big"
	"slices"
)

// This file computes the distribution of dice that are rerolled once if they show what another die shows.

// A kind of face, for a die that is rolled when some faces are taken: whether it is one of those, and whether r or ro
// rerolls it. All faces of a kind have the same chance.
type faceKind struct{ taken, rerolled bool }

// redrawn follows all rows of faces, die by die. Rows with the same faces in another order are one.
func (c *counter) redrawn(p *pool) (*distribution, error) {
	low := 1 + int64(p.offset)
	var faces []int64
	for face := low; face < low+int64(p.sides); face++ {
		if p.once || !p.reroll.holds(face) {
			faces = append(faces, face)
		}
	}
	type row struct {
		faces []int64 // sorted
		ways  *big.Int
	}
	rows, all := []row{{nil, big.NewInt(1)}}, big.NewInt(1)
	for n := range int(p.count) {
		if err := c.charge(float64(len(rows)) * float64(len(faces)) * (costOfRow + float64(n))); err != nil {
			return nil, err
		}
		at := map[string]int{}
		var next []row
		for _, r := range rows {
			chances := p.redrawnChances(faces, slices.Compact(slices.Clone(r.faces)))
			for _, face := range faces {
				_, taken := slices.BinarySearch(r.faces, face)
				ways := new(big.Int).Mul(r.ways, big.NewInt(chances[faceKind{taken, p.reroll.holds(face)}]))
				if ways.Sign() == 0 {
					continue
				}
				i, _ := slices.BinarySearch(r.faces, face)
				longer := slices.Insert(slices.Clone(r.faces), i, face)
				key := keyOf(longer)
				if k, met := at[key]; met {
					next[k].ways.Add(next[k].ways, ways)
					continue
				}
				at[key] = len(next)
				next = append(next, row{longer, ways})
			}
		}
		rows = next
		size := big.NewInt(int64(len(faces)))
		all.Mul(all, size.Exp(size, big.NewInt(mostRolls), nil))
	}
	s := &distribution{allWays: all}
	for _, r := range rows {
		parts := make([]part, len(r.faces))
		for i, face := range r.faces {
			parts[i].value = p.value(face)
		}
		var e evaluation
		s.totals, s.ways = append(s.totals, e.scoreAll(parts, &p.scoring)), append(s.ways, r.ways)
	}
	s.sort()
	return s, nil
}

// mostRolls is how often one die is rolled: at first, again because of ro, and again because another shows its face.
const mostRolls = 3

// redrawnChances are the ways, of len(faces)^mostRolls, in which a die ends on a face of each kind.
func (p *pool) redrawnChances(faces, shown []int64) map[faceKind]int64 {
	size := map[faceKind]int64{}
	for _, face := range faces {
		_, taken := slices.BinarySearch(shown, face)
		size[faceKind{taken, p.reroll.holds(face)}]++
	}
	n, chances := int64(len(faces)), map[faceKind]int64{}
	// roll rolls again, or for the first time, with these ways; and not again for a face that is taken, once it was redrawn.
	var roll func(ways int64, again, redrawn bool)
	roll = func(ways int64, again, redrawn bool) {
		once, twice := int64(0), int64(0) // ways to roll again
		for k, faces := range size {
			switch {
			case k.taken && !redrawn:
				twice += faces * ways / n
			case k.rerolled && !again:
				once += faces * ways / n
			default:
				chances[k] += ways / n
			}
		}
		if once > 0 {
			roll(once, true, redrawn)
		}
		if twice > 0 {
			roll(twice, true, true)
		}
	}
	roll(n*n*n, false, false)
	return chances
}

// keyOf makes a key of faces.
func keyOf(faces []int64) string {
	key := make([]byte, 0, 4*len(faces))
	for _, face := range faces {
		key = append(key, byte(face>>24), byte(face>>16), byte(face>>8), byte(face))
	}
	return string(key)
}
