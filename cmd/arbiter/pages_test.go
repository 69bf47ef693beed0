package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages whose blocks are executed, each in a folder of its own, along with the transcripts of testdata/sessions.
var pages = []string{"../../spec/numbers.md", "../../spec/json.md", "../../spec/debugging.md", "../../spec/adventures.md", "../../README.md", "../../spec/tour.md", "../../spec/starlark.md", "../../spec/session.md", "../../spec/import.md", "../../examples/house-rules/README.md", "../../examples/adventures/README.md", "../../examples/balance/README.md", "../../examples/balance/what-matters.md", "../../examples/balance/which-is-best.md", "../../examples/balance/what-to-do.md", "../../examples/balance/how-hard.md", "../../examples/balance/the-day.md"}

var (
	fences   = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	ruleLine = regexp.MustCompile(`(rules/\S+\.(?:rules|star)|\S+\.log):\d+`)
	fileName = regexp.MustCompile("`([a-z]+)\\.(?:rules|star|tests|adventure|encounter)`")
)

// TestPages does what the README tells a newcomer to do, and what other pages show. Their blocks are
//
//	arbiter, text   a file of rules, of tests, of an adventure or a fight, named as the text before it says; an arbiter block
//	                is in canonical form, and rules in it have no mistakes
//	starlark        a file of Starlark, named likewise
//	console         commands after $, and what they print; a line ... stands for any number of lines
//	session         a command after $, lines typed at its prompt, after > with or without a name before it or after ?,
//	                and the output of each; after an empty line, a line with > is output: a choice in a story
//
// With -update, the output of the commands is written into the file; the lines before and after ... keep their number.
func TestPages(t *testing.T) {
	sessions, err := filepath.Glob("testdata/sessions/*.md")
	if err != nil || len(sessions) < 12 {
		t.Fatal(err, len(sessions))
	}
	for _, page := range slices.Concat(pages, sessions) {
		t.Run(strings.TrimPrefix(page, "../../"), func(t *testing.T) { runPage(t, page) })
	}
}

func runPage(t *testing.T, name string) {
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if name, err = filepath.Abs(name); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Symlink(filepath.Join(root, "examples"), filepath.Join(dir, "examples")); err != nil {
		t.Skip(err)
	}
	shell := func(command string) string {
		c := exec.Command("sh", "-c", command)
		out, _ := c.CombinedOutput() // commands of the tour that show mistakes fail
		return string(out)
	}
	text := string(page)
	var b strings.Builder
	last := 0
	for _, at := range fences.FindAllStringSubmatchIndex(text, -1) {
		kind, body := text[at[2]:at[3]], text[at[4]:at[5]]
		switch kind {
		case "arbiter", "text", "starlark":
			file := blockFileName(text[:at[0]], kind, body)
			if err := os.WriteFile(filepath.Join(dir, file), []byte(body), 0o666); err != nil {
				t.Fatal(err)
			}
			if out := shell("arbiter fmt -l " + file); kind == "arbiter" && out != "" {
				t.Errorf("not in canonical form: %s", out)
			}
			if kind == "arbiter" && strings.HasSuffix(file, ".rules") {
				if out := shell("arbiter check " + file); out != "1 file, no mistakes\n" {
					t.Errorf("%s:\n%s", file, out)
				}
			}
		case "console", "session":
			got := ""
			if kind == "console" {
				got = consoleBlock(t, body, shell)
			} else {
				got = promptBlock(t, body, shell)
			}
			if maskLineNumbers(got) != maskLineNumbers(body) && !*update {
				t.Errorf("the page shows:\n%s\nand the commands say:\n%s", body, got)
			}
			b.WriteString(text[last:at[4]])
			b.WriteString(got)
			last = at[5]
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(b.String()+text[last:]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// blockFileName is the file name of a block: the last one in the text before it with the extension for its kind.
func blockFileName(before, kind, body string) string {
	name := "example"
	if names := fileName.FindAllStringSubmatch(before, -1); names != nil {
		name = names[len(names)-1][1]
	}
	switch {
	case kind == "starlark":
		return name + ".star"
	case strings.HasPrefix(body, "tests "):
		return name + ".tests"
	case strings.HasPrefix(body, "adventure "):
		return name + ".adventure"
	case strings.HasPrefix(body, "encounter "):
		return name + ".encounter"
	}
	return name + ".rules"
}

// maskLineNumbers hides the line numbers of rulesets and sessions: a rule that moves within its file does not
// invalidate the page.
func maskLineNumbers(s string) string { return ruleLine.ReplaceAllString(s, "$1:N") }

// inputLine is a line at a prompt, or the answer to a question, after a question mark.
var inputLine = regexp.MustCompile(`^(\S*> |\? )(.+)$`)

// turnLine is printed when somebody's turn begins, or has again begun after :undo.
var turnLine = regexp.MustCompile(`(?m)^(\S+)'s turn, `)

// promptNow corrects the name in a prompt of a page: input that is piped is not prompted for, so it is taken from the
// output.
func promptNow(prompt, output string) string {
	turns := turnLine.FindAllStringSubmatch(output, -1)
	if !strings.HasSuffix(prompt, "> ") || prompt == "> " || len(turns) == 0 {
		return prompt
	}
	return turns[len(turns)-1][1] + "> "
}

// promptBlock types the input of a block, line by line, and returns the block as it should be. What comes before the
// last command of a line is run by the shell, and the last one in this process, which sees how far the output is each
// time that it asks for a line.
func promptBlock(t *testing.T, body string, shell func(string) string) string {
	t.Helper()
	lines := strings.Split(strings.TrimRight(body, "\n"), "\n")
	command := strings.TrimPrefix(lines[0], "$ ")
	if before, last, ok := strings.Cut(command, " && "); ok {
		shell(before)
		command = last
	}
	var prompts []string
	in := &transcriber{}
	shown := [][]string{nil} // what the page shows before the first line and after each
	for i, line := range lines[1:] {
		m := inputLine.FindStringSubmatch(line)
		if m == nil || lines[i] == "" {
			shown[len(shown)-1] = append(shown[len(shown)-1], line)
			continue
		}
		prompts, in.lines, shown = append(prompts, m[1]), append(in.lines, m[2]), append(shown, nil)
	}
	replies := in.run(t, strings.Fields(command)[1:])
	b := lines[0] + "\n" + replies[0]
	printed := replies[0]
	for i, line := range in.lines {
		b += promptNow(prompts[i], printed) + line + "\n"
		printed += replies[i+1]
		if reply := abridge(t, strings.TrimRight(replies[i+1], "\n"), shown[i+1]); replies[i+1] != "" {
			b += reply + "\n"
		}
	}
	return b
}

// countOfMistakes is what a pipe says when it ends, and no prompt does.
var countOfMistakes = regexp.MustCompile(`(?m)^arbiter: \d+ commands? (was|were) refused or not understood\n`)

// A transcriber is a standard input that gives a line each time it is read, and notes what has been printed until then.
type transcriber struct {
	lines []string
	typed int
	out   *os.File // standard output and standard error
	ends  []int64  // length of the output at each read
}

// run executes a command line of arbiter and returns what it prints before the first line and after each.
func (p *transcriber) run(t *testing.T, args []string) []string {
	t.Helper()
	var err error
	if p.out, err = os.Create(filepath.Join(t.TempDir(), "output")); err != nil {
		t.Fatal(err)
	}
	defer p.out.Close()
	Main(args, p, p.out, p.out)
	text, err := os.ReadFile(p.out.Name())
	if err != nil {
		t.Fatal(err)
	}
	if len(p.ends) < len(p.lines)+1 {
		t.Fatalf("it ended after %d lines of %d, and printed:\n%s", p.typed, len(p.lines), text)
	}
	replies, start := make([]string, len(p.lines)+1), int64(0)
	for i := range p.lines {
		replies[i] = string(text[start:p.ends[i]])
		start = p.ends[i]
	}
	replies[len(p.lines)] = string(countOfMistakes.ReplaceAll(text[start:], nil))
	return replies
}

func (p *transcriber) Read(b []byte) (int, error) {
	end, err := p.out.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	p.ends = append(p.ends, end)
	if p.typed == len(p.lines) {
		return 0, io.EOF
	}
	p.typed++
	return copy(b, p.lines[p.typed-1]+"\n"), nil
}

// consoleBlock runs the commands of a block and returns the block as it should be.
func consoleBlock(t *testing.T, body string, shell func(string) string) string {
	var out strings.Builder
	commands := strings.Split("\n"+body, "\n$ ")
	for _, command := range commands[1:] {
		line, shown, _ := strings.Cut(command, "\n")
		got := strings.TrimRight(shell(line), "\n")
		out.WriteString("$ " + line + "\n" + abridge(t, got, strings.Split(strings.TrimRight(shown, "\n"), "\n")) + "\n")
	}
	return out.String()
}

// abridge shortens an output in the way the page does.
func abridge(t *testing.T, got string, shown []string) string {
	lines := strings.Split(got, "\n")
	cut := slices.Index(shown, "...")
	if cut < 0 {
		return got
	}
	tail := len(shown) - cut - 1
	if cut+tail > len(lines) {
		t.Errorf("only %d lines were printed:\n%s", len(lines), got)
		return got
	}
	return strings.Join(slices.Concat(lines[:cut], []string{"..."}, lines[len(lines)-tail:]), "\n")
}
