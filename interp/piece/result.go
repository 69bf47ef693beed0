package piece

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"arbiter/interp/sim"
	"arbiter/interp/walk"
)

// This file is what a piece counted, and the sum of pieces.

// Result is what a piece counted. The same piece gives the same bytes on every machine.
type Result struct {
	Fights  uint64       `json:"fights"`
	Arms    []*sim.Arm   `json:"arms,omitempty"`    // those of its block
	Batches [][]*sim.Arm `json:"batches,omitempty"` // with Job.Until: what decides, of each sim.Batch fights
	Walk    *walk.Tally  `json:"walk,omitempty"`
	Failed  *Failed      `json:"failed,omitempty"` // instead of all others
}

// Failed is a fight that could not be played to its end.
type Failed struct {
	Fight   uint64 `json:"fight"`
	Message string `json:"message"`
}

// MaxResult limits the result of a piece, in bytes before it is packed.
const MaxResult = 64 << 20

// Encode returns the bytes of a result.
func (r *Result) Encode() ([]byte, error) { return json.Marshal(r) }

// Pack compresses bytes, and Unpack reads them again, up to a limit.
func Pack(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	_, _ = w.Write(data) // to memory
	_ = w.Close()
	return b.Bytes()
}

// Unpack reads what Pack has written.
func Unpack(data []byte, most int64) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	return text, err
}

// DecodeResult reads the result of a piece, which may come from a stranger: it has the form that the piece can have. Its
// arms are given the casts of the job.
func (j *Job) DecodeResult(p Piece, data []byte) (*Result, error) {
	if !j.admits(p) {
		return nil, errors.New("there is no such piece")
	}
	r := new(Result)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	if again, err := r.Encode(); err != nil || !bytes.Equal(again, data) {
		return nil, errors.New("it is not written as a result is") // so that equal counts have equal bytes
	}
	if r.Fights != p.Count {
		return nil, fmt.Errorf("there are %d fights, not %d", r.Fights, p.Count)
	}
	if f := r.Failed; f != nil {
		if f.Fight < p.From || f.Fight-p.From >= p.Count || r.Arms != nil || r.Batches != nil || r.Walk != nil || j.Walk {
			return nil, errors.New("the fight that failed is not one of them")
		}
		return r, nil
	}
	if j.Walk {
		if r.Walk == nil || r.Walk.Walks != p.Count || r.Walk.Seed != j.Seed || r.Arms != nil {
			return nil, errors.New("these are not its playthroughs")
		}
		return r, nil
	}
	in := j.InBlock(p.Block)
	if len(r.Arms) != len(in) || r.Walk != nil {
		return nil, fmt.Errorf("there are %d arms, not %d", len(r.Arms), len(in))
	}
	for k, i := range in {
		a := r.Arms[k]
		if a == nil || a.Cast != nil {
			return nil, errors.New("an arm is missing")
		}
		a.Cast, a.Rules, a.AlreadyUsed = j.Casts[i], j.Arms[i].Rules, j.Arms[i].AlreadyUsed
		if err := a.Fits(k == 0, p.From, p.Count); err != nil {
			return nil, err
		}
	}
	return r, j.checkBatches(p, r)
}

// checkBatches wants what decides to be there, and to add up to what the arms have.
func (j *Job) checkBatches(p Piece, r *Result) error {
	want := 0
	if j.Until > 0 {
		want = int((p.Count + sim.Batch - 1) / sim.Batch)
	}
	if len(r.Batches) != want {
		return fmt.Errorf("there are %d batches, not %d", len(r.Batches), want)
	}
	if want == 0 {
		return nil
	}
	sum := sim.NewDeciding(len(r.Arms), len(j.Casts[0].Sides))
	for n, batch := range r.Batches {
		if len(batch) != len(sum) {
			return errors.New("a batch lacks an arm")
		}
		for i, a := range batch {
			if a == nil || !sum[i].AddDeciding(a) || a.Tally.Fights != min(sim.Batch, p.Count-uint64(n)*sim.Batch) {
				return errors.New("a batch does not match its arms")
			}
		}
	}
	for i, a := range r.Arms {
		got, _ := json.Marshal(sum[i])
		all, _ := json.Marshal(a.Deciding())
		if !bytes.Equal(got, all) {
			return errors.New("the batches do not add up")
		}
	}
	return nil
}

// Sum is the sum of pieces of a job.
type Sum struct {
	job  *Job
	Arms []*sim.Arm
	Walk *walk.Tally
}

// NewSum returns a sum of nothing.
func (j *Job) NewSum() *Sum {
	s := &Sum{job: j}
	if j.Walk {
		return s
	}
	var rules []string
	for i := range j.Arms {
		rules = append(rules, j.Arms[i].Rules)
	}
	s.Arms = sim.NewArms(j.Casts, rules)
	for i := range s.Arms {
		s.Arms[i].AlreadyUsed = j.Arms[i].AlreadyUsed
	}
	return s
}

// Add adds the result of a piece. The first arm, which is played in every block, is counted in the first of them.
func (s *Sum) Add(p Piece, r *Result) error {
	if s.job.Walk {
		if s.Walk == nil {
			s.Walk = r.Walk
			return nil
		}
		return s.Walk.Add(r.Walk)
	}
	for k, i := range s.job.InBlock(p.Block) {
		if k > 0 || p.Block == 0 {
			s.Arms[i].Add(r.Arms[k])
		}
	}
	return nil
}

// sumDocument is a sum in a file.
type sumDocument struct {
	Arms []*sim.Arm  `json:"arms,omitempty"`
	Walk *walk.Tally `json:"walk,omitempty"`
}

// Encode returns the bytes of a sum.
func (s *Sum) Encode() ([]byte, error) {
	d := sumDocument{Walk: s.Walk}
	for _, a := range s.Arms {
		d.Arms = append(d.Arms, &sim.Arm{Tally: a.Tally, Pairs: a.Pairs})
	}
	return json.Marshal(d)
}

// DecodeSum reads a sum of pieces of a job.
func (j *Job) DecodeSum(data []byte) (*Sum, error) {
	var d sumDocument
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, err
	}
	s := j.NewSum()
	if s.Walk = d.Walk; j.Walk {
		return s, nil
	}
	if len(d.Arms) != len(s.Arms) {
		return nil, fmt.Errorf("there are %d arms, not %d", len(d.Arms), len(s.Arms))
	}
	for i, a := range d.Arms {
		if a == nil || a.Tally == nil {
			return nil, errors.New("an arm is missing")
		}
		a.Cast = j.Casts[i]
		if err := a.Fits(i == 0, j.From, a.Tally.Fights); err != nil {
			return nil, err
		}
		s.Arms[i].Add(a)
	}
	return s, nil
}
