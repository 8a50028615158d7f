/** The addresses that a link of rich text may have. */
import { RICH_TEXT } from "../../../limits.ts";
import { hasAtMost, textFault } from "../../text/text.ts";

const SCHEMES: readonly string[] = ["http", "https", "mailto", "tel"];
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** Browsers leave control characters out, so that `java\nscript:` is a scheme to them. */
const CONTROLS = /[\0-\x1f\x7f]/;

/** Matches the address of another host. To browsers a backslash is a slash. */
const OTHER_HOST = /^[/\\]{2}/;

/** Returns the fault of an address; null for one of http, https, mailto or tel, and for a relative one. */
export function hrefFault(href: unknown): string | null {
  if (typeof href !== "string") return href === undefined ? "is required" : "must be a string";
  if (href.trim() === "") return "must not be empty";
  if (!hasAtMost(href, RICH_TEXT.hrefMaxCharacters))
    return `must have at most ${RICH_TEXT.hrefMaxCharacters} characters`;
  const fault = textFault(href);
  if (fault !== null) return fault;
  if (CONTROLS.test(href) || href !== href.trim())
    return "must not hold control characters, nor begin or end with a space";
  if (OTHER_HOST.test(href)) return "must not begin with //: name the scheme, such as https:";
  const scheme = SCHEME.exec(href)?.[1]?.toLowerCase();
  if (scheme === undefined) return null;
  if (!SCHEMES.includes(scheme)) return `must be relative, or begin with ${SCHEMES.join(":, ")}:`;
  return scheme.startsWith("http") && !URL.canParse(href) ? "must be a URL" : null;
}
