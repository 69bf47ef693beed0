package main

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestNats runs scripts beside a server of NATS, whose address is $NATS.
func TestNats(t *testing.T) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: "token-of-the-test", NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/nats",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NATS", "nats://token-of-the-test@"+s.Addr().String())
			for i := range 2 { // addresses at which nobody listens
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					return err
				}
				e.Setenv(fmt.Sprint("FREE", i+1), l.Addr().String())
				l.Close()
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": status, "json": isJSON, "metrics": metricsOf},
	})
}
