// Package langserver helps editors with scripts and rules: diagnostics while typing, hover, go to definition,
// references, rename, completion, formatting, semantic tokens, refactoring, and figures beside the lines.
//
// It speaks the Language Server Protocol over a stream. Mistakes in a ruleset itself are told at once, and a moment after
// its last change a document is built by the same passes as `arbiter check`. Questions are answered from the last successful build, so a half-written line does
// not disable them. The package must never know what a ruleset says, nor change a document without being asked.
package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Options of a server.
type Options struct {
	Library       fs.FS                // the embedded rulesets
	LibraryPrefix string               // the prefix under which their files are named
	KnownCitation func(id string) bool // the catalogue
	Version       string
	Log           io.Writer
	// Pause is how long a document must have been left alone before it is built.
	Pause time.Duration
	// Yield lets messages of the editor in while something long is computed, where that does not happen by itself; else
	// nil.
	Yield func()
	// Cache is a folder into which embedded files are written for an editor to open; "" for none.
	Cache string
}

// errUnfinished says that the editor disconnected without `shutdown`.
var errUnfinished = errors.New("the editor closed the connection without `shutdown`")

// Serve talks to one editor over a stream of bytes until it sends `exit` or disconnects.
func Serve(ctx context.Context, stream io.ReadWriteCloser, o Options) error {
	return ServeMessages(ctx, newFrames(stream), o)
}

// ServeMessages is Serve for a stream that keeps messages apart itself.
func ServeMessages(ctx context.Context, stream jsonrpc2.ObjectStream, o Options) error {
	s := newServer(o)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.ctx = ctx
	silent := jsonrpc2.SetLogger(quietLogger{})
	opened := make(chan struct{}) // the handler must not run before the connection is known
	s.conn = jsonrpc2.NewConn(ctx, stream, handlerFunc(func(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
		<-opened
		s.Handle(ctx, conn, r)
	}), silent)
	close(opened)
	var builder sync.WaitGroup
	builder.Go(func() { s.build(ctx) })
	<-s.conn.DisconnectNotify()
	stop()
	builder.Wait()
	s.background.running.Wait()
	if !s.shutDown {
		return errUnfinished
	}
	return nil
}

func newServer(o Options) *server {
	s := &server{o: o, units: utf16Units, docs: map[string]*document{}, wake: make(chan struct{}, 1), bases: map[string]*nameResolver{}}
	s.looked = sync.NewCond(&s.mu)
	s.background.cancels = map[jsonrpc2.ID]context.CancelFunc{}
	return s
}

type handlerFunc func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request)

func (f handlerFunc) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	f(ctx, conn, r)
}

// quietLogger drops the connection's log: a disconnecting editor is not worth a message.
type quietLogger struct{}

func (quietLogger) Printf(string, ...any) {}

type server struct {
	o          Options
	ctx        context.Context // ends with the connection
	conn       *jsonrpc2.Conn
	units      encoding
	client     clientSkills
	shutDown   bool // `shutdown` was received
	background background

	mu      sync.Mutex
	docs    map[string]*document     // by URI
	bases   map[string]*nameResolver // of the rulesets that documents are based on, by name
	wake    chan struct{}            // signals that something is to be built
	looked  *sync.Cond               // signals that a text has been looked at
	epoch   int                      // how often texts have changed
	results int                      // how many results have been numbered
}

// clientSkills is what the editor can do.
type clientSkills struct {
	pulls           bool // it asks for diagnostics
	resolvesActions bool // it asks for the edits of a code action that is chosen
	keepsData       bool // of diagnostics
	createsFiles    bool
	showsProgress   bool
	refreshesHints  bool
	refreshesLenses bool
	refreshesTokens bool
}

// handle answers a request or processes a notification.
func (s *server) handle(_ context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	return s.guarded(r.Method, func() (any, error) { return s.dispatch(conn, r) })
}

func (s *server) dispatch(conn *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	if s.shutDown && r.Method != "exit" {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server was shut down"}
	}
	switch r.Method {
	case "initialize":
		var p initializeParams
		if err := readParams(r, &p); err != nil {
			return nil, err
		}
		return s.initialize(&p), nil
	case "initialized":
		return nil, nil
	case "shutdown":
		s.shutDown = true
		return nil, nil
	case "exit":
		return nil, conn.Close()
	}
	method, known := s.methods()[r.Method]
	if !known {
		if r.Notif { // unknown notifications are ignored
			return nil, nil
		}
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: r.Method + " is not supported"}
	}
	var p documentParams
	if err := readParams(r, &p); err != nil {
		return nil, err
	}
	answer := method(&p)
	if rest, unfinished := answer.(later); unfinished {
		answer = later(func(ctx context.Context) any {
			defer s.progress(p.WorkDoneToken, progressTitles[r.Method])()
			return rest(ctx)
		})
	}
	return asError(answer)
}

// progressTitles say what is under way, of what may take long.
var progressTitles = map[string]string{
	"textDocument/references": "Looking through the folder", "textDocument/rename": "Renaming",
	"callHierarchy/incomingCalls": "Reading the rules", "callHierarchy/outgoingCalls": "Reading the rules",
}

// methods are the requests and notifications about documents.
func (s *server) methods() map[string]func(*documentParams) any {
	return map[string]func(*documentParams) any{
		"textDocument/didOpen":                   s.open,
		"textDocument/didChange":                 s.change,
		"textDocument/didSave":                   s.save,
		"textDocument/didClose":                  s.close,
		"textDocument/hover":                     s.onceBuilt(s.hover),
		"textDocument/signatureHelp":             s.onceBuilt(s.signatures),
		"textDocument/definition":                s.onceBuilt(s.definition),
		"textDocument/references":                s.onceBuilt(s.references),
		"textDocument/documentHighlight":         s.onceBuilt(s.highlights),
		"textDocument/documentSymbol":            s.symbols,
		"textDocument/foldingRange":              s.folding,
		"textDocument/selectionRange":            s.selectionRanges,
		"textDocument/prepareCallHierarchy":      s.onceBuilt(s.prepareCalls),
		"callHierarchy/incomingCalls":            s.incomingCalls,
		"callHierarchy/outgoingCalls":            s.outgoingCalls,
		"workspace/symbol":                       s.search,
		"textDocument/formatting":                s.format,
		"textDocument/codeAction":                s.codeActions,
		"codeAction/resolve":                     s.resolveAction,
		"textDocument/codeLens":                  s.onceBuilt(s.lenses),
		"codeLens/resolve":                       s.resolveLens,
		"textDocument/inlayHint":                 s.onceBuilt(s.hints),
		"textDocument/completion":                s.onceBuilt(s.complete),
		"textDocument/diagnostic":                s.pull,
		"textDocument/semanticTokens/full":       s.onceBuilt(s.tokensFull),
		"textDocument/semanticTokens/full/delta": s.onceBuilt(s.tokensDelta),
		"textDocument/semanticTokens/range":      s.onceBuilt(s.rangeTokens),
		"textDocument/prepareRename":             s.onceBuilt(s.prepareRename),
		"textDocument/rename":                    s.onceBuilt(s.rename),
	}
}

func readParams(r *jsonrpc2.Request, into any) error {
	if r.Params == nil {
		return nil
	}
	if err := json.Unmarshal(*r.Params, into); err != nil {
		return WrongParams(err)
	}
	return nil
}

func (s *server) initialize(p *initializeParams) initializeResult {
	c := &p.Capabilities
	if slices.Contains(c.General.PositionEncodings, string(utf8Units)) {
		s.units = utf8Units
	}
	s.client = clientSkills{
		pulls:           c.TextDocument.Diagnostic != nil && c.Workspace.Diagnostics.RefreshSupport,
		resolvesActions: slices.Contains(c.TextDocument.CodeAction.ResolveSupport.Properties, "edit"),
		keepsData:       c.TextDocument.PublishDiagnostics.DataSupport,
		createsFiles:    c.Workspace.WorkspaceEdit.DocumentChanges && slices.Contains(c.Workspace.WorkspaceEdit.ResourceOperations, "create"),
		showsProgress:   c.Window.WorkDoneProgress,
		refreshesHints:  c.Workspace.InlayHint.RefreshSupport,
		refreshesLenses: c.Workspace.CodeLens.RefreshSupport,
		refreshesTokens: c.Workspace.SemanticTokens.RefreshSupport,
	}
	out := initializeResult{
		Capabilities: capabilities{
			PositionEncoding: string(s.units),
			TextDocumentSync: textDocumentSync{OpenClose: true, Change: 2, Save: true},
			HoverProvider:    true, DefinitionProvider: true, ReferencesProvider: progressOptions{true}, DocumentHighlightProvider: true,
			DocumentSymbolProvider: true, FoldingRangeProvider: true, WorkspaceSymbolProvider: true, DocumentFormattingProvider: true,
			SelectionRangeProvider: true, CallHierarchyProvider: progressOptions{true}, InlayHintProvider: true,
			SignatureHelpProvider:  signatureHelpOptions{[]string{"(", ",", " "}},
			CodeLensProvider:       resolveOptions{ResolveProvider: true},
			RenameProvider:         renameOptions{PrepareProvider: true, WorkDoneProgress: true},
			CodeActionProvider:     codeActionOptions{[]string{quickFix, refactorExtract, refactorRewrite, refactorMove}, true},
			CompletionProvider:     completionOptions{TriggerCharacters: []string{".", "-"}},
			SemanticTokensProvider: semanticTokensOptions{Legend: legend{tokenTypeNames, []string{}}, Full: fullTokensOptions{Delta: true}, Range: true},
		},
		ServerInfo: serverInfo{"arbiter", s.o.Version},
	}
	if s.client.pulls {
		out.Capabilities.DiagnosticProvider = &diagnosticOptions{"arbiter", true, false}
	}
	return out
}
