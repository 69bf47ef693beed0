package resource

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSpend(t *testing.T) {
	for _, c := range []struct{ current, amount, floor, now, left int64 }{
		{10, 3, 0, 7, 0},
		{10, 10, 0, 0, 0},
		{10, 13, 0, 0, 3},
		{10, 25, -10, -10, 5},
		{10, 25, NoFloor, -15, 0},
		{-3, 5, 0, -3, 5},
		{10, 0, 0, 10, 0},
		{10, -5, 0, 10, 0},
		{math.MinInt64 + 1, 5, NoFloor, math.MinInt64, 4},
		{math.MaxInt64, math.MaxInt64, NoFloor, 0, 0},
		{math.MinInt64, math.MaxInt64, math.MaxInt64, math.MinInt64, math.MaxInt64},
	} {
		if now, left := Spend(c.current, c.amount, c.floor); now != c.now || left != c.left {
			t.Errorf("Spend(%d, %d, %d) = %d, %d; want %d, %d", c.current, c.amount, c.floor, now, left, c.now, c.left)
		}
	}
}

func TestGain(t *testing.T) {
	for _, c := range []struct{ current, amount, ceiling, now, over int64 }{
		{3, 4, 10, 7, 0},
		{3, 7, 10, 10, 0},
		{3, 9, 10, 10, 2},
		{-5, 9, NoCeiling, 4, 0},
		{12, 4, 10, 12, 4},
		{3, -4, 10, 3, 0},
		{math.MaxInt64 - 1, 5, NoCeiling, math.MaxInt64, 4},
		{math.MinInt64, math.MaxInt64, NoCeiling, -1, 0},
	} {
		if now, over := Gain(c.current, c.amount, c.ceiling); now != c.now || over != c.over {
			t.Errorf("Gain(%d, %d, %d) = %d, %d; want %d, %d", c.current, c.amount, c.ceiling, now, over, c.now, c.over)
		}
	}
}

// TestSpendKeepsTheSum: what was spent and what is left add up to the amount.
func TestSpendKeepsTheSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		current := rapid.Int64().Draw(t, "current")
		amount := rapid.Int64Min(0).Draw(t, "amount")
		floor := rapid.Int64().Draw(t, "floor")
		now, left := Spend(current, amount, floor)
		if uint64(current)-uint64(now)+uint64(left) != uint64(amount) {
			t.Errorf("%d spent from %d: now %d, left %d", amount, current, now, left)
		}
		if now < floor && now != current {
			t.Errorf("fell to %d, through the floor at %d", now, floor)
		}
	})
}
