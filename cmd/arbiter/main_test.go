package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(keepingRules{m}, map[string]func(){"arbiter": main})
}

// keepingRules runs the tests with a folder of their own for what can be made again: whatever the user has in his stays as
// it is. Scripts have none, since most of their rules are built once, and keeping them would take longer than it saves.
type keepingRules struct{ *testing.M }

func (m keepingRules) Run() int {
	dir, err := os.MkdirTemp("", "arbiter-rules")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv(cacheVariable, dir)
	return m.M.Run()
}

// TestScripts runs the command line as a user does; each script of testdata/script covers one command.
//
// Besides the usual commands, scripts have
//
//	status N COMMAND...   runs the command and wants this exit status
//	json NAME...          wants standard output to be one JSON document that has these fields
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status,
			"json":   isJSON,
		},
	})
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func isJSON(ts *testscript.TestScript, neg bool, names []string) {
	d := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	var fields map[string]json.RawMessage
	if err := d.Decode(&fields); err != nil {
		ts.Fatalf("standard output is no JSON document: %v", err)
	}
	if d.More() {
		ts.Fatalf("standard output holds more than one document")
	}
	for _, name := range names {
		if _, ok := fields[name]; ok == neg {
			ts.Fatalf("field %s: there %v, want %v", name, ok, !neg)
		}
	}
}

// TestHelp wants each command to explain itself and to give examples.
func TestHelp(t *testing.T) {
	a := &app{out: &output{w: os.Stdout}, err: os.Stderr}
	commands := a.rootCommand().Commands()
	for i := 0; i < len(commands); i++ {
		c := commands[i]
		commands = append(commands, c.Commands()...)
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s: no help or no example", c.CommandPath())
		}
		for _, line := range strings.Split(c.Long, "\n") {
			if len(line) > 90 {
				t.Errorf("%s: a line of the help is too wide: %s", c.CommandPath(), line)
			}
		}
	}
}
