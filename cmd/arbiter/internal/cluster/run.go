package cluster

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/build"
	"arbiter/interp/piece"
)

// This file is the coordinator: it publishes pieces, takes what was counted, and adds it up. All that it knows can be
// read again, so that it can be killed at any moment.

// RunOptions configure the coordinator of a sweep.
type RunOptions struct {
	Build      build.Options // as in Worker
	Cores      int           // how many pieces are played in this process at a time; 0: none
	Verify     float64       // share of the pieces of others that are played here again
	Clock      Clock
	OnProgress func(Progress)    // called about four times a second; nil: not called
	Log        func(text string) // tells a person; nil: nobody
	Patience   time.Duration     // how long the server may refuse everything, for example because its disk is full; 0: a minute
}

// Progress is how far a sweep is.
type Progress struct {
	Played, Fights uint64 // in all arms
	Pieces         uint64 // that were counted
	Workers, Cores int
	Rate           float64       // fights per second, lately
	Left           time.Duration // 0: not known
	Verified       uint64        // pieces that were played twice
	Waiting        int           // pieces that are published
	AtMost         bool          // there may be enough fights earlier
}

// run is a coordinator at work.
type run struct {
	*Sweep
	o        RunOptions
	meter    meter
	courses  []*piece.Course // by job; nil: its sum is stored
	first    int             // all jobs before it have ended
	seen     map[string]*accepted
	waiting  map[string]asked // what is published, by id
	checks   map[int]int      // by job: pieces that are being verified
	checking chan check
	checked  chan check
	met      map[string]bool // workers of which a piece was verified
	own      string          // the worker of this process
	workers  map[string]Presence
	heard    map[string]time.Time
	played   uint64
	pieces   uint64
	verified uint64
	news     time.Time // when something last arrived
	wrote    time.Time
	players  players
}

// accepted is a result that has been checked.
type accepted struct {
	worker string
	sum    string
	index  int
	piece  piece.Piece
}

// asked is a piece that is published.
type asked struct {
	index int
	piece piece.Piece
}

// check is a piece that is played here again.
type check struct {
	id, worker string
	order      order
	sum        string // of the result, as it was written
	wrong      bool
	err        error
}

// most pieces are published at a time: so many for each core, but at least and at most. More would only take room.
const (
	piecesPerCore = 4
	leastWaiting  = 64
	mostWaiting   = 16_384
)

// How often the coordinator looks around, writes how far it is, and looks for pieces that have been lost.
const (
	lookEvery   = 250 * time.Millisecond
	writeEvery  = 2 * time.Second
	repairAfter = 5 * time.Second
)

// ErrCancelled is that somebody has cancelled the sweep.
var ErrCancelled = errors.New("the sweep has been cancelled")

// errNoProgress is that the server refuses everything for too long.
var errNoProgress = errors.New("the server refuses to keep anything")

// Run brings a sweep to its end, together with all others who do. When the context ends, it stops: the sweep can be
// resumed.
func (s *Sweep) Run(ctx context.Context, o RunOptions) error {
	if s.State == Done {
		return nil
	}
	o.Clock = clockOr(o.Clock)
	r := &run{
		Sweep: s, o: o, meter: meter{clock: o.Clock}, seen: map[string]*accepted{}, waiting: map[string]asked{}, checks: map[int]int{}, met: map[string]bool{},
		checking: make(chan check, 1<<16), checked: make(chan check, 64), workers: map[string]Presence{}, heard: map[string]time.Time{},
		players: players{most: 2 + runtime.NumCPU(), made: map[string]*madePlayer{}}, news: time.Now(),
	}
	if r.o.Patience == 0 {
		r.o.Patience = time.Minute
	}
	ctx, end := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer end()
	if err := r.readSums(ctx); err != nil {
		return err
	}
	if _, err := s.c.consumer(ctx, s.Program, s.c.lease); err != nil {
		return explain(err)
	}
	if err := s.c.purge(ctx, s.ID, false); err != nil { // what another coordinator has published is published again if it is needed
		return explain(err)
	}
	if o.Cores > 0 {
		w := &Worker{Program: s.Program, Build: o.Build, Cores: o.Cores, Clock: o.Clock, Log: o.Log}
		wait, err := w.Start(ctx, s.c)
		if err != nil {
			return err
		}
		r.own = w.ID()
		all.Go(func() { _ = wait() })
	}
	for range max(1, min(o.Cores, runtime.NumCPU())) {
		all.Go(func() { r.verify(ctx) })
	}
	err := r.loop(ctx)
	if ctx.Err() != nil && err == nil {
		err = ctx.Err()
	}
	s.partial = r
	if errors.Is(err, ErrCancelled) {
		return err
	}
	if err != nil {
		last, end := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer end()
		r.Played, r.Updated, r.Rate = r.played, o.Clock().UTC(), 0
		_ = r.putInfo(last)
		return err
	}
	r.State, r.Played, r.Updated = Done, r.played, o.Clock().UTC()
	if err := r.putInfo(ctx); err != nil {
		return explain(err)
	}
	return explain(s.c.purge(ctx, s.ID, true))
}

// readSums finds the jobs that have ended already.
func (r *run) readSums(ctx context.Context) error {
	r.courses = make([]*piece.Course, len(r.Tasks))
	for i := range r.Tasks {
		has, err := r.c.hasObject(ctx, sumObject(r.ID, i))
		if err != nil {
			return explain(err)
		}
		if !has {
			r.courses[i] = r.Tasks[i].Doc.NewCourse()
			continue
		}
		_, outcome, err := r.Sum(ctx, i)
		if err != nil {
			return err
		}
		r.played += outcome.Fights * uint64(len(r.Tasks[i].Doc.Arms))
	}
	return nil
}

func (r *run) loop(ctx context.Context) error {
	watch, err := r.watch(ctx)
	if err != nil {
		return err
	}
	defer func() { watch.Stop() }()
	present, err := r.c.workers.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return explain(err)
	}
	defer present.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	repaired := time.Now()
	ready := false
	for {
		if ready {
			if err := r.publish(ctx); err != nil {
				return err
			}
			if err := r.endJobs(ctx); err != nil {
				return err
			}
			if r.first == len(r.Tasks) {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-watch.Updates():
			switch {
			case !ok: // the connection is gone for good, or the server has restarted
				if watch, err = r.watch(ctx); err != nil {
					return err
				}
				ready = false
			case e == nil:
				ready = true
			default:
				if err := r.take(ctx, e.Key(), e.Value()); err != nil {
					return err
				}
				for more := true; more; { // as much as is there, before anything else
					select {
					case e, ok := <-watch.Updates():
						if !ok {
							more = false
							break
						}
						if e == nil {
							ready = true
							break
						}
						if err := r.take(ctx, e.Key(), e.Value()); err != nil {
							return err
						}
					default:
						more = false
					}
				}
			}
		case e, ok := <-present.Updates():
			if p := (Presence{}); ok && e != nil && json.Unmarshal(e.Value(), &p) == nil && p.Program == r.Program {
				r.workers[p.Name], r.heard[p.Name] = p, time.Now()
			}
		case k := <-r.checked:
			if err := r.noteCheck(ctx, k); err != nil {
				return err
			}
		case <-look.C:
			if err := r.report(ctx); err != nil {
				return err
			}
			if after := min(repairAfter, r.o.Patience); time.Since(r.news) > after && time.Since(repaired) > after {
				repaired = time.Now()
				if err := r.repair(ctx); err != nil {
					return err
				}
			}
		}
	}
}

// watch follows the results of the sweep, those that are there first.
func (r *run) watch(ctx context.Context) (w jetstream.KeyWatcher, err error) {
	err = again(ctx, func(context.Context) (err error) {
		w, err = r.c.results.Watch(ctx, r.ID+".>", jetstream.IgnoreDeletes())
		return err
	})
	return w, explain(err)
}

// publish publishes what is needed next, but no more than the workers can begin soon.
func (r *run) publish(ctx context.Context) error {
	most := min(max(leastWaiting, piecesPerCore*r.cores()), mostWaiting)
	var acks []jetstream.PubAckFuture
	for i := r.first; i < len(r.Tasks) && len(r.waiting) < most; i++ {
		for c := r.courses[i]; c != nil && len(r.waiting) < most; {
			p, ok := c.Next()
			if !ok {
				break
			}
			o := r.order(i, p)
			if have := r.seen[o.id()]; have != nil {
				if err := r.count(ctx, o); err != nil {
					return err
				}
				if r.courses[i] != c { // what was there is not right
					break
				}
				continue
			}
			if _, published := r.waiting[o.id()]; published {
				continue
			}
			r.waiting[o.id()] = asked{i, p}
			ack, err := r.c.js.PublishAsync(o.subject(), o.encode())
			if err == nil {
				acks = append(acks, ack)
			} // else it is found missing, and published again
		}
	}
	for _, ack := range acks {
		select {
		case <-ack.Ok():
		case <-ack.Err(): // the same
			r.news = r.news.Add(-lookEvery)
		case <-ctx.Done():
			return nil
		case <-time.After(patience):
		}
	}
	return nil
}

func (r *run) order(i int, p piece.Piece) *order {
	t := &r.Tasks[i]
	return &order{Version: piece.Version, Program: r.Program, Sweep: r.ID, Index: i, Job: t.Job, Files: t.Files, Piece: p, Lease: r.c.lease}
}

func (o *order) encode() []byte {
	text, _ := json.Marshal(o) // nothing in it can fail
	return text
}

func (r *run) cores() (n int) {
	for name, p := range r.workers {
		if time.Since(r.heard[name]) < workerTTL {
			n += p.Cores
		}
	}
	return max(n, r.o.Cores)
}

// take takes a result that has been written.
func (r *run) take(ctx context.Context, key string, value []byte) error {
	parts := strings.Split(key, ".")
	index := -1
	if len(parts) == 3 {
		if n, err := strconv.Atoi(parts[1]); err == nil && n >= 0 && n < len(r.Tasks) {
			index = n
		}
	}
	if index < 0 || r.seen[parts[2]] != nil || r.courses[index] == nil {
		return nil
	}
	r.news = time.Now()
	id := parts[2]
	s, result, err := r.read(ctx, key, value, index)
	switch {
	case err != nil && s == nil: // nobody can be blamed for it
		return r.discard(ctx, key, id, err)
	case slices.Contains(r.Distrusted, s.Worker):
		return r.discard(ctx, key, id, nil)
	case err != nil:
		return r.distrust(ctx, s.Worker, err.Error(), key)
	}
	r.seen[id] = &accepted{s.Worker, s.Sum, index, s.Piece}
	o := r.order(index, s.Piece)
	suspect := r.o.Verify > 0 && (!r.met[s.Worker] || chosen(r.o.Verify)) || result.Failed != nil // which would end the job
	if s.Worker != r.own && suspect {
		r.met[s.Worker] = true
		r.checks[index]++
		select {
		case r.checking <- check{id: id, worker: s.Worker, order: *o, sum: s.Sum}:
		default: // more than can be verified: the share is smaller
			r.checks[index]--
		}
	}
	if _, published := r.waiting[id]; published {
		delete(r.waiting, id)
		r.courses[index].Done(s.Piece, result)
		r.pieces++
		r.played += s.Piece.Count * uint64(r.arms(index, s.Piece))
		r.meter.note(float64(r.played))
	}
	return nil
}

// arms returns how many arms a piece counts.
func (r *run) arms(index int, p piece.Piece) int {
	n := len(r.Tasks[index].Doc.InBlock(p.Block))
	if p.Block > 0 {
		n-- // the first is counted in the first block
	}
	return n
}

// read reads a result. If it cannot be used, the error says why; the signature, if there is one, who has to answer for it.
func (r *run) read(ctx context.Context, key string, value []byte, index int) (*signature, *piece.Result, error) {
	s, packed, err := open(key, value)
	if err != nil {
		return nil, nil, err
	}
	id := key[strings.LastIndexByte(key, '.')+1:]
	if piece.PieceID(r.Tasks[index].Job, s.Piece) != id {
		return s, nil, errors.New("it is the result of another piece")
	}
	if s.Object != "" {
		if packed, err = r.c.getObject(ctx, s.Object, piece.MaxResult); err != nil || piece.HashOf(packed) != s.Sum {
			return s, nil, errors.New("what it counted is not where it should be")
		}
	}
	text, err := piece.Unpack(packed, piece.MaxResult)
	if err != nil {
		return s, nil, err
	}
	result, err := r.Tasks[index].Doc.DecodeResult(s.Piece, text)
	return s, result, err
}

// count counts a result that was there before it was needed.
func (r *run) count(ctx context.Context, o *order) error {
	have := r.seen[o.id()]
	var value []byte
	err := again(ctx, func(ctx context.Context) error {
		e, err := r.c.results.Get(ctx, o.key())
		if err == nil {
			value = e.Value()
		}
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			err = nil
		}
		return err
	})
	if err != nil {
		return explain(err)
	}
	s, result, err := r.read(ctx, o.key(), value, o.Index)
	if err != nil || s.Sum != have.sum {
		delete(r.seen, o.id())
		r.restart(o.Index)
		return r.discard(ctx, o.key(), o.id(), err)
	}
	r.courses[o.Index].Done(o.Piece, result)
	r.pieces++
	r.played += o.Piece.Count * uint64(r.arms(o.Index, o.Piece))
	r.meter.note(float64(r.played))
	return nil
}

// restart begins a job again; what has been accepted is not played again.
func (r *run) restart(index int) {
	if c := r.courses[index]; c != nil {
		for _, p := range c.Counted() {
			r.played -= min(r.played, p.Count*uint64(r.arms(index, p)))
		}
	}
	r.courses[index] = r.Tasks[index].Doc.NewCourse()
	r.first = min(r.first, index)
}

// discard removes a result, and has the piece played again if it is needed.
func (r *run) discard(ctx context.Context, key, id string, why error) error {
	if why != nil && r.o.Log != nil {
		r.o.Log(fmt.Sprintf("a result is not used: %v", why))
	}
	if err := again(ctx, func(ctx context.Context) error { return r.c.results.Purge(ctx, key) }); err != nil {
		return explain(err)
	}
	if x, published := r.waiting[id]; published {
		_, err := r.c.js.PublishAsync(r.order(x.index, x.piece).subject(), r.order(x.index, x.piece).encode())
		_ = err // it is found missing
	}
	return nil
}

// distrust names a worker that has counted wrongly, and has everything that it did done again.
func (r *run) distrust(ctx context.Context, worker, why, key string) error {
	if worker == r.own {
		return fmt.Errorf("this machine counts differently each time: %s", why)
	}
	if r.o.Log != nil {
		r.o.Log(fmt.Sprintf("worker %s counts wrongly (%s): nothing that it did is used, and all of it is played again", worker, why))
	}
	if !slices.Contains(r.Distrusted, worker) {
		r.Distrusted = append(r.Distrusted, worker)
		if err := r.putInfo(ctx); err != nil {
			return explain(err)
		}
	}
	if key != "" {
		if err := r.discard(ctx, key, key[strings.LastIndexByte(key, '.')+1:], nil); err != nil {
			return err
		}
	}
	for i, c := range r.courses { // what an earlier coordinator has added up
		if c == nil {
			_, outcome, err := r.Sum(ctx, i)
			if err != nil {
				return err
			}
			if slices.Contains(outcome.Workers, worker) {
				r.played -= min(r.played, outcome.Fights*uint64(r.Tasks[i].arms()))
				r.restart(i)
			}
		}
	}
	again := map[int]bool{}
	for id, x := range r.seen {
		if x.worker == worker {
			delete(r.seen, id)
			again[x.index] = true
			if err := r.discard(ctx, r.order(x.index, x.piece).key(), id, nil); err != nil {
				return err
			}
		}
	}
	for _, index := range slices.Sorted(maps.Keys(again)) {
		r.restart(index)
	}
	return nil
}

// chosen draws whether a piece is verified, so that nobody can foresee it. It has no influence on any result.
func chosen(share float64) bool {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return float64(binary.LittleEndian.Uint64(b[:])>>11)/(1<<53) < share
}

// FoundChance is the chance that a worker is found out who counts wrongly so many times, if a share is verified.
func FoundChance(share float64, wrong int) float64 { return 1 - math.Pow(1-share, float64(wrong)) }

// verify plays pieces again.
func (r *run) verify(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case k := <-r.checking:
			k.err = r.playAgain(ctx, &k)
			select {
			case r.checked <- k:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (r *run) playAgain(ctx context.Context, k *check) error {
	p, err := r.players.get(ctx, r.c, &k.order, r.o.Build)
	if err != nil {
		return err
	}
	defer r.players.put(&k.order, p)
	result, err := p.Play(k.order.Piece, func() bool { return ctx.Err() != nil })
	if err != nil {
		return err
	}
	text, err := result.Encode()
	if err != nil {
		return err
	}
	k.wrong = piece.HashOf(piece.Pack(text)) != k.sum
	return nil
}

// noteCheck takes the result of a verification.
func (r *run) noteCheck(ctx context.Context, k check) error {
	r.checks[k.order.Index]--
	switch {
	case ctx.Err() != nil:
		return nil
	case k.err != nil:
		return fmt.Errorf("a piece cannot be played here: %w", k.err)
	case !k.wrong:
		r.verified++
		return nil
	}
	r.verified++
	return r.distrust(ctx, k.worker, fmt.Sprintf("fights %d to %d of %s give other counts here", k.order.Piece.From+1, k.order.Piece.From+k.order.Piece.Count, r.Tasks[k.order.Index].Doc.Script), "")
}

// endJobs stores the sums of jobs that have come to their end.
func (r *run) endJobs(ctx context.Context) error {
	for i := r.first; i < len(r.Tasks); i++ {
		c := r.courses[i]
		if c != nil && c.Ended() && r.checks[i] == 0 {
			ok, err := r.endJob(ctx, i, c)
			if err != nil {
				return err
			}
			if ok {
				r.courses[i] = nil
			}
		}
		if i == r.first && r.courses[i] == nil {
			r.first++
		}
	}
	return nil
}

// endJob adds up what was counted of a job, and stores the sum. It is not ok if something has gone meanwhile.
func (r *run) endJob(ctx context.Context, i int, c *piece.Course) (ok bool, err error) {
	outcome := &Outcome{Job: r.Tasks[i].Job, Enough: c.Enough(), Failed: c.Failed()}
	for id, x := range r.waiting { // what is not needed any more
		if x.index == i {
			delete(r.waiting, id)
			r.unpublish(ctx, x)
		}
	}
	if c.Failed() != nil {
		return true, explain(r.putSum(ctx, i, outcome, nil))
	}
	counted := map[string]piece.Piece{}
	for _, p := range c.Counted() {
		counted[piece.PieceID(r.Tasks[i].Job, p)] = p
		if p.Block == 0 {
			outcome.Fights += p.Count
		}
	}
	sum, names, err := r.add(ctx, i, counted)
	if err != nil || len(counted) > 0 {
		for id := range counted {
			delete(r.seen, id)
		}
		r.restart(i)
		return false, err
	}
	outcome.Workers = slices.Sorted(maps.Keys(names))
	return true, explain(r.putSum(ctx, i, outcome, sum))
}

// add reads the results of a job, adds up those that count, and removes these from counted.
func (r *run) add(ctx context.Context, i int, counted map[string]piece.Piece) (*piece.Sum, map[string]bool, error) {
	sum, names := r.Tasks[i].Doc.NewSum(), map[string]bool{}
	var watch jetstream.KeyWatcher
	err := again(ctx, func(context.Context) (err error) {
		watch, err = r.c.results.Watch(ctx, fmt.Sprintf("%s.%d.>", r.ID, i), jetstream.IgnoreDeletes())
		return err
	})
	if err != nil {
		return nil, nil, explain(err)
	}
	defer watch.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(startPatience): // what is missing is read again
			return sum, names, nil
		case e, ok := <-watch.Updates():
			if !ok || e == nil {
				return sum, names, nil
			}
			id := e.Key()[strings.LastIndexByte(e.Key(), '.')+1:]
			p, wanted := counted[id]
			have := r.seen[id]
			if !wanted || have == nil {
				continue
			}
			s, result, err := r.read(ctx, e.Key(), e.Value(), i)
			if err != nil || s.Sum != have.sum {
				continue
			}
			if err := sum.Add(p, result); err != nil {
				return nil, nil, err
			}
			names[s.Worker] = true
			delete(counted, id)
		}
	}
}

// unpublish takes back a piece that is not needed.
func (r *run) unpublish(ctx context.Context, x asked) {
	_ = r.c.work.Purge(ctx, jetstream.WithPurgeSubject(r.order(x.index, x.piece).subject())) // else it is played in vain
}

// repair publishes again what has been lost, and reads again what was not heard of.
func (r *run) repair(ctx context.Context) error {
	if len(r.waiting) == 0 {
		return nil
	}
	if time.Since(r.news) > r.o.Patience {
		if err := r.tryDisk(ctx); err != nil {
			return err
		}
	}
	waits := map[string]uint64{}
	info, err := r.c.work.Info(ctx, jetstream.WithSubjectFilter(workSubject+"."+shortProgram(r.Program)+"."+r.ID+".>"))
	if err != nil {
		return nil // later
	}
	for subject := range info.State.Subjects {
		waits[subject[strings.LastIndexByte(subject, '.')+1:]] = 1
	}
	for _, id := range slices.Sorted(maps.Keys(r.waiting)) {
		x := r.waiting[id]
		if waits[id] > 0 {
			continue
		}
		o := r.order(x.index, x.piece)
		e, err := r.c.results.Get(ctx, o.key())
		switch {
		case err == nil:
			if err := r.take(ctx, o.key(), e.Value()); err != nil {
				return err
			}
		case errors.Is(err, jetstream.ErrKeyNotFound):
			if _, err := r.c.js.Publish(ctx, o.subject(), o.encode()); err != nil {
				return nil // later
			}
		default:
			return nil
		}
	}
	return nil
}

// tryDisk reports whether the server keeps anything at all.
func (r *run) tryDisk(ctx context.Context) error {
	r.Played, r.Updated = r.played, r.o.Clock().UTC()
	asked, end := context.WithTimeout(ctx, r.o.Patience)
	defer end()
	if err := r.putInfo(asked); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w; once that is mended, `arbiter sweep resume` goes on", errNoProgress, explain(err))
	}
	return nil
}

// arms returns how many arms a job has.
func (t *Task) arms() int { return len(t.Doc.Arms) }

// Partial adds up what was counted of a job before Run was stopped: the fights from the first on.
func (s *Sweep) Partial(ctx context.Context, job int) (*piece.Sum, error) {
	if s.partial == nil || s.partial.courses == nil || s.partial.courses[job] == nil {
		return s.Tasks[job].Doc.NewSum(), nil
	}
	counted := map[string]piece.Piece{}
	for _, p := range s.partial.courses[job].Counted() {
		counted[piece.PieceID(s.Tasks[job].Job, p)] = p
	}
	sum, _, err := s.partial.add(ctx, job, counted)
	if err == nil && len(counted) > 0 {
		err = errors.New("what was counted is not there any more")
	}
	return sum, err
}

// progress is how far the sweep is.
func (r *run) progress() Progress {
	p := Progress{Played: r.played, Fights: r.Fights, Pieces: r.pieces, Rate: r.meter.rate(), Verified: r.verified, Waiting: len(r.waiting)}
	for name := range r.workers {
		if time.Since(r.heard[name]) < workerTTL {
			p.Workers++
			p.Cores += r.workers[name].Cores
		}
	}
	for _, t := range r.Tasks {
		p.AtMost = p.AtMost || t.Doc.Until > 0
	}
	if p.Rate > 0 && r.Fights > r.played {
		p.Left = time.Duration(min(float64(r.Fights-r.played)/p.Rate, 1e8) * float64(time.Second))
	}
	return p
}

// report tells how far the sweep is: here, and now and then those who ask the server.
func (r *run) report(ctx context.Context) error {
	p := r.progress()
	if r.o.OnProgress != nil {
		r.o.OnProgress(p)
	}
	if time.Since(r.wrote) < writeEvery {
		return nil
	}
	r.wrote = time.Now()
	asked, end := context.WithTimeout(ctx, time.Second)
	defer end()
	if info, err := r.c.infoOf(asked, r.ID); err == nil && (info == nil || info.State == Cancelled) {
		return ErrCancelled
	}
	r.Played, r.Rate, r.Updated = r.played, p.Rate, r.o.Clock().UTC()
	if text, err := json.Marshal(r.Info); err == nil {
		_, _ = r.c.sweeps.Put(asked, r.ID, text) // the next time will do as well
	}
	return nil
}

// Workers lists who is there.
func (c *Cluster) Workers(ctx context.Context) (list []Presence, err error) {
	var keys []string
	err = again(ctx, func(ctx context.Context) error {
		keys, err = c.workers.Keys(ctx)
		if errors.Is(err, jetstream.ErrNoKeysFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, explain(err)
	}
	slices.Sort(keys)
	for _, key := range keys {
		var p Presence
		if e, err := c.workers.Get(ctx, key); err == nil && json.Unmarshal(e.Value(), &p) == nil {
			list = append(list, p)
		}
	}
	return list, nil
}
