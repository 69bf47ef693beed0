package studio

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"arbiter/cmd/arbiter/internal/browsertest"
	"arbiter/cmd/arbiter/internal/playground"
)

// storyFiles is a short adventure with a choice, a fight, a memory and two endings.
var storyFiles = map[string]string{"ford.adventure": `adventure "The ford" with srd35

keep coins = 3

creature ferryman { full-hit-points: 4; main-weapon: club }
creature traveler { full-hit-points: 90; strength: 18; base-attack: 9; main-weapon: longsword }

side party { traveler Ann }

scene bank "The bank" {
  "A rope hangs over the water. A sign says: two coins."
  choices {
    once "Pay the ferryman" { set coins to coins - 2; go to other-side }
    once "Draw the sword" { go to brawl }
    otherwise { finish stuck }
  }
}

scene brawl "The brawl" {
  "He lifts his oar."
  fight {
    side river { ferryman Old-Nick }
    won { go to other-side }
    lost { finish drowned }
    otherwise { finish drowned }
  }
}

scene other-side "The other side" {
  "The road goes on, and {coins} coins with it."
  finish across
}
`}

// takes chooses a way of the story.
func (b *tab) takes(way string) {
	b.T.Helper()
	b.click(".ways button", way)
}

// An adventure is played to its end on the page: ways, memories, scenes, a fight, and back.
func (b *tab) playsTheFord() {
	b.T.Helper()
	b.shows(".story article", "A rope hangs")
	b.takes("Pay the ferryman")
	b.shows(".story article", "and 1 coins with it")
	b.shows(".story .ending", "across")
	b.click(".story summary", "What the story keeps")
	b.shows(".kept", "coins")
	b.click(".story summary", "Scenes: 2 of 3 seen")
	b.Until("the end in the graph", "document.querySelector('.scene-graph .now text')?.textContent.includes('across')")
	b.Picture("story-end")
	b.click(".story button", "↶ Undo")
	b.shows(".story article", "A rope hangs")
	b.takes("Draw the sword")
	b.Until("the fight", "document.querySelector('.lead-turn')")
	b.Picture("story-fight")
	b.Resize(390, 844)
	b.Picture("story-fight-phone")
	b.Accessible("a fight of a story on a phone")
	b.Resize(1440, 900)
	for turn := 0; turn < 40 && browsertest.Eval[bool](b, "!document.querySelector('.story')"); turn++ {
		button := browsertest.Eval[string](b, "[...document.querySelectorAll('.lead-turn button')].filter(e => !e.disabled).map(e => e.innerText).find(t => ['Begin', 'Tactics', 'End the fight'].includes(t)) ?? ''")
		if button != "" {
			b.click(".lead-turn button", button)
		}
		b.Until("what comes of it", "document.querySelector('.story') || document.querySelector('.lead')?.getAttribute('aria-busy') === 'false'")
	}
	b.shows(".story article", "and 3 coins with it")
}

func TestPageTellsStories(t *testing.T) {
	s := serve(t, storyFiles)
	b := openTab(t, s.Address())
	b.leads("ford.adventure")
	b.playsTheFord()
	b.Accessible("the story in the studio")
}

// A playable story is one file that opens from a disk. What was played is there when it is opened again.
func TestPlayableStory(t *testing.T) {
	exported(t, nil, "") // skips where it cannot be built
	p, err := browserProgram()
	if err != nil {
		t.Fatal(err)
	}
	o := testOptions("/work", "")
	page, err := playground.Story("The ford", playground.Config{Folder: "/work", Cache: "/library", File: "ford.adventure", LibraryPrefix: o.LibraryPrefix, Version: o.Version, Language: o.Language}, storyFiles, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(page) > 14<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	path := filepath.Join(t.TempDir(), "ford.html")
	if err := os.WriteFile(path, page, 0o666); err != nil {
		t.Fatal(err)
	}
	b := openTab(t, fmt.Sprintf("file://%s", filepath.ToSlash(path)))
	b.playsTheFord()
	b.Accessible("the page of a story")
	b.reload()
	b.shows(".story .ending", "across")
	b.click(".story button", "Play again")
	b.shows(".story article", "A rope hangs")
	b.Resize(390, 844)
	b.Picture("story-phone")
}
