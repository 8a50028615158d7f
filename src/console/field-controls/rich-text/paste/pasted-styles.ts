/**
 * Takes out of pasted HTML what the policy of the page forbids, and reads what the styles of its elements say, those of
 * Word included.
 */

const DECORATORS: Record<string, string> = {
  STRONG: "strong",
  B: "strong",
  EM: "em",
  I: "em",
  CITE: "em",
  U: "underline",
  INS: "underline",
  S: "strike-through",
  DEL: "strike-through",
  STRIKE: "strike-through",
  CODE: "code",
  KBD: "code",
  SAMP: "code",
  TT: "code",
};
const BOLD_WEIGHT = 600;

/** The name under which styles wait for this cleaning. */
const STYLE = "data-pasted-style";

/** Returns the declarations of an element's style. The policy of the page keeps the browser from reading them. */
export function declarationsOf(element: Element): Map<string, string> {
  const declarations = (element.getAttribute(STYLE) ?? element.getAttribute("style") ?? "").split(";");
  return new Map(
    declarations.map((one) => {
      const [name = "", ...value] = one.split(":");
      return [name.trim().toLowerCase(), value.join(":").trim().toLowerCase()];
    }),
  );
}

/**
 * Takes out of HTML what the page's policy forbids: the browser would report it, though the text is read in a document
 * of its own, in which nothing runs. Styles of elements are kept under another name.
 */
export const withoutForbidden = (html: string): string =>
  html
    .replace(/<(script|style)\b[^>]*>[^]*?<\/\1\s*>/gi, "")
    .replace(/<[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi, (tag) =>
      tag.replace(/\sstyle\s*=/gi, ` ${STYLE}=`).replace(/[\s/]on[a-z]+\s*=/gi, " data-dropped="),
    );

/** Returns the decorators of an element: by its name and its style, which may also take one away. */
export function decoratorsOf(element: Element, around: readonly string[]): string[] {
  const style = declarationsOf(element);
  const names = new Set(around);
  const set = (name: string, is: boolean | null): void => {
    if (is === true) names.add(name);
    if (is === false) names.delete(name);
  };
  const named = DECORATORS[element.tagName];
  if (named !== undefined) names.add(named);
  const own = element.getAttribute("data-decorator");
  if (own !== null) names.add(own);
  const weight = style.get("font-weight");
  const isHeading = element.closest("h1, h2, h3, h4, h5, h6") !== null;
  if (weight !== undefined)
    set("strong", !isHeading && (weight.startsWith("bold") || Number(weight) >= BOLD_WEIGHT));
  const slope = style.get("font-style");
  if (slope !== undefined) set("em", slope === "italic" || slope === "oblique");
  const line = style.get("text-decoration") ?? style.get("text-decoration-line");
  // A link is underlined everywhere.
  if (line !== undefined && element.closest("a") === null) {
    if (line.includes("underline")) set("underline", true);
    if (line.includes("line-through")) set("strike-through", true);
    if (line.startsWith("none")) for (const name of ["underline", "strike-through"]) set(name, false);
  }
  return [...names];
}

/**
 * Reads a list item of Word: `mso-list: l0 level2 lfo1`. Its marker stands in the text, as a number or another sign.
 */
export function wordItem(element: Element): { listItem: string; level: number } | null {
  const [, level] = /level(\d+)/.exec(declarationsOf(element).get("mso-list") ?? "") ?? [];
  if (level === undefined) return null;
  const marker = [...element.querySelectorAll(`[${STYLE}*="mso-list"]`)]
    .map(({ textContent }) => textContent)
    .join("");
  return { listItem: /[\da-z]+[.)]/i.test(marker.trim()) ? "number" : "bullet", level: Number(level) };
}

/** Returns whether an element is Word's marker of a list item, which is no text. */
export const isMarker = (element: Element): boolean =>
  (declarationsOf(element).get("mso-list") ?? "").startsWith("ignore");

export const isHidden = (element: Element): boolean => {
  const style = declarationsOf(element);
  return style.get("display") === "none" || style.get("mso-hide") === "all";
};
