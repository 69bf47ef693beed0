package studio

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"arbiter/cmd/arbiter/internal/browsertest"
	"arbiter/cmd/arbiter/internal/sessionfile"
	"arbiter/stdlib/logbook"
)

// studioFiles is a folder with the duel, a fight on a map, and a house rule.
func studioFiles(t *testing.T) map[string]string {
	files := map[string]string{}
	for name, from := range map[string]string{"duel.encounter": "duel/srd35.encounter", "yard.encounter": "balance/yard.encounter", "strong.rules": "balance/strong-flanking.rules"} {
		text, err := os.ReadFile("../../../../examples/" + from)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

func (s *Server) text(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(s.folder.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A mistake is shown while it is typed, with what mends it; hover tells what a name means; its definition opens in the
// built-in rules; the disk changes when the text is saved, and not before.
func TestPageEdits(t *testing.T) {
	s := serve(t, studioFiles(t))
	b := openTab(t, s.Address())
	b.mendsTheDuel(func() {
		if strings.Contains(s.text(t, "duel.encounter"), "longswrd") {
			t.Error("the disk has changed before the text was saved")
		}
	})

	b.click(".tab button", "duel.encounter")
	b.selectInText("lifts the axe")
	b.insert("swings the axe")
	b.Press("s", kb.ModifierCtrl)
	b.Until("that it is saved", "!document.querySelector('.tab[data-active=true]').innerText.includes('●')")
	if !strings.Contains(s.text(t, "duel.encounter"), "swings the axe") {
		t.Error("it was not saved")
	}
}

// mendsTheDuel makes a mistake in the duel and mends it, and looks up a name.
func (b *tab) mendsTheDuel(mistaken func()) {
	b.T.Helper()
	b.opens("duel.encounter")
	b.Until("the colours of names", "document.querySelector('.cm-content .tok-property')")
	b.selectInText("longsword")
	b.insert("longswrd")
	b.shows(".problems", "1 mistake")
	b.shows(".tab[data-active=true]", "●")
	mistaken()
	b.Press(kb.F8)
	b.shows(".cm-tooltip", "longsword") // the hint
	b.Picture("mistake")
	b.click(".cm-diagnosticAction", "Write longsword")
	b.shows(".problems", "no mistakes")

	x, y := b.selectInText("greataxe")
	b.Do(chromedp.MouseEvent("mouseMoved", x, y))
	b.shows(".cm-tooltip-hover, .cm-tooltip", "greataxe")
	b.Picture("hover")
	b.clickIn(x, y, kb.ModifierCtrl)
	b.Until("the definition", "document.querySelector('.tab[data-active=true]')?.innerText.includes('.rules')")
	b.shows(".banner", "Built-in rules")
	b.shows(".cm-content", "greataxe")
	b.shows(".problems", "no mistakes") // it is checked with the other files of its ruleset
	b.Picture("definition")
}

func (b *tab) clickIn(x, y float64, keys kb.Modifier) {
	b.T.Helper()
	b.Do(chromedp.MouseClickXY(x, y, withKeys(keys)))
}

// The name of a declaration is changed in all files, the text gets its canonical form, the outline leads to a
// declaration, and a text is found in all files.
func TestPageChangesNames(t *testing.T) {
	s := serve(t, studioFiles(t))
	b := openTab(t, s.Address())
	b.opens("duel.encounter")
	b.selectInText("fight-with-honor")
	b.click(".status button", "Rename")
	b.Until("the question for the name", "document.querySelector('.cm-lsp-rename-panel input')")
	b.Press("a", kb.ModifierCtrl)
	b.insert("fight-fairly")
	b.click(".cm-lsp-rename-panel button[type=submit]", "")
	b.Until("the new name everywhere", "document.querySelector('.cm-content').innerText.split('fight-fairly').length === 4")
	b.selectInText("seed 45")
	b.insert("seed     45")
	b.click(".status button", "Format")
	b.Until("one space", "document.querySelector('.cm-content').innerText.includes('seed 45')")
	b.click(".views button", "Outline")
	b.click(".tree .file", "fight-fairly")
	b.Until("the cursor there", "document.querySelector('.cm-activeLine')?.innerText.includes('fight-fairly')")
	b.click(".views button", "Find")
	b.Until("the field", "document.activeElement?.type === 'search'")
	b.insert("FLANKING-bonus")
	b.click(".tree .found", "4")
	b.Until("the other file", "document.querySelector('.tab[data-active=true]')?.innerText.includes('strong.rules')")
}

// A change to a rule moves the numbers while it is typed, and the fight beside it.
func TestPageWeighsChanges(t *testing.T) {
	s := serve(t, studioFiles(t))
	b := openTab(t, s.Address())
	b.opens("strong.rules")
	b.click(".fight-pane", "") // somewhere, so that the text loses the focus
	b.Until("the fight on the map", "document.querySelector('.fight-view .board svg')")
	b.chooses("select[aria-label=Fight]", "yard.encounter")
	b.selectInText("4 \"The bonus")
	b.Press(kb.ArrowLeft)
	b.Press(kb.Delete)
	b.insert("9")
	b.weighs()
	b.Picture("balance")
	b.click("section[aria-labelledby=simulation-title] button", "Play")
	b.shows("section[aria-labelledby=simulation-title] figcaption", "rounds")
	b.reckons("Alia: attack Post")
	b.Picture("numbers")
	if strings.Contains(s.text(t, "strong.rules"), "9") {
		t.Error("the disk has changed")
	}
}

// weighs waits until the change of a rule has been weighed in a hundred fights.
func (b *tab) weighs() {
	b.T.Helper()
	b.shows("section[aria-labelledby=balance-title]", "change, 95 %")
	b.Until("a hundred fights", "Number(document.querySelector('section[aria-labelledby=balance-title] [role=progressbar]').getAttribute('aria-valuenow')) >= 100")
}

// reckons asks for the odds of a command.
func (b *tab) reckons(command string) {
	b.T.Helper()
	b.click("section[aria-labelledby=odds-title] input", "")
	b.insert(command)
	b.Press(enter)
	b.shows("section[aria-labelledby=odds-title]", "exact")
}

// lead begins to lead the duel.
func (b *tab) lead() {
	b.T.Helper()
	b.leads("duel.encounter")
	b.click(".lead-turn button", "Begin")
	b.shows(".lead .whose", "round 1")
}

// The duel is led to its end by clicks; a fall is undone, and done again.
func TestPageLeadsTheDuel(t *testing.T) {
	s := serve(t, studioFiles(t))
	b := openTab(t, s.Address())
	b.leadsTheDuel()
}

// leadsTheDuel leads the duel to its end.
func (b *tab) leadsTheDuel() {
	b.T.Helper()
	b.lead()
	b.click(".action-list button", "attack")
	b.shows(".chosen-action .odds", "%")
	b.Until("a chart of the odds", "document.querySelector('.amount-chart rect')")
	b.Picture("lead")
	fallen := "document.querySelector('.lead-turn')?.innerText.includes('End the fight')"
	for turn := 0; turn < 60 && !browsertest.Eval[bool](b, fallen); turn++ {
		if browsertest.Eval[bool](b, "[...document.querySelectorAll('.action-list button')].some(e => e.innerText === 'attack')") {
			b.click(".action-list button", "attack")
			foe := browsertest.Eval[string](b, "document.querySelector('.chosen-action .targets button')?.innerText ?? ''")
			if foe != "" {
				b.settles("what came of it", func() { b.click(".chosen-action .targets button", "") })
			}
		}
		if browsertest.Eval[bool](b, fallen) {
			break
		}
		b.settles("the next turn", func() { b.click(".lead-turn button", "End turn") })
	}
	b.Until("that somebody falls", fallen)
	b.Picture("decided")
	b.settles("that nobody has fallen", func() { b.click(".lead-turn button", "↶ Undo") })
	if browsertest.Eval[bool](b, fallen) {
		b.T.Error("undo has brought nobody back")
	}
	b.settles("that somebody falls again", func() { b.click(".lead-turn button", "↷ Redo") })
	if !browsertest.Eval[bool](b, fallen) {
		b.T.Error("redo is not as it was")
	}
	b.click(".lead-turn button", "End the fight")
	b.Until("the end", "!document.querySelector('.lead-turn')?.innerText.includes('End turn')")
}

// tableNow identifies the state of the fight on the page.
const tableNow = "document.querySelector('.lead')?.dataset.state"

// settles does something that changes the fight, and waits for what comes of it.
func (b *tab) settles(what string, act func()) {
	b.T.Helper()
	was := browsertest.Eval[string](b, tableNow)
	act()
	b.Until(what, fmt.Sprintf("%s !== %q && document.querySelector('.lead').getAttribute('aria-busy') === 'false'", tableNow, was))
}

// A reload in the middle of a question loses nothing, and neither does the end of the program.
func TestPageComesBack(t *testing.T) {
	files := studioFiles(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	run := func(port int) (s *Server, kill func()) {
		s, l, err := Listen(testOptions(dir, t.TempDir()), port)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, l) }()
		return s, func() { stop(); <-ended }
	}
	s, kill := run(0)
	b := openTab(t, s.Address())
	b.lead()
	b.click(".menu summary", "")
	b.click(".menu button", "Roll the dice at the table")
	b.click(".action-list button", "attack")
	b.click(".chosen-action .targets button", "")
	b.shows(".ask", "rolls a d20")
	b.click(".ask .face", "19")
	b.Until("the second die", "document.querySelector('.ask')?.innerText.includes('confirmation') || document.querySelector('.ask')?.innerText.includes('damage')")
	asked := browsertest.Eval[string](b, "document.querySelector('#asked').innerText")
	b.selectText("lifts the axe", "drops the axe")
	b.Until("the draft", "Object.keys(sessionStorage).some(k => sessionStorage[k].includes('drops the axe'))")

	browsertest.Eval[bool](b, "(window.onbeforeunload = null, true)")
	b.reload()
	b.Until("the same question", fmt.Sprintf("document.querySelector('#asked')?.innerText === %q", asked))
	b.shows(".cm-content", "drops the axe")
	b.Picture("reloaded")

	kill()
	b.shows(".unreachable", "cannot be reached")
	b.shows(".banner", "The fight is safe")
	port := 0
	fmt.Sscanf(s.host, "127.0.0.1:%d", &port)
	s, kill = run(port)
	defer kill()
	b.navigate(s.Address())
	b.Until("the same question again", fmt.Sprintf("document.querySelector('#asked')?.innerText === %q", asked))
	b.shows(".cm-content", "drops the axe")
}

// A file that was changed on the disk while it was edited is shown in both versions, and either can be kept.
func TestPageShowsBothVersions(t *testing.T) {
	s := serve(t, studioFiles(t))
	b := openTab(t, s.Address())
	b.opens("strong.rules")
	on := filepath.Join(s.folder.dir, "strong.rules")
	writeFile(t, on, strings.Replace(s.text(t, "strong.rules"), "= 4", "= 5", 1))
	b.shows(".cm-content", "flanking-bonus = 5") // nothing was unsaved
	b.selectInText("gets more than +2.")
	b.insert("gets much more.")
	writeFile(t, on, strings.Replace(s.text(t, "strong.rules"), "= 5", "= 6", 1))
	b.shows(".conflict", "changed on the disk")
	b.shows(".conflict .both", "flanking-bonus = 6")
	b.Picture("both-versions")
	b.click(".conflict button", "Save mine over it")
	b.Until("that it is settled", "!document.querySelector('.conflict')")
	if text := s.text(t, "strong.rules"); !strings.Contains(text, "much more") || !strings.Contains(text, "= 5") {
		t.Errorf("the disk has %s", text)
	}
}

// Whatever goes wrong has an answer in the page.
func TestPageAnswersClearly(t *testing.T) {
	files := studioFiles(t)
	files["hostile.encounter"] = "encounter \"<img src=x onerror=alert(1)><script>alert(2)</script>\" with d20\n  \"</script><script>alert(3)</script>\"\n\nnote \"<b onmouseover=alert(4)>bold</b>\"\n"
	files["loops.encounter"] = "encounter \"It goes on and on\" with d20\n\nrepeat 1000000000 { note \"again\" }\n"
	var big strings.Builder
	big.WriteString("encounter \"A hundred by a hundred\" with srd35\n\nmap \"\"\"\n")
	for y := range 100 {
		big.WriteString("  ")
		for x := range 100 {
			big.WriteString(map[bool]string{true: "#", false: "."}[x == 0 || y == 0 || x == 99 || y == 99])
		}
		big.WriteString("\n")
	}
	big.WriteString("\"\"\" { \"#\": wall }\n\nnote \"Nobody is here.\"\n")
	files["big.encounter"] = big.String()
	s := serve(t, files)
	b := openTab(t, s.Address())
	t.Run("a hostile title", func(t *testing.T) {
		b.open("hostile.encounter")
		b.Until("the fight", "document.querySelector('.fight-view')?.innerText.includes('<b onmouseover')")
		if browsertest.Eval[bool](b, "!!document.querySelector('.fight-view img, .fight-view b[onmouseover]') || document.title.includes('<')") {
			t.Error("a text has become a part of the page")
		}
	})
	t.Run("a script that loops", func(t *testing.T) {
		b.open("loops.encounter")
		b.Until("why it ends", "document.querySelector('.refusal, .mistakes')?.innerText.length > 10 || document.querySelector('.fight-view')?.innerText.includes('ends')")
		b.Picture("loops")
	})
	t.Run("a map of 10,000 squares", func(t *testing.T) {
		b.open("big.encounter")
		b.Until("the map", "document.querySelector('.board svg')?.checkVisibility() && document.querySelector('.fight-view')?.innerText.includes('Nobody is here')")
		b.Picture("big")
	})
	t.Run("a session that another program leads", func(t *testing.T) {
		b.lead()
		b.click(".menu summary", "")
		b.click(".menu button", "Leave")
		b.shows(".seats", "Resume duel.session")
		var f *sessionfile.File
		for began := time.Now(); f == nil && time.Since(began) < browsertest.Patience; time.Sleep(50 * time.Millisecond) {
			f, _, _, _, _ = sessionfile.Open(logbook.Disk, filepath.Join(s.folder.dir, "duel.session"))
		}
		if f == nil {
			t.Fatal("the page keeps the session")
		}
		b.click(".seats button", "Resume duel.session")
		b.shows(".refusal", "duel.session")
		b.Picture("locked")
		f.Close()
		b.click(".seats button", "Try again")
		b.shows(".lead .whose", "round 1")
	})
	t.Run("two tabs", func(t *testing.T) {
		other := openTab(t, s.Address())
		other.open("duel.encounter")
		other.click(".switch button", "Lead")
		other.click(".seats button", "Resume duel.session")
		other.shows(".lead .whose", "round 1")
		b.shows(".refusal", "another page leads this fight")
		b.click(".seats button", "Lead it here again")
		b.shows(".lead .whose", "round 1")
		other.shows(".refusal", "another page leads this fight")
	})
}

// Everything can be done by keyboard alone.
func TestPageByKeyboard(t *testing.T) {
	s := serve(t, studioFiles(t))
	b := openTab(t, s.Address())
	b.Until("the page", "document.querySelector('.problems')")
	goTo := func(what, js string) {
		t.Helper()
		for range 150 {
			if browsertest.Eval[bool](b, "(e => !!("+js+"))(document.activeElement)") {
				return
			}
			b.Press(tabKey)
		}
		t.Fatalf("the keyboard never reaches %s; it is at %s", what, browsertest.Eval[string](b, "document.activeElement.outerHTML.slice(0, 200)"))
	}
	goTo("the duel in the list of files", "e.innerText?.startsWith('duel.encounter') && e.closest('.tree')")
	b.Press(enter)
	b.shows(".tab[data-active=true]", "duel.encounter")
	goTo("the text", "e.classList.contains('cm-content')")
	b.Press(kb.End, kb.ModifierCtrl)
	b.insert("\n# typed\n")
	b.shows(".tab[data-active=true]", "●")
	b.Press("s", kb.ModifierCtrl)
	b.Until("that it is saved", "!document.querySelector('.tab[data-active=true]').innerText.includes('●')")
	b.Press(escape) // then the tabulator leaves the text
	goTo("the fight", "e.innerText === 'Lead' && e.closest('.switch')")
	b.Press(enter)
	goTo("the seat", "e.innerText === 'Lead this fight'")
	b.Press(enter)
	b.shows(".lead-turn", "Begin")
	goTo("the beginning", "e.innerText === 'Begin'")
	b.Press(enter)
	b.shows(".lead .whose", "round 1")
	goTo("a target", "e.closest('.targets') && !e.disabled")
	b.settles("what came of it", func() { b.Press(enter) })
	goTo("the command line", "e.id === 'command'")
	b.insert("next turn")
	was := browsertest.Eval[string](b, "document.querySelector('.whose').innerText")
	b.Press(enter)
	b.Until("the next turn", fmt.Sprintf("document.querySelector('.whose').innerText !== %q", was))
}

// axe-core finds nothing serious, in light and dark, wide and narrow.
func TestPageIsAccessible(t *testing.T) {
	browsertest.NeedsAxe(t)
	s := serve(t, studioFiles(t))
	b := openTab(t, s.Address())
	b.lead()
	for _, look := range []struct {
		name, scheme  string
		width, height int64
	}{{"wide-light", "light", 1440, 900}, {"wide-dark", "dark", 1440, 900}, {"phone-light", "light", 390, 844}, {"phone-dark", "dark", 390, 844}} {
		b.Resize(look.width, look.height)
		b.Prefer(look.scheme)
		for _, pane := range []string{"Files", "Text", "Fight", "Numbers"} {
			if look.width < 800 {
				b.click(".pane-tabs button", pane)
			} else if pane != "Fight" {
				continue
			}
			time.Sleep(100 * time.Millisecond)
			b.Picture(look.name + "-" + pane)
			b.Accessible(look.name + ", " + pane)
		}
	}
}

// A command of a script that is pointed at has its odds beside it, as the script stands there.
func TestPageReckonsTheCommandPointedAt(t *testing.T) {
	files := studioFiles(t)
	files["steps.encounter"] = `encounter "Two blows" with srd35

creature fighter { full-hit-points: 10; base-attack: 9; main-weapon: longsword }
side east { fighter Ann }
side west { fighter Bob }

begin
set Bob.hit-points to 1
Ann: attack Bob
set Bob.hit-points to 10
`
	s := serve(t, files)
	b := openTab(t, s.Address())
	b.opens("steps.encounter")
	b.selectInText("Ann: attack")
	b.shows("section[aria-labelledby=odds-title]", "exact")
	b.shows("section[aria-labelledby=odds-title]", "Bob falls")
	if text := browsertest.Eval[string](b, "document.querySelector('section[aria-labelledby=odds-title] input').value"); text != "Ann: attack Bob" {
		t.Errorf("the command is %q", text)
	}
}

// Whoever's turn it is is dragged over the map, to where it can get.
func TestPageDragsAMove(t *testing.T) {
	s := serve(t, map[string]string{"field.encounter": `encounter "A field" with srd35

creature fighter { full-hit-points: 10; main-weapon: longsword }
map """
  ..........
  .A........
  ..........
  ........B.
  ..........
"""
side east { fighter A at "A" }
side west { fighter B at "B" }
`})
	b := openTab(t, s.Address())
	b.leads("field.encounter")
	b.click(".lead-turn button", "Begin")
	b.shows(".lead .whose", "round 1")
	b.Until("the tokens", "document.querySelector('.fight-view [data-who]')")
	b.Until("that the fight is shown to its end", "!document.querySelector('.fight-view [aria-label=Pause]')")
	who := browsertest.Eval[string](b, "document.querySelector('.lead .whose b').innerText")
	from := browsertest.Eval[[]float64](b, fmt.Sprintf(`(() => {
		const token = [...document.querySelectorAll(".fight-view [data-who]")].find(e => e.textContent.includes(%q) || e.getAttribute("aria-label")?.startsWith(%q));
		const r = (token.querySelector("circle, rect, path") ?? token).getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2, r.width];
	})()`, who, who))
	drag := func(dx, dy float64) {
		b.Do(chromedp.MouseEvent("mouseMoved", from[0], from[1]))
		b.Do(chromedp.MouseEvent("mousePressed", from[0], from[1], chromedp.ButtonLeft))
		for i := 1.0; i <= 4; i++ {
			b.Do(chromedp.MouseEvent("mouseMoved", from[0]+dx*i/4, from[1]+dy*i/4, chromedp.ButtonLeft))
		}
		b.Picture("dragging")
		b.Do(chromedp.MouseEvent("mouseReleased", from[0]+dx, from[1]+dy, chromedp.ButtonLeft))
	}
	b.settles("the move", func() { drag(0, from[2]) })
	b.shows(".transcript", who+" moves")
}

// Players have a page of their own: it follows the fight that is led, shows their figures and not those of their foes.
func TestPlayersPage(t *testing.T) {
	s := serve(t, studioFiles(t))
	players := openTab(t, s.PlayersAddress())
	players.shows("main", "Nothing is being played")
	b := openTab(t, s.Address())
	b.lead()
	players.shows(".sheet", "hit-points 34 of 34")
	players.shows(".stage-page .top", "round 1")
	if text := browsertest.Eval[string](players, "document.body.innerText"); strings.Contains(text, "42") || strings.Contains(text, "initiative-check") {
		t.Errorf("players see what is not theirs:\n%s", text)
	}
	players.Picture("players")
	players.Accessible("the page of players")
	players.Resize(390, 844)
	players.Picture("players-phone")
	players.Accessible("the page of players on a phone")
	b.click(".menu summary", "")
	b.chooses(".menu select", "west")
	players.shows(".sheet", "hit-points 42 of 42")
	b.click(".menu button", "Leave")
	players.shows("main", "Nothing is being played")
}
