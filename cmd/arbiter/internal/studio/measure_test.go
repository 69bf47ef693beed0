package studio

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"arbiter/cmd/arbiter/internal/browsertest"
)

// This file measures how soon the page answers: go test -run TestMeasure -v -measure. What else the machine does counts,
// so nothing fails for being slow.

var measure = flag.Bool("measure", false, "measure how soon the page answers, several times")

// measurePage installs clocks in a page: when it showed its editor, when it had checked the open file, and how long it
// took from a key to what was said about it.
const measurePage = `(() => {
	const at = {key: 0, waits: []};
	window.measured = at;
	let said = "";
	new MutationObserver(() => {
		const editor = document.querySelector(".cm-content"), problems = document.querySelector(".problems")?.innerText ?? "";
		if (editor && !at.editor) at.editor = performance.now();
		if (problems === said || problems === "" || problems.includes("checking")) return;
		said = problems;
		if (!at.ready) at.ready = performance.now();
		if (at.key) at.waits.push(performance.now() - at.key);
		at.key = 0;
	}).observe(document, {childList: true, subtree: true, characterData: true});
	addEventListener("beforeinput", () => { at.key = performance.now() }, true);
})()`

// TestMeasureExportedPage measures the exported page, whose program runs in the browser.
func TestMeasureExportedPage(t *testing.T) {
	if !*measure {
		t.Skip("it measures, with -measure")
	}
	address := exported(t, studioFiles(t), "strong.rules")
	measureTab(t, address)
}

// TestMeasureServedPage measures the page whose program is that of the server.
func TestMeasureServedPage(t *testing.T) {
	if !*measure {
		t.Skip("it measures, with -measure")
	}
	s := serve(t, studioFiles(t))
	s.o.File = "strong.rules"
	measureTab(t, s.Address())
}

// measureTab opens a page a number of times, and each time makes a mistake and mends it again.
func measureTab(t *testing.T, address string) {
	t.Helper()
	browsertest.AsReadersHaveIt = true
	b := openTab(t, "about:blank")
	if _, err := chromedp.Call(b.Ctx, cdp.AddScriptToEvaluateOnNewDocument, cdp.AddScriptToEvaluateOnNewDocumentParams{Source: measurePage}); err != nil {
		t.Fatal(err)
	}
	const times = 7
	var editor, ready, waits []float64
	for range times {
		b.navigate("about:blank")
		b.navigate(address)
		b.Until("that it is ready", "window.measured.ready")
		editor = append(editor, browsertest.Eval[float64](b, "window.measured.editor"))
		ready = append(ready, browsertest.Eval[float64](b, "window.measured.ready"))
		for n, edit := range [][2]string{{"= 4", "= y"}, {"= y", "= 4"}, {"= 4", "= z"}, {"= z", "= 4"}} {
			b.selectText(edit[0], edit[1])
			b.Until("that it is checked", fmt.Sprintf("window.measured.waits.length > %d", n))
		}
		waits = append(waits, browsertest.Eval[[]float64](b, "window.measured.waits")...)
	}
	t.Logf("an editor after %.0f ms, ready after %.0f ms, an edit checked in %.0f ms", median(editor), median(ready), median(waits))
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}
