package studio

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"arbiter/cmd/arbiter/internal/browsertest"
	"arbiter/cmd/arbiter/internal/playground"
	"arbiter/interp/load"
	"arbiter/rules"
)

// browserProgram is the program for browsers, built once for all tests.
var browserProgram = sync.OnceValues(func() (*playground.Program, error) { return playground.Build(context.Background()) })

// exported serves a folder with these files as any web server would: the program runs in the browser.
func exported(t *testing.T, files map[string]string, file string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the program for browsers takes a minute to build")
	}
	if _, err := exec.LookPath("chromium"); err != nil && os.Getenv("ARBITER_BROWSER") != "required" {
		t.Skip("there is no Chromium: the program for browsers is not built")
	}
	p, err := browserProgram()
	if err != nil {
		t.Fatal(err)
	}
	return exportedProgram(t, p, files, file)
}

// exportedProgram is exported for another program.
func exportedProgram(t *testing.T, p *playground.Program, files map[string]string, file string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	o := testOptions("/work", "")
	if _, err := playground.Export(dir, playground.Config{Folder: "/work", Cache: "/library", File: file, LibraryPrefix: o.LibraryPrefix, Version: o.Version, Language: o.Language, PauseMillis: 20}, files, p); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// Without a server, the page does what it does with one: it mends a mistake, looks names up, leads the duel to its end,
// weighs a change. What was saved is there when the page is loaded again.
func TestExportedPage(t *testing.T) {
	address := exported(t, studioFiles(t), "duel.encounter")
	b := openTab(t, address)
	b.shows(".cm-content", "longsword")
	b.Picture("exported-first")
	b.mendsTheDuel(func() {})
	b.click(".tab button", "duel.encounter")
	b.leadsTheDuel()

	b.opens("strong.rules")
	b.click(".switch button", "Watch")
	b.chooses("select[aria-label=Fight]", "yard.encounter")
	b.selectText("4 \"The bonus", "9 \"The bonus")
	b.weighs()
	b.reckons("Alia: attack Post")
	b.Picture("exported")

	b.click(".tab button", "strong.rules")
	b.selectInText("9 \"The bonus")
	b.Press("s", kb.ModifierCtrl)
	b.Until("that it is saved", "!document.querySelector('.tab[data-active=true]').innerText.includes('●')")
	browsertest.Eval[bool](b, "(window.onbeforeunload = null, sessionStorage.clear(), true)")
	b.reload()
	b.open("strong.rules") // while the page still opens again what was open
	b.shows(".cm-content", "9 \"The bonus")
	b.shows(".problems", "no mistakes")
	b.Until("each file open once", "(names => names.length >= 3 && names.length === new Set(names).size)([...document.querySelectorAll('.tab')].map(t => t.innerText))")
	b.shows(".cm-content", "9 \"The bonus")
}

// The program takes the rulesets from the trees that stand beside it: here, one of them has an option that its text has
// not. Trees for another program are left alone.
func TestExportedPageTakesTrees(t *testing.T) {
	exported(t, nil, "") // skips where it cannot be built
	whole, err := browserProgram()
	if err != nil {
		t.Fatal(err)
	}
	packed, err := gzip.NewReader(bytes.NewReader(whole.Trees["d20"]))
	if err != nil {
		t.Fatal(err)
	}
	marked, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	program, _, _ := strings.Cut(string(marked), "\n")
	other := fstest.MapFS{}
	names, err := fs.Glob(rules.FS, "d20/*.rules")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		text, err := fs.ReadFile(rules.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			text = append(text, "\noption only-in-the-trees = 3\n"...)
		}
		other[name] = &fstest.MapFile{Data: text}
	}
	trees, err := load.PackTrees(load.Place{FS: other, Prefix: "rules", Fixed: true}, "d20")
	if err != nil {
		t.Fatal(err)
	}
	house := map[string]string{"house.rules": "ruleset house extends d20\n\noverride only-in-the-trees = 4\n"}
	for of, says := range map[string]string{program: "no mistakes", "another": "1 mistake"} {
		changed := *whole
		text, err := playground.Pack(playground.Mark(of, trees))
		if err != nil {
			t.Fatal(err)
		}
		changed.Trees = map[string][]byte{"d20": text}
		b := openTab(t, exportedProgram(t, &changed, house, "house.rules"))
		b.shows(".problems", says)
	}
}

// A link carries a script: whoever opens it sees it, and it reaches no server.
func TestExportedPageOpensLinks(t *testing.T) {
	address := exported(t, studioFiles(t), "yard.encounter")
	b := openTab(t, address)
	b.opens("duel.encounter")
	b.selectText("lifts the axe", "raises the axe")
	browsertest.Eval[bool](b, "(navigator.clipboard.writeText = async t => { window.copied = t }, true)")
	b.click(".status button", "Copy link")
	b.Until("the link", "window.copied")
	link := browsertest.Eval[string](b, "window.copied")
	if !strings.HasPrefix(link, address+"#script=") {
		t.Fatal(link)
	}
	other := openTab(t, link)
	other.shows(".cm-content", "raises the axe")
	other.shows(".problems", "no mistakes")
	b.Do(chromedp.Navigate(address + "#script=nonsense"))
	b.reload()
	b.shows(".tree", "yard.encounter")
}
