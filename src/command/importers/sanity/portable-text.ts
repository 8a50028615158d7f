/** Converts Portable Text of Sanity: it stays as it is, but for what the service's fields cannot hold. */
import { keyOf } from "../ids.ts";
import type { Losses } from "../losses.ts";
import type { Json, JsonObject } from "../site.ts";
import { cleanText, hrefFrom, type TextUse } from "../text/portable-text.ts";
import { isObject, typeOf } from "./export.ts";
import { linkedDocument } from "./shapes.ts";

export interface BlockSource {
  place: string;
  use: TextUse;
  losses: Losses;
  /** The collection that links to records may lead to; null for none. */
  linkTo: string | null;
  /** Returns the record that a document became. */
  record(id: string): { id: string; model: string } | null;
}

const NAME_MAX_CHARACTERS = 63;
/** A key of a definition, as Sanity makes them; a mark of this form without a definition is no decorator. */
const KEY = /^[0-9a-f]{10,}$/;
const LINK_MEMBERS: readonly string[] = ["_type", "_key", "href", "url"];

/** Returns a key of a source; one that follows from the place where there is none. */
export function keyIn(object: JsonObject, ...place: (string | number)[]): string {
  const key = object["_key"];
  return typeof key === "string" && key !== "" && key.length <= 128 ? key : keyOf(...place);
}

interface Mark {
  _type: "link" | "internalLink";
  target: JsonObject;
}

function markOf(def: JsonObject, source: BlockSource): Mark | null {
  const { losses, place } = source;
  const documentId = linkedDocument(def);
  if (documentId !== null) {
    const record = source.record(documentId);
    if (record && record.model === source.linkTo)
      return { _type: "internalLink", target: { record: record.id } };
    const reason = record
      ? `links of a text lead to records of one collection, and not of ${record.model}`
      : "its target is not in the export";
    losses.add(`a link to a document becomes its text: ${reason}`, `${place}: ${documentId}`);
    return null;
  }
  const address = def["href"] ?? def["url"];
  const href = typeof address === "string" ? hrefFrom(address) : null;
  if (href === null) {
    losses.add("a link or mark that no text may have becomes its text", `${place}: ${typeOf(def)}`);
    return null;
  }
  const further = Object.keys(def).filter((name) => !LINK_MEMBERS.includes(name));
  if (further.length > 0)
    losses.add("members of a link beside its address are left out", `${place}: ${further.join(", ")}`);
  return { _type: "link", target: { href } };
}

/** Converts a block of text. */
export function textBlock(block: JsonObject, at: number, source: BlockSource): JsonObject {
  const { place, use, losses } = source;
  const key = keyIn(block, place, at);
  const given = Array.isArray(block["markDefs"]) ? block["markDefs"].filter(isObject) : [];
  const defs = given.flatMap((def, index): [string, Mark][] => {
    const mark = markOf(def, source);
    return mark ? [[keyIn(def, key, "def", index), mark]] : [];
  });
  const gone = new Set(given.map((def, index) => keyIn(def, key, "def", index)));
  for (const [own, { _type }] of defs) {
    gone.delete(own);
    if (_type === "link") use.hasLink = true;
    else use.hasRecord = true;
  }
  const defined = new Map(defs);
  const spans = (block["children"] as Json[]).filter(isObject).flatMap((span, index): JsonObject[] => {
    if (typeof span["text"] !== "string") {
      losses.add("an object inside a line is left out", `${place}: ${typeOf(span)}`);
      return [];
    }
    const marks = (Array.isArray(span["marks"]) ? span["marks"] : []).filter(
      (mark): mark is string =>
        typeof mark === "string" && mark !== "" && !gone.has(mark) && (defined.has(mark) || !KEY.test(mark)),
    );
    const short = marks.map((mark) => mark.slice(0, NAME_MAX_CHARACTERS));
    for (const mark of short) if (!defined.has(mark)) use.decorators.add(mark);
    return [
      {
        _type: "span",
        _key: keyIn(span, key, index),
        text: cleanText(span["text"]),
        marks: [...new Set(short)],
      },
    ];
  });
  const style = typeof block["style"] === "string" && block["style"] !== "" ? block["style"] : "normal";
  const listItem =
    typeof block["listItem"] === "string" ? block["listItem"].slice(0, NAME_MAX_CHARACTERS) : null;
  const level =
    typeof block["level"] === "number" ? Math.min(10, Math.max(1, Math.round(block["level"]))) : 1;
  use.styles.add(style.slice(0, NAME_MAX_CHARACTERS));
  if (listItem !== null) use.lists.add(listItem);
  return {
    ...{ _type: "block", _key: key, style: style.slice(0, NAME_MAX_CHARACTERS) },
    ...(listItem !== null && { listItem, level }),
    children: withOwnKeys(spans, key),
    markDefs: defs.map(([own, { _type, target }]) => ({ _type, _key: own, ...target })),
  };
}

/** Returns objects whose keys differ: a key that is there twice is replaced. */
export function withOwnKeys(objects: JsonObject[], place: string): JsonObject[] {
  const seen = new Set<string>();
  return objects.map((object, at) => {
    const own = object["_key"] as string;
    const key = seen.has(own) ? keyOf(place, own, at) : own;
    seen.add(key);
    return key === own ? object : { ...object, _key: key };
  });
}
