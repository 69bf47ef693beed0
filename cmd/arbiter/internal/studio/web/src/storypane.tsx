// An adventure that is led: what is told, the ways that are open, the scenes that were seen, what the story keeps.
import { useEffect, useRef } from "preact/hooks";
import type { Scenes } from "./messages";
import { busy, leadAgain, said, say, scenes, session, table } from "./play";

/** StoryPane is the page of the story that is open. */
export function StoryPane() {
  const view = table.value?.view;
  const story = view?.story;
  const begins = useRef<HTMLDivElement>(null);
  const at = story ? `${story.scene} ${story.told.length} ${story.told[0] ?? ""}` : "";
  useEffect(() => begins.current?.scrollIntoView({ block: "nearest" }), [at]);
  if (!view || !story) return null;
  return (
    <div class="story" data-scene={story.scene} data-finished={story.finished}>
      <article key={at} aria-live="polite" ref={begins}>
        {story.title && <h2>{story.title}</h2>}
        {story.told.map((text, i) => (
          <p key={i}>{text}</p>
        ))}
        {story.finished && <p class="ending">The end{story.ending ? `: ${story.ending}` : ""}</p>}
      </article>
      {story.ways.length > 0 && (
        <ol class="ways">
          {story.ways.map((way, i) => (
            <li key={way}>
              <button disabled={busy.value} onClick={() => say(String(i + 1))}>
                {way}
              </button>
            </li>
          ))}
        </ol>
      )}
      <div class="said" role="status">
        {said.value.map((s, i) => (
          <p key={i}>{s}</p>
        ))}
      </div>
      <p class="row">
        <button disabled={busy.value || table.value?.undo === 0} onClick={() => say(":undo")}>
          ↶ Undo
        </button>
        <button disabled={busy.value || table.value?.redo === 0} onClick={() => say(":redo")}>
          ↷ Redo
        </button>
        {story.finished && (
          <button class="main" disabled={busy.value} onClick={() => void leadAgain(session.value)}>
            Play again
          </button>
        )}
      </p>
      {view.kept.length > 0 && (
        <details>
          <summary>What the story keeps</summary>
          <table class="kept">
            <tbody>
              {view.kept.map((k) => (
                <tr key={k.name}>
                  <th scope="row">{k.name}</th>
                  <td>{k.value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      {scenes.value && (
        <details>
          <summary>
            Scenes: {story.visited.length} of {scenes.value.nodes.filter((n) => !n.end).length} seen
          </summary>
          <Graph graph={scenes.value} now={story.scene} visited={story.visited} ended={story.finished ? (story.ending ?? "") : null} />
        </details>
      )}
    </div>
  );
}

/** Graph draws the scenes; those that were seen are full, where the story stands has a strong border. */
function Graph({ graph, now, visited, ended }: { graph: Scenes; now: string; visited: string[]; ended: string | null }) {
  const state = (n: Scenes["nodes"][number]) => {
    if (n.end) return ended === n.name ? "now" : "unseen";
    if (n.name === now && ended === null) return "now";
    return visited.includes(n.name) ? "seen" : "unseen";
  };
  return (
    <div class="scene-graph" tabIndex={0} role="region" aria-label="Scenes">
      <svg width={graph.width} height={graph.height} viewBox={`0 0 ${graph.width} ${graph.height}`} role="img" aria-label={`Seen: ${visited.join(", ")}`}>
        <defs>
          <marker id="scene-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {graph.lines.map((l, i) => (
          <path key={i} d={l.path} class={l.visit ? "visit" : "go"} marker-end="url(#scene-arrow)">
            <title>{l.label}</title>
          </path>
        ))}
        {graph.nodes.map((n) => (
          <g key={n.name + n.end} class={state(n)} data-end={n.end}>
            <rect x={n.x - n.width / 2} y={n.y - n.height / 2} width={n.width} height={n.height} rx={n.end ? n.height / 2 : 5} />
            <text x={n.x} y={n.y + 5}>
              {n.fight ? "⚔ " : ""}
              {n.title.length > 24 ? n.title.slice(0, 23) + "…" : n.title}
            </text>
            <title>{`${n.title}${state(n) === "now" ? ", where the story stands" : state(n) === "seen" ? ", seen" : ""}`}</title>
          </g>
        ))}
      </svg>
    </div>
  );
}
