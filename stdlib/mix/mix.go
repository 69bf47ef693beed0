// Package mix scatters bits: one finalizer and one incremental hash, which the dice and the
// hashes of a fight's state share. The numbers it gives are a promise: seeds, golden tests and
// stored sessions depend on them. It must never know what it hashes.
package mix

import "math/bits"

const gamma = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, made odd

// Finish is the finalizer of splitmix64: a bijection in which every bit of x moves about half
// of the bits of the result.
func Finish(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Next steps a splitmix64 sequence: the draw that follows x.
func Next(x uint64) uint64 { return Finish(x + gamma) }

// Add takes one more word into the hash h. For a given h it is a bijection of v and the other
// way round, so two histories meet only by chance; the order of the words counts.
func Add(h, v uint64) uint64 { return Finish((h ^ v) + gamma) }

// Fold takes one more word into the hash h, in a third of the time of Add. It is no bijection: what differs in one word may meet,
// by chance. With another odd number to multiply by it is another hash.
func Fold(h, v, by uint64) uint64 {
	high, low := bits.Mul64(h^v, by)
	return high ^ low
}

// Text hashes a name: FNV-1a, finished so that short names fill all 64 bits.
func Text(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return Finish(h)
}
