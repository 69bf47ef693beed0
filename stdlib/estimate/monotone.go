package estimate

// Rising returns the numbers that rise from each to the next, or stay the same, and are nearest to the given ones: the
// sum of the squares of the differences, each with its weight, is least. It is isotonic regression by pooling adjacent
// violators (Ayer, Brunk, Ewing, Reid and Silverman, Annals of Mathematical Statistics 26, 1955). Weights must be
// positive.
func Rising(numbers, weights []float64) []float64 {
	type pool struct {
		mean, weight float64
		count        int
	}
	var pools []pool
	for i, x := range numbers {
		p := pool{x, weights[i], 1}
		for n := len(pools); n > 0 && pools[n-1].mean > p.mean; n-- {
			q := pools[n-1]
			p = pool{(q.mean*q.weight + p.mean*p.weight) / (q.weight + p.weight), q.weight + p.weight, q.count + p.count}
			pools = pools[:n-1]
		}
		pools = append(pools, p)
	}
	fit := make([]float64, 0, len(numbers))
	for _, p := range pools {
		for range p.count {
			fit = append(fit, p.mean)
		}
	}
	return fit
}
