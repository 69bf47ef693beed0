package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"arbiter/stdlib/logbook"
)

// This file is the server inside of a process: for one who has no other. It keeps everything in a folder, listens on the
// loopback with a token that only the user can read, and ends with the process.

// address is how other processes of the user reach the server of a folder.
type address struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

const (
	addressFile = "server.json"
	lockFile    = "lock"
	streamsDir  = "streams"
)

// maxMessage is what a message to such a server may have, in bytes.
const maxMessage = 8 << 20

// LocalOptions are the options of Local.
type LocalOptions struct {
	Dir     string // where everything is kept
	Lease   time.Duration
	Storage int64 // how many bytes may be kept; 0: as many as the disk has
	Join    bool  // only join a server that another process runs
}

// ErrNoServer is that no process runs a server for the folder.
var ErrNoServer = errors.New("no sweep is running here")

// Local connects to the server of a folder: that of another process that has it open, or else one of its own.
func Local(ctx context.Context, o LocalOptions) (*Cluster, error) {
	c, err := join(ctx, o)
	if err == nil {
		return c, nil
	}
	if o.Join {
		return nil, ErrNoServer
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := logbook.Disk.Open(filepath.Join(o.Dir, lockFile), os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, err
	}
	if err := lock.Lock(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		lock.Close()
		if c, err := join(ctx, o); err == nil { // it has become ready meanwhile
			return c, nil
		}
		return nil, fmt.Errorf("another process uses %s, and does not answer", o.Dir)
	}
	c, err = start(ctx, o)
	if err != nil {
		lock.Close()
		return nil, err
	}
	c.close = append(c.close, func() { lock.Close() })
	return c, nil
}

// join connects to the server that another process runs.
func join(ctx context.Context, o LocalOptions) (*Cluster, error) {
	text, err := os.ReadFile(filepath.Join(o.Dir, addressFile))
	if err != nil {
		return nil, err
	}
	var a address
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, err
	}
	return Connect(ctx, Options{URL: a.URL, Lease: o.Lease, Replicas: 1, dial: nats.Token(a.Token)})
}

// start runs a server in this process.
func start(ctx context.Context, o LocalOptions) (*Cluster, error) {
	token := rand.Text()
	options := &server.Options{
		ServerName: "arbiter", Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token, NoSigs: true, NoLog: true, MaxPayload: maxMessage, MaxPending: 64 << 20,
		JetStream: true, StoreDir: filepath.Join(o.Dir, streamsDir), JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: o.Storage, MaxControlLine: 4096, DisableJetStreamBanner: true,
	}
	if o.Storage == 0 {
		options.JetStreamMaxStore = maxStore
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, err
	}
	end := func() {
		s.Shutdown()
		s.WaitForShutdown()
	}
	s.Start()
	if !s.ReadyForConnections(startPatience) {
		end()
		return nil, fmt.Errorf("the server in %s does not start: is the disk full, or the folder not to be written?", o.Dir)
	}
	c, err := Connect(ctx, Options{Lease: o.Lease, Replicas: 1, dial: func(x *nats.Options) error {
		x.InProcessServer, x.Token = s, token
		return nil
	}})
	if err != nil {
		end()
		return nil, err
	}
	path := filepath.Join(o.Dir, addressFile)
	if err := writeSecret(path, address{s.ClientURL(), token}); err != nil {
		c.Close()
		end()
		return nil, err
	}
	c.close = append(c.close, func() { _ = os.Remove(path) }, end)
	return c, nil
}

// maxStore is what the server of a process may keep, in bytes: what the disk has no room for is refused anyway.
const maxStore = 1 << 40

// writeSecret writes a document that only the user can read, all of it or nothing.
func writeSecret(path string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	temporary := path + ".part"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(temporary, text, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
