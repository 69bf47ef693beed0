package cluster

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/build"
	"arbiter/interp/piece"
)

// This file takes pieces and plays them.

// Worker plays pieces.
type Worker struct {
	Program string        // its own
	Build   build.Options // with the library; what else a script needs comes with it
	Cores   int           // how many pieces at a time
	Name    string        // the machine's, for people
	Clock   Clock
	Log     func(text string)          // tells a person; nil: nobody
	Tamper  func(result *piece.Result) // nil; in tests, what a liar does

	c       *Cluster
	private ed25519.PrivateKey
	name    string
	players players
	done    atomic.Uint64 // pieces
	fights  atomic.Uint64
	refused atomic.Uint64
	busy    atomic.Int64
	told    sync.Map // what has been said once
}

// Presence is what others see of a worker.
type Presence struct {
	Name    string    `json:"name"`
	Program string    `json:"program"`
	Cores   int       `json:"cores"`
	Busy    int       `json:"busy"`
	Pieces  uint64    `json:"pieces"`
	Fights  uint64    `json:"fights"`
	Refused uint64    `json:"refused"` // pieces
	Seen    time.Time `json:"seen"`
}

// Start begins to take pieces, until the context ends; Wait waits for that.
func (w *Worker) Start(ctx context.Context, c *Cluster) (wait func() error, err error) {
	w.c, w.Cores, w.Clock = c, max(1, w.Cores), clockOr(w.Clock)
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	w.private, w.name = private, cleanName(cmp.Or(w.Name, host, "worker"))+"-"+keyName(public)
	w.players = players{most: w.Cores + 2, made: map[string]*madePlayer{}}
	consumer, err := c.consumer(ctx, w.Program, 0)
	if err != nil {
		return nil, explain(err)
	}
	var all sync.WaitGroup
	for range w.Cores {
		all.Go(func() { w.loop(ctx, consumer) })
	}
	all.Go(func() { w.announce(ctx) })
	all.Go(func() { w.watchSweeps(ctx) })
	return func() error { all.Wait(); return nil }, nil
}

// ID is the name under which the worker signs.
func (w *Worker) ID() string { return w.name }

func clockOr(c Clock) Clock {
	if c == nil {
		return time.Now
	}
	return c
}

// cleanName leaves of a name what keys can have.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name)
	return name[:min(len(name), 60)]
}

func (w *Worker) log(format string, args ...any) {
	if w.Log != nil {
		w.Log(fmt.Sprintf(format, args...))
	}
}

// once says something only once.
func (w *Worker) once(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if _, told := w.told.LoadOrStore(text, true); !told {
		w.log("%s", text)
	}
}

// consumer returns the queue of a program. A lease of 0 leaves that of an existing queue.
func (c *Cluster) consumer(ctx context.Context, program string, lease time.Duration) (x jetstream.Consumer, err error) {
	name := "program-" + shortProgram(program)
	config := jetstream.ConsumerConfig{
		Durable: name, FilterSubject: workSubject + "." + shortProgram(program) + ".>", AckPolicy: jetstream.AckExplicitPolicy, AckWait: cmp.Or(lease, c.lease),
		MaxDeliver: -1, MaxAckPending: maxUnfinished, MaxWaiting: maxWaiting,
	}
	err = again(ctx, func(ctx context.Context) (err error) {
		if lease == 0 {
			if x, err = c.work.Consumer(ctx, name); !errors.Is(err, jetstream.ErrConsumerNotFound) {
				return err
			}
		}
		x, err = c.work.CreateOrUpdateConsumer(ctx, config)
		return err
	})
	return x, err
}

// waitForPiece is how long one request for a piece waits at the server.
const waitForPiece = 5 * time.Second

func (w *Worker) loop(ctx context.Context, consumer jetstream.Consumer) {
	for ctx.Err() == nil {
		asked, end := context.WithTimeout(ctx, waitForPiece)
		msg, err := consumer.Next(jetstream.FetchContext(asked))
		end()
		if err != nil {
			switch {
			case ctx.Err() != nil:
				return
			case errors.Is(err, jetstream.ErrConsumerNotFound), errors.Is(err, jetstream.ErrConsumerDeleted):
				if x, err := w.c.consumer(ctx, w.Program, 0); err == nil {
					consumer = x
				}
			case !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, jetstream.ErrNoMessages) && !errors.Is(err, jetstream.ErrMsgIteratorClosed):
				pause(ctx, 200*time.Millisecond)
			}
			continue
		}
		w.take(ctx, msg)
	}
}

// pause waits, but not beyond the end.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// take plays a piece and answers. Whatever goes wrong, the piece is given to someone again.
func (w *Worker) take(ctx context.Context, msg jetstream.Msg) {
	var o order
	if err := json.Unmarshal(msg.Data(), &o); err != nil || o.Version != piece.Version || o.Program != w.Program {
		w.refused.Add(1)
		w.once("a piece for another version of the program is refused")
		_ = msg.Term()
		return
	}
	if info, err := w.c.infoOf(ctx, o.Sweep); err == nil && (info == nil || info.State != Running) {
		_ = msg.Term()
		return
	}
	if _, err := w.c.results.Get(ctx, o.key()); err == nil { // the one who did it could not say so
		_ = msg.Ack()
		return
	}
	w.busy.Add(1)
	defer w.busy.Add(-1)
	held, release := w.hold(ctx, msg, o.Lease)
	defer release()
	result, err := w.play(held, &o)
	switch {
	case held.Err() != nil || errors.Is(err, piece.ErrStopped):
		_ = msg.Nak()
		return
	case err != nil:
		w.refused.Add(1)
		w.once("a piece of sweep %s is refused: %v", o.Sweep, err)
		_ = msg.NakWithDelay(refusedDelay)
		return
	}
	if err := w.store(held, &o, result); err != nil {
		if held.Err() == nil {
			w.once("a result of sweep %s could not be stored: %v", o.Sweep, explain(err))
		}
		_ = msg.Nak()
		return
	}
	w.done.Add(1)
	w.fights.Add(o.Piece.Count)
	_ = msg.Ack()
}

// refusedDelay is after how long a piece that one worker refuses is given to another.
const refusedDelay = 2 * time.Second

// hold keeps a piece for as long as it is worked on. The context ends early if the worker is to stop.
func (w *Worker) hold(ctx context.Context, msg jetstream.Msg, lease time.Duration) (context.Context, func()) {
	held, end := context.WithCancel(ctx)
	go func() {
		every := time.NewTicker(max(lease/3, 50*time.Millisecond))
		defer every.Stop()
		for {
			select {
			case <-held.Done():
				return
			case <-every.C:
				_ = msg.InProgress() // if this is lost, another worker does the same
			}
		}
	}()
	return held, end
}

// play plays a piece.
func (w *Worker) play(ctx context.Context, o *order) (*piece.Result, error) {
	p, err := w.players.get(ctx, w.c, o, w.Build)
	if err != nil {
		return nil, err
	}
	defer w.players.put(o, p)
	stopped := func() bool { return ctx.Err() != nil }
	r, err := p.Play(o.Piece, stopped)
	if err == nil && w.Tamper != nil {
		w.Tamper(r)
	}
	return r, err
}

// store writes a result, unless there is one.
func (w *Worker) store(ctx context.Context, o *order, r *piece.Result) error {
	text, err := r.Encode()
	if err != nil {
		return err
	}
	packed := piece.Pack(text)
	object := ""
	if int64(len(packed)) > w.c.conn.MaxPayload()-4096 {
		object = o.Sweep + ".result." + o.id() + "." + w.name
		if err := w.c.putObject(ctx, object, packed); err != nil {
			return err
		}
	}
	value := seal(o.key(), w.name, w.private, o.Piece, object, packed)
	return again(ctx, func(ctx context.Context) error {
		_, err := w.c.results.Create(ctx, o.key(), value)
		if errors.Is(err, jetstream.ErrKeyExists) {
			return nil // whoever was first has counted the same
		}
		if err != nil && passes(err) {
			w.once("a result of sweep %s waits to be stored: %v", o.Sweep, explain(err))
		}
		return err
	})
}

// announceEvery is how often a worker says that it is there.
const announceEvery = 3 * time.Second

// announce says that the worker is there.
func (w *Worker) announce(ctx context.Context) {
	every := time.NewTicker(announceEvery)
	defer every.Stop()
	for {
		text, err := json.Marshal(w.Presence())
		if err == nil {
			_, _ = w.c.workers.Put(ctx, w.name, text) // the next time will do as well
		}
		select {
		case <-ctx.Done():
			gone, end := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer end()
			_ = w.c.workers.Purge(gone, w.name)
			return
		case <-every.C:
		}
	}
}

// Presence is what others see of the worker.
func (w *Worker) Presence() Presence {
	return Presence{w.name, w.Program, w.Cores, int(w.busy.Load()), w.done.Load(), w.fights.Load(), w.refused.Load(), w.Clock().UTC()}
}

// watchSweeps tells of sweeps that the worker cannot help with.
func (w *Worker) watchSweeps(ctx context.Context) {
	watch, err := w.c.sweeps.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return
	}
	defer watch.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-watch.Updates():
			if !ok {
				return
			}
			if e == nil {
				continue
			}
			var info Info
			if json.Unmarshal(e.Value(), &info) == nil && info.State == Running && info.Program != w.Program {
				w.once("sweep %s (%s) is refused: it was made by another version of arbiter, %s, and this is %s; all machines need the same file", info.ID, info.Title, shortProgram(info.Program), shortProgram(w.Program))
			}
		}
	}
}

// players are scripts that have been built, for those who play pieces of them next.
type players struct {
	mu   sync.Mutex
	most int
	made map[string]*madePlayer
	uses uint64
}

type madePlayer struct {
	building sync.Mutex
	first    *piece.Player // of which others are cloned; never played
	free     []*piece.Player
	used     uint64
}

func playerKey(o *order) string { return fmt.Sprint(o.Job, " ", o.Piece.Block) }

// get returns a player for a piece.
func (s *players) get(ctx context.Context, c *Cluster, o *order, b build.Options) (*piece.Player, error) {
	s.mu.Lock()
	key := playerKey(o)
	m := s.made[key]
	if m == nil {
		m = &madePlayer{}
		s.made[key] = m
		s.forget(key)
	}
	s.uses++
	m.used = s.uses
	if n := len(m.free); n > 0 {
		p := m.free[n-1]
		m.free = m.free[:n-1]
		s.mu.Unlock()
		return p, nil
	}
	s.mu.Unlock()
	m.building.Lock()
	defer m.building.Unlock()
	if m.first == nil {
		p, err := openPlayer(ctx, c, o, b)
		if err != nil {
			return nil, err
		}
		m.first = p
	}
	return m.first.Clone()
}

// forget forgets what was used longest ago.
func (s *players) forget(keep string) {
	for len(s.made) > s.most {
		oldest := ""
		for key, m := range s.made {
			if key != keep && (oldest == "" || m.used < s.made[oldest].used) {
				oldest = key
			}
		}
		delete(s.made, oldest)
	}
}

// put gives a player back.
func (s *players) put(o *order, p *piece.Player) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.made[playerKey(o)]; m != nil {
		m.free = append(m.free, p)
	}
}

// openPlayer reads a job and its files, and builds what a block of it needs.
func openPlayer(ctx context.Context, c *Cluster, o *order, b build.Options) (*piece.Player, error) {
	j, err := c.job(ctx, o.Sweep, o.Job)
	if err != nil {
		return nil, err
	}
	if j.Program != o.Program || j.Bundle != o.Files {
		return nil, errors.New("the job is not the one that was announced")
	}
	data, err := c.getHashed(ctx, filesObject(o.Sweep, j.Bundle), j.Bundle)
	if err != nil {
		return nil, err
	}
	files, err := piece.OpenBundle(data)
	if err != nil {
		return nil, err
	}
	return j.Open(files, o.Piece.Block, b)
}
