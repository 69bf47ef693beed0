package main

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"arbiter/cmd/arbiter/internal/cluster"
)

var (
	metricHelp   = regexp.MustCompile(`^# HELP ([a-z_]+) [A-Z].*\.$`)
	metricType   = regexp.MustCompile(`^# TYPE ([a-z_]+) (gauge|counter)$`)
	metricSample = regexp.MustCompile(`^([a-z_]+)(\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"\})? (\S+)$`)
)

// parseMetrics reads the text format of Prometheus, as strictly as its description is: each name has its help and its
// type once, directly before its samples.
func parseMetrics(text string) (map[string]float64, error) {
	values, described := map[string]float64{}, map[string]bool{}
	var help, kind string
	for _, line := range strings.SplitAfter(text, "\n") {
		if line == "" {
			continue
		}
		line, whole := strings.CutSuffix(line, "\n")
		if !whole {
			return nil, fmt.Errorf("the last line does not end: %q", line)
		}
		if m := metricHelp.FindStringSubmatch(line); m != nil {
			if help = m[1]; described[help] {
				return nil, fmt.Errorf("%s is described twice", help)
			}
			described[help] = true
			continue
		}
		if m := metricType.FindStringSubmatch(line); m != nil {
			if kind = m[1]; kind != help {
				return nil, fmt.Errorf("the type of %s has no help", kind)
			}
			if m[2] == "counter" != strings.HasSuffix(kind, "_total") {
				return nil, fmt.Errorf("%s is a %s", kind, m[2])
			}
			continue
		}
		m := metricSample.FindStringSubmatch(line)
		if m == nil || m[1] != kind {
			return nil, fmt.Errorf("not a sample of %s: %q", kind, line)
		}
		x, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return nil, err
		}
		if _, twice := values[m[1]+m[2]]; twice {
			return nil, fmt.Errorf("%s is there twice", m[1]+m[2])
		}
		values[m[1]+m[2]] = x
	}
	return values, nil
}

// Numbers of a name stand together, however they were set, and have the latest value.
func TestMetrics(t *testing.T) {
	m, end, err := serveMetrics("")
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	m.sweep("7f81", cluster.Progress{Fights: 100, Workers: 3})
	m.worker(cluster.Presence{Cores: 2, Pieces: 7, Fights: 1 << 60})
	m.sweep("a\"b\\c", cluster.Progress{Fights: 5, Rate: 0.5, Left: 90 * time.Second})
	m.sweep("7f81", cluster.Progress{Fights: 100, Played: 50, Workers: 4, Waiting: 9, Verified: 2, Pieces: 11, Cores: 8})
	values, err := parseMetrics(string(m.text()))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		`arbiter_sweep_fights{sweep="7f81"}`: 100, `arbiter_sweep_fights_played{sweep="7f81"}`: 50, `arbiter_sweep_workers{sweep="7f81"}`: 4, `arbiter_sweep_pieces_waiting{sweep="7f81"}`: 9,
		`arbiter_sweep_pieces_verified{sweep="7f81"}`: 2, `arbiter_sweep_pieces_counted{sweep="7f81"}`: 11, `arbiter_sweep_cores{sweep="7f81"}`: 8,
		`arbiter_sweep_seconds_left{sweep="a\"b\\c"}`: 90, `arbiter_sweep_fights_per_second{sweep="a\"b\\c"}`: 0.5,
		"arbiter_worker_cores": 2, "arbiter_worker_busy": 0, "arbiter_worker_pieces_total": 7, "arbiter_worker_fights_total": 1 << 60, "arbiter_worker_refused_total": 0,
	} {
		if got, has := values[name]; !has || got != want {
			t.Errorf("%s is %g, %t, want %g", name, got, has, want)
		}
	}
	if _, _, err := serveMetrics("nowhere:nothing"); err == nil || !strings.Contains(err.Error(), "--metrics") {
		t.Error(err)
	}
}

// metricsOf is a command of scripts: metrics ADDRESS NAME LEAST waits until a process serves a number at least so high.
func metricsOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: metrics ADDRESS NAME LEAST")
	}
	least, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	client := &http.Client{Timeout: 5 * time.Second}
	last := "nobody answers"
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		r, err := client.Get("http://" + args[0] + "/metrics")
		if err != nil {
			continue
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		ts.Check(err)
		if kind := r.Header.Get("Content-Type"); r.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
			ts.Fatalf("%s of type %s", r.Status, kind)
		}
		values, err := parseMetrics(string(text))
		ts.Check(err)
		for name, x := range values {
			if name, _, _ = strings.Cut(name, "{"); name == args[1] && x >= least {
				elsewhere, err := client.Get("http://" + args[0] + "/")
				ts.Check(err)
				elsewhere.Body.Close()
				if elsewhere.StatusCode != http.StatusNotFound {
					ts.Fatalf("beside the metrics there is something: %s", elsewhere.Status)
				}
				return
			}
		}
		last = string(text)
	}
	ts.Fatalf("no %s of at least %s at %s: %s", args[1], args[2], args[0], last)
}
