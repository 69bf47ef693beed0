package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/piece"
)

// This file is what the server keeps about a sweep, and how it is found, read and removed.

// States of a sweep.
const (
	Running   = "running" // or to be resumed
	Done      = "done"
	Cancelled = "cancelled"
)

// Info is what is known of a sweep at a glance.
type Info struct {
	ID         string    `json:"id"`
	Title      string    `json:"title"`
	Command    string    `json:"command"` // that began it
	Program    string    `json:"program"` // that workers must be
	State      string    `json:"state"`
	Jobs       int       `json:"jobs"`
	Fights     uint64    `json:"fights"` // in all arms, at most
	Played     uint64    `json:"played"`
	Begun      time.Time `json:"begun"`
	Updated    time.Time `json:"updated"`
	Rate       float64   `json:"rate"`    // fights per second, lately
	Seconds    float64   `json:"seconds"` // of one core, that all fights were expected to take
	Distrusted []string  `json:"distrusted"`
}

// Task is a job of a sweep.
type Task struct {
	Job   string  `json:"job"`   // its hash
	Files string  `json:"files"` // the hash of its bundle
	Cost  float64 `json:"cost"`  // seconds of one core for a fight in all arms, as it was estimated

	Doc *piece.Job `json:"-"`
}

// arms returns how many arms a job has.
func (t *Task) arms() int { return len(t.Doc.Arms) }

// Sweep is a sweep with its jobs.
type Sweep struct {
	Info
	Tasks []Task          `json:"tasks"`
	View  json.RawMessage `json:"view"` // what the command that shows the results needs

	c       *Cluster
	partial *run // the last one in this process
}

// Names of objects of a sweep.
func planObject(id string) string         { return id + ".plan" }
func jobObject(id, hash string) string    { return id + ".job." + hash }
func filesObject(id, hash string) string  { return id + ".files." + hash }
func sumObject(id string, job int) string { return fmt.Sprintf("%s.sum.%d", id, job) }

// putObject stores bytes under a name, unless the same are there.
func (c *Cluster) putObject(ctx context.Context, name string, data []byte) error {
	return againFor(ctx, longPatience, func(ctx context.Context) error {
		_, err := c.files.PutBytes(ctx, name, data)
		return err
	})
}

// hasObject reports whether an object is there.
func (c *Cluster) hasObject(ctx context.Context, name string) (has bool, err error) {
	err = again(ctx, func(ctx context.Context) error {
		_, err := c.files.GetInfo(ctx, name)
		has = err == nil
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return nil
		}
		return err
	})
	return has, err
}

// getObject reads an object, up to a number of bytes.
func (c *Cluster) getObject(ctx context.Context, name string, most uint64) (data []byte, err error) {
	err = againFor(ctx, longPatience, func(ctx context.Context) error {
		info, err := c.files.GetInfo(ctx, name)
		if err != nil {
			return err
		}
		if info.Size > most {
			return fmt.Errorf("%s has %d bytes, and at most %d are allowed", name, info.Size, most)
		}
		data, err = c.files.GetBytes(ctx, name)
		return err
	})
	return data, err
}

// maxObject is what an object may have, in bytes.
const maxObject = 256 << 20

// getHashed reads an object that is named by its hash, and wants it to have that hash.
func (c *Cluster) getHashed(ctx context.Context, name, hash string) ([]byte, error) {
	packed, err := c.getObject(ctx, name, maxObject)
	if err != nil {
		return nil, err
	}
	data, err := piece.Unpack(packed, maxObject)
	if err != nil {
		return nil, err
	}
	if piece.HashOf(data) != hash {
		return nil, fmt.Errorf("%s is not what its name says", name)
	}
	return data, nil
}

// New stores a sweep with its jobs and their files, each by its hash; a sweep of the same id is left as it is.
func (c *Cluster) New(ctx context.Context, info Info, jobs []*piece.Job, costs []float64, files map[string][]byte, view any) (*Sweep, error) {
	if s, err := c.Load(ctx, info.ID); err == nil && s.State != Cancelled {
		return s, nil
	}
	s := &Sweep{Info: info, c: c}
	s.State, s.Jobs, s.Distrusted = Running, len(jobs), []string{}
	for hash, data := range files {
		if err := c.putObject(ctx, filesObject(s.ID, hash), piece.Pack(data)); err != nil {
			return nil, explain(err)
		}
	}
	for i, j := range jobs {
		data, err := j.Encode()
		if err != nil {
			return nil, err
		}
		hash := piece.HashOf(data)
		if err := c.putObject(ctx, jobObject(s.ID, hash), piece.Pack(data)); err != nil {
			return nil, explain(err)
		}
		s.Tasks = append(s.Tasks, Task{Job: hash, Files: j.Bundle, Cost: costs[i], Doc: j})
	}
	var err error
	if s.View, err = json.Marshal(view); err != nil {
		return nil, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	if err := c.putObject(ctx, planObject(s.ID), piece.Pack(text)); err != nil {
		return nil, explain(err)
	}
	return s, explain(s.putInfo(ctx))
}

// putInfo writes how far a sweep is.
func (s *Sweep) putInfo(ctx context.Context) error {
	text, err := json.Marshal(s.Info)
	if err != nil {
		return err
	}
	return again(ctx, func(ctx context.Context) error {
		_, err := s.c.sweeps.Put(ctx, s.ID, text)
		return err
	})
}

// infoOf reads how far a sweep is; nil if there is none.
func (c *Cluster) infoOf(ctx context.Context, id string) (info *Info, err error) {
	err = again(ctx, func(ctx context.Context) error {
		e, err := c.sweeps.Get(ctx, id)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		info = new(Info)
		return json.Unmarshal(e.Value(), info)
	})
	return info, err
}

// List lists all sweeps, the latest first.
func (c *Cluster) List(ctx context.Context) (list []Info, err error) {
	var keys []string
	err = again(ctx, func(ctx context.Context) error {
		keys, err = c.sweeps.Keys(ctx)
		if errors.Is(err, jetstream.ErrNoKeysFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		info, err := c.infoOf(ctx, key)
		if err != nil {
			return nil, err
		}
		if info != nil {
			list = append(list, *info)
		}
	}
	slices.SortFunc(list, func(a, b Info) int { return cmp.Or(b.Begun.Compare(a.Begun), strings.Compare(a.ID, b.ID)) })
	return list, nil
}

// Find finds a sweep by the beginning of its id; "" is the only one there is.
func (c *Cluster) Find(ctx context.Context, start string) (*Info, error) {
	list, err := c.List(ctx)
	if err != nil {
		return nil, err
	}
	var found []Info
	for _, x := range list {
		if strings.HasPrefix(x.ID, start) {
			found = append(found, x)
		}
	}
	switch {
	case len(found) == 1:
		return &found[0], nil
	case len(list) == 0:
		return nil, errors.New("there are no sweeps here")
	case len(found) == 0:
		return nil, fmt.Errorf("there is no sweep %s; `arbiter sweep status` lists them", start)
	case start == "":
		return nil, fmt.Errorf("there are %d sweeps: say which; `arbiter sweep status` lists them", len(found))
	}
	return nil, fmt.Errorf("%d sweeps begin with %s", len(found), start)
}

// Load reads a sweep with its jobs.
func (c *Cluster) Load(ctx context.Context, id string) (*Sweep, error) {
	info, err := c.infoOf(ctx, id)
	if err != nil {
		return nil, explain(err)
	}
	if info == nil {
		return nil, fmt.Errorf("there is no sweep %s", id)
	}
	packed, err := c.getObject(ctx, planObject(id), maxObject)
	if err != nil {
		return nil, explain(err)
	}
	text, err := piece.Unpack(packed, maxObject)
	if err != nil {
		return nil, err
	}
	s := &Sweep{c: c}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	s.Info = *info
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if t.Doc, err = c.job(ctx, id, t.Job); err != nil {
			return nil, explain(err)
		}
	}
	return s, nil
}

// job reads a job by its hash.
func (c *Cluster) job(ctx context.Context, id, hash string) (*piece.Job, error) {
	data, err := c.getHashed(ctx, jobObject(id, hash), hash)
	if err != nil {
		return nil, err
	}
	return piece.DecodeJob(data)
}

// Outcome is what became of a job.
type Outcome struct {
	Job     string        `json:"job"`
	Fights  uint64        `json:"fights"` // in each arm
	Enough  bool          `json:"enough"` // the rates are as precise as was asked
	Failed  *piece.Failed `json:"failed"` // nil: no fight failed
	Workers []string      `json:"workers"`
}

// Sum reads the sum of a job that has ended; nil if it has not.
func (s *Sweep) Sum(ctx context.Context, job int) (*piece.Sum, *Outcome, error) {
	data, err := s.c.getObject(ctx, sumObject(s.ID, job), maxObject)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, explain(err)
	}
	if data, err = piece.Unpack(data, maxObject); err != nil {
		return nil, nil, err
	}
	head, body, _ := bytes.Cut(data, []byte("\n"))
	o := new(Outcome)
	if err := json.Unmarshal(head, o); err != nil {
		return nil, nil, err
	}
	if o.Job != s.Tasks[job].Job {
		return nil, nil, errors.New("the sum is of another job")
	}
	if o.Failed != nil {
		return nil, o, nil
	}
	sum, err := s.Tasks[job].Doc.DecodeSum(body)
	return sum, o, err
}

// putSum stores the sum of a job.
func (s *Sweep) putSum(ctx context.Context, job int, o *Outcome, sum *piece.Sum) error {
	head, err := json.Marshal(o)
	if err != nil {
		return err
	}
	var body []byte
	if sum != nil {
		if body, err = sum.Encode(); err != nil {
			return err
		}
	}
	return s.c.putObject(ctx, sumObject(s.ID, job), piece.Pack(append(append(head, '\n'), body...)))
}

// purge removes the pieces of a sweep that wait, and what was counted of them.
func (c *Cluster) purge(ctx context.Context, id string, results bool) error {
	err := again(ctx, func(ctx context.Context) error {
		return c.work.Purge(ctx, jetstream.WithPurgeSubject(workSubject+".*."+id+".>"))
	})
	if err != nil || !results {
		return err
	}
	return again(ctx, func(ctx context.Context) error {
		stream, err := c.js.Stream(ctx, "KV_"+resultsBucket)
		if err != nil {
			return err
		}
		return stream.Purge(ctx, jetstream.WithPurgeSubject("$KV."+resultsBucket+"."+id+".>"))
	})
}

// Cancel ends a sweep for good, and forgets what was counted.
func (c *Cluster) Cancel(ctx context.Context, id string) error {
	info, err := c.infoOf(ctx, id)
	if err != nil || info == nil {
		return explain(err)
	}
	info.State = Cancelled
	if err := (&Sweep{Info: *info, c: c}).putInfo(ctx); err != nil { // workers stop at this
		return explain(err)
	}
	return c.Remove(ctx, id)
}

// Remove removes everything that is kept of a sweep.
func (c *Cluster) Remove(ctx context.Context, id string) error {
	if err := c.purge(ctx, id, true); err != nil {
		return explain(err)
	}
	var objects []*jetstream.ObjectInfo
	err := again(ctx, func(ctx context.Context) (err error) {
		objects, err = c.files.List(ctx)
		if errors.Is(err, jetstream.ErrNoObjectsFound) {
			err = nil
		}
		return err
	})
	if err != nil {
		return explain(err)
	}
	for _, o := range objects {
		if strings.HasPrefix(o.Name, id+".") {
			if err := again(ctx, func(ctx context.Context) error { return c.files.Delete(ctx, o.Name) }); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
				return explain(err)
			}
		}
	}
	return explain(again(ctx, func(ctx context.Context) error { return c.sweeps.Purge(ctx, id) }))
}
