package studio

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"arbiter/lang/parse"
)

// Of a folder with as many files as are shown, all are; of one with more, it is said that there are more.
func TestMaxFiles(t *testing.T) {
	dir := t.TempDir()
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	for n := range maxFiles + 1 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.rules", n)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if n+1 < maxFiles-1 {
			continue
		}
		if paths, more := f.list(); len(paths) != min(n+1, maxFiles) || more != (n+1 > maxFiles) {
			t.Errorf("of %d files %d are shown, more: %t", n+1, len(paths), more)
		}
	}
}

// A message may have 64 MiB; one with a byte more ends the connection.
func TestMaxMessage(t *testing.T) {
	for _, over := range []int{-1, 0, 1} {
		s := serve(t, map[string]string{"a.encounter": duel})
		c, _, err := websocket.Dial(t.Context(), strings.Replace(s.Address(), "http:", "ws:", 1)+"desk", nil)
		if err != nil {
			t.Fatal(err)
		}
		c.SetReadLimit(maxMessage)
		const call = `{"jsonrpc":"2.0","id":1,"method":"files"}`
		if err := c.Write(t.Context(), websocket.MessageText, append([]byte(call), strings.Repeat(" ", maxMessage+over-len(call))...)); err != nil {
			t.Fatal(err)
		}
		_, answer, err := c.Read(t.Context())
		if refused := over > 0; refused != (websocket.CloseStatus(err) == websocket.StatusMessageTooBig) || !refused && !strings.Contains(string(answer), "a.encounter") {
			t.Errorf("%+d: %.100s %v", over, answer, err)
		}
		c.CloseNow()
	}
}

// A million fights can be asked for, and not one more.
func TestMaxTrials(t *testing.T) {
	s := serve(t, map[string]string{"a.encounter": duel})
	over, stop := context.WithCancel(t.Context())
	stop() // nobody waits for the answer
	for fights, want := range map[uint64]string{
		0: "0 fights cannot be played here: from 1 to 1000000", maxTrials - 1: context.Canceled.Error(), maxTrials: context.Canceled.Error(),
		maxTrials + 1: "1000001 fights cannot be played here: from 1 to 1000000",
	} {
		if _, err := s.play(over, nil, fights, nil, question{}); err == nil || err.Error() != want {
			t.Errorf("%d fights: %v, want %s", fights, err, want)
		}
	}
}

// A command of 200,000 steps has exact odds, and one of a step more has not.
func TestMaxOddsSteps(t *testing.T) {
	for _, sides := range [][2]int{{369, 541}, {400, 499}, {489, 408}} {
		steps := sides[0] + sides[0]*sides[1]
		s := serve(t, map[string]string{"a.encounter": fmt.Sprintf(`encounter "A die" with d20
action try { cost none; let x = roll 1d%d; let y = roll 1d%d; if x + y > 2 { note "x" } }
creature fighter {}
side north { fighter Ann }
`, sides[0], sides[1])})
		answer, err := connect(t, s).ask("odds", oddsParams{fight{Path: "a.encounter"}, "Ann: try"})
		var d struct{ Steps int }
		if steps > maxOddsSteps {
			if err == nil || !strings.Contains(err.Message, "more than 200000 steps from die to die") {
				t.Errorf("%d steps: %.300s %v", steps, answer, err)
			}
		} else if err != nil || json.Unmarshal([]byte(answer), &d) != nil || d.Steps != steps {
			t.Errorf("%d steps: %.300s %v", steps, answer, err)
		}
	}
}

// A folder whose texts have 32 MiB can be exported; one with a byte more is refused.
func TestMaxTexts(t *testing.T) {
	dir := t.TempDir()
	for left, n := maxTexts, 0; left > 0; n++ {
		size := min(left, parse.MaxSource)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", n)), make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
		left -= size
	}
	if _, err := ReadFolder(dir); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "more.md"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFolder(dir); err == nil || !strings.Contains(err.Error(), "export a smaller folder") {
		t.Error(err)
	}
}
