package langserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"arbiter/rules"
)

// frame is a message as it is sent.
func frame(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }

type stream struct {
	io.Reader
	io.Writer
}

func (stream) Close() error { return nil }

// Whatever comes between two requests, it is answered with an error that says what is wrong, and the second request is
// answered as if nothing had happened.
func TestBadFrames(t *testing.T) {
	const parse, invalid = -32700, -32600
	first := frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	last := frame(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + frame(`{"jsonrpc":"2.0","method":"exit"}`)
	for name, c := range map[string]struct {
		between string
		code    int
		message string
	}{
		"nothing":                   {"", 0, ""},
		"an empty line":             {"\r\n", 0, ""},
		"a content type":            {"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + frame(`{"jsonrpc":"2.0","method":"$/x"}`), 0, ""},
		"a header without CR":       {"Content-Length: 32\n\n" + `{"jsonrpc":"2.0","method":"$/x"}`, 0, ""},
		"text":                      {"hello\r\n", parse, "something before the header"},
		"text without a line end":   {"hello", parse, "something before the header"},
		"an unknown header":         {"X: y\r\n\r\n{}", parse, "something before the header"},
		"zeros":                     {strings.Repeat("\x00", 10_000), parse, "something before the header"},
		"a long line":               {strings.Repeat("x", 1<<20), parse, "something before the header"},
		"a negative length":         {"Content-Length: -1\r\n\r\n", parse, `cannot have the length "-1"`},
		"no number":                 {"Content-Length: many\r\n\r\n", parse, `cannot have the length "many"`},
		"no length":                 {"Content-Length:\r\n\r\n", parse, `cannot have the length ""`},
		"a length beyond numbers":   {"Content-Length: 99999999999999999999\r\n\r\n", parse, "cannot have the length"},
		"too long":                  {frame(strings.Repeat(" ", maxMessage+1)), parse, "at most 67108864 bytes, not 67108865"},
		"as long as possible":       {frame(strings.Repeat(" ", maxMessage-32) + `{"jsonrpc":"2.0","method":"$/x"}`), 0, ""},
		"an endless header":         {"Content-Length: 2\r\n" + strings.Repeat("X: y\r\n", 40) + "\r\n{}", parse, "at most 32 lines"},
		"an empty message":          {frame(""), parse, "not JSON"},
		"not JSON":                  {frame("{"), parse, "not JSON"},
		"two values":                {frame("{} {}"), parse, "not JSON"},
		"deep JSON":                 {frame(strings.Repeat("[", 100_000)), parse, "not JSON"},
		"not UTF-8":                 {frame("{\"jsonrpc\":\"2.0\",\"method\":\"a\xff\"}"), parse, "not UTF-8"},
		"a length that is short":    {"Content-Length: 10\r\n\r\n" + `{"jsonrpc":"2.0","method":"$/x"}`, parse, "not JSON"},
		"a number":                  {frame("1"), invalid, "neither a request nor an answer"},
		"a list":                    {frame("[]"), invalid, "neither a request nor an answer"},
		"null":                      {frame("null"), invalid, "neither a request nor an answer"},
		"an empty object":           {frame("{}"), invalid, "neither a request nor an answer"},
		"a method that is a list":   {frame(`{"jsonrpc":"2.0","id":7,"method":["x"]}`), invalid, "neither a request nor an answer"},
		"a number that is a list":   {frame(`{"jsonrpc":"2.0","id":[7],"method":"x"}`), invalid, "neither a request nor an answer"},
		"an answer nobody awaits":   {frame(`{"jsonrpc":"2.0","id":7,"result":1}`), 0, ""},
		"parameters of wrong kind":  {frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":[1]}`), -32602, "the parameters of this method have another form"},
		"a parameter of wrong kind": {frame(`{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{"textDocument":{"uri":1}}}`), -32602, "the parameter textDocument.uri of this method has another form"},
	} {
		var out bytes.Buffer
		err := Serve(context.Background(), stream{strings.NewReader(first + c.between + last), &out}, Options{Library: rules.FS, LibraryPrefix: "rules/", Log: t.Output()})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		answers, f := map[string]bool{}, newFrames(stream{&out, io.Discard})
		complained := false
		for {
			var m struct {
				ID     any
				Result *json.RawMessage
				Error  *struct {
					Code    int
					Message string
				}
			}
			if err := f.ReadObject(&m); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if m.Error == nil {
				answers[fmt.Sprint(m.ID)] = true
			} else if m.Error.Code == c.code && strings.Contains(m.Error.Message, c.message) {
				complained = true
			} else if !complained {
				t.Errorf("%s: %d %s", name, m.Error.Code, m.Error.Message)
			}
		}
		if !answers["1"] || !answers["2"] || complained != (c.code != 0) {
			t.Errorf("%s: %v answered, complained: %v", name, answers, complained)
		}
	}
}

// A stream that ends in the middle of a message ends the server, and a length that nothing follows takes no memory.
func TestFramesCutOff(t *testing.T) {
	whole := frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	for _, text := range []string{"", "C", whole[:10], whole[:25], whole[:len(whole)-1], "Content-Length: 60000000\r\n\r\n{"} {
		err := Serve(context.Background(), stream{strings.NewReader(text), io.Discard}, Options{Library: rules.FS, Log: t.Output()})
		if !errors.Is(err, errUnfinished) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// That a message is too long is said before the rest of it has come.
func TestTooLongIsSaidAtOnce(t *testing.T) {
	var out bytes.Buffer
	Serve(context.Background(), stream{strings.NewReader("Content-Length: 999999999999\r\n\r\n{"), &out}, Options{Library: rules.FS, Log: t.Output()})
	if !strings.Contains(out.String(), "a message has at most 67108864 bytes, not 999999999999") {
		t.Error(out.String())
	}
}
