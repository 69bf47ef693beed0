package spec

import (
	"cmp"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var updatePicture = flag.Bool("update-picture", false, "draw spec/architecture.svg anew")

// importsOf returns the packages of the project, each with those of the project that it imports outside tests.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	packages := map[string][]string{}
	for _, root := range []string{"cmd", "lang", "interp", "stdlib", "rules", "spec"} {
		err := filepath.WalkDir("../"+root, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata"):
				return fs.SkipDir
			case filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			name := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
			list := packages[name]
			for _, x := range f.Imports {
				if p, err := strconv.Unquote(x.Path.Value); err == nil && strings.HasPrefix(p, "arbiter/") {
					list = append(list, strings.TrimPrefix(p, "arbiter/"))
				}
			}
			slices.Sort(list)
			packages[name] = slices.Compact(list)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return packages
}

// TestArchitecture checks the page about the architecture: every package has a row, no import points up the table of
// packages to another layer, and every path and test that is named exists.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	packages := importsOf(t)
	_, table, _ := strings.Cut(page, "## The packages")
	table, _, _ = strings.Cut(table, "## Where")
	row := map[string]int{}
	for i, m := range regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(table, -1) {
		row[m[1]] = i
		if _, exists := packages[m[1]]; !exists {
			t.Errorf("there is no package %s", m[1])
		}
	}
	for p, imports := range packages {
		at, known := row[p]
		if !known {
			t.Errorf("the package %s has no row", p)
			continue
		}
		for _, q := range imports {
			if row[q] < at {
				t.Errorf("%s imports %s, which stands above it", p, q)
			}
			// The language and the standard library know nothing of each other.
			if from, _, _ := strings.Cut(p, "/"); from == "lang" && strings.HasPrefix(q, "stdlib/") || from == "stdlib" && strings.HasPrefix(q, "lang/") {
				t.Errorf("%s imports %s: neither lang nor stdlib may import the other", p, q)
			}
		}
	}
	guide, err := os.ReadFile("contributing.md")
	if err != nil {
		t.Fatal(err)
	}
	checkContributing(t, string(guide))
	for _, m := range regexp.MustCompile("`((?:cmd|lang|interp|stdlib|rules|spec)/[^` ]*)`").FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat("../" + m[1]); err != nil {
			t.Errorf("there is no %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("(`Test\\w+`(?:, `Test\\w+`)*) in `([\\w/]+)`").FindAllStringSubmatch(page, -1) {
		var tests strings.Builder
		files, _ := filepath.Glob("../" + m[2] + "/*_test.go")
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(src)
		}
		for _, name := range strings.Split(m[1], ", ") {
			if !strings.Contains(tests.String(), "func "+strings.Trim(name, "`")+"(") {
				t.Errorf("there is no %s in %s", name, m[2])
			}
		}
	}
	picture := draw(packages)
	if *updatePicture {
		if err := os.WriteFile("architecture.svg", []byte(picture), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile("architecture.svg"); err != nil || string(have) != picture {
		t.Error("the imports have changed: -update-picture draws them anew")
	}
}

// checkContributing checks that the packages, tests and flags that the commands of a page name exist.
func checkContributing(t *testing.T, page string) {
	t.Helper()
	commands := regexp.MustCompile("go test \\./([\\w/]+)([^`]*)`").FindAllStringSubmatch(page, -1)
	if len(commands) < 8 {
		t.Errorf("contributing.md has only %d commands that test", len(commands))
	}
	for _, m := range commands {
		files, _ := filepath.Glob("../" + m[1] + "/*_test.go")
		var tests strings.Builder
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(src)
		}
		for _, word := range regexp.MustCompile(`(?:Test|Fuzz)\w+`).FindAllString(m[2], -1) {
			if !strings.Contains(tests.String(), "func "+word+"(") {
				t.Errorf("contributing.md: there is no %s in %s", word, m[1])
			}
		}
		for _, word := range regexp.MustCompile(` -([\w-]+)`).FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains([]string{"run", "fuzz", "fuzztime", "fuzzminimizetime", "bench", "cpuprofile"}, word[1]) && !strings.Contains(tests.String(), `"`+word[1]+`"`) {
				t.Errorf("contributing.md: no test of %s has a flag -%s", m[1], word[1])
			}
		}
	}
	for _, m := range regexp.MustCompile("`((?:cmd|lang|interp|stdlib|rules|spec|\\.ci)/[^` ]*)").FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat("../" + m[1]); err != nil {
			t.Errorf("contributing.md: there is no %s", m[1])
		}
	}
}

// Sizes of the picture, in its units.
const (
	boxHeight, rowHeight, gap, charWidth = 26, 62, 14, 7.3
	pictureWidth                         = 1180
)

// box is a package in the picture.
type box struct {
	name    string
	x, y, w float64
}

// draw draws packages in layers, each in a higher one than those that it imports. An arrow that a way over others says
// already is left out.
func draw(packages map[string][]string) string {
	layer := map[string]int{}
	var layerOf func(p string) int
	layerOf = func(p string) int {
		if n, known := layer[p]; known {
			return n
		}
		n := 0
		for _, q := range packages[p] {
			n = max(n, layerOf(q)+1)
		}
		layer[p] = n
		return n
	}
	var layers [][]string
	for _, p := range slices.Sorted(maps.Keys(packages)) {
		if n := layerOf(p); len(packages[p]) > 0 || isImported(packages, p) {
			for len(layers) <= n {
				layers = append(layers, nil)
			}
			layers[n] = append(layers[n], p)
		}
	}
	boxes, height := place(layers, packages)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" font-family="system-ui, sans-serif" font-size="12">`+"\n", pictureWidth, height)
	b.WriteString("<style>\n.bg { fill: #fff } .edge { stroke: #8a94a3; fill: none; opacity: .55 } text { fill: #17202c; text-anchor: middle }\n" +
		".cmd { fill: #fde8d7 } .interp { fill: #dbe8fb } .lang { fill: #e3f3dc } .stdlib { fill: #f1e6fa } .other { fill: #eceff2 } rect { stroke: #8a94a3 }\n" +
		"@media (prefers-color-scheme: dark) { .bg { fill: #14181d } text { fill: #e8ecf1 } .cmd { fill: #59391e } .interp { fill: #1f3a5f } .lang { fill: #274a1d } .stdlib { fill: #452a5c } .other { fill: #333a42 } }\n</style>\n")
	fmt.Fprintf(&b, `<rect class="bg" width="%d" height="%.0f" stroke="none"/>`+"\n", pictureWidth, height)
	for _, p := range slices.Sorted(maps.Keys(boxes)) {
		for _, q := range packages[p] {
			if !reachesOtherwise(packages, p, q) {
				from, to := boxes[p], boxes[q]
				fmt.Fprintf(&b, `<path class="edge" d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f"/>`+"\n", from.x, from.y+boxHeight, from.x, from.y+boxHeight+24, to.x, to.y-24, to.x, to.y)
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(boxes)) {
		x := boxes[p]
		kind, _, _ := strings.Cut(p, "/")
		if !slices.Contains([]string{"cmd", "interp", "lang", "stdlib"}, kind) {
			kind = "other"
		}
		fmt.Fprintf(&b, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="5"/><text x="%.1f" y="%.1f">%s</text>`+"\n", kind, x.x-x.w/2, x.y, x.w, boxHeight, x.x, x.y+17, html.EscapeString(x.name))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func isImported(packages map[string][]string, p string) bool {
	for _, imports := range packages {
		if slices.Contains(imports, p) {
			return true
		}
	}
	return false
}

// reachesOtherwise reports whether a package reaches one that it imports over another one, too.
func reachesOtherwise(packages map[string][]string, p, q string) bool {
	seen := map[string]bool{}
	var reaches func(at string) bool
	reaches = func(at string) bool {
		if seen[at] {
			return false
		}
		seen[at] = true
		for _, next := range packages[at] {
			if next == q || reaches(next) {
				return true
			}
		}
		return false
	}
	for _, next := range packages[p] {
		if next != q && reaches(next) {
			return true
		}
	}
	return false
}

// place gives each package its place: layers from the top, a layer that is too wide in several rows, and in a row each
// package near those that import it.
func place(layers [][]string, packages map[string][]string) (boxes map[string]*box, height float64) {
	boxes = map[string]*box{}
	y := 16.0
	for n := len(layers) - 1; n >= 0; n-- {
		wanted := func(p string) float64 {
			sum, count := 0.0, 0
			for _, q := range slices.Sorted(maps.Keys(packages)) { // the last digits of a sum depend on its order
				if x := boxes[q]; x != nil && slices.Contains(packages[q], p) {
					sum, count = sum+x.x, count+1
				}
			}
			if count == 0 {
				return pictureWidth / 2
			}
			return sum / float64(count)
		}
		list := slices.Clone(layers[n])
		at := map[string]float64{}
		for _, p := range list {
			at[p] = wanted(p)
		}
		slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(at[a], at[b]), cmp.Compare(a, b)) })
		for len(list) > 0 {
			width, k := 0.0, 0
			for k < len(list) && width+boxWidth(list[k])+gap <= pictureWidth-2*gap {
				width += boxWidth(list[k]) + gap
				k++
			}
			x := (pictureWidth - width + gap) / 2
			for _, p := range list[:k] {
				w := boxWidth(p)
				boxes[p] = &box{shortName(p), x + w/2, y, w}
				x += w + gap
			}
			list, y = list[k:], y+rowHeight
		}
	}
	return boxes, y - rowHeight + boxHeight + 16
}

func boxWidth(p string) float64 { return float64(len(shortName(p)))*charWidth + 18 }

// shortName is how a package is called in the picture.
func shortName(p string) string {
	if strings.Contains(p, "/internal/") {
		return path.Base(p)
	}
	return p
}
