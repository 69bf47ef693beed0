package studio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"arbiter/cmd/arbiter/internal/repl"
	"arbiter/cmd/arbiter/internal/storymap"
	"arbiter/cmd/arbiter/internal/table"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/interp/view"
	"arbiter/lang/diag"
	"arbiter/stdlib/logbook"
)

// This file lets a page lead a fight: it is the prompt of `arbiter play --json --ask`, whose lines come from the page,
// with the same file of the session. A page that leaves with a question open finds it again.

// tables are the fights that pages lead, by the file of the session.
type tables struct {
	mu    sync.Mutex
	seats map[string]*seat
}

// seat is the page that leads a fight.
type seat struct {
	stop  context.CancelCauseFunc
	ended chan struct{}
}

// errTaken ends the play of a page when another page takes over.
var errTaken = errors.New("another page leads this fight now")

// take gives a session to a page, when the one that had it has left.
func (t *tables) take(file string, stop context.CancelCauseFunc) (leave func()) {
	mine := &seat{stop, make(chan struct{})}
	for {
		t.mu.Lock()
		other := t.seats[file]
		if other == nil {
			if t.seats == nil {
				t.seats = map[string]*seat{}
			}
			t.seats[file] = mine
			t.mu.Unlock()
			break
		}
		t.mu.Unlock()
		other.stop(errTaken)
		<-other.ended
	}
	return func() {
		t.mu.Lock()
		delete(t.seats, file)
		t.mu.Unlock()
		close(mine.ended)
	}
}

// playParams is the first message of a page that wants to lead a fight.
type playParams struct {
	Path    string   `json:"path"`
	With    []string `json:"with"`
	Seed    *uint64  `json:"seed"`
	Session string   `json:"session"` // the file; it is resumed if it exists
}

// Documents of play, besides those of the prompt.
type (
	// seatedDocument says that the page leads the fight.
	seatedDocument struct {
		Kind    string `json:"kind"` // seated
		Session string `json:"session"`
		Resumed bool   `json:"resumed"`
		Next    string `json:"next"` // the command with which the script would continue
		Torn    string `json:"torn"` // what had to be cut off the file, in words
	}
	// refusedDocument says why it does not, or no longer.
	refusedDocument struct {
		Kind      string `json:"kind"` // refused
		Message   string `json:"message"`
		Taken     bool   `json:"taken"` // another page leads it
		*mistakes        // of the script
	}
	// tableDocument is the fight as it stands, whenever the prompt waits.
	tableDocument struct {
		Kind    string             `json:"kind"` // table
		View    *view.Fight        `json:"view"`
		Can     []session.Possible `json:"can"` // of whoever's turn it is
		Decided bool               `json:"decided"`
		Undo    int                `json:"undo"`    // commands that can be undone
		Redo    int                `json:"redo"`    // commands that can be done again
		Players string             `json:"players"` // the side whose players see the stage
	}
	// waitingDocument says that the next line can come.
	waitingDocument struct {
		Kind   string `json:"kind"`   // waiting
		Answer bool   `json:"answer"` // of a question
	}
	// scenesDocument is the graph of the adventure that is played.
	scenesDocument struct {
		Kind string `json:"kind"` // scenes
		*storymap.Drawing
	}
	// completionsDocument is how a text can be continued.
	completionsDocument struct {
		Kind string   `json:"kind"` // completions
		Text string   `json:"text"`
		From int      `json:"from"`
		List []string `json:"list"`
	}
)

// pageMessage is what a page says while it leads a fight.
type pageMessage struct {
	Line     *string `json:"line"`     // as it is typed at a prompt
	Complete *string `json:"complete"` // a text that is being typed
	Stop     bool    `json:"stop"`     // the running command
	Players  *string `json:"players"`  // the side whose players see the stage
}

// answerPlay lets a page lead a fight.
func (s *Studio) answerPlay(page context.Context, l Link) {
	ctx, stop := context.WithCancelCause(page)
	defer stop(nil)
	p := &pagePrompt{ctx: ctx, page: page, link: l, messages: make(chan pageMessage), stage: &s.stage}
	p.stopped.yield = s.o.Yield
	var params playParams
	if data, err := l.Read(page); err != nil || json.Unmarshal(data, &params) != nil {
		return
	}
	err := s.checkSession(params.Session)
	if err == nil {
		err = checkPath(params.Path)
	}
	if err != nil {
		p.send(refusedDocument{Kind: "refused", Message: err.Error()})
		return
	}
	leave := s.tables.take(params.Session, stop)
	defer leave()
	defer s.stage.show(stageDocument{Sheets: []view.Fighter{}})
	var reader sync.WaitGroup
	reader.Go(func() { p.read(stop) })
	err = s.lead(p, &params)
	doc := refusedDocument{Kind: "refused", Taken: context.Cause(ctx) == errTaken}
	if doc.Taken {
		err = errTaken
	}
	if wrong := (*table.MistakesError)(nil); errors.As(err, &wrong) {
		doc.mistakes = s.mistakes(wrong.Diags)
	}
	if err != nil {
		doc.Message = s.inWords(err)
		p.send(doc)
	}
	_ = l.Close() // the page may be gone
	stop(nil)
	reader.Wait()
}

// inWords is an error without the path of the folder.
func (s *Studio) inWords(err error) string {
	return strings.ReplaceAll(err.Error(), s.folder.dir+string(filepath.Separator), "")
}

// checkSession refuses a path that is not that of a session in the folder.
func (s *Studio) checkSession(p string) error {
	if !fs.ValidPath(p) || path.Ext(p) != sessionKind {
		return fmt.Errorf("%s is not the path of a session: that is in the folder, and ends in %s", p, sessionKind)
	}
	if info, err := s.folder.root.Lstat(filepath.FromSlash(p)); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", p)
	}
	if _, err := s.folder.root.Stat(filepath.FromSlash(path.Dir(p))); err != nil {
		return fmt.Errorf("%s: %w", path.Dir(p), cause(err))
	}
	return nil
}

// lead resumes or begins a session, and runs its prompt until the page leaves.
func (s *Studio) lead(p *pagePrompt, params *playParams) error {
	o := table.Options{
		Build: build.Options{Library: s.o.Library, KnownCitation: s.o.KnownCitation}, Session: session.Options{Record: true},
		Disk: logbook.Disk, Language: s.o.Language, Version: s.o.Version,
	}
	o.Build.Stop = s.stops(p.page)
	file := s.folder.absolute(params.Session)
	answers := &repl.Answerer{}
	seated := seatedDocument{Kind: "seated", Session: params.Session}
	t := &table.Table{Options: o}
	resumed, err := t.Resume(file, "", answers)
	defer func() { t.Close() }()
	var first *session.Reply
	var pending *session.Pending
	switch {
	case errors.Is(err, table.ErrNoSession):
		t = &table.Table{Options: o, Path: s.folder.absolute(params.Path), Seed: params.Seed}
		for _, w := range params.With {
			if err := checkPath(w); err != nil {
				return err
			}
			t.With = append(t.With, s.folder.absolute(w))
		}
		text, err := s.folder.read(params.Path)
		if err != nil {
			return err
		}
		if first, seated.Next, err = t.Begin([]byte(text), file, answers); err != nil {
			return err
		}
	case err != nil:
		return err
	case t.Path != s.folder.absolute(params.Path):
		return fmt.Errorf("%s is a session of %s: choose that fight, or name another session", params.Session, s.shown(t.Path))
	default:
		first, pending, seated.Resumed, seated.Torn = resumed.First, resumed.Pending, true, resumed.Torn
		first.Text, first.Events = "", nil
	}
	p.send(seated)
	if t.Live.Story() {
		texts := t.Live.Rules().Sources
		p.send(scenesDocument{"scenes", storymap.Draw(t.Live.Scenes(), func(file string) []byte { return texts[file] })})
	}
	p.live = t.Live
	return repl.Run(repl.Config{
		Live: t.Live, Console: p, JSON: p, AskChoices: true, EchoQuestions: true, Stopped: p.stopped.wanted,
		Diagnose:    func(list diag.List) string { return s.mistakes(list).Error() },
		Help:        func(string) (string, bool) { return "", false },
		SaveTo:      func(string) (string, error) { return "", errors.New("the page always saves the session in its file") },
		SaveScript:  func(string, string) (string, error) { return "", errors.New("save it from the page") },
		RulesetWith: func(string) string { return "" },
		Board: repl.Board{
			Who: func(name string) (string, bool) { return "", t.Live.Who(name) != nil },
			Map: func(string, string) (string, error) { return "", nil },
		},
	}, answers, first, pending)
}

// pagePrompt is the prompt of a page.
type pagePrompt struct {
	ctx      context.Context // ends when the page no longer leads
	page     context.Context // ends with the page: what reads or writes its socket with another would close that
	link     Link
	live     *session.Live
	messages chan pageMessage
	stopped  stopSign
	shown    shownState
	stage    *stage
	players  string // the side whose players see the stage; empty: the first
}

// shownState identifies what the page has been sent.
type shownState struct {
	hash                 uint64
	events, done, undone int
	asking               bool
	players              string
}

// stopSign says that the running command is to stop.
type stopSign struct {
	on    atomic.Bool
	yield func() // see Options.Yield
}

func (s *stopSign) wanted() bool {
	if s.yield != nil {
		s.yield()
	}
	return s.on.Swap(false)
}

// read reads what the page says, until it leaves.
func (p *pagePrompt) read(left context.CancelCauseFunc) {
	defer left(nil)
	defer close(p.messages)
	for {
		data, err := p.link.Read(p.page)
		if err != nil {
			p.stopped.on.Store(true)
			return
		}
		var m pageMessage
		if json.Unmarshal(data, &m) != nil {
			continue
		}
		if m.Stop {
			p.stopped.on.Store(true)
			continue
		}
		select {
		case p.messages <- m:
		case <-p.ctx.Done():
			return
		}
	}
}

// send sends a document; the page may be gone, which the next Read finds out.
func (p *pagePrompt) send(v any) {
	data, err := json.Marshal(v)
	if err == nil {
		_ = p.link.Write(p.page, data)
	}
}

// Write sends a document of the prompt, which writes one at a time.
func (p *pagePrompt) Write(line []byte) (int, error) {
	return len(line), p.link.Write(p.page, line)
}

// Read implements repl.Console: before it waits, the page gets the fight as it stands, if that has changed.
func (p *pagePrompt) Read(o repl.ReadOptions) (string, error) {
	p.sendTable(o.IsAnswer)
	p.send(waitingDocument{"waiting", o.IsAnswer})
	for {
		select {
		case <-p.ctx.Done():
			return "", io.EOF
		case m, open := <-p.messages:
			switch {
			case !open:
				return "", io.EOF
			case m.Complete != nil && o.Complete != nil:
				from, list := o.Complete(*m.Complete, len(*m.Complete))
				doc := completionsDocument{"completions", *m.Complete, from, []string{}}
				for _, x := range list[:min(len(list), maxCompletions)] {
					doc.List = append(doc.List, x.Text)
				}
				p.send(doc)
			case m.Players != nil:
				p.players = *m.Players
				p.sendTable(o.IsAnswer)
			case m.Line != nil:
				return *m.Line, nil
			}
		}
	}
}

// maxCompletions is how many completions a page gets.
const maxCompletions = 60

// Show and Page implement repl.Console: what they print, the page has as documents.
func (p *pagePrompt) Show(string) {}
func (p *pagePrompt) Page(string) {}

// sendTable sends the fight as it stands, and what has happened so far, unless the page has them. While a command waits
// for an answer, it is not known what else can be done.
func (p *pagePrompt) sendTable(asking bool) {
	r := p.live.Recorded()
	now := shownState{p.live.Hash(), len(r.Events), p.live.Done(), p.live.Undone(), asking, p.players}
	if now == p.shown {
		return
	}
	p.shown = now
	doc := tableDocument{Kind: "table", Can: []session.Possible{}, Undo: now.done, Redo: now.undone}
	if asking {
		end := p.live.Aside()
		defer end()
	}
	doc.View = p.live.View()
	if !asking {
		doc.Can, doc.Decided = p.live.Possible(p.live.Turn()), p.live.Decided()
	}
	doc.Players = p.players
	if !p.live.HasSide(p.players) {
		doc.Players = p.live.PlayersSide()
	}
	p.send(doc)
	p.send(r)
	p.stage.show(stageOf(p.live, p.players, doc.View))
}
