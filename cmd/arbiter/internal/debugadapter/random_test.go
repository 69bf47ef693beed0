package debugadapter

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-dap"
)

var sessions = flag.Int("sessions", 6, "how many random sessions TestRandomSessions plays")

// TestRandomSessions sends requests at random, sensible ones and others, in any order: each is answered, nothing panics,
// and when the editor leaves, no goroutine stays.
func TestRandomSessions(t *testing.T) {
	for n := range *sessions {
		before := runtime.NumGoroutine()
		t.Run("", func(t *testing.T) { randomSession(t, rand.New(rand.NewPCG(uint64(n), 41))) })
		for try := 0; runtime.NumGoroutine() > before; try++ {
			if try == 200 {
				buf := make([]byte, 1<<16)
				t.Fatalf("%d goroutines, before %d\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func randomSession(t *testing.T, r *rand.Rand) {
	c := connect(t)
	pick := func(list ...any) any { return list[r.IntN(len(list))] }
	thread := object{"threadId": 1}
	expressions := []any{"1", "target.armor-class", "to-hit.natural = 20", "self", "hit-points", "Alia.hit-points < 20", "1 / 0", "(", "nobody.x", "roll 1d6", "attack-bonus vs", ""}
	name := func() any {
		return pick("strike", "strike.confirm", "stat armor-class", "gain dying", "roll strike.to-hit", "take-damage.wound", "nonsense", "", "function x", "return", "roll", "surprise-ends")
	}
	breakpoint := func() object {
		return object{"line": r.IntN(120) - 3, "name": name(), "condition": pick("", "", "yes", "no", pick(expressions...)), "hitCondition": pick("", "", "2", ">1", "%3", "x", "0")}
	}
	if r.IntN(8) > 0 {
		c.ask("initialize", object{"linesStartAt1": r.IntN(2) == 0})
		c.ask("launch", object{"program": "duel.encounter", "stopOnEntry": r.IntN(2) == 0, "stopAtEnd": r.IntN(2) == 0, "seed": r.IntN(5)})
	}
	if r.IntN(8) > 0 {
		c.ask("setFunctionBreakpoints", object{"breakpoints": []object{breakpoint(), breakpoint()}})
		c.ask("configurationDone", object{})
	}
	for range 60 {
		switch r.IntN(22) {
		case 0, 1, 2:
			c.ask(pick("continue", "next", "stepIn", "stepOut").(string), thread)
		case 3, 4:
			c.ask(pick("stepIn", "next").(string), thread)
		case 5:
			c.ask("stepBack", thread)
		case 6:
			c.ask("reverseContinue", thread)
		case 7:
			c.ask("pause", thread)
		case 8, 9:
			c.ask("stackTrace", object{"threadId": 1, "startFrame": r.IntN(5) - 1, "levels": r.IntN(4) - 1})
		case 10:
			c.ask("scopes", object{"frameId": r.IntN(6) - 1})
		case 11, 12, 13:
			c.ask("variables", object{"variablesReference": r.IntN(30) - 1})
		case 14, 15:
			c.ask("evaluate", object{"expression": pick(expressions...), "frameId": r.IntN(4) - 1, "context": pick("watch", "hover", "repl")})
		case 16:
			c.ask("evaluate", object{"expression": pick("die 4", "die 77", "die x", "die -1", "transcript", "help"), "context": "repl"})
		case 17:
			c.ask("setFunctionBreakpoints", object{"breakpoints": []object{breakpoint(), breakpoint(), breakpoint()}})
		case 18:
			path := pick("duel.encounter", "rules/classic/attack.rules", "/elsewhere/rules/classic/attack.rules", "nowhere.rules", "")
			c.ask("setBreakpoints", object{"source": object{"path": path, "sourceReference": r.IntN(4) - 1}, "breakpoints": []object{breakpoint(), breakpoint()}})
		case 19:
			c.ask(pick("threads", "source", "configurationDone", "launch", "attach", "setExceptionBreakpoints", "modules", "no-such-request", "restart", "terminate").(string), object{"sourceReference": r.IntN(4) - 1, "filters": []string{}})
		case 20:
			c.ask("setVariable", object{"variablesReference": 1, "name": pick(nextDie, "x"), "value": pick("3", "0", "many")})
		case 21:
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		}
	}
	if r.IntN(2) == 0 {
		if _, ok := c.ask("disconnect", object{}).(*dap.DisconnectResponse); !ok {
			t.Error("the editor cannot leave")
		}
	}
}
