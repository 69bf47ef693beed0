// The view of a fight, which writes its elements itself, as a part of the page.
import { useEffect, useRef } from "preact/hooks";
import { ask } from "./desk";
import { goToPlace } from "./editor";
import { mountFight, type FightOptions, type FightView } from "./fight/index";
import type { Replay } from "./fight/model";
import { complain } from "./notices";

interface Props {
  replay: Replay;
  live?: boolean; // it goes on: the end is shown first
  onPick?: (at: { creature: string; square: [number, number] }) => void;
  moves?: FightOptions["moves"];
}

export function Watch({ replay, live, onPick, moves }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<FightView | null>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  useEffect(() => () => view.current?.destroy(), []);
  useEffect(() => {
    if (!host.current) return;
    if (view.current) view.current.setReplay(replay);
    else {
      view.current = mountFight(host.current, replay, {
        onRule: (rule) => goToPlace(`${rule.file}:${rule.line}:${rule.column}`),
        onPick: (at) => pick.current?.(at),
        moves,
        onSave: (doc) => void savePage(doc).catch(complain),
      });
      if (live) view.current.go(replay.events.length);
    }
  }, [replay]);
  return <div class="watch" ref={host} />;
}


/** savePage saves a fight as a page that shows it without a studio. */
async function savePage(doc: Replay): Promise<void> {
  const { before, after } = await ask("frame", { title: doc.title });
  const text = JSON.stringify(doc).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([before, text, after], { type: "text/html" }));
  link.download = `${doc.title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "fight"}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
