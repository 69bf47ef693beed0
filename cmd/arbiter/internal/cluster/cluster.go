// Package cluster spreads simulations over machines. Work travels through a server of NATS, with its streams on disk:
//
//   - Pieces that are to be played wait in a work queue, from which each is given to one worker at a time, and to
//     another if the first is silent for too long.
//   - What a piece counted is written once, under the piece's identity, into a key-value bucket.
//   - The scripts and rules, and what exactly is asked of them, are in an object store by their hashes.
//   - A second bucket says which sweeps there are, and how far; a third, which workers there are.
//
// A coordinator cuts jobs into pieces, publishes those that are needed, and adds up what comes back. It keeps nothing
// that it could not read again: another one can go on at any moment, or help.
//
// The package must never know what a fight or a rule is: package piece plays.
package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names of what is kept at the server.
const (
	workStream    = "arbiter-work"
	workSubject   = "arbiter.work"
	resultsBucket = "arbiter-results"
	sweepsBucket  = "arbiter-sweeps"
	workersBucket = "arbiter-workers"
	filesBucket   = "arbiter-files"
)

// DefaultLease is how long a worker may be silent about a piece before the piece is given to another.
const DefaultLease = 30 * time.Second

// workerTTL is how long a worker counts as present after it was last heard of.
const workerTTL = 30 * time.Second

// maxWaiting bounds how many workers wait for a piece at a time, and maxUnfinished how many pieces are being played.
const (
	maxWaiting    = 16_384
	maxUnfinished = 1_000_000
)

// Options say how to reach a server.
type Options struct {
	URL      string        // one or several, separated by commas
	Creds    string        // a file of credentials, "" for none
	CA       string        // a file of certificates that are trusted, "" for those of the machine
	Cert     string        // with Key: the files of a certificate of this client
	Key      string        //
	Replicas int           // on how many servers of a cluster things are kept; 0: on three, if there is a cluster
	Lease    time.Duration // 0: DefaultLease
	Wait     bool          // wait a while for a server that is not there yet
	Name     string        // of the client, for those who look at the server
	dial     nats.Option   // instead of the network
}

// Cluster is a connection to a server with all that is kept there.
type Cluster struct {
	conn    *nats.Conn
	js      jetstream.JetStream
	work    jetstream.Stream
	results jetstream.KeyValue
	sweeps  jetstream.KeyValue
	workers jetstream.KeyValue
	files   jetstream.ObjectStore
	lease   time.Duration
	closed  chan struct{}
	close   []func()
}

// patience is how long a single question to the server may take, and startPatience how long the server may take to
// become ready.
const (
	patience      = 5 * time.Second
	longPatience  = time.Minute  // for something large
	Patience      = 2 * patience // for something that is not worth more
	startPatience = 30 * time.Second
)

// Connect connects to a server, and makes what is to be kept there if it is not there yet.
func Connect(ctx context.Context, o Options) (*Cluster, error) {
	if o.URL == "" && o.dial == nil {
		return nil, errors.New("there is no address of a server")
	}
	list := []nats.Option{
		nats.Name(cmp.Or(o.Name, "arbiter")), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.Timeout(patience), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	closed, once := make(chan struct{}), sync.Once{}
	list = append(list, nats.ClosedHandler(func(*nats.Conn) { once.Do(func() { close(closed) }) }))
	if o.dial != nil {
		list = append(list, o.dial)
	}
	if o.Creds != "" {
		list = append(list, nats.UserCredentials(o.Creds))
	}
	if o.CA != "" {
		list = append(list, nats.RootCAs(o.CA))
	}
	if o.Cert != "" || o.Key != "" {
		list = append(list, nats.ClientCert(o.Cert, o.Key))
	}
	if strings.Contains(o.URL, "tls://") {
		list = append(list, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
		if o.CA != "" {
			list = append(list, nats.RootCAs(o.CA))
		}
	}
	conn, err := nats.Connect(o.URL, list...)
	for until := time.Now().Add(startPatience); o.Wait && err != nil && !errors.Is(err, nats.ErrAuthorization) && ctx.Err() == nil && time.Now().Before(until); {
		pause(ctx, 200*time.Millisecond)
		conn, err = nats.Connect(o.URL, list...)
	}
	if err != nil {
		return nil, fmt.Errorf("the server at %s cannot be used: %w", redact(o.URL), err)
	}
	c := &Cluster{closed: closed, conn: conn, lease: cmp.Or(o.Lease, DefaultLease), close: []func(){conn.Close}}
	if c.js, err = jetstream.New(conn, jetstream.WithDefaultTimeout(patience), jetstream.WithPublishAsyncMaxPending(2*mostWaiting)); err == nil {
		err = c.open(ctx, o)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("the server at %s cannot keep sweeps: %w", cmp.Or(redact(o.URL), "this process"), explain(err))
	}
	return c, nil
}

// open makes what is kept, or finds it.
func (c *Cluster) open(ctx context.Context, o Options) error {
	replicas := o.Replicas
	if replicas == 0 {
		replicas = 1
		if c.conn.ConnectedClusterName() != "" && o.dial == nil {
			replicas = 3
		}
	}
	ctx, end := context.WithTimeout(ctx, startPatience)
	defer end()
	for _, make := range []func(ctx context.Context) error{
		func(ctx context.Context) (err error) {
			c.work, err = c.js.Stream(ctx, workStream)
			if errors.Is(err, jetstream.ErrStreamNotFound) {
				c.work, err = c.js.CreateStream(ctx, jetstream.StreamConfig{
					Name: workStream, Subjects: []string{workSubject + ".>"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Replicas: replicas, Discard: jetstream.DiscardNew,
				})
			}
			return err
		},
		func(ctx context.Context) (err error) {
			c.results, err = c.bucket(ctx, resultsBucket, 0, replicas)
			return err
		},
		func(ctx context.Context) (err error) {
			c.sweeps, err = c.bucket(ctx, sweepsBucket, 0, replicas)
			return err
		},
		func(ctx context.Context) (err error) {
			c.workers, err = c.bucket(ctx, workersBucket, workerTTL, replicas)
			return err
		},
		func(ctx context.Context) (err error) {
			c.files, err = c.js.ObjectStore(ctx, filesBucket)
			if errors.Is(err, jetstream.ErrBucketNotFound) {
				c.files, err = c.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, Storage: jetstream.FileStorage, Replicas: replicas})
			}
			return err
		},
	} {
		if err := again(ctx, make); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) bucket(ctx context.Context, name string, ttl time.Duration, replicas int) (jetstream.KeyValue, error) {
	kv, err := c.js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = c.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, History: 1, TTL: ttl, Storage: jetstream.FileStorage, Replicas: replicas})
	}
	return kv, err
}

// again repeats what a server that is starting, or a cluster that is choosing a leader, cannot do yet.
func again(ctx context.Context, do func(ctx context.Context) error) error {
	return againFor(ctx, patience, do)
}

// againFor is again for what may take longer: an answer that is lost is not waited for in vain.
func againFor(ctx context.Context, each time.Duration, do func(ctx context.Context) error) error {
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		asked, end := context.WithTimeout(ctx, each)
		err := do(asked)
		end()
		if err == nil || !passes(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// passes reports whether an error may be gone when the same is tried again.
func passes(err error) bool {
	var api jetstream.JetStreamError
	if errors.As(err, &api) && api.APIError() != nil {
		switch e := api.APIError(); {
		case e.ErrorCode == jetstream.JSErrCodeStreamNotFound, e.ErrorCode == jetstream.JSErrCodeConsumerNotFound:
			return false
		case e.Code >= 500:
			return true
		}
		return false
	}
	for _, x := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded, nats.ErrNoServers,
		jetstream.ErrNoStreamResponse, jetstream.ErrJetStreamNotEnabled, jetstream.ErrNoHeartbeat, jetstream.ErrServerShutdown,
	} {
		if errors.Is(err, x) {
			return true
		}
	}
	return false
}

// explain says in the user's terms what a server answered.
func explain(err error) error {
	var api jetstream.JetStreamError
	switch {
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("%w: it must be started with streams on disk, as with `nats-server --jetstream`", err)
	case errors.As(err, &api) && api.APIError() != nil && slices.Contains(codesFull, api.APIError().ErrorCode):
		return fmt.Errorf("%w: the disk of the server is full, or its limit is reached; `arbiter sweep cancel` makes room", err)
	}
	return err
}

// codesFull are the server's codes for too few resources, for no memory and for no storage.
var codesFull = []jetstream.ErrorCode{10023, 10028, 10047}

// Closed is closed when the connection has ended for good.
func (c *Cluster) Closed() <-chan struct{} { return c.closed }

// Close ends the connection, and the server if it belongs to this process.
func (c *Cluster) Close() {
	for _, do := range c.close {
		do()
	}
}

// redact returns addresses without what is secret in them.
func redact(addresses string) string {
	var list []string
	for _, text := range strings.Split(addresses, ",") {
		if u, err := url.Parse(strings.TrimSpace(text)); err == nil && u.User != nil {
			u.User = url.User("…")
			text, _ = url.PathUnescape(u.String())
		}
		list = append(list, strings.TrimSpace(text))
	}
	return strings.Join(list, ", ")
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
