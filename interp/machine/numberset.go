package machine

import "math/bits"

// numberSet is a set of small numbers of which the smallest is taken first: one bit each.
type numberSet struct {
	words []uint64
	first int // no word before it has a bit
	count int
}

func (x *numberSet) add(i int) {
	w := i >> 6
	if w >= len(x.words) {
		x.words = append(x.words, make([]uint64, w+1-len(x.words))...)
	}
	if x.words[w]>>(i&63)&1 == 0 {
		x.words[w] |= 1 << (i & 63)
		x.count++
	}
	x.first = min(x.first, w)
}

// takeFirst removes the smallest number and returns it, -1 if there is none.
func (x *numberSet) takeFirst() int {
	if x.count == 0 {
		return -1
	}
	for x.words[x.first] == 0 {
		x.first++
	}
	word := x.words[x.first]
	x.words[x.first] = word & (word - 1)
	x.count--
	return x.first<<6 + bits.TrailingZeros64(word)
}

func (x *numberSet) clear() {
	if x.count > 0 {
		clear(x.words)
	}
	x.first, x.count = len(x.words), 0
}
