/** The elements of HTML by what becomes of them in rich text. */

/** Elements that mark a text. */
export const MARKS: Readonly<Record<string, string>> = {
  ...{ strong: "strong", b: "strong", em: "em", i: "em", cite: "em", var: "em", dfn: "em" },
  ...{
    u: "underline",
    ins: "underline",
    s: "strike-through",
    strike: "strike-through",
    del: "strike-through",
  },
  ...{ code: "code", kbd: "code", samp: "code", tt: "code", sub: "sub", sup: "sup", mark: "highlight" },
};

export const HEADINGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

/** Elements that stand on lines of their own, and of which nothing but their content comes along. */
export const BOXES = new Set(
  (
    "p div section article header footer main aside nav center address details summary dl dt dd figure figcaption " +
    "blockquote ul ol li fieldset legend hgroup picture"
  ).split(" "),
);

/** Elements whose content comes along as a text without a mark, with the reason why this is a loss. */
export const PLAIN: Readonly<Record<string, string>> = {
  abbr: "the long form of an abbreviation (its title) is left out",
  acronym: "the long form of an abbreviation (its title) is left out",
  small: "the size of a text is left out",
  big: "the size of a text is left out",
  font: "the font and colour of a text are left out",
  center: "the alignment of a text is left out",
};

/** Elements that play or show another address. */
export const EMBEDS = new Set(["iframe", "video", "audio", "embed", "object"]);

/** Elements that are kept as HTML. */
export const KEPT = new Set([
  "form",
  "input",
  "select",
  "textarea",
  "button",
  "svg",
  "math",
  "canvas",
  "map",
  "marquee",
]);

/** Elements that are left out with their content. */
export const DROPPED = new Set([
  "script",
  "style",
  "noscript",
  "link",
  "meta",
  "template",
  "head",
  "title",
  "base",
]);
