package session

import (
	"slices"
	"testing"
	"time"

	"arbiter/interp/ground"
	"arbiter/stdlib/grid"
)

// BenchmarkAmbush and BenchmarkCourtyard play whole fights with default tactics and without output, and report their
// time as a multiple of the same fight in plain Go.
func BenchmarkAmbush(b *testing.B) { measured(b, ambush, mill()) }

func BenchmarkCourtyard(b *testing.B) { measured(b, courtyard, yard()) }

// courtyard is the fight used for measurements.
const courtyard = "testdata/courtyard.encounter"

// measured plays a script's fight, and the same in plain Go. Batches of both alternate, and the median of the ratios is
// reported (x-native), so that other load on the machine slows both alike.
func measured(b *testing.B, path string, start []nativeFighter) {
	t, err := NewTrials(open(b, path), Options{})
	if err != nil {
		b.Fatal(err)
	}
	n := byHand(t.ground)
	b.ReportAllocs()
	var ratios []float64
	rounds, fights := 0, 0
	spent := time.Duration(0)
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		for k := range uint64(batch) {
			n.run(start, uint64(i)*batch+k)
		}
		yard := time.Since(began)
		began = time.Now()
		for k := range uint64(batch) {
			o, err := t.Fight(uint64(i)*batch + k)
			if err != nil {
				b.Fatal(err)
			}
			rounds += o.Rounds
			fights++
		}
		took := time.Since(began)
		spent += took
		ratios = append(ratios, float64(took)/float64(yard))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x-native")
	b.ReportMetric(float64(fights)/spent.Seconds(), "fights/s")
	b.ReportMetric(float64(rounds)/float64(fights), "rounds/fight")
}

// batch is how many fights are timed together.
const batch = 20

func at(x, y int16) grid.Square { return grid.Square{X: x, Y: y} }

// mill returns the ten fighters of the ambush with their figures under the 3.5 rules.
func mill() []nativeFighter {
	return []nativeFighter{
		{at: at(2, 7), hp: 38, ac: 16, dex: 2, attack: 7, dice: 1, sides: 8, bonus: 3, threat: 19, multiplier: 2, surprised: true},
		{at: at(3, 8), hp: 44, ac: 13, dex: 1, attack: 8, dice: 1, sides: 12, bonus: 6, threat: 20, multiplier: 3, surprised: true},
		{at: at(3, 6), hp: 28, ac: 12, dex: 4, attack: 8, dice: 1, sides: 8, threat: 20, multiplier: 3, archer: true},
		{at: at(4, 7), hp: 30, ac: 17, dex: 0, attack: 5, dice: 1, sides: 6, bonus: 2, threat: 20, multiplier: 2, surprised: true},
		{at: at(22, 7), side: 1, hp: 30, ac: 14, dex: 1, attack: 6, dice: 2, sides: 6, bonus: 4, threat: 19, multiplier: 2},
		{at: at(16, 6), side: 1, hp: 17, ac: 12, dex: 1, attack: 4, dice: 1, sides: 8, bonus: 2, threat: 19, multiplier: 2},
		{at: at(16, 8), side: 1, hp: 17, ac: 12, dex: 1, attack: 4, dice: 1, sides: 8, bonus: 2, threat: 19, multiplier: 2},
		{at: at(17, 10), side: 1, hp: 17, ac: 12, dex: 1, attack: 4, dice: 1, sides: 8, bonus: 2, threat: 19, multiplier: 2},
		{at: at(19, 2), side: 1, hp: 14, ac: 12, dex: 2, attack: 4, dice: 1, sides: 8, threat: 20, multiplier: 3, archer: true},
		{at: at(22, 6), side: 1, hp: 14, ac: 12, dex: 2, attack: 4, dice: 1, sides: 8, threat: 20, multiplier: 3, archer: true},
	}
}

// yard returns the eight fighters of the courtyard.
func yard() []nativeFighter {
	duellist := nativeFighter{hp: 24, ac: 12, dex: 3, attack: 5, dice: 1, sides: 6, bonus: 2, threat: 18, multiplier: 2}
	soldier := nativeFighter{hp: 24, ac: 14, dex: 1, attack: 6, dice: 1, sides: 8, bonus: 3, threat: 19, multiplier: 2}
	cutter := nativeFighter{hp: 27, ac: 13, dex: 1, attack: 6, dice: 2, sides: 6, bonus: 4, threat: 19, multiplier: 2}
	axeman := nativeFighter{hp: 30, ac: 13, dex: 0, attack: 7, dice: 1, sides: 12, bonus: 6, threat: 20, multiplier: 3}
	put := func(f nativeFighter, side int8, at grid.Square) nativeFighter {
		f.side, f.at = side, at
		return f
	}
	return []nativeFighter{
		put(duellist, 0, at(3, 4)), put(soldier, 0, at(4, 8)), put(cutter, 0, at(4, 10)), put(axeman, 0, at(4, 12)),
		put(axeman, 1, at(15, 7)), put(cutter, 1, at(15, 9)), put(soldier, 1, at(15, 11)), put(duellist, 1, at(16, 15)),
	}
}

// byHand sets up the yardstick on the map of the ambush.
func byHand(on *ground.Map) *nativeFight {
	return &nativeFight{ground: on.Grid, prices: grid.NewPrices(func(factor int, diagonal, odd bool) int32 {
		switch {
		case !diagonal:
			return int32(5 * factor)
		case factor > 1:
			return int32(factor * 3 / 2 * 5)
		case odd:
			return 5
		}
		return 10
	})}
}

// BenchmarkSystems plays the ambush under each of the other systems, with their own default tactics.
func BenchmarkSystems(b *testing.B) {
	for _, name := range []string{"modern", "third", "starfinder", "true20"} {
		b.Run(name, func(b *testing.B) {
			t, err := NewTrials(open(b, "../../examples/ambush/"+name+".encounter"), Options{})
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				if _, err := t.Fight(uint64(i)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "fights/s")
		})
	}
}

// BenchmarkByHand plays the yardstick alone.
func BenchmarkByHand(b *testing.B) {
	t := trials(b)
	n, start := byHand(t.ground), mill()
	b.ReportAllocs()
	rounds := 0
	for i := 0; b.Loop(); i++ {
		rounds += n.run(start, uint64(i))
	}
	b.ReportMetric(float64(rounds)/float64(b.N), "rounds/fight")
}
