package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	houseRow  = regexp.MustCompile("(?m)^\\| (\\[.*\\)) \\|.*\\| (?:`run (.*)`|its tests) \\|$")
	houseLink = regexp.MustCompile(`\[([a-z0-9-]+)\]`)
)

// TestHouseRules: each house rule has a row on its page and tests that explain and report something, and the fight that
// its row names goes differently under it.
func TestHouseRules(t *testing.T) {
	const dir = "../../examples/house-rules/"
	page, err := os.ReadFile(dir + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{} // by the name of the rule, the fight
	for _, row := range houseRow.FindAllStringSubmatch(string(page), -1) {
		for _, link := range houseLink.FindAllStringSubmatch(row[1], -1) {
			shown[link[1]] = row[2]
		}
	}
	files, err := filepath.Glob(dir + "*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no house rules", err)
	}
	run := func(args string) string {
		c := exec.Command("sh", "-c", "arbiter run "+args)
		c.Dir = "../.."
		out, err := c.Output()
		if err != nil {
			t.Errorf("arbiter run %s: %v", args, err)
		}
		return string(out)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".rules")
		fight, ok := shown[name]
		if !ok {
			t.Errorf("%s has no row on the page", name)
		}
		tests, err := os.ReadFile(dir + name + ".tests")
		if err != nil {
			t.Error(err)
		}
		for _, word := range []string{"\n  explain ", "\n  transcript "} {
			if !strings.Contains(string(tests), word) {
				t.Errorf("no test of %s has a %s", name, strings.TrimSpace(word))
			}
		}
		delete(shown, name)
		if strings.HasSuffix(name, "-true20") {
			fight = "examples/duel/true20.encounter"
		}
		if fight != "" {
			if run(fight) == run(fight+" --with examples/house-rules/"+name+".rules") {
				t.Errorf("%s: %s is the same without it", name, fight)
			}
		}
	}
	for name := range shown {
		t.Errorf("the page names %s, which is not there", name)
	}
}
