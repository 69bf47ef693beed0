package dice

import (
	"math/big"
	"math/bits"
)

// This file packs many counts into one big integer (Kronecker substitution), so that math/big adds and multiplies all
// of them together: the sum of two rolls is one multiplication, the sum of n equal dice one power.

// A row is a polynomial: the coefficient of x^i is in the slot of width bits that begins at bit i*width. The maker of a
// row chooses a width in which no count, and no sum or product of counts to come, overflows.

// A blank row is filled slot by slot, and is then converted to a number.
type blank []big.Word

func newRow(length int, width uint) blank {
	return make(blank, (uint(length)*width+bits.UintSize-1)/bits.UintSize+1)
}

// set writes a count that fits into the ith slot, which must be 0.
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

// slot returns the count in the ith slot of a row.
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
