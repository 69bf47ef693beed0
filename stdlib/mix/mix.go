// Package mix provides one finalizer and one incremental hash, shared by the dice and the hashes of a fight's state.
// Its output is guaranteed: seeds, golden files and stored sessions depend on it. The package must never know what it
// hashes.
package mix

import "math/bits"

const gamma = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, made odd

// Finish is the finalizer of splitmix64: a bijection in which every bit of x flips about half of the bits of the
// result.
func Finish(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Next steps a splitmix64 sequence: the draw that follows x.
func Next(x uint64) uint64 { return Finish(x + gamma) }

// Add adds one word to the hash h. It is a bijection of v for a given h, and vice versa, so two histories collide only
// by chance; the order of the words matters.
func Add(h, v uint64) uint64 { return Finish((h ^ v) + gamma) }

// Fold adds one word to the hash h, in a third of the time of Add. It is not a bijection: inputs that differ in one
// word may collide, by chance. by is an odd multiplier; another one gives another hash.
func Fold(h, v, by uint64) uint64 {
	high, low := bits.Mul64(h^v, by)
	return high ^ low
}

// Text hashes a name: FNV-1a, then finalized so that short names fill all 64 bits.
func Text(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return Finish(h)
}
