// Package langserver helps editors with scripts and rules: diagnostics while typing, hover, go to definition,
// references, rename, completion, formatting, semantic tokens.
//
// It speaks the Language Server Protocol over a stream. Mistakes in a ruleset itself are told at once, and a moment after
// its last change a document is built by the same passes as `arbiter check`. Questions are answered from the last successful build, so a half-written line does
// not disable them. The package must never know what a ruleset says, nor change a document without being asked.
package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	// Cache is a folder into which embedded files are written for an editor to open; "" for none.
	Cache string
}

// ErrUnfinished says that the editor disconnected without `shutdown`.
var ErrUnfinished = errors.New("the editor closed the connection without `shutdown`")

// Serve talks to one editor over a stream of bytes until it sends `exit` or disconnects.
func Serve(ctx context.Context, stream io.ReadWriteCloser, o Options) error {
	return ServeMessages(ctx, newFrames(stream), o)
}

// ServeMessages is Serve for a stream that keeps messages apart itself.
func ServeMessages(ctx context.Context, stream jsonrpc2.ObjectStream, o Options) error {
	s := &server{o: o, units: utf16Units, docs: map[string]*document{}, wake: make(chan struct{}, 1), bases: map[string]*nameResolver{}}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	silent := jsonrpc2.SetLogger(quietLogger{})
	s.conn = jsonrpc2.NewConn(ctx, stream, jsonrpc2.HandlerWithError(s.handle), silent)
	var builder sync.WaitGroup
	builder.Go(func() { s.build(ctx) })
	<-s.conn.DisconnectNotify()
	stop()
	builder.Wait()
	if !s.shutDown {
		return ErrUnfinished
	}
	return nil
}

// quietLogger drops the connection's log: a disconnecting editor is not worth a message.
type quietLogger struct{}

func (quietLogger) Printf(string, ...any) {}

type server struct {
	o        Options
	conn     *jsonrpc2.Conn
	units    encoding
	shutDown bool // `shutdown` was received

	mu    sync.Mutex
	docs  map[string]*document     // by URI
	bases map[string]*nameResolver // of the rulesets that documents are based on, by name
	wake  chan struct{}            // signals that something is to be built
}

// handle answers a request or processes a notification.
func (s *server) handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) (answer any, err error) {
	defer func() { // a bug here costs one answer, not the editor's session
		if x := recover(); x != nil {
			fmt.Fprintf(s.o.Log, "arbiter: %s: %v; this is a bug in arbiter\n", r.Method, x)
			answer, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "this is a bug in arbiter"}
		}
	}()
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
	answer = method(&p)
	if err, refused := answer.(error); refused {
		return nil, err
	}
	return answer, nil
}

// methods are the requests and notifications about documents.
func (s *server) methods() map[string]func(*documentParams) any {
	return map[string]func(*documentParams) any{
		"textDocument/didOpen":             s.open,
		"textDocument/didChange":           s.change,
		"textDocument/didSave":             s.save,
		"textDocument/didClose":            s.close,
		"textDocument/hover":               s.hover,
		"textDocument/definition":          s.definition,
		"textDocument/references":          s.references,
		"textDocument/documentHighlight":   s.highlights,
		"textDocument/documentSymbol":      s.symbols,
		"textDocument/foldingRange":        s.folding,
		"workspace/symbol":                 s.search,
		"textDocument/formatting":          s.format,
		"textDocument/codeAction":          s.quickFixes,
		"textDocument/completion":          s.complete,
		"textDocument/semanticTokens/full": s.tokens,
		"textDocument/prepareRename":       s.prepareRename,
		"textDocument/rename":              s.rename,
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
	if slices.Contains(p.Capabilities.General.PositionEncodings, string(utf8Units)) {
		s.units = utf8Units
	}
	return initializeResult{
		Capabilities: capabilities{
			PositionEncoding: string(s.units),
			TextDocumentSync: textDocumentSync{OpenClose: true, Change: 1, Save: true},
			HoverProvider:    true, DefinitionProvider: true, ReferencesProvider: true, DocumentHighlightProvider: true,
			DocumentSymbolProvider: true, FoldingRangeProvider: true, WorkspaceSymbolProvider: true, DocumentFormattingProvider: true,
			RenameProvider:         renameOptions{PrepareProvider: true},
			CodeActionProvider:     codeActionOptions{[]string{quickFix}},
			CompletionProvider:     completionOptions{TriggerCharacters: []string{".", "-"}},
			SemanticTokensProvider: semanticTokensOptions{Legend: legend{tokenTypeNames, []string{}}, Full: true},
		},
		ServerInfo: serverInfo{"arbiter", s.o.Version},
	}
}
