package studio

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	pages "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// This file drives the page in a browser, as a person would: it clicks what can be seen and presses keys.
//
// With ARBITER_BROWSER=required, the tests fail where there is no Chromium; otherwise they are skipped. With
// ARBITER_SCREENSHOTS=FOLDER, they leave pictures there.

// patience is how long something may take on a busy machine.
const patience = 45 * time.Second

var browser struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	status := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(status)
}

// tab is a page in the browser.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// openTab opens an address.
func openTab(t *testing.T, address string) *tab {
	t.Helper()
	browser.once.Do(startBrowser)
	if browser.err != nil {
		if os.Getenv("ARBITER_BROWSER") == "required" {
			t.Fatal(browser.err)
		}
		t.Skipf("the page is not tried out: %s", browser.err)
	}
	ctx, stop := chromedp.NewContext(browser.ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil { // opened with a context that lasts
		t.Fatal(err)
	}
	b := &tab{t, ctx}
	b.do(chromedp.EmulateViewport(1440, 900))
	if err := acceptDialogs(ctx); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var complaints []string
	messages := chromedp.Console(ctx)
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
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range complaints {
			t.Errorf("the page complains: %s", c)
		}
		if t.Failed() {
			b.picture("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
		}
	})
	b.do(chromedp.Navigate(address))
	return b
}

func startBrowser() {
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		browser.err = fmt.Errorf("there is no Chromium")
		return
	}
	ctx, stopAllocator := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU)...)
	ctx, stopBrowser := chromedp.NewContext(ctx)
	browser.ctx, browser.stop = ctx, func() { stopBrowser(); stopAllocator() }
	browser.err = chromedp.Do(ctx)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval evaluates an expression, of which promises are awaited.
func eval[T any](b *tab, js string) T {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// until waits until an expression is true.
func (b *tab) until(what, js string) {
	b.t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(40 * time.Millisecond) {
		if eval[bool](b, "!!("+js+")") {
			return
		}
	}
	b.t.Fatalf("it never came: %s\nthe page says:\n%.600s", what, eval[string](b, "document.body.innerText"))
}

// shows waits until a text can be read in an element.
func (b *tab) shows(selector, text string) {
	b.t.Helper()
	b.until(selector+" with "+text, fmt.Sprintf("[...document.querySelectorAll(%q)].some(e => e.checkVisibility() && e.innerText.includes(%q))", selector, text))
}

// click clicks the first element that can be seen and whose text begins so.
func (b *tab) click(selector, text string) {
	b.t.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll(%q)].find(e => e.checkVisibility() && !e.disabled && (e.innerText ?? '').trim().startsWith(%q))", selector, text)
	b.until("to click "+selector+" "+text, find)
	at := eval[[]float64](b, "(() => { const e = "+find+"; e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()")
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// press presses keys.
func (b *tab) press(keys string, with ...kb.Modifier) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(with...)))
}

// insert types a text where the cursor is.
func (b *tab) insert(text string) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		b.t.Fatal(err)
	}
}

// selectInText selects a text in the editor, and returns where it is on the screen.
func (b *tab) selectInText(text string) (x, y float64) {
	b.t.Helper()
	find := fmt.Sprintf(`(() => {
		for (const line of document.querySelectorAll(".cm-content > .cm-line")) {
			const from = line.textContent.indexOf(%q);
			if (from < 0) continue;
			const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
			const ends = [], wanted = [from, from + %d];
			for (let n, at = 0; n = walk.nextNode(); at += n.data.length)
				while (ends.length < 2 && wanted[ends.length] <= at + n.data.length && (ends.length || wanted[0] < at + n.data.length)) ends.push([n, wanted[ends.length] - at]);
			const range = document.createRange();
			range.setStart(...ends[0]); range.setEnd(...ends[1]);
			line.parentElement.focus();
			getSelection().setBaseAndExtent(...ends[0], ...ends[1]);
			const r = range.getBoundingClientRect();
			return [r.x + Math.min(r.width / 2, 10), r.y + Math.min(r.height / 2, 8)];
		}
		return null;
	})()`, text, len(text))
	b.until("the text "+text, find)
	at := eval[[]float64](b, find)
	time.Sleep(80 * time.Millisecond) // the editor reads the selection of the page
	return at[0], at[1]
}

// open opens a file of the folder.
func (b *tab) open(name string) {
	b.t.Helper()
	b.click(".tree .file", name)
	b.until(name+" in the editor", fmt.Sprintf("document.querySelector('.tab[data-active=true]')?.innerText.includes(%q) && document.querySelector('.cm-content')", name))
}

// picture leaves a picture of the page.
func (b *tab) picture(name string) {
	dir := os.Getenv("ARBITER_SCREENSHOTS")
	if dir == "" {
		return
	}
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666)
	}
	if err != nil {
		b.t.Log(err)
	}
}

// enter, tabulator and escape are keys.
const (
	enter  = kb.Enter
	escape = kb.Escape
	tabKey = kb.Tab
)

// selectText replaces a text in the editor.
func (b *tab) selectText(was, now string) {
	b.t.Helper()
	b.selectInText(was)
	b.insert(now)
}

// reload loads the page again, and navigate another one; what is unsaved is kept.
func (b *tab) reload()                 { b.t.Helper(); b.do(chromedp.Reload()) }
func (b *tab) navigate(address string) { b.t.Helper(); b.do(chromedp.Navigate(address)) }

// withKeys are keys that are held while the mouse is clicked.
func withKeys(keys kb.Modifier) chromedp.MouseOption {
	return func(p *input.DispatchMouseEventParams) { p.Modifiers = int64(keys) }
}

// acceptDialogs lets the page be left although something is unsaved.
func acceptDialogs(ctx context.Context) error {
	return chromedp.Listen(ctx, func(e any) {
		if _, asks := e.(*pages.EventJavascriptDialogOpening); asks {
			go func() {
				_, _ = chromedp.Call(ctx, pages.HandleJavaScriptDialog, pages.HandleJavaScriptDialogParams{Accept: true}) // the page may be gone
			}()
		}
	})
}
