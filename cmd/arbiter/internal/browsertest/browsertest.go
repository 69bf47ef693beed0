// Package browsertest tries pages out in a browser, in tests: it opens them, presses keys, asks what they say, and checks
// that everybody can use them.
//
// With ARBITER_BROWSER=required, a test fails where there is no Chromium; otherwise it is skipped. With
// ARBITER_SCREENSHOTS=FOLDER, pictures are left there. The package must never know what a page shows.
package browsertest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Patience is how long something may take on a busy machine.
const Patience = 60 * time.Second

// browser is one for all tests of a process.
var browser struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

// Main runs the tests of a package and closes the browser, if there is one.
func Main(m *testing.M) {
	status := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(status)
}

// programsOnce lets programs in pages run much longer before they are compiled a second time, for speed: most tests are
// over before that pays.
var programsOnce = chromedp.Flag("js-flags", "--wasm-tiering-budget=300000000")

// AsReadersHaveIt lets the browser compile programs in pages as it does for readers. It is for measurements, and must be
// set before the first page is opened.
var AsReadersHaveIt = false

func start() {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		browser.err = errors.New("there is no Chromium")
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)
	if !AsReadersHaveIt {
		options = append(options, programsOnce)
	}
	ctx, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	browser.ctx, browser.stop = ctx, func() { stopBrowser(); stopAllocator() }
	browser.err = chromedp.Do(ctx)
}

// missing ends a test for want of something, or skips it.
func missing(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("ARBITER_BROWSER") == "required" {
		t.Fatal(err)
	}
	t.Skipf("the page is not tried out: %s", err)
}

// Page is a page in a tab of the browser.
type Page struct {
	T   *testing.T
	Ctx context.Context
}

// Open opens an address in a window of a size. What the page complains of on the console fails the test, of which a
// picture is left at its end.
func Open(t *testing.T, address string, width, height int64) *Page {
	t.Helper()
	browser.once.Do(start)
	if browser.err != nil {
		missing(t, browser.err)
	}
	ctx, stop := chromedp.NewContext(browser.ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil { // the tab lasts as long as this context
		t.Fatal(err)
	}
	p := &Page{t, ctx}
	p.Resize(width, height)
	p.acceptDialogs()
	p.collectComplaints()
	p.Do(chromedp.Navigate(address))
	return p
}

// acceptDialogs lets the page be left although something is unsaved.
func (p *Page) acceptDialogs() {
	p.T.Helper()
	err := chromedp.Listen(p.Ctx, func(e any) {
		if _, asks := e.(*pages.EventJavascriptDialogOpening); asks {
			go func() {
				_, _ = chromedp.Call(p.Ctx, pages.HandleJavaScriptDialog, pages.HandleJavaScriptDialogParams{Accept: true}) // the page may be gone
			}()
		}
	})
	if err != nil {
		p.T.Fatal(err)
	}
}

func (p *Page) collectComplaints() {
	var mu sync.Mutex
	var complaints []string
	messages := chromedp.Console(p.Ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			// A connection that is refused while the program is away is no fault of the page, nor that the browser does
			// not ask a program whether it may leave.
			text := m.String()
			if (m.IsException() || m.Type == "error") && !strings.Contains(text, "WebSocket connection") && !strings.Contains(text, "beforeunload") {
				mu.Lock()
				complaints = append(complaints, text)
				mu.Unlock()
			}
		}
	}()
	p.T.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range complaints {
			p.T.Errorf("the page complains: %s", c)
		}
		p.Picture(strings.ReplaceAll(p.T.Name(), "/", "-"))
	})
}

// Do carries out actions of the browser.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.T.Helper()
	ctx, stop := context.WithTimeout(p.Ctx, Patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.T.Fatal(err)
	}
}

// page makes what embeds a page one.
func (p *Page) page() *Page { return p }

// Eval evaluates an expression, of which promises are awaited. on is a page, or embeds one.
func Eval[T any](on interface{ page() *Page }, js string) T {
	p := on.page()
	p.T.Helper()
	ctx, stop := context.WithTimeout(p.Ctx, Patience)
	defer stop()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.T.Fatalf("%.300s: %v", js, err)
	}
	return v
}

// Until waits until an expression is true.
func (p *Page) Until(what, js string) {
	p.T.Helper()
	for began := time.Now(); time.Since(began) < Patience; time.Sleep(40 * time.Millisecond) {
		if Eval[bool](p, "!!("+js+")") {
			return
		}
	}
	p.T.Fatalf("it never came: %s\nthe page says:\n%.2000s", what, Eval[string](p, "document.body.innerText"))
}

// Press presses keys.
func (p *Page) Press(keys string, with ...kb.Modifier) {
	p.T.Helper()
	p.Do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(with...)))
}

// Resize gives the window a size.
func (p *Page) Resize(width, height int64) {
	p.T.Helper()
	p.Do(chromedp.EmulateViewport(width, height))
}

// Prefer sets the color scheme that the reader prefers: light or dark.
func (p *Page) Prefer(scheme string) {
	p.T.Helper()
	if _, err := chromedp.Call(p.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
		p.T.Fatal(err)
	}
}

// Picture leaves a picture of the page, if pictures are wanted.
func (p *Page) Picture(name string) {
	dir := os.Getenv("ARBITER_SCREENSHOTS")
	if dir == "" {
		return
	}
	ctx, stop := context.WithTimeout(p.Ctx, Patience)
	defer stop()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666)
	}
	if err != nil {
		p.T.Log(err)
	}
}

// checker is axe-core, which checks the accessibility of pages: npm has installed it beside the sources of the studio,
// whose folder stands beside those of all packages with pages.
var checker = sync.OnceValues(func() ([]byte, error) { return os.ReadFile("../studio/web/node_modules/axe-core/axe.min.js") })

// NeedsAxe skips a test where axe-core is not installed, or fails it.
func NeedsAxe(t *testing.T) {
	t.Helper()
	if _, err := checker(); err != nil {
		missing(t, errors.New("axe-core is not installed: `npm ci` in cmd/arbiter/internal/studio/web installs it"))
	}
}

// Accessible checks that the page, as it is now, has no serious fault of accessibility. See NeedsAxe.
func (p *Page) Accessible(what string) {
	p.T.Helper()
	axe, err := checker()
	if err != nil {
		p.T.Fatal(err)
	}
	Eval[bool](p, "(() => { if (window.axe) return true; "+string(axe)+"; return true })()")
	found := Eval[string](p, `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical")
		.map(v => v.id + ": " + v.help + "\n" + v.nodes.slice(0, 4).map(n => "    " + n.html.slice(0, 160) + " " + n.any.map(a => a.message).join("; ").slice(0, 200)).join("\n")).join("\n"))`)
	if found != "" {
		p.T.Errorf("%s:\n%s", what, found)
	}
}
