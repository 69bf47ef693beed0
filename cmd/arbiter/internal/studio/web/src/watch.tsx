// The view of a fight, which writes its elements itself, as a part of the page.
import { useEffect, useRef } from "preact/hooks";
import { goToPlace } from "./editor";
import { mountFight, type FightView } from "./fight/index";
import type { Replay } from "./fight/model";

interface Props {
  replay: Replay;
  live?: boolean; // it goes on: the end is shown first
  onPick?: (at: { creature: string; square: [number, number] }) => void;
}

export function Watch({ replay, live, onPick }: Props) {
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
      });
      if (live) view.current.go(replay.events.length);
    }
  }, [replay]);
  return <div class="watch" ref={host} />;
}

