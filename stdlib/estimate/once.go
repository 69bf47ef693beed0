package estimate

import "math"

// This file has intervals of 95 % for those who look at them once, after a number of observations that was fixed before.

// Bounded is the interval of the mean of n numbers, none of which can be below least or above most. deviation is their
// standard deviation as observed.
//
// What is rare may not have been met: a fight in which all is lost, where most cost little. So one number at each bound is
// added to those observed, and the quantile is that of Student. Of numbers that are all 0 or 1 the interval is nearly that
// of Agresti and Coull.
func Bounded(n uint64, mean, deviation, least, most float64) (low, high float64) {
	all := float64(n)
	squares := deviation * deviation * math.Max(0, all-1)
	middle := (all*mean + least + most) / (all + 2)
	squares += all*(mean-middle)*(mean-middle) + (least-middle)*(least-middle) + (most-middle)*(most-middle)
	half := Student(int(min(n+1, 1<<30))) * math.Sqrt(squares/(all+1)/(all+2))
	return math.Max(least, middle-half), math.Min(most, middle+half)
}

// Paired is the interval of the mean of n differences, of which so many are not zero; sum and squares are those of all.
//
// Where few differ, their sizes say little about those that have not been met: so one more is added, of their usual size
// and of both signs alike, and the interval is that of Student with twice as many degrees of freedom as there are
// differences. If none is met, it is as large as size, how much the numbers differ of which these are the differences; 0 if
// that is not known, and then the interval has no width.
func Paired(n, differing uint64, sum, squares, size float64) (low, high float64) {
	if n == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	usual := size * size
	if differing > 0 {
		usual = squares / float64(differing)
	}
	all := float64(n) + 2
	middle := sum / all
	variance := ((squares+usual)/all - middle*middle) / all
	half := Student(int(2*max(1, min(differing, 1<<30)))) * math.Sqrt(math.Max(0, variance))
	return middle - half, middle + half
}
