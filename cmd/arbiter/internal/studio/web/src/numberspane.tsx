// The numbers beside the fight, as tables with bars: they read aloud as well as they look.
import { useEffect, useState } from "preact/hooks";
import { pointed } from "./editor";
import { house } from "./fight";
import { isLed } from "./fightpane";
import { AmountChart, LeadPanel } from "./playpane";
import { wide } from "./width";
import type { Chances, Comparison, Distribution, Figure, Rate, Report } from "./messages";
import { against, awaitsMending, balance, reckon, reckoned, simulate, simulation, stopSimulation } from "./numbers";
import { unsavedDocs } from "./documents";

const percent = (v: number) => `${(100 * v).toFixed(v !== 0 && Math.abs(v) < 0.0995 ? 1 : 0)} %`;
const points = (v: number) => `${v > 0 ? "+" : v < 0 ? "−" : "±"}${(100 * Math.abs(v)).toFixed(1)}`;
const plain = (v: number) => (Math.abs(v) >= 100 ? v.toFixed(0) : v.toFixed(1));
const signed = (v: number) => `${v > 0 ? "+" : v < 0 ? "−" : "±"}${plain(Math.abs(v))}`;

export function NumbersPane() {
  return (
    <div class="numbers">
      {isLed.value && wide.value && <LeadPanel />}
      <Balance />
      <OddsOfCommand />
      <Simulation />
    </div>
  );
}

// --- what a change moves -----------------------------------------------------------------------------------

function Balance() {
  const b = balance.value;
  const report = b.answer?.report;
  return (
    <section aria-labelledby="balance-title" aria-busy={b.working}>
      <header>
        <h2 id="balance-title">Balance</h2>
        <select aria-label="Compare with" value={against.value} onChange={(e) => (against.value = e.currentTarget.value as typeof against.value)}>
          <option value="saved">unsaved against saved</option>
          <option value="without">with house rules or without</option>
        </select>
      </header>
      <Progress done={report?.fights ?? 0} of={b.answer?.fights ?? 1000} working={b.working} />
      {b.refusal ? <p class="refusal">{b.refusal}</p> : report ? <Moved report={report} /> : <p class="quiet">{hint(b.working, b.answer?.same)}</p>}
    </section>
  );
}

function hint(working: boolean, same: boolean | undefined): string {
  if (working) return "Playing the same fights before and after…";
  if (awaitsMending.value) return "As soon as the text has no mistake, the same fights are played before and after the change.";
  if (same) return "The change changes nothing that is played.";
  if (against.value === "without") return house.value.length ? "" : "Open a file of house rules to see what it changes.";
  return unsavedDocs.value.length ? "" : "Change a rule: the same thousand fights are played with it and without it, while you type.";
}

function Moved({ report }: { report: Comparison }) {
  const arm = report.rules[0];
  if (!arm) return null;
  const wins = arm.figures.filter((f) => f.what === "wins" || f.share && report.before.sides.some((s) => s.name === f.of));
  const others = arm.figures.filter((f) => !wins.includes(f) && f.different > 0);
  others.sort((a, b) => Number(b.significant) - Number(a.significant) || a.p_value - b.p_value);
  return (
    <>
      <table class="moved">
        <caption class="sr">Wins before and after the change</caption>
        <thead>
          <tr>
            <th scope="col">wins</th>
            <th scope="col">before</th>
            <th scope="col">after</th>
            <th scope="col">change, 95 %</th>
          </tr>
        </thead>
        <tbody>
          {wins.map((f) => (
            <MovedRow key={f.of + f.what} f={f} name={f.of} />
          ))}
        </tbody>
      </table>
      <Scale figures={wins} />
      <p class="quiet">
        {percent(arm.different.rate)} of {report.fights} fights went differently, {percent(arm.flipped.rate)} have another winner.
      </p>
      {others.length > 0 && (
        <details open={others.some((f) => f.significant)}>
          <summary>What else moved</summary>
          <table class="moved">
            <tbody>
              {others.slice(0, Math.max(6, others.filter((f) => f.significant).length)).slice(0, 14).map((f) => (
                <MovedRow key={f.of + f.what} f={f} name={`${f.of === "fight" ? "" : f.of} ${f.what}`} />
              ))}
            </tbody>
          </table>
        </details>
      )}
      {report.warnings.map((w) => (
        <p class="quiet sentence" key={w}>
          {w}
        </p>
      ))}
    </>
  );
}

function MovedRow({ f, name }: { f: Figure; name: string }) {
  const text = f.share ? percent : plain;
  const change = f.share ? points : signed;
  const way = !f.different || f.change === 0 ? "" : f.change > 0 ? "▲" : "▼";
  return (
    <tr class={f.significant ? "significant" : ""}>
      <th scope="row">{name}</th>
      <td>{text(f.before.value)}</td>
      <td>{text(f.after.value)}</td>
      <td>
        {f.different ? (
          <>
            <span aria-hidden="true">{way}</span> <b>{change(f.change)}</b>{" "}
            <span class="quiet">
              {change(f.low)} to {change(f.high)}
            </span>
          </>
        ) : (
          <span class="quiet">unchanged</span>
        )}
      </td>
    </tr>
  );
}

/** Scale draws the changes of the win rates with their intervals around no change. */
function Scale({ figures }: { figures: Figure[] }) {
  const reach = Math.max(0.02, ...figures.flatMap((f) => [Math.abs(f.low), Math.abs(f.high)]));
  const x = (v: number) => 50 + (48 * v) / reach;
  return (
    <div class="scale" aria-hidden="true">
      {figures.map((f, i) => (
        <div class="scale-row" key={f.of}>
          <span class="scale-name">{f.of}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none">
            <line x1="50" x2="50" y1="0" y2="10" class="zero" />
            <rect x={x(f.low)} width={Math.max(0.5, x(f.high) - x(f.low))} y="3" height="4" class={`interval of-side-${i % 4}`} />
            <rect x={x(f.change) - 0.5} width="1" y="1" height="8" class={`mark of-side-${i % 4}`} />
          </svg>
        </div>
      ))}
      <div class="scale-ends">
        <span>{points(-reach)}</span>
        <span>0</span>
        <span>{points(reach)}</span>
      </div>
    </div>
  );
}

function Progress({ done, of, working }: { done: number; of: number; working: boolean }) {
  return (
    <div class="progress" role="progressbar" aria-label="Fights played" aria-valuemin={0} aria-valuemax={of} aria-valuenow={done}>
      <span class={working ? "working" : ""} style={{ width: `${(100 * done) / of}%` }} />
    </div>
  );
}

// --- one command -------------------------------------------------------------------------------------------

/** OddsOfCommand says what a command would come to, where the script hands over to tactics. */
function OddsOfCommand() {
  const [text, setText] = useState("");
  const o = reckoned.value;
  const at = pointed.value;
  useEffect(() => {
    if (at) setText(at.command);
  }, [at]);
  return (
    <section aria-labelledby="odds-title" aria-busy={o.working}>
      <header>
        <h2 id="odds-title">Odds</h2>
      </header>
      <form
        class="command"
        onSubmit={(e) => {
          e.preventDefault();
          if (text.trim()) void reckon(text.trim());
        }}
      >
        <input aria-label="Command" placeholder="WHO: attack WHOM" spellcheck={false} value={text} onInput={(e) => setText(e.currentTarget.value)} />
        <button>Reckon</button>
      </form>
      {o.refusal && <p class="refusal">{o.refusal}</p>}
      {o.working && <p class="quiet">Every roll of its dice is followed…</p>}
      {o.answer && <ChancesView c={o.answer} />}
    </section>
  );
}

function ChancesView({ c }: { c: Chances }) {
  const amounts = c.amounts.filter((a) => !a.internal && a.values.length > 1);
  return (
    <>
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">check</th>
            <th scope="col">made</th>
            <th scope="col">succeeds</th>
          </tr>
        </thead>
        <tbody>
          {c.checks.map((k) => (
            <tr key={k.roll}>
              <th scope="row">{k.roll}</th>
              <td>{percent(k.made.value)}</td>
              <td>{percent(k.success.value)}</td>
            </tr>
          ))}
          {c.falls.map((f) => (
            <tr key={f.who}>
              <th scope="row">{f.who} falls</th>
              <td />
              <td>{percent(f.share.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {amounts.map((a) => (
        <AmountChart key={a.who + a.name} amount={a} />
      ))}
      <p class="quiet">
        {c.sampled ? `from ${c.sampled} tries` : "exact"}
        {c.reactions.length > 0 && `, with ${c.reactions.join(", ")}`}
        {c.declined.length > 0 && `, without ${c.declined.join(", ")}`}
      </p>
    </>
  );
}

// --- many fights -------------------------------------------------------------------------------------------

function Simulation() {
  const [fights, setFights] = useState(1000);
  const s = simulation.value;
  const report = s.answer?.report;
  return (
    <section aria-labelledby="simulation-title" aria-busy={s.working}>
      <header>
        <h2 id="simulation-title">Many fights</h2>
        <select aria-label="How many fights" value={fights} onChange={(e) => setFights(Number(e.currentTarget.value))}>
          <option value={1000}>1,000</option>
          <option value={10000}>10,000</option>
          <option value={100000}>100,000</option>
        </select>
        {s.working ? <button onClick={stopSimulation}>Stop</button> : <button onClick={() => void simulate(fights)}>Play</button>}
      </header>
      {(s.working || report) && <Progress done={report?.fights ?? 0} of={s.answer?.fights ?? fights} working={s.working} />}
      {s.refusal && <p class="refusal">{s.refusal}</p>}
      {report ? <ReportView report={report} /> : !s.refusal && <p class="quiet">Who wins, how long it takes, who falls: with intervals.</p>}
    </section>
  );
}

function ReportView({ report }: { report: Report }) {
  const sides: { name: string; wins: Rate }[] = [...report.sides];
  if (report.undecided.rate > 0) sides.push({ name: "nobody", wins: report.undecided });
  return (
    <>
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">wins</th>
            <td />
            <th scope="col">95 %</th>
          </tr>
        </thead>
        <tbody>
          {sides.map((s, i) => (
            <tr key={s.name}>
              <th scope="row">{s.name}</th>
              <td>
                <Bar share={s.wins.rate} low={s.wins.low} high={s.wins.high} side={i} /> {percent(s.wins.rate)}
              </td>
              <td class="quiet">
                {percent(s.wins.low)} to {percent(s.wins.high)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Rounds rounds={report.rounds} fights={report.fights} />
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">combatant</th>
            <th scope="col">falls</th>
            <th scope="col">took</th>
            <th scope="col">dealt</th>
          </tr>
        </thead>
        <tbody>
          {report.combatants.map((c) => (
            <tr key={c.name}>
              <th scope="row">{c.name}</th>
              <td>
                <Bar share={c.falls.rate} low={c.falls.low} high={c.falls.high} side={report.sides.findIndex((s) => s.name === c.side)} /> {percent(c.falls.rate)}
              </td>
              <td title={`95 %: ${plain(c.took.low)} to ${plain(c.took.high)}`}>{plain(c.took.mean)}</td>
              <td title={`95 %: ${plain(c.dealt.low)} to ${plain(c.dealt.high)}`}>{plain(c.dealt.mean)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.warnings.map((w) => (
        <p class="quiet" key={w}>
          {w}
        </p>
      ))}
    </>
  );
}

/** Bar is a share with its interval. */
function Bar({ share, low, high, side }: { share: number; low: number; high: number; side: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="10" class="bar-ground" />
      <rect width={100 * share} height="10" class={`of-side-${Math.max(0, side) % 4}`} />
      <rect x={100 * low} width={Math.max(0.5, 100 * (high - low))} y="4" height="2" class="bar-interval" />
    </svg>
  );
}

/** Rounds draws how long the fights are. */
function Rounds({ rounds, fights }: { rounds: Distribution; fights: number }) {
  const last = rounds.counts.at(-1)?.value ?? 1;
  const width = Math.max(1, Math.ceil(last / 24));
  const bins: { from: number; times: number }[] = [];
  for (let from = 0; from <= last; from += width)
    bins.push({ from, times: rounds.counts.filter((c) => c.value >= from && c.value < from + width).reduce((n, c) => n + c.times, 0) });
  if (bins[0]?.times === 0) bins.shift();
  const most = Math.max(...bins.map((b) => b.times), 1);
  const text = `mean ${plain(rounds.mean)} rounds, half of the fights ${rounds.quantiles.p25} to ${rounds.quantiles.p75}, 95 % at most ${rounds.quantiles.p95}`;
  return (
    <figure class="histogram">
      <div class="columns" role="img" aria-label={`Rounds: ${text}`}>
        {bins.map((b) => (
          <span key={b.from} title={`${b.from}${width > 1 ? ` to ${b.from + width - 1}` : ""} rounds: ${percent(b.times / fights)}`}>
            <i style={{ height: `${(100 * b.times) / most}%` }} />
            <em>{bins.length <= 16 || (b.from / width) % 2 === 0 ? b.from : ""}</em>
          </span>
        ))}
      </div>
      <figcaption class="quiet">{text}</figcaption>
    </figure>
  );
}
