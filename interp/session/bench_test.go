package session

import "testing"

// BenchmarkAmbush plays whole fights on default tactics, nobody listening.
func BenchmarkAmbush(b *testing.B) {
	t, err := NewTrials(open(b, ambush), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	rounds := 0
	for i := 0; b.Loop(); i++ {
		o, err := t.Fight(uint64(i))
		if err != nil {
			b.Fatal(err)
		}
		rounds += o.Rounds
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "fights/s")
	b.ReportMetric(float64(rounds)/float64(b.N), "rounds/fight")
}
