package estimate

import "math"

// normal is the 97.5 % quantile of the normal distribution.
const normal = 1.959963984540054

// Student is the 97.5 % quantile of the distribution of Student: how many standard errors, themselves estimated with so
// many degrees of freedom, are to either side of a mean in its 95 % interval. freedom is at least 1.
func Student(freedom int) float64 {
	switch freedom {
	case 1:
		return math.Tan(math.Pi * 0.475)
	case 2:
		return 0.95 * math.Sqrt(2/(1-0.95*0.95))
	}
	// The expansion of Cornish and Fisher, whose error is below 0.4 % from here on.
	f, z := float64(freedom), normal
	z3, z5, z7, z9 := z*z*z, math.Pow(z, 5), math.Pow(z, 7), math.Pow(z, 9)
	return z + (z3+z)/(4*f) + (5*z5+16*z3+3*z)/(96*f*f) + (3*z7+19*z5+17*z3-15*z)/(384*f*f*f) + (79*z9+776*z7+1482*z5-1920*z3-945*z)/(92160*f*f*f*f)
}
