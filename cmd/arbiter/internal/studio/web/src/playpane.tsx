// The fight that is led here: what can be done, to whom and with which odds, and the questions that come up.
import { computed, signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { hello } from "./documents";
import { chosen } from "./fight";
import { Mistakes } from "./fightpane";
import type { Fighter, Inquiry, Possible, Question } from "./messages";
import {
  busy, complete, completions, diceByHand, lead, leave, newSession, next, notice, odds, phase, question, refused, replay, said, say, session, sessionsOf, showPlayers, stop, table, turn, wantOdds,
} from "./play";
import { budgetText } from "./budget";
import { say as notify } from "./notices";
import { isInside } from "./program";
import { StoryPane } from "./storypane";
import { Watch } from "./watch";

/** tells says that a story is told now: it is not in one of its fights. */
export const tells = computed(() => table.value?.view.story !== undefined && !table.value.view.fighting && !question.value);

/** picked is the action whose target is being chosen. */
const picked = signal("");

export function PlayPane() {
  switch (phase.value) {
    case "away":
      return <Seats />;
    case "refused":
      return (
        <div class="seats">
          <p class="refusal">
            {refused.value.message}
            {refused.value.taken && " The session is kept; nothing is lost."}
          </p>
          <Mistakes list={refused.value.diagnostics} />
          <p class="row">
            <button class="main" onClick={() => void lead(session.value)}>
              {refused.value.taken ? "Lead it here again" : "Try again"}
            </button>
            <button onClick={leave}>Back</button>
          </p>
        </div>
      );
  }
  return (
    <div class="play">
      {phase.value === "lost" && (
        <p class="banner warn" role="alert">
          The program cannot be reached. The fight is safe in {session.value}, and goes on when it is back.
        </p>
      )}
      {tells.value ? (
        <StoryPane />
      ) : replay.value ? (
        <Watch replay={replay.value} live onPick={pickOnMap} moves={moves} />
      ) : (
        <p class="quiet pad">Taking a seat…</p>
      )}
    </div>
  );
}

/** LeadPanel is what the one who leads does next. It stands beside the map, or below it where there is no room. */
export function LeadPanel() {
  if (tells.value)
    return (
      <section class="lead" aria-label="Lead the story" aria-busy={busy.value}>
        <CommandLine />
      </section>
    );
  return (
    <section class="lead" aria-label="Lead the fight" aria-busy={busy.value} data-state={`${table.value?.undo} ${table.value?.redo} ${replay.value?.events.length}`}>
      <TurnBar />
      {question.value ? <Ask key={question.value.label} q={question.value} /> : <Actions />}
      <div class="said" role="status">
        {said.value.map((s, i) => (
          <p key={i}>{s}</p>
        ))}
      </div>
      <CommandLine />
    </section>
  );
}

/** Seats offers the sessions of the fight. */
function Seats() {
  const list = sessionsOf(chosen.value);
  if (!chosen.value) return null;
  return (
    <div class="seats">
      <p>
        You lead every creature yourself, or leave a side to its tactics. {isInside ? "Each command is kept in this browser before it is shown." : <>Each command is saved before it is shown; <code>arbiter play --session</code> goes on where you left.</>}
      </p>
      <p class="row">
        {list.map((s) => (
          <button key={s} class="main" onClick={() => void lead(s)}>
            Resume {s.slice(s.lastIndexOf("/") + 1)}
          </button>
        ))}
        <button class={list.length ? "" : "main"} onClick={() => void lead(newSession(chosen.value))}>
          {list.length ? "New session" : "Lead this fight"}
        </button>
      </p>
    </div>
  );
}

// --- whose turn it is --------------------------------------------------------------------------------------

function TurnBar() {
  const t = table.value;
  if (!t) return null;
  const who = t.view.combatants.find((c) => c.name === turn.value);
  const side = who ? t.view.sides.findIndex((s) => s.name === who.side) : -1;
  return (
    <div class="lead-turn">
      <p class="whose">
        {who ? (
          <>
            <b class={`name-of-side-${side % 4}`}>{who.name}</b> <span class="quiet">{who.side}, round {t.view.round}</span>{" "}
            <span class="budget">{budgetText(who) || "nothing left"}</span>
          </>
        ) : (
          <span class="quiet">{t.view.fighting ? "Nobody’s turn" : "The fight has not begun"}</span>
        )}
      </p>
      <p class="row">
        {busy.value && (
          <button onClick={stop} title="Stop the running command">
            Stop
          </button>
        )}
        {!t.view.fighting && (
          <button class="main" disabled={busy.value} onClick={() => say(next.value === "" || next.value.startsWith("fight on") ? "begin" : next.value)}>
            {next.value === "" || next.value.startsWith("fight on") || next.value === "begin" ? "Begin" : next.value}
          </button>
        )}
        {t.view.fighting && !question.value && (
          <>
            <button class={t.decided ? "" : "main"} disabled={busy.value} onClick={() => say("next turn")}>
              End turn
            </button>
            <button disabled={busy.value} onClick={() => say("fight on for 1 turn")} title="Its tactics play this turn">
              Tactics
            </button>
            {t.decided && (
              <button class="main" disabled={busy.value} onClick={() => say("fight on")}>
                End the fight
              </button>
            )}
          </>
        )}
        <button disabled={busy.value || (!question.value && t.undo === 0)} onClick={() => say(question.value ? "back" : ":undo")} aria-label="Undo">
          ↶ Undo
        </button>
        <button disabled={busy.value || t.redo === 0 || question.value !== null} onClick={() => say(":redo")} aria-label="Redo">
          ↷ Redo
        </button>
        <More />
      </p>
    </div>
  );
}

/** More has what is wanted now and then. */
function More() {
  const t = table.value;
  return (
    <details class="menu">
      <summary title="Dice, tactics, leave">⋯</summary>
      <div class="menu-list">
        <button onClick={() => say(diceByHand.value ? ":dice seed" : ":dice ask")}>{diceByHand.value ? "Let the program roll the dice" : "Roll the dice at the table"}</button>
        {t?.view.sides.map((s) => (
          <button key={s.name} onClick={() => say(`:auto ${s.name}`)}>
            Tactics play {s.name}
          </button>
        ))}
        <button onClick={() => say(":auto off")}>I lead every side</button>
        {hello.value?.players && (
          <>
            <a href={hello.value.players} target="_blank" rel="noopener">
              Open the players’ page
            </a>
            <label>
              which shows what is seen by{" "}
              <select value={t?.players} onChange={(e) => showPlayers(e.currentTarget.value)}>
                {t?.view.sides.map((s) => (
                  <option key={s.name}>{s.name}</option>
                ))}
              </select>
            </label>
          </>
        )}
        <button onClick={leave}>Leave; the session is kept</button>
        <p class="quiet">{notice.value}</p>
      </div>
    </details>
  );
}

// --- what can be done --------------------------------------------------------------------------------------

const commandOf = (p: Possible, value?: string) => [p.action, value === undefined ? "" : (p.word ?? ""), value ?? ""].filter(Boolean).join(" ");
const squareText = (s: readonly number[]) => (s[2] ? `(${s[0]}, ${s[1]}, ${s[2]})` : `(${s[0]}, ${s[1]})`);

function shownAction(): Possible | undefined {
  const can = table.value?.can ?? [];
  return can.find((p) => p.action === picked.value) ?? can.find((p) => (p.targets?.length ?? 0) > 0 && !p.more) ?? can[0];
}

/** pickOnMap does the picked action to what was clicked, if that is possible. */
function pickOnMap(at: { creature: string; square: [number, number] }): void {
  if (busy.peek() || question.peek()) return;
  const p = shownAction();
  if (at.creature) {
    if (p?.targets?.includes(at.creature) && at.creature !== turn.peek()) say(commandOf(p, at.creature));
    return;
  }
  const by = p?.squares ? p : mover();
  const square = by?.squares?.find(isAt(at.square));
  if (by && square) say(commandOf(by, squareText(square)));
}

/** mover is the action that can lead to squares: the picked one if it does. */
function mover(): Possible | undefined {
  const can = table.peek()?.can ?? [];
  return can.find((p) => p.squares && p.action === picked.peek()) ?? can.find((p) => p.squares);
}

const isAt = (square: [number, number]) => (s: readonly number[]) => s[0] === square[0] && s[1] === square[1];

/** moves lets whoever's turn it is be dragged over the map. */
const moves = {
  can: (creature: string) => creature === turn.peek() && !busy.peek() && !question.peek() && mover() !== undefined,
  fits: (square: [number, number]) => mover()?.squares?.some(isAt(square)) ?? false,
  go(creature: string, square: [number, number]) {
    const by = mover();
    const to = by?.squares?.find(isAt(square));
    if (by && to) say(commandOf(by, squareText(to)));
    else notify(`${creature} cannot end there${by ? ` by ${by.action}` : ""}.`);
  },
};

function Actions() {
  const [filter, setFilter] = useState("");
  const t = table.value;
  if (!t?.can.length) return null;
  const shown = shownAction();
  const list = t.can.filter((p) => p.action.includes(filter.trim().replaceAll(" ", "-")));
  return (
    <div class="actions">
      <div class="action-list" role="group" aria-label="Actions">
        {t.can.length > 12 && <input type="search" placeholder="Find an action" aria-label="Find an action" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />}
        {list.map((p) => (
          <button key={p.action} aria-pressed={shown === p} title={p.doc} onClick={() => (picked.value = p.action)}>
            {p.action}
          </button>
        ))}
      </div>
      {shown && <Chosen key={shown.action} p={shown} fighters={t.view.combatants} />}
    </div>
  );
}

/** Chosen shows one action, with its targets. */
function Chosen({ p, fighters }: { p: Possible; fighters: Fighter[] }) {
  const [hot, setHot] = useState("");
  const values = [...(p.targets ?? []), ...(p.values ?? [])];
  const alone = values.length === 0 && !p.more;
  const rank = (name: string) => Number(isFriend(fighters, name)) + 2 * Number(fighters.find((f) => f.name === name)?.down ?? false);
  const foes = [...values].sort((a, b) => rank(a) - rank(b));
  const first = alone ? p.action : foes[0] !== undefined ? commandOf(p, foes[0]) : "";
  const current = hot || first;
  useEffect(() => {
    if (current) wantOdds(current);
  }, [current, odds.value.size === 0]);
  return (
    <div class="chosen-action">
      <p class="about">
        {p.doc} {p.costs.length > 0 && <span class="quiet">Costs {p.costs.join(" or ")}.</span>}
      </p>
      <div class="row targets">
        {foes.map((v) => {
          const command = commandOf(p, v);
          const x = odds.value.get(command);
          const side = sideOf(fighters, v);
          return (
            <button key={v} disabled={busy.value} onClick={() => say(command)} onPointerEnter={() => setHot(command)} onFocus={() => setHot(command)}>
              <span class={side >= 0 ? `name-of-side-${side % 4}` : ""}>{v}</span> {x && <small>{shortOdds(x)}</small>}
            </button>
          );
        })}
        {alone && (
          <button class="main" disabled={busy.value} onClick={() => say(p.action)}>
            {p.action}
          </button>
        )}
        {p.squares && <p class="quiet">{p.squares.length} squares: click one on the map, or type {commandOf(p, squareText(p.squares[0] ?? [0, 0]))}.</p>}
        {p.more && (
          <button onClick={() => prefill(p.action + " ")} title="It needs more words: type them">
            {p.action} …
          </button>
        )}
      </div>
      {current && <Odds x={odds.value.get(current) ?? null} />}
    </div>
  );
}

function sideOf(fighters: Fighter[], name: string): number {
  const f = fighters.find((c) => c.name === name);
  if (!f) return -1;
  return (table.peek()?.view.sides ?? []).findIndex((s) => s.name === f.side);
}

function isFriend(fighters: Fighter[], name: string): boolean {
  const mine = fighters.find((c) => c.name === turn.peek())?.side;
  return fighters.find((c) => c.name === name)?.side === mine;
}

const percent = (v: number) => `${Math.round(100 * v)} %`;

function shortOdds(x: Inquiry): string {
  if (!x.legal) return "no";
  const first = x.odds[0];
  return first ? percent(first.success) : "";
}

/** isOfTurn says that an amount comes back each turn: what a command takes of it is its price. */
function isOfTurn(who: string, name: string): boolean {
  const f = table.peek()?.view.combatants.find((c) => c.name === who);
  return [...(f?.turn ?? []), ...(f?.wholeTurn ?? []), ...(f?.reactions ?? [])].some((a) => a.name === name);
}

/** Odds shows what a command would come to. */
export function Odds({ x }: { x: Inquiry | null }) {
  if (!x) return <p class="quiet odds">Reckoning the odds…</p>;
  if (!x.legal) return <p class="odds">{x.why ? `Not allowed: ${x.why}` : "Not allowed."}</p>;
  const means = x.means.filter((m) => !isOfTurn(m.who, m.name));
  const amount = x.amounts?.find((a) => !isOfTurn(a.who, a.name));
  return (
    <div class="odds">
      <p>
        {x.odds.map((o) => (
          <span key={o.roll} class="check">
            {o.roll.slice(o.roll.indexOf(" ") + 1)} <b>{percent(o.success)}</b>
            {o.made < 0.999 && <span class="quiet"> if made ({percent(o.made)})</span>}
          </span>
        ))}
        {means.map((m) => (
          <span key={m.who + m.name} class="check">
            {m.name ? (
              <>
                {m.who} {m.name} {m.now} → <b>{m.mean.toFixed(1)}</b>
              </>
            ) : (
              <>
                {m.who} falls <b>{percent(m.mean)}</b>
              </>
            )}
          </span>
        ))}
        {x.triggers.length > 0 && <span class="check warn">may be answered by {x.triggers.join(", ")}</span>}
        {x.many && <span class="quiet">There are too many outcomes to count them.</span>}
        {x.odds.length + means.length === 0 && !x.many && <span class="quiet">No check is made.</span>}
      </p>
      {amount && amount.values.length > 1 && <AmountChart amount={amount} />}
    </div>
  );
}

/** AmountChart draws how likely each value of an amount is. */
export function AmountChart({ amount }: { amount: NonNullable<Inquiry["amounts"]>[number] }) {
  const values = [...amount.values].sort((a, b) => a.value - b.value);
  const low = values[0]?.value ?? 0;
  const high = values.at(-1)?.value ?? 0;
  const most = Math.max(...values.map((v) => v.share.value));
  const width = 100 / (high - low + 1);
  return (
    <figure class="amount-chart">
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label={`${amount.who} ${amount.name} from ${low} to ${high}, mean ${amount.mean.value.toFixed(1)}, now ${amount.now}`}>
        {values.map((v) => (
          <rect key={v.value} x={(v.value - low) * width + width * 0.1} width={width * 0.8} y={30 - (29 * v.share.value) / most} height={(29 * v.share.value) / most} class={v.value === amount.now ? "same" : v.value <= 0 ? "fallen" : "less"}>
            <title>{`${v.value}: ${(100 * v.share.value).toFixed(1)} %`}</title>
          </rect>
        ))}
      </svg>
      <figcaption class="quiet">
        <span>{low}</span>
        <span>
          {amount.who} {amount.name}, now {amount.now}, mean {amount.mean.value.toFixed(1)}
        </span>
        <span>{high}</span>
      </figcaption>
    </figure>
  );
}

// --- questions ---------------------------------------------------------------------------------------------

function Ask({ q }: { q: Question }) {
  const faces = q.sides && q.sides <= 20 ? Array.from({ length: q.sides }, (_, i) => i + 1) : [];
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus({ preventScroll: true }), [q]);
  return (
    <div class="ask" role="group" aria-labelledby="asked">
      <p id="asked">
        <b>{q.who || "The game master"}</b> {q.sides ? `rolls a d${q.sides} for ${q.label}` : `decides: ${q.label}`}
      </p>
      {q.plans?.map((p) => (
        <p class="quiet" key={p.effect}>
          It waits: {p.when}, {p.do}
        </p>
      ))}
      <p class="row">
        {q.ways?.map((w, i) => (
          <button key={w} ref={i === (q.default ?? 0) ? first : undefined} class={i === q.default ? "main" : ""} disabled={busy.value} onClick={() => say(String(i + 1))}>
            {w}
          </button>
        ))}
        {faces.map((f) => (
          <button key={f} ref={f === 1 ? first : undefined} class="face" disabled={busy.value} onClick={() => say(String(f))}>
            {f}
          </button>
        ))}
        {q.sides && (
          <button disabled={busy.value} onClick={() => say("")}>
            Let it roll
          </button>
        )}
        <button disabled={busy.value} onClick={() => say("drop")} title="Cancels the whole command">
          Cancel the command
        </button>
      </p>
    </div>
  );
}

// --- the command line --------------------------------------------------------------------------------------

const typed = signal("");

function prefill(text: string): void {
  typed.value = text;
  document.getElementById("command")?.focus();
  complete(text);
}

function CommandLine() {
  const c = completions.value;
  const base = typed.value.startsWith(c.text) ? c.text.slice(0, c.from) : "";
  return (
    <form
      class="command"
      onSubmit={(e) => {
        e.preventDefault();
        if (!typed.value.trim() && !question.value) return;
        say(typed.value);
        typed.value = "";
      }}
    >
      <label class="sr" for="command">
        Command
      </label>
      <input
        id="command"
        autocomplete="off"
        spellcheck={false}
        placeholder={question.value ? "an answer" : turn.value ? `${turn.value}: attack …, or any line` : "begin, place, set …"}
        list="completions"
        value={typed.value}
        onInput={(e) => {
          typed.value = e.currentTarget.value;
          complete(e.currentTarget.value);
        }}
      />
      <datalist id="completions">
        {c.list.map((x) => (
          <option key={x} value={base + x} />
        ))}
      </datalist>
      <button disabled={busy.value}>Do</button>
    </form>
  );
}
