package studio

import (
	"os"
	"path/filepath"
	"testing"

	"arbiter/cmd/arbiter/internal/browsertest"
)

// A fight that is shown can be saved as a page, which shows it without the studio, also if its title is hostile.
func TestPageSavesReplay(t *testing.T) {
	files := map[string]string{"yard.encounter": "encounter \"</script><b>The \\\"yard\\\"\u2028\" with srd35\n" + `creature man { base-attack: 4; strength: 14; full-hit-points: 12; main-weapon: longsword }
side us { man Ann }
side them { man Bo }
seed 3
fight on
`}
	s := serve(t, files)
	b := openTab(t, s.Address())
	b.shows(".event", "flat-footed")
	browsertest.Eval[bool](b, `(() => { const real = URL.createObjectURL; URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), real(blob)); return true })()`)
	b.click(".tools .save", "Save page")
	b.Until("the page", "window.saved")
	file := filepath.Join(t.TempDir(), "saved.html")
	if err := os.WriteFile(file, []byte(browsertest.Eval[string](b, "window.saved")), 0o666); err != nil {
		t.Fatal(err)
	}
	saved := openTab(t, "file://"+file)
	saved.shows(".event", "flat-footed")
	if got := browsertest.Eval[int](saved, "document.querySelectorAll('h1 b, body > b').length"); got != 0 {
		t.Error("the title has become a part of the page")
	}
	saved.shows("h1", `The "yard"`)
	// Nothing else in the studio's page paints the lines of the transcript.
	const looks = `JSON.stringify(Object.fromEntries([...document.querySelectorAll(".event:not(.current)")].map(e => [e.dataset.kind + e.className.replace(/s\d+/, ""), getComputedStyle(e).color + " " + getComputedStyle(e).display]).sort()))`
	if here, there := browsertest.Eval[string](b, looks), browsertest.Eval[string](saved, looks); here != there {
		t.Errorf("the lines look like\n%s\nin the studio, like\n%s\nin a page of their own", here, there)
	}
}
