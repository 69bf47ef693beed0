// What the language server writes for a person is Markdown; what becomes of it may hold nothing but text and its form.

const allowed = new Set(["P", "PRE", "CODE", "SPAN", "STRONG", "EM", "UL", "OL", "LI", "BR", "HR", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "BLOCKQUOTE", "H1", "H2", "H3", "H4", "H5", "H6"]);

/** sanitize keeps the elements that give text a form, with their classes, and the text of all others. */
export function sanitize(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const e of [...page.body.querySelectorAll("*")]) {
    if (!allowed.has(e.tagName)) {
      if (e.tagName === "SCRIPT" || e.tagName === "STYLE") e.remove();
      else e.replaceWith(...e.childNodes);
      continue;
    }
    for (const a of [...e.attributes]) if (a.name !== "class") e.removeAttribute(a.name);
  }
  return page.body.innerHTML;
}
