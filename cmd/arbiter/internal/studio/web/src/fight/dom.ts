// Elements in one call. A fight changes many times a second, so that its view writes elements itself; only what differs
// is written.

type Props = Record<string, unknown>;
type Child = Node | string | null | undefined | false;

function fill<T extends Element>(e: T, props: Props | null, children: Child[]): T {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2).toLowerCase(), value as EventListener);
    else e.setAttribute(key, value === true ? "" : String(value));
  }
  for (const c of children) if (c) e.append(c);
  return e;
}

/** el makes an element of a page. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props?: Props | null, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), props ?? null, children);
}

/** svg makes an element of a drawing. */
export function svg<K extends keyof SVGElementTagNameMap>(tag: K, props?: Props | null, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props ?? null, children);
}

/** put sets an attribute if it differs, and removes it for null. */
export function put(e: Element, name: string, value: string | number | null): void {
  if (value === null) {
    if (e.hasAttribute(name)) e.removeAttribute(name);
  } else if (e.getAttribute(name) !== String(value)) e.setAttribute(name, String(value));
}

/** say sets a text if it differs. */
export function say(e: Element, text: string): void {
  if (e.textContent !== text) e.textContent = text;
}


/** arrows writes the arrows of a transcript as such. */
export const arrows = (text: string): string => text.replaceAll(" -> ", " → ");
