// The page of players: the map as their side sees it, what was told, and their own sheets. Nothing can be asked from here.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { budgetText } from "./budget";
import { openChannel } from "./channel";
import { mountFight, type FightView } from "./fight/index";
import type { Amount, Fighter, Stage } from "./messages";

const stage = signal<Stage | null>(null);
const reached = signal(false);

/** watchStage shows what is shown, from now on. */
export function watchStage(): void {
  openChannel("stage", {
    opened: () => (reached.value = true),
    lost: () => (reached.value = false),
    received: (text) => (stage.value = JSON.parse(text) as Stage),
  });
}

export function StagePage() {
  const s = stage.value;
  return (
    <div class="stage-page">
      <header class="top">
        <h1>{s?.replay?.title || "Arbiter"}</h1>
        {s?.replay && (
          <p class="quiet">
            {s.side}
            {s.round > 0 && `, round ${s.round}`}
          </p>
        )}
        <span class="space" />
        {s?.turn && (
          <p role="status">
            <b>{s.turn}</b>’s turn
          </p>
        )}
        {!reached.value && (
          <p class="unreachable" role="alert">
            The studio cannot be reached; trying again.
          </p>
        )}
      </header>
      <main>
        {!s?.replay ? (
          <p class="quiet pad" role="status">
            Nothing is being played. This page shows the fight as soon as it is led.
          </p>
        ) : (
          <>
            <Board stage={s} />
            <section class="sheets" aria-label="Your side">
              {s.story && s.story.told.length > 0 && (
                <article class="told" aria-live="polite">
                  {s.story.title && <h2>{s.story.title}</h2>}
                  {s.story.told.map((t, i) => (
                    <p key={i}>{t}</p>
                  ))}
                  <ul>
                    {s.story.ways.map((w) => (
                      <li key={w}>{w}</li>
                    ))}
                  </ul>
                </article>
              )}
              {s.sheets.map((f) => (
                <Sheet key={f.name} f={f} now={f.name === s.turn} />
              ))}
            </section>
          </>
        )}
      </main>
    </div>
  );
}

function Board({ stage }: { stage: Stage }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<FightView | null>(null);
  useEffect(() => () => view.current?.destroy(), []);
  useEffect(() => {
    if (!host.current || !stage.replay) return;
    const end = stage.replay.events.length;
    if (view.current) view.current.setReplay(stage.replay, end);
    else (view.current = mountFight(host.current, stage.replay)).go(end);
  }, [stage]);
  return <div class="watch" ref={host} />;
}

const amountText = (a: Amount) => `${a.name} ${a.value}${a.high !== null ? ` of ${a.high}` : ""}`;

function Sheet({ f, now }: { f: Fighter; now: boolean }) {
  return (
    <section class="sheet" data-now={now} aria-label={f.name}>
      <h2>
        {f.name} {f.down && <span class="bad">out of the fight</span>}
      </h2>
      <p>{f.pools.map(amountText).join(", ")}</p>
      {f.counts.some((a) => a.value !== 0) && <p class="quiet">{f.counts.filter((a) => a.value !== 0).map(amountText).join(", ")}</p>}
      {now && <p>{budgetText(f)}</p>}
      <p>
        {[...f.conditions, ...f.effects].map((e) => (
          <span key={e.name + e.with} class="chip" title={e.doc}>
            {e.name} {e.with} <span class="quiet">{e.lasts}</span>
          </span>
        ))}
      </p>
    </section>
  );
}
