package dice

import (
	"math/big"
	"math/bits"
)

// This file keeps many counts in one number, so that math/big adds and multiplies all of them at once: throwing two
// rolls and adding them is one multiplication, n like dice are one power.

// A row is a polynomial: the count of x^i stands in the slot of width bits that begins at bit i*width. Whoever makes
// rows chooses a width in which no count, and no sum or product of counts to come, spills over.

// A blank row is filled slot by slot, and then becomes a number.
type blank []big.Word

func newRow(length int, width uint) blank {
	return make(blank, (uint(length)*width+bits.UintSize-1)/bits.UintSize+1)
}

// set puts a count, that fits, into the ith slot, which is 0.
func (row blank) set(i int, width uint, count *big.Int) {
	at := uint(i) * width
	word, shift := at/bits.UintSize, at%bits.UintSize
	for _, w := range count.Bits() {
		row[word] |= w << shift
		if word++; shift > 0 {
			row[word] |= w >> (bits.UintSize - shift)
		}
	}
}

// slot reads the count in the ith slot of a row.
func slot(row *big.Int, i int, width uint) *big.Int {
	words := row.Bits()
	at := uint(i) * width
	word, shift := at/bits.UintSize, at%bits.UintSize
	if word >= uint(len(words)) {
		return new(big.Int)
	}
	long := (width + bits.UintSize - 1) / bits.UintSize
	out := make([]big.Word, 0, long)
	for range long {
		w := words[word] >> shift
		if word++; word < uint(len(words)) && shift > 0 {
			w |= words[word] << (bits.UintSize - shift)
		}
		out = append(out, w)
		if word == uint(len(words)) {
			break
		}
	}
	if over := width % bits.UintSize; over > 0 && uint(len(out)) == long {
		out[long-1] &= 1<<over - 1
	}
	return new(big.Int).SetBits(out)
}
