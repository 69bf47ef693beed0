package studio

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"arbiter/cmd/arbiter/internal/browsertest"
)

// This file drives the page in a browser, as a person would: it clicks what can be seen and presses keys.

func TestMain(m *testing.M) { browsertest.Main(m) }

// tab is the studio's page in a browser.
type tab struct{ *browsertest.Page }

// openTab opens an address.
func openTab(t *testing.T, address string) *tab {
	t.Helper()
	return &tab{browsertest.Open(t, address, 1440, 900)}
}

// shows waits until a text can be read in an element.
func (b *tab) shows(selector, text string) {
	b.T.Helper()
	b.Until(selector+" with "+text, fmt.Sprintf("[...document.querySelectorAll(%q)].some(e => e.checkVisibility() && e.innerText.includes(%q))", selector, text))
}

// click clicks the first element that can be seen and whose text begins so.
func (b *tab) click(selector, text string) {
	b.T.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll(%q)].find(e => e.checkVisibility() && !e.disabled && (e.innerText ?? '').trim().startsWith(%q))", selector, text)
	b.Until("to click "+selector+" "+text, find)
	at := browsertest.Eval[[]float64](b, "(() => { const e = "+find+"; e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()")
	b.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// insert types a text where the cursor is.
func (b *tab) insert(text string) {
	b.T.Helper()
	if _, err := chromedp.Call(b.Ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		b.T.Fatal(err)
	}
}

// selectInText selects a text in the editor, and returns where it is on the screen.
func (b *tab) selectInText(text string) (x, y float64) {
	b.T.Helper()
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
	b.Until("the text "+text, find)
	at := browsertest.Eval[[]float64](b, find)
	time.Sleep(80 * time.Millisecond) // the editor reads the selection of the page
	return at[0], at[1]
}

// open opens a file of the folder.
func (b *tab) open(name string) {
	b.T.Helper()
	b.click(".tree .file", name)
	b.Until(name+" in the editor", fmt.Sprintf("document.querySelector('.tab[data-active=true]')?.innerText.includes(%q) && document.querySelector('.cm-content')", name))
}

// chooses chooses a value of a list.
func (b *tab) chooses(selector, value string) {
	b.T.Helper()
	browsertest.Eval[bool](b, fmt.Sprintf("(() => { const s = document.querySelector(%q); s.value = %q; s.dispatchEvent(new Event('change', {bubbles: true})); return true })()", selector, value))
}

// opens opens a file that has no mistakes.
func (b *tab) opens(name string) {
	b.T.Helper()
	b.open(name)
	b.shows(".problems", "no mistakes")
}

// leads begins to lead the fight of a file.
func (b *tab) leads(name string) {
	b.T.Helper()
	b.opens(name)
	b.click(".switch button", "Lead")
	b.click(".seats button", "Lead this fight")
}

// enter, tabulator and escape are keys.
const (
	enter  = kb.Enter
	escape = kb.Escape
	tabKey = kb.Tab
)

// selectText replaces a text in the editor.
func (b *tab) selectText(was, now string) {
	b.T.Helper()
	b.selectInText(was)
	b.insert(now)
}

// reload loads the page again, and navigate another one; what is unsaved is kept.
func (b *tab) reload()                 { b.T.Helper(); b.Do(chromedp.Reload()) }
func (b *tab) navigate(address string) { b.T.Helper(); b.Do(chromedp.Navigate(address)) }

// withKeys are keys that are held while the mouse is clicked.
func withKeys(keys kb.Modifier) chromedp.MouseOption {
	return func(p *input.DispatchMouseEventParams) { p.Modifiers = int64(keys) }
}
