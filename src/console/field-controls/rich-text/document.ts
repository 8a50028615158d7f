/**
 * Portable Text to the editor's document and back. A block that nobody changed comes out as it went in, with its keys,
 * the order of its marks, its empty spans and its unused definitions. A changed block keeps the keys of the spans and
 * definitions that it still has.
 */
import { Fragment, type Mark, type Node } from "prosemirror-model";
import {
  blocksOf,
  isTextBlock,
  NORMAL,
  type Block,
  type MarkDef,
  type Span,
  type TextBlock,
} from "./portable-text.ts";
import { attributesOf, MARKS, NODES, objectOf, schema, type TextAttributes } from "./schema.ts";

function marksOf({ marks }: Span, markDefs: readonly MarkDef[]): Mark[] {
  return marks.map((name) => {
    const definition = markDefs.find(({ _key }) => _key === name);
    return definition ? MARKS.annotation.create({ definition }) : MARKS.decorator.create({ name });
  });
}

/** Returns a text as nodes: its line feeds are nodes of their own. */
export const inlineOf = (text: string, marks: readonly Mark[]): Node[] =>
  text
    .split("\n")
    .flatMap((line, at) => [
      ...(at > 0 ? [NODES.lineBreak.create(null, null, marks)] : []),
      ...(line === "" ? [] : [schema.text(line, marks)]),
    ]);

const contentOf = ({ children, markDefs }: Pick<TextBlock, "children" | "markDefs">): Fragment =>
  Fragment.fromArray(
    children.flatMap((span) =>
      inlineOf(
        span.text,
        // Adds the marks one by one, which brings them into the order of the schema.
        marksOf(span, markDefs).reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), []),
      ),
    ),
  );

function nodeOf(block: Block): Node {
  if (!isTextBlock(block)) return NODES.card.create({ value: block });
  const attributes: TextAttributes = {
    key: block._key,
    style: block.style,
    listItem: block.listItem ?? null,
    level: block.listItem === undefined ? null : (block.level ?? 1),
    origin: block,
  };
  return NODES.textBlock.create(attributes, contentOf(block));
}

/** Returns the document of a value. No value is one empty paragraph. */
export function documentOf(value: unknown): Node {
  const blocks = blocksOf(value);
  return schema.node("doc", null, blocks.length > 0 ? blocks.map(nodeOf) : [NODES.textBlock.create()]);
}

interface Run {
  text: string;
  marks: readonly Mark[];
}

/** Returns the texts of a block between which the marks change. */
function runsOf(node: Node): Run[] {
  const runs: Run[] = [];
  node.forEach(({ text = "\n", marks }) => {
    const last = runs.at(-1);
    if (last && last.marks.length === marks.length && marks.every((mark) => mark.isInSet(last.marks)))
      last.text += text;
    else runs.push({ text, marks });
  });
  return runs;
}

/** Returns the first of `key`, `key-2`, `key-3`, … that is free. */
function freeKey(key: string, taken: ReadonlySet<string>): string {
  let free = key;
  for (let number = 2; taken.has(free); number++) free = `${key}-${number}`;
  return free;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the definitions of a block by its marks. Two different ones may have the same key after text was pasted: the
 * second one gets another key. No key is the name of a decorator.
 */
function definitionsOf(runs: readonly Run[], origin: TextBlock | null): Map<Mark, MarkDef> {
  const taken = new Set(
    runs.flatMap(({ marks }) =>
      marks.flatMap((mark) => (mark.type === MARKS.decorator ? [mark.attrs["name"] as string] : [])),
    ),
  );
  const marks: Mark[] = [];
  for (const mark of runs.flatMap((run) => run.marks))
    if (mark.type === MARKS.annotation && !mark.isInSet(marks)) marks.push(mark);
  const isStored = (mark: Mark): boolean =>
    origin?.markDefs.some((stored) => isSame(stored, mark.attrs["definition"])) === true;
  const definitions = new Map<Mark, MarkDef>();
  for (const mark of [...marks.filter(isStored), ...marks.filter((one) => !isStored(one))]) {
    const definition = mark.attrs["definition"] as MarkDef;
    const _key = freeKey(definition._key, taken);
    taken.add(_key);
    definitions.set(mark, _key === definition._key ? definition : { ...definition, _key });
  }
  return definitions;
}

/** Returns the definitions in the stored order, then the new ones. Those that were stored without a use are kept. */
function orderedDefinitions(definitions: readonly MarkDef[], origin: TextBlock | null): MarkDef[] {
  if (!origin) return [...definitions];
  const used = new Set(origin.children.flatMap(({ marks }) => marks));
  const isKept = (stored: MarkDef): boolean =>
    definitions.some((one) => isSame(one, stored)) ||
    (!used.has(stored._key) && definitions.every(({ _key }) => _key !== stored._key));
  const stored = origin.markDefs.filter(isKept);
  return [...stored, ...definitions.filter((one) => stored.every((known) => !isSame(known, one)))];
}

/** Gives spans the keys that they had: the same text first, then the same marks, in their order. */
function keyed(spans: readonly Omit<Span, "_key">[], key: string, origin: TextBlock | null): Span[] {
  const stored = [...(origin?.children ?? [])];
  const keys = spans.map(() => "");
  const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
    one.length === other.length && one.every((name) => other.includes(name));
  for (const isText of [true, false]) {
    spans.forEach(({ text, marks }, at) => {
      if (keys[at] !== "") return;
      const found = stored.findIndex(
        (one) => isSameSet(one.marks, marks) && (isText ? one.text === text : true),
      );
      if (found >= 0) keys[at] = stored.splice(found, 1)[0]?._key ?? "";
    });
  }
  const taken = new Set(keys);
  return spans.map(({ _type, text, marks }, at) => {
    const _key = keys[at] || freeKey(`${key}-${at}`, taken);
    taken.add(_key);
    return { _type, _key, text, marks };
  });
}

function textBlockOf(node: Node): TextBlock {
  const { key, style, listItem, level, origin } = attributesOf(node);
  const _key = key ?? "";
  const isSamePlace =
    origin !== null &&
    origin._key === _key &&
    origin.style === style &&
    (origin.listItem ?? null) === listItem &&
    (listItem === null || (origin.level ?? 1) === level);
  const isSameContent = origin !== null && contentOf(origin).eq(node.content);
  if (isSamePlace && isSameContent) return origin;

  const place = {
    _type: "block" as const,
    _key,
    style,
    ...(listItem !== null && { listItem, level: level ?? 1 }),
  };
  if (isSameContent) return { ...place, children: origin.children, markDefs: origin.markDefs };
  const runs = runsOf(node);
  const definitions = definitionsOf(runs, origin);
  const nameOf = (mark: Mark): string =>
    mark.type === MARKS.decorator
      ? (mark.attrs["name"] as string)
      : ([...definitions].find(([known]) => known.eq(mark))?.[1]._key ?? "");
  const spans = runs.map(({ text, marks }) => ({ _type: "span" as const, text, marks: marks.map(nameOf) }));
  return {
    ...place,
    children: keyed(spans.length > 0 ? spans : [{ _type: "span", text: "", marks: [] }], _key, origin),
    markDefs: orderedDefinitions([...definitions.values()], origin),
  };
}

/** The blocks of nodes that were converted before. Nodes never change, so a change converts its own blocks alone. */
const converted = new WeakMap<Node, Block>();

function blockOf(node: Node): Block {
  const known = converted.get(node);
  if (known) return known;
  const block = node.type === NODES.card ? objectOf(node) : textBlockOf(node);
  converted.set(node, block);
  return block;
}

const isBlank = (node: Node): boolean => {
  const { style, listItem, origin } = attributesOf(node);
  const wasBlank = origin !== null && contentOf(origin).size === 0;
  return node.content.size === 0 && style === NORMAL && listItem === null && !wasBlank;
};

/** Returns the value of a document: no blocks if it is one empty paragraph that was not stored like that. */
export function valueOf(document: Node): Block[] {
  const [first] = document.children;
  if (document.childCount === 1 && first?.type === NODES.textBlock && isBlank(first)) return [];
  return document.children.map(blockOf);
}
