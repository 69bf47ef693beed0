package langserver

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"
)

// This file answers editors that ask for diagnostics, instead of being told them, and asks editors to ask again when
// something has changed without their doing.

// diagnosticReport is the diagnostics of a document, or says that they are those that the editor has.
type diagnosticReport struct {
	Kind     string                      `json:"kind"` // full, unchanged
	ResultID string                      `json:"resultId,omitempty"`
	Items    *[]diagnostic               `json:"items,omitempty"`
	Related  map[string]diagnosticReport `json:"relatedDocuments,omitempty"` // by URI
}

// pull answers as soon as the present text has been looked at: at once with its own mistakes, if it has any.
func (s *server) pull(p *documentParams) any {
	uri := p.TextDocument.URI
	return later(func(ctx context.Context) any {
		defer s.wakeAtEnd(ctx)()
		s.mu.Lock()
		defer s.mu.Unlock()
		for {
			d := s.docs[uri]
			switch {
			case d == nil:
				return diagnosticReport{Kind: "full", Items: &[]diagnostic{}}
			case ctx.Err() != nil:
				return nil // nobody waits for it
			case d.looked:
				d.pulled = true
				if d.resultID == p.PreviousResultID {
					return diagnosticReport{Kind: "unchanged", ResultID: d.resultID}
				}
				return s.report(d)
			}
			s.looked.Wait()
		}
	})
}

// report is the diagnostics of a document and, of files that it depends on, those that its build has found. About a file
// that is open the editor asks, too.
func (s *server) report(d *document) diagnosticReport {
	out := diagnosticReport{Kind: "full", ResultID: d.resultID, Items: &[]diagnostic{}}
	for _, p := range d.published {
		if p.URI == d.uri {
			out.Items = &p.Diagnostics
			continue
		}
		if s.docs[p.URI] != nil {
			continue
		}
		if out.Related == nil {
			out.Related = map[string]diagnosticReport{}
		}
		out.Related[p.URI] = diagnosticReport{Kind: "full", Items: &p.Diagnostics}
	}
	return out
}

// tell makes diagnostics of a document known: to an editor that is told them, or to one that asks.
func (s *server) tell(d *document, updates []publishDiagnosticsParams, changed bool) {
	if !s.client.pulls {
		s.publish(updates)
		return
	}
	s.mu.Lock()
	again := changed && d.pulled // it has asked, and has others
	d.looked = true
	if changed || d.resultID == "" {
		s.results++
		d.resultID = strconv.Itoa(s.results)
		d.pulled = false
	}
	s.looked.Broadcast()
	s.mu.Unlock()
	if again {
		s.ask("workspace/diagnostic/refresh")
	}
}

// refreshFigures asks the editor to ask again for what depends on the rules of a document, not on its text alone.
func (s *server) refreshFigures() {
	if s.client.refreshesHints {
		s.ask("workspace/inlayHint/refresh")
	}
	if s.client.refreshesLenses {
		s.ask("workspace/codeLens/refresh")
	}
	if s.client.refreshesTokens {
		s.ask("workspace/semanticTokens/refresh")
	}
}

// ask sends a request without parameters. What the editor answers says nothing.
func (s *server) ask(method string) {
	s.background.running.Go(func() { _ = s.conn.Call(s.ctx, method, nil, nil) })
}

// patience is how long a build takes until the editor is told that it is under way.
const patience = 500 * time.Millisecond

// underWay tells the editor, if it can show that, that something takes long. The result says that it is over.
func (s *server) underWay(title string) (end func()) {
	if !s.client.showsProgress {
		return func() {}
	}
	var mu sync.Mutex
	over, begun := false, func() {}
	timer := time.AfterFunc(patience, func() {
		s.mu.Lock()
		s.results++
		token := strconv.Quote("build " + strconv.Itoa(s.results))
		s.mu.Unlock()
		mu.Lock()
		defer mu.Unlock()
		if over || s.conn.Call(s.ctx, "window/workDoneProgress/create", map[string]any{"token": json.RawMessage(token)}, nil) != nil {
			return
		}
		begun = s.progress(json.RawMessage(token), title)
	})
	return func() {
		timer.Stop()
		mu.Lock()
		defer mu.Unlock()
		over = true
		begun()
	}
}
