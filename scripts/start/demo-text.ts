/** Portable Text of the demo, in few words. The service gives it its keys. */

interface Span {
  _type: "span";
  text: string;
  marks?: string[];
}

export interface Block {
  _type: string;
  [member: string]: unknown;
}

/** Returns the spans of a text in which `*words*` are emphasised. */
const spansOf = (text: string): Span[] =>
  text
    .split("*")
    .map((part, at): Span => ({ _type: "span", text: part, ...(at % 2 === 1 && { marks: ["em"] }) }))
    .filter(({ text: part }) => part !== "");

const styled = (style: string, text: string, more: object = {}): Block => ({
  _type: "block",
  style,
  children: spansOf(text),
  ...more,
});

export const paragraph = (text: string): Block => styled("normal", text);
export const heading = (text: string): Block => styled("h2", text);
export const quotation = (text: string): Block => styled("blockquote", text);
export const item = (text: string): Block => styled("normal", text, { listItem: "bullet", level: 1 });

/** Returns a paragraph that ends with a link to a record or to an address. */
export const linked = (text: string, words: string, to: { record: string } | { href: string }): Block => ({
  _type: "block",
  style: "normal",
  children: [...spansOf(text), { _type: "span", text: words, marks: ["way"] }],
  markDefs: [{ _type: "record" in to ? "internalLink" : "link", _key: "way", ...to }],
});

export const picture = (media: string | undefined, caption: string): Block => ({
  _type: "image",
  media,
  caption,
});
