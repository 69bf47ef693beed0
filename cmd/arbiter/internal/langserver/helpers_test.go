package langserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"

	"arbiter/lang/ast"
)

func newCite(id, to string) *ast.Cite { return &ast.Cite{ID: id, To: to} }

func startsRune(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

func asRPC(err error, wrong **jsonrpc2.Error) bool { return errors.As(err, wrong) }

// write writes a file of the editor's folder.
func (e *editor) write(name, text string) {
	e.t.Helper()
	if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o644); err != nil {
		e.t.Fatal(err)
	}
}

// waitUntil waits until something is so.
func (e *editor) waitUntil(is func() bool) {
	e.t.Helper()
	limit := time.AfterFunc(time.Minute, e.changed.Broadcast)
	defer limit.Stop()
	began := time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	for !is() {
		if time.Since(began) > time.Minute {
			e.t.Fatal("it is never so")
		}
		e.changed.Wait()
	}
}

// resolved asks for the edit of a code action.
func (e *editor) resolved(x codeAction) (out codeAction, refused error) {
	e.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	refused = e.conn.Call(ctx, "codeAction/resolve", x, &out)
	return out, refused
}

// describeChanges writes an edit that creates files.
func describeChanges(e *workspaceEdit) string {
	var b strings.Builder
	for _, x := range e.DocumentChanges {
		data, _ := json.Marshal(x)
		var part struct {
			Kind, URI    string
			TextDocument struct{ URI string }
			Edits        []textEdit
		}
		json.Unmarshal(data, &part)
		if part.Kind != "" {
			fmt.Fprintf(&b, "%s %s\n", part.Kind, path.Base(part.URI))
		}
		for _, y := range part.Edits {
			fmt.Fprintf(&b, "%s: %q\n", path.Base(part.TextDocument.URI), y.NewText)
		}
	}
	return b.String()
}
