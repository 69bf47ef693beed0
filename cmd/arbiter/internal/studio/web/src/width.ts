// How much room the page has.
import { signal } from "@preact/signals";

const query = matchMedia("(min-width: 1021px)");

/** wide says that there is room for numbers beside the fight. */
export const wide = signal(query.matches);
query.addEventListener("change", () => (wide.value = query.matches));
