package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"arbiter/cmd/arbiter/internal/cluster"
)

// This file serves numbers in the text format of Prometheus.

// metrics are the numbers of a process.
type metrics struct {
	mu   sync.Mutex
	list []*metric // in the order in which they were first set
}

// metric is a number, or one for each set of labels.
type metric struct {
	name, kind, help string
	labels           []string // "" for none
	values           []float64
}

// serveMetrics serves metrics at an address; "" serves nothing.
func serveMetrics(address string) (m *metrics, end func(), err error) {
	m = &metrics{}
	if address == "" {
		return m, func() {}, nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, nil, usageError("--metrics: %w", err)
	}
	s := &http.Server{Handler: http.HandlerFunc(m.serve), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second}
	go func() { _ = s.Serve(l) }() // until it is closed
	return m, func() { _ = s.Close() }, nil
}

func (m *metrics) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/metrics" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(m.text())
}

// text has the numbers, those of a name together.
func (m *metrics) text() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b bytes.Buffer
	for _, x := range m.list {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", x.name, x.help, x.name, x.kind)
		for i, labels := range x.labels {
			fmt.Fprintf(&b, "%s%s %s\n", x.name, labels, exactly(x.values[i]))
		}
	}
	return b.Bytes()
}

// set sets a number. kind is gauge or counter; labels are as they are written, "" for none.
func (m *metrics) set(name, labels, kind, help string, value float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := slices.IndexFunc(m.list, func(x *metric) bool { return x.name == name })
	if at < 0 {
		at = len(m.list)
		m.list = append(m.list, &metric{name: name, kind: kind, help: help})
	}
	x := m.list[at]
	i := slices.Index(x.labels, labels)
	if i < 0 {
		i = len(x.labels)
		x.labels, x.values = append(x.labels, labels), append(x.values, 0)
	}
	x.values[i] = value
}

// sweep sets the numbers of a sweep.
func (m *metrics) sweep(id string, p cluster.Progress) {
	label := fmt.Sprintf("{sweep=%q}", id)
	m.set("arbiter_sweep_fights", label, "gauge", "Fights of the sweep, in all arms; fewer if the precision is reached before.", float64(p.Fights))
	m.set("arbiter_sweep_fights_played", label, "gauge", "Fights that have been counted, in all arms.", float64(p.Played))
	m.set("arbiter_sweep_fights_per_second", label, "gauge", "Fights per second, lately.", p.Rate)
	m.set("arbiter_sweep_seconds_left", label, "gauge", "Seconds until the end at this rate; 0 if it is not known.", p.Left.Seconds())
	m.set("arbiter_sweep_pieces_counted", label, "gauge", "Pieces that have been counted.", float64(p.Pieces))
	m.set("arbiter_sweep_pieces_waiting", label, "gauge", "Pieces that are published and not counted yet.", float64(p.Waiting))
	m.set("arbiter_sweep_pieces_verified", label, "gauge", "Pieces that have been played twice.", float64(p.Verified))
	m.set("arbiter_sweep_workers", label, "gauge", "Workers that are present.", float64(p.Workers))
	m.set("arbiter_sweep_cores", label, "gauge", "Pieces that these workers play at a time.", float64(p.Cores))
}

// worker sets the numbers of a worker.
func (m *metrics) worker(p cluster.Presence) {
	m.set("arbiter_worker_cores", "", "gauge", "Pieces that the worker plays at a time.", float64(p.Cores))
	m.set("arbiter_worker_busy", "", "gauge", "Pieces that it is playing.", float64(p.Busy))
	m.set("arbiter_worker_pieces_total", "", "counter", "Pieces that it has played.", float64(p.Pieces))
	m.set("arbiter_worker_fights_total", "", "counter", "Fights that it has played, in all arms together counted once.", float64(p.Fights))
	m.set("arbiter_worker_refused_total", "", "counter", "Pieces that it has refused.", float64(p.Refused))
}
