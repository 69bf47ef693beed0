package dice

import "arbiter/stdlib/mix"

// Hash converts the name of a roll to the label that Face takes.
func Hash(name string) uint64 { return mix.Text(name) }

// FightSeed returns the seed of one of many fights that share a seed.
func FightSeed(seed, fight uint64) uint64 { return mix.Add(mix.Finish(seed), fight) }

// Face rolls one die by name. The same seed, roller (who), purpose (label) and index of the roll (count) always give
// the same face, whatever else is rolled before or after it. The face is in 1..sides; a die without sides shows 0.
//
// The sides only divide the draw into faces: a name that rolls high on a d6 also rolls high on a d8, so fights under
// two rulesets stay comparable when one changes a die.
//
// The draw is two rounds of the splitmix64 finalizer, its upper half reduced by Lemire's multiplication with rejection,
// so all faces are equally likely. The sequence is a guarantee of this package, checked against a golden file.
func Face(seed, who, label uint64, count uint32, sides int32) int32 {
	if sides < 1 {
		return 0
	}
	draw := mix.Finish(seed + who*0xd1342543de82ef95 + uint64(count)*0xaef17502108ef2d9)
	draw = mix.Add(draw, label)
	product := (draw >> 32) * uint64(sides)
	if uint32(product) < uint32(sides) {
		return redraw(draw, product, uint32(sides))
	}
	return int32(product>>32) + 1
}

// redraw is the rare slow path of Face: it draws again while the product is in the remainder that would favor some
// faces.
func redraw(draw, product uint64, sides uint32) int32 {
	for remainder := -sides % sides; uint32(product) < remainder; {
		draw = mix.Next(draw)
		product = (draw >> 32) * uint64(sides)
	}
	return int32(product>>32) + 1
}
