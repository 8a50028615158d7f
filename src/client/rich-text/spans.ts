/** Writes the spans of a block. Marks that run over several spans are one element, as a link has to be. */
import { attributesOf, escapeHtml, safeHref } from "./escape.ts";

/** The parts of an element around a text. */
interface Element {
  open: string;
  close: string;
}

const ELEMENTS: ReadonlyMap<string, Element> = new Map(
  Object.entries({ strong: "strong", em: "em", underline: "u", "strike-through": "s", code: "code" }).map(
    ([mark, tag]) => [mark, { open: `<${tag}>`, close: `</${tag}>` }],
  ),
);

/** Returns the address of a link to a record; null for no link. */
export type LinkAddress = (link: { _key: string; record: unknown }) => string | null | undefined;

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

const textsIn = (value: unknown): string[] =>
  listOf(value).filter((one): one is string => typeof one === "string");

function linkOf(def: Members, links: LinkAddress | undefined): Element | null {
  const isInternal = def["_type"] === "internalLink";
  const asked = isInternal ? links?.({ _key: String(def["_key"]), record: def["record"] }) : def["href"];
  const href = isInternal || def["_type"] === "link" ? safeHref(asked) : null;
  return href === null ? null : { open: `<a${attributesOf({ href })}>`, close: "</a>" };
}

/** Returns the element of each mark of a block. A decorator of your own is a span with its name as its class. */
function elementsOf(block: Members, links: LinkAddress | undefined): (mark: string) => Element | null {
  const defined = new Map<string, Element | null>();
  for (const def of listOf(block["markDefs"])) {
    if (isObject(def) && typeof def["_key"] === "string") defined.set(def["_key"], linkOf(def, links));
  }
  return (mark) => {
    const own = defined.get(mark);
    if (own !== undefined) return own;
    return ELEMENTS.get(mark) ?? { open: `<span${attributesOf({ class: mark })}>`, close: "</span>" };
  };
}

interface Run {
  text: string;
  marks: ReadonlySet<string>;
}

const runsOf = (block: Members): Run[] =>
  listOf(block["children"])
    .filter(isObject)
    .map((span) => ({
      text: typeof span["text"] === "string" ? span["text"] : "",
      marks: new Set(textsIn(span["marks"])),
    }));

/** Returns the number of runs from the first on that have a mark. */
function lengthOf(mark: string, runs: readonly Run[], first: number): number {
  let end = first;
  while (runs[end]?.marks.has(mark)) end++;
  return end - first;
}

const written = (text: string): string => escapeHtml(text).replaceAll("\n", "<br>");

/** Writes the text of a block with its marks. */
export function spansHtml(block: Members, links: LinkAddress | undefined): string {
  const elementOf = elementsOf(block, links);
  const runs = runsOf(block);
  const open: { mark: string; element: Element }[] = [];
  let html = "";
  const closeTo = (count: number): void => {
    while (open.length > count) html += open.pop()?.element.close ?? "";
  };
  for (const [at, { text, marks }] of runs.entries()) {
    const ended = open.findIndex(({ mark }) => !marks.has(mark));
    if (ended !== -1) closeTo(ended);
    const isOpen = new Set(open.map(({ mark }) => mark));
    const begun = [...marks]
      .filter((mark) => !isOpen.has(mark))
      .map((mark) => ({ mark, length: lengthOf(mark, runs, at) }))
      // The mark that runs on for longest is outside, so that it is one element.
      .sort((a, b) => b.length - a.length);
    for (const { mark } of begun) {
      const element = elementOf(mark);
      if (!element) continue;
      html += element.open;
      open.push({ mark, element });
    }
    html += written(text);
  }
  closeTo(0);
  return html;
}
