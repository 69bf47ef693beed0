package estimate

import (
	"math"
	"testing"
)

// Against the table.
func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 7: 2.365, 10: 2.228, 19: 2.093, 30: 2.042, 60: 2.000, 120: 1.980, 1 << 30: 1.960} {
		if got := Student(freedom); math.Abs(got/want-1) > 0.004 {
			t.Errorf("with %d degrees of freedom %.3f, want %.3f", freedom, got, want)
		}
	}
}
