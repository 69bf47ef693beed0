package sim

import (
	"math"
	"slices"
)

// This file makes estimates of what differs between the same fights under two rules.

// ShiftOf is by how much a rate is higher, given the fights that turned (1: only after, -1: only before) out of all. The
// interval is that of Agresti and Min (Statistics in Medicine 24, 2005, pages 729 to 740), called Wald+2: half a fight is
// added to each of the four ways in which a pair can come out. It goes by the fights that turned; how common what is counted
// is makes no difference.
func ShiftOf(h Hist, all uint64) Rate {
	if all == 0 {
		return Rate{0, -1, 1}
	}
	up, down := float64(h[1]), float64(h[-1])
	n := float64(all) + 2
	middle := (up - down) / n
	half := z / n * math.Sqrt(up+down+1-(up-down)*(up-down)/n)
	return Rate{(up - down) / float64(all), max(-1, middle-half), min(1, middle+half)}
}

// mostCounted are pairs whose chances are counted out; of more the normal distribution is near enough.
const mostCounted = 1000

// ChanceOfTurns is how likely it is that fights turn so unevenly, or more so, when either way is as likely (the exact test of
// McNemar).
func ChanceOfTurns(up, down uint64) float64 {
	n, few := float64(up+down), float64(min(up, down))
	if n == 0 {
		return 1
	}
	if n > mostCounted {
		return math.Erfc(max(0, n-2*few-1) / math.Sqrt(2*n))
	}
	sum := 0.0
	all, _ := math.Lgamma(n + 1)
	for k := 0.0; k <= few; k++ {
		a, _ := math.Lgamma(k + 1)
		b, _ := math.Lgamma(n - k + 1)
		sum += math.Exp(all - a - b - n*math.Ln2)
	}
	return min(1, 2*sum)
}

// ChanceOfMean is how likely it is that a mean difference is so far from 0, or farther, when it is none. Of few fights that
// differ the normal distribution says too much: nothing is surer than as many coins that all fall alike.
func ChanceOfMean(h Hist, all uint64) float64 {
	unlike := uint64(0)
	for _, n := range h {
		unlike += n
	}
	m := MeanOf(h, all)
	if m.Mean == 0 {
		return 1
	}
	p := 0.0
	if m.Deviation > 0 {
		p = math.Erfc(math.Abs(m.Mean) / m.Deviation * math.Sqrt(float64(all)/2))
	}
	return min(1, max(p, math.Pow(2, 1-float64(unlike))))
}

// Holm tells which of several differences hold. If there were none, it would say so of any in 5 of 100 cases at most, however
// many there are (Holm, Scandinavian Journal of Statistics 6, 1979, pages 65 to 70).
func Holm(chances []float64) []bool {
	order := make([]int, len(chances))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if chances[i] < chances[j] {
			return -1
		}
		if chances[i] > chances[j] {
			return 1
		}
		return 0
	})
	holds := make([]bool, len(chances))
	for rank, i := range order {
		if chances[i] > 0.05/float64(len(chances)-rank) {
			break
		}
		holds[i] = true
	}
	return holds
}
