import type { Amount, Fighter } from "./messages";

/** countless is from where on an amount is as good as without end: nobody counts it. */
const countless = 10;

const listText = (amounts: Amount[]) =>
  amounts
    .filter((a) => a.value > 0 && (a.high ?? 0) < countless)
    .map((a) => (a.value > 1 ? `${a.value} × ${a.name}` : a.name))
    .join(" · ");

/** budgetText is what a creature has left of its turn: parts of it, or the whole in their place. */
export const budgetText = (f: Fighter) => [listText(f.turn), listText(f.wholeTurn)].filter(Boolean).join(", or ");
