package editors

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// pipes is the standard input and output of a server.
type pipes struct {
	in  interface{ Write([]byte) (int, error) }
	out interface{ Read([]byte) (int, error) }
}

func (p pipes) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p pipes) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (pipes) Close() error                  { return nil }

// classesOfServer asks the server for the class of each token of a script, by offset.
func classesOfServer(t *testing.T, list []string) []map[int]string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, path, "lsp")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	ignore := jsonrpc2.HandlerWithError(func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil })
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(pipes{in, out}, jsonrpc2.VSCodeObjectCodec{}), ignore)
	defer conn.Close()
	call := func(method string, params, answer any) {
		if err := conn.Call(ctx, method, params, answer); err != nil {
			t.Fatal(method, err)
		}
	}
	var hello struct {
		Capabilities struct {
			SemanticTokensProvider struct{ Legend struct{ TokenTypes []string } }
		}
	}
	call("initialize", json.RawMessage(`{"capabilities":{"general":{"positionEncodings":["utf-8"]}}}`), &hello)
	var all []map[int]string
	for _, file := range list {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		abs, _ := filepath.Abs(file)
		document := map[string]any{"uri": "file://" + abs, "version": 1, "text": string(text)}
		if err := conn.Notify(ctx, "textDocument/didOpen", map[string]any{"textDocument": document}); err != nil {
			t.Fatal(err)
		}
		var answer struct{ Data []int }
		call("textDocument/semanticTokens/full", map[string]any{"textDocument": document}, &answer)
		begins := []int{0}
		for i, c := range text {
			if c == '\n' {
				begins = append(begins, i+1)
			}
		}
		classes := map[int]string{}
		line, column := 0, 0
		for i := 0; i < len(answer.Data); i += 5 {
			if answer.Data[i] > 0 {
				line, column = line+answer.Data[i], 0
			}
			column += answer.Data[i+1]
			classes[begins[line]+column] = hello.Capabilities.SemanticTokensProvider.Legend.TokenTypes[answer.Data[i+3]]
		}
		all = append(all, classes)
	}
	call("shutdown", nil, nil)
	conn.Notify(ctx, "exit", nil)
	return all
}

// TestTreeSitterClasses compares the highlights of the tree-sitter grammar with the server's semantic tokens. Which
// words are words of the language depends on what is declared, which a grammar cannot know: it may err there.
func TestTreeSitterClasses(t *testing.T) {
	neovim(t)
	var list []string
	for _, s := range compared {
		list = append(list, filepath.Join("../../../..", s))
	}
	server := classesOfServer(t, list)
	of, not, wrong := map[string]int{}, map[string]int{}, map[string][]string{}
	for i, r := range readAll(t, list, "ARBITER_CAPTURES=1") {
		of["folds"] += r.Folds
		if len(r.Outline) == 0 {
			t.Errorf("%s has no outline", r.Path)
		}
		text, err := os.ReadFile(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		mine := map[int]string{}
		for _, x := range r.Captures {
			mine[int(x[0].(float64))] = x[1].(string)
		}
		for at, class := range server[i] {
			got := mine[at]
			if got == "" && (class == "string" || class == "comment" || class == "number") {
				continue // a further line of a text; the 04 of a citation is part of it
			}
			of[class]++
			fits := false
			switch class {
			case "comment", "string", "number":
				fits = got == class
			case "keyword":
				fits = strings.HasPrefix(got, "keyword") || got == "constant.builtin"
			default:
				fits = got != "comment" && got != "string" && got != "number"
			}
			if !fits {
				not[class]++
				end := min(len(text), at+20)
				wrong[class] = append(wrong[class], filepath.Base(r.Path)+": "+strings.ReplaceAll(string(text[at:end]), "\n", " ")+": "+got)
			}
		}
	}
	for class, n := range of {
		if most := map[string]int{"keyword": 2}[class]; 100*not[class] > most*n {
			t.Errorf("%d of %d tokens of class %s differ:\n%s", not[class], n, class, strings.Join(wrong[class][:min(15, len(wrong[class]))], "\n"))
		}
	}
	if of["keyword"] < 300 || of["number"] < 50 || of["comment"] < 10 || of["string"] < 20 || of["folds"] < 20 {
		t.Errorf("compared are %v", of)
	}
}
