/** Escapes what rich text holds, so that none of it is markup or a script. */

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => ESCAPED[one] ?? one);

export const attributesOf = (attributes: object): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`)
    .join("");

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SAFE_SCHEME = /^(?:https?|mailto|tel):/i;

/** Browsers leave these out before they read the scheme: control characters, and then spaces at both ends. */
const CONTROLS = /[\0-\x1f\x7f]/g;
const OUTER_SPACES = /^ +| +$/g;

/** Returns an address that runs nothing: http, https, mailto, tel or relative; null for any other. */
export function safeHref(href: unknown): string | null {
  if (typeof href !== "string") return null;
  const read = href.replace(CONTROLS, "").replace(OUTER_SPACES, "");
  return read !== "" && (!SCHEME.test(read) || SAFE_SCHEME.test(read)) ? read : null;
}
