package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const readme = "../../README.md"

var (
	fences   = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	ruleLine = regexp.MustCompile(`(rules/\S+\.rules):\d+`)
	fileName = regexp.MustCompile("`([a-z]+\\.rules)`")
)

// TestReadme does what the README tells a newcomer to do. Its blocks are
//
//	arbiter, text   a file of rules, called as the paragraph before it says; an arbiter block has no mistakes
//	console         commands after $, and what they print; a line ... stands for any lines
//
// With -update, what the commands print is put into the file; the lines before and after ... keep their number.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(filepath.Dir(readme))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "examples"), filepath.Join(dir, "examples")); err != nil {
		t.Skip(err)
	}
	shell := func(command string) string {
		c := exec.Command("sh", "-c", command)
		c.Dir = dir
		out, _ := c.CombinedOutput() // commands of the tour that show mistakes fail
		return string(out)
	}
	text := string(page)
	var b strings.Builder
	last := 0
	for _, at := range fences.FindAllStringSubmatchIndex(text, -1) {
		kind, body := text[at[2]:at[3]], text[at[4]:at[5]]
		switch kind {
		case "arbiter", "text":
			name := "example.rules"
			paragraph := text[:at[0]]
			if names := fileName.FindAllStringSubmatch(paragraph[max(0, strings.LastIndex(paragraph, "\n\n")-300):], -1); names != nil {
				name = names[len(names)-1][1]
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o666); err != nil {
				t.Fatal(err)
			}
			if out := shell("arbiter check " + name); kind == "arbiter" && out != "1 file, no mistakes\n" {
				t.Errorf("%s:\n%s", name, out)
			}
		case "console":
			got := console(t, body, shell)
			if masked(got) != masked(body) && !*update {
				t.Errorf("the README shows:\n%s\nand the commands say:\n%s", body, got)
			}
			b.WriteString(text[last:at[4]])
			b.WriteString(got)
			last = at[5]
		}
	}
	if *update {
		if err := os.WriteFile(readme, []byte(b.String()+text[last:]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// masked hides the line numbers of the rulesets: a rule that moves within its file does not spoil the page.
func masked(s string) string { return ruleLine.ReplaceAllString(s, "$1:N") }

// console carries out the commands of a block and gives the block as it should be.
func console(t *testing.T, body string, shell func(string) string) string {
	var out strings.Builder
	commands := strings.Split("\n"+body, "\n$ ")
	for _, command := range commands[1:] {
		line, shown, _ := strings.Cut(command, "\n")
		got := strings.TrimRight(shell(line), "\n")
		out.WriteString("$ " + line + "\n" + abridged(t, got, strings.Split(strings.TrimRight(shown, "\n"), "\n")) + "\n")
	}
	return out.String()
}

// abridged cuts an output as the page has cut it.
func abridged(t *testing.T, got string, shown []string) string {
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
