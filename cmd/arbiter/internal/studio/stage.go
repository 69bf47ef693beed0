package studio

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"arbiter/interp/replay"
	"arbiter/interp/session"
	"arbiter/interp/view"
)

// This file shows players what their side sees of the fight that is led, on a page of their own, from which nothing can
// be asked.

// stageDocument is what the players of a side see.
type stageDocument struct {
	Kind   string           `json:"kind"` // stage
	Side   string           `json:"side"`
	Replay *replay.Document `json:"replay"` // the fight as it stands; null: nobody leads one
	Sheets []view.Fighter   `json:"sheets"` // of the creatures of the side
	Turn   string           `json:"turn"`   // empty if it is that of somebody whom the side does not see
	Round  int              `json:"round"`
	Story  *view.Story      `json:"story,omitempty"`
}

// stage is what is shown now.
type stage struct {
	mu      sync.Mutex
	shown   []byte
	changed chan struct{} // closed when something else is shown
}

func (s *stage) show(d stageDocument) {
	d.Kind = "stage"
	data, err := json.Marshal(d)
	if err != nil {
		return // it has no such values
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = data
	if s.changed != nil {
		close(s.changed)
	}
	s.changed = make(chan struct{})
}

// now returns what is shown, and a channel that is closed when that changes.
func (s *stage) now() ([]byte, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.shown, s.changed
}

// answerStage shows a page of players what is shown, until it leaves.
func (s *Studio) answerStage(ctx context.Context, l Link) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer stop()
		for { // what it says is not heard
			if _, err := l.Read(ctx); err != nil {
				return
			}
		}
	}()
	for {
		shown, changed := s.stage.now()
		if shown == nil {
			shown = []byte(`{"kind":"stage","side":"","replay":null,"sheets":[],"turn":"","round":0}`)
		}
		if l.Write(ctx, shown) != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// stageOf is the fight that a page leads, as the players of a side see it.
func stageOf(l *session.Live, side string, now *view.Fight) stageDocument {
	if !l.HasSide(side) {
		side = l.PlayersSide()
	}
	d := stageDocument{Side: side, Replay: l.SeenBy(side), Sheets: []view.Fighter{}, Turn: now.Turn, Round: now.Round, Story: now.Story}
	for _, f := range now.Fighters {
		if f.Side == side {
			d.Sheets = append(d.Sheets, f)
		}
	}
	if d.Replay == nil || !slices.ContainsFunc(d.Replay.Creatures, func(c replay.Creature) bool { return c.Name == d.Turn }) {
		d.Turn = ""
	}
	return d
}
