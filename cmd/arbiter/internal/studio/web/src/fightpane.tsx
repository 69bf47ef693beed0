// The fight beside the text: which one, and what happened in it.
import { choices, choose, chosen, house, mistakes, refusal, result, run, running, seed } from "./fight";
import { goTo } from "./editor";

export function FightPane() {
  return (
    <div class="fight">
      <FightBar />
      <Mistakes />
      {refusal.value && <p class="refusal">{refusal.value}</p>}
      {result.value && (
        <>
          <p class="outcome">
            {result.value.outcome && result.value.outcome !== "undecided" && result.value.outcome !== "nobody" ? `${result.value.outcome} wins` : result.value.outcome || "Nobody fought"}
            <span class="quiet"> after {result.value.rounds} rounds, seed {result.value.seed}</span>
          </p>
          <ol class="transcript">
            {result.value.events.filter((e) => e.text).map((e) => (
              <li key={e.id} class={e.kind}>
                {e.text}
              </li>
            ))}
          </ol>
        </>
      )}
      {choices.value.length === 0 && <p class="quiet">There is no encounter in this folder. Open a folder that has one, or write one: + beside the name of the folder.</p>}
    </div>
  );
}

function FightBar() {
  return (
    <div class="bar-row">
      <select aria-label="Fight" value={chosen.value} onChange={(e) => choose(e.currentTarget.value)}>
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
      <label class="seed">
        seed
        <input
          type="number"
          min={0}
          placeholder="script's"
          value={seed.value ?? ""}
          onChange={(e) => (seed.value = e.currentTarget.value === "" ? null : Math.max(0, Math.floor(Number(e.currentTarget.value))))}
        />
      </label>
      <button onClick={() => void run()} aria-busy={running.value}>
        Run
      </button>
    </div>
  );
}

function Mistakes() {
  if (mistakes.value.length === 0) return null;
  return (
    <ul class="mistakes">
      {mistakes.value.slice(0, 20).map((d, i) => (
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
