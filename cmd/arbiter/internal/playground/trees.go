package playground

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/load"
	"arbiter/rules"
)

// This file brings the trees of the built-in rulesets, which the program in the browser reads instead of parsing them. Each
// is marked with the program for which it was made. Whatever is wrong with one, the program parses the texts that it has.

// TreesSuffix ends the names of files with trees, which begin with that of the ruleset.
const TreesSuffix = ".trees.gz"

// treesFolder is where an export has them, beside the program.
const treesFolder = "trees"

// treesPath is the command that writes them.
const treesPath = "arbiter/cmd/arbiter/internal/playground/trees"

// Mark marks trees as made for a program.
func Mark(program string, trees []byte) []byte { return append([]byte(program+"\n"), trees...) }

// Marked returns trees that were made for a program; nil if they were made for another.
func Marked(program string, text []byte) []byte {
	trees, ok := bytes.CutPrefix(text, []byte(program+"\n"))
	if !ok || program == "" {
		return nil
	}
	return trees
}

// buildTrees makes the trees for the program in a file, by ruleset.
func buildTrees(ctx context.Context, goTool, program string) (map[string][]byte, error) {
	id, err := exec.CommandContext(ctx, goTool, "tool", "buildid", program).Output()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "arbiter-trees")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if out, err := exec.CommandContext(ctx, goTool, "run", "-trimpath", treesPath, strings.TrimSpace(string(id)), folder).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the rulesets could not be made ready for browsers: %w\n%s", err, out)
	}
	return readTrees(folder)
}

// readTrees reads the trees in a folder, by ruleset. A folder that is not there has none.
func readTrees(folder string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*"+TreesSuffix))
	if err != nil {
		return nil, err
	}
	trees := map[string][]byte{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(filepath.Base(p), ".")
		trees[name] = text
	}
	return trees, nil
}

// kept says where a page finds the trees of a ruleset: see orders.ts.
type kept struct {
	File string   `json:"file"`
	With []string `json:"with,omitempty"` // the rulesets whose trees are needed then, too
}

// exportTrees names the files of trees by what they contain, so that a browser never has those of another program.
func exportTrees(trees map[string][]byte) (where map[string]kept, files map[string][]byte) {
	where, files = map[string]kept{}, map[string][]byte{}
	l := &load.Loader{Places: []load.Place{{FS: rules.FS, Prefix: "rules", Fixed: true}}}
	for name, text := range trees {
		file := fmt.Sprintf("%s/%s.%.4x%s", treesFolder, name, sha256.Sum256(text), TreesSuffix)
		k := kept{File: file}
		above, _ := l.Load(name)
		for _, r := range above {
			if r.Name != name {
				k.With = append(k.With, r.Name)
			}
		}
		where[name], files[file] = k, text
	}
	return where, files
}

// removeOldTrees removes the trees that an earlier export has left in a folder.
func removeOldTrees(folder string, files map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(folder, treesFolder, "*"+TreesSuffix))
	if err != nil {
		return err
	}
	for _, p := range slices.Sorted(slices.Values(old)) {
		if _, written := files[treesFolder+"/"+filepath.Base(p)]; written {
			continue
		}
		if err := os.Remove(p); err != nil {
			return err
		}
	}
	return nil
}
