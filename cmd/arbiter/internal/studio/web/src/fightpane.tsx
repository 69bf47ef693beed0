// The fight beside the text: which one; watched as its script and tactics play it, or led from here.
import { computed, effect, signal } from "@preact/signals";
import { choices, choose, chosen, house, mistakes, refusal, result, run, running, seed } from "./fight";
import { goTo } from "./editor";
import type { Diagnostic } from "./messages";
import { lead, phase, table, wasLed } from "./play";
import { LeadPanel, PlayPane } from "./playpane";
import { outcomeText } from "./fight/index";
import { wide } from "./width";
import { Watch } from "./watch";

export const mode = signal<"watch" | "lead">("watch");

/** isLed says that a fight is led from here. */
export const isLed = computed(() => mode.value === "lead" && (phase.value === "led" || phase.value === "lost" || phase.value === "asking") && table.value !== null);

export function FightPane() {
  return (
    <div class="fight-pane">
      <FightBar />
      {choices.value.length === 0 ? (
        <p class="quiet pad">There is no encounter in this folder. Open a folder that has one, or write one: + beside the name of the folder.</p>
      ) : mode.value === "lead" ? (
        <>
          <PlayPane />
          {isLed.value && !wide.value && <LeadPanel />}
        </>
      ) : (
        <>
          <Mistakes list={mistakes.value} />
          {refusal.value && <p class="refusal">{refusal.value}</p>}
          {result.value && (
            <p class="outcome">
              <b aria-busy={running.value}>{outcomeText(result.value.replay) || "Nobody fought"}</b>
              <Seed />
            </p>
          )}
          {result.value ? <Watch replay={result.value.replay} /> : !refusal.value && mistakes.value.length === 0 && <p class="quiet pad">{running.value ? "Playing…" : "The fight is shown as soon as the text has no mistake."}</p>}
        </>
      )}
    </div>
  );
}

// After a reload, a fight that was led goes on.
let begun = false;
effect(() => {
  if (begun || choices.value.length === 0) return;
  begun = true;
  const was = wasLed();
  if (!was || !choices.peek().includes(was.path)) return;
  choose(was.path);
  house.value = was.with;
  mode.value = "lead";
  void lead(was.session);
});
function Seed() {
  const used = result.value?.replay.seed;
  return (
    <label class="seed">
      seed
      <input
        type="number"
        min={0}
        placeholder={String(used ?? "")}
        value={seed.value ?? ""}
        onChange={(e) => (seed.value = e.currentTarget.value === "" ? null : Math.max(0, Math.floor(Number(e.currentTarget.value))))}
      />
    </label>
  );
}

function FightBar() {
  return (
    <div class="bar-row">
      <select aria-label="Fight" value={chosen.value} disabled={mode.value === "lead" && phase.value !== "away"} onChange={(e) => choose(e.currentTarget.value)}>
        {choices.value.map((c) => (
          <option key={c} value={c}>
            {c}
          </option>
        ))}
      </select>
      {house.value.map((h) => (
        <span class="chip" key={h}>
          with {h.slice(h.lastIndexOf("/") + 1)}
          <button class="plain" aria-label={`Leave out ${h}`} onClick={() => (house.value = house.value.filter((x) => x !== h))}>
            ×
          </button>
        </span>
      ))}
      <span class="space" />
      <div class="switch" role="group" aria-label="How the fight is played">
        <button aria-pressed={mode.value === "watch"} title="Its script and its tactics play it" onClick={() => ((mode.value = "watch"), void run())}>
          Watch
        </button>
        <button aria-pressed={mode.value === "lead"} title="You play it, command by command" onClick={() => (mode.value = "lead")}>
          Lead
        </button>
      </div>
    </div>
  );
}

export function Mistakes({ list }: { list: Diagnostic[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="mistakes">
      {list.slice(0, 20).map((d, i) => (
        <li key={i} class={d.severity}>
          <button class="file" onClick={() => void goTo(d.file.replace(/^rules\//, ""), d.line, d.column, d.file.startsWith("rules/"))}>
            <b>
              {d.file}:{d.line}
            </b>{" "}
            {d.message}
            {d.hint && <span class="quiet"> {d.hint}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
