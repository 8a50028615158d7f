/** Portable Text through the editor's document: what comes out is what went in. */
import * as fc from "fast-check";
import { TextSelection, EditorState, type Command } from "prosemirror-state";
import { describe, expect, it } from "vitest";
import {
  annotate,
  toggleDecorator,
} from "../../../../src/console/field-controls/rich-text/commands/marks.ts";
import {
  enter,
  moveBlock,
  setStyle,
  shiftLevel,
  toggleList,
} from "../../../../src/console/field-controls/rich-text/commands/blocks.ts";
import { insertObject } from "../../../../src/console/field-controls/rich-text/commands/cards.ts";
import { documentOf, valueOf } from "../../../../src/console/field-controls/rich-text/document.ts";
import { numbersOf, uniqueKeys } from "../../../../src/console/field-controls/rich-text/plugins.ts";
import {
  isTextBlock,
  type Block,
  type Span,
  type TextBlock,
} from "../../../../src/console/field-controls/rich-text/portable-text.ts";
import { schema } from "../../../../src/console/field-controls/rich-text/schema.ts";
import { rounds } from "../../../support/ring.ts";

const DECORATORS = ["strong", "em", "underline", "strike-through", "code", "highlight"];
const STYLES = ["normal", "h1", "h2", "blockquote", "pullQuote"];

const text = fc.oneof(
  fc.string({ maxLength: 12, unit: "binary" }),
  fc.constantFrom("", " ", "a", "\n", "one\ntwo", "  two  spaces", "\n\nend\n"),
);
const key = fc.stringMatching(/^[a-z0-9]{4}$/);

const markDef = fc.oneof(
  fc.record({ _type: fc.constant("link"), _key: key, href: fc.webUrl() }),
  fc.record({ _type: fc.constant("internalLink"), _key: key, record: fc.stringMatching(/^[A-Z0-9]{26}$/) }),
);
const uniqueBy = <T extends { _key: string }>(item: fc.Arbitrary<T>, maxLength: number) =>
  fc.uniqueArray(item, { selector: ({ _key }) => _key, maxLength });

const textBlock = uniqueBy(markDef, 3).chain((markDefs) =>
  fc
    .record({
      style: fc.constantFrom(...STYLES),
      list: fc.option(
        fc.record({
          listItem: fc.constantFrom("bullet", "number", "check"),
          level: fc.integer({ min: 1, max: 10 }),
        }),
      ),
      _key: key,
      children: uniqueBy(
        fc.record({
          _type: fc.constant("span" as const),
          _key: key,
          text,
          marks: fc.shuffledSubarray([...DECORATORS, ...markDefs.map(({ _key }) => _key)]),
        }),
        5,
      ).filter((children) => children.length > 0),
    })
    .map(({ style, list, _key, children }): TextBlock => ({
      _type: "block",
      _key,
      style,
      ...(list && { listItem: list.listItem, level: list.level }),
      children,
      markDefs,
    })),
);
const objectBlock = fc.oneof(
  fc.record({ _type: fc.constant("image"), _key: key, media: fc.string(), alt: fc.string() }),
  fc.record({ _type: fc.constant("callout"), _key: key, words: fc.string(), deep: fc.jsonValue() }),
);
const value = uniqueBy(
  fc.oneof({ weight: 4, arbitrary: textBlock }, { weight: 1, arbitrary: objectBlock }),
  6,
).filter((blocks) => blocks.length > 0) as fc.Arbitrary<Block[]>;

/** Returns the text of a block as a reader gets it: each character with its decorators and definitions. */
function meaningOf(block: Block): unknown {
  if (!isTextBlock(block)) return block;
  const { style, listItem, level, children, markDefs } = block;
  const characters = children.flatMap(({ text: words, marks }) => {
    const said = marks.map((mark) => {
      const definition = markDefs.find(({ _key }) => _key === mark);
      return definition ? JSON.stringify({ ...definition, _key: "" }) : mark;
    });
    return Array.from(words, (character) => `${character} ${said.sort().join()}`);
  });
  return { style, listItem, level, characters };
}

/** Expects a value that the service takes: keys are unique in their lists, and marks are there. */
function expectWhole(blocks: Block[]): void {
  for (const list of [
    blocks,
    ...blocks.filter(isTextBlock).flatMap(({ children, markDefs }) => [children, markDefs]),
  ]) {
    const keys = list.map(({ _key }) => _key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain("");
  }
  for (const { children, markDefs } of blocks.filter(isTextBlock)) {
    expect(children.length).toBeGreaterThan(0);
    for (const mark of children.flatMap(({ marks }) => marks))
      expect([...DECORATORS, ...markDefs.map(({ _key }) => _key)]).toContain(mark);
  }
}

const stateOf = (blocks: Block[] | null): EditorState =>
  EditorState.create({ doc: documentOf(blocks), plugins: [uniqueKeys], schema });

function after(state: EditorState, command: Command): EditorState {
  let next = state;
  command(state, (transaction) => (next = state.apply(transaction)));
  return next;
}

const selected = (state: EditorState, from: number, to: number): EditorState =>
  state.apply(state.tr.setSelection(TextSelection.between(state.doc.resolve(from), state.doc.resolve(to))));

const span = (_key: string, words: string, marks: string[] = []): Span => ({
  _type: "span",
  _key,
  text: words,
  marks,
});
const block = (_key: string, children: Span[], more: Partial<TextBlock> = {}): TextBlock => ({
  _type: "block",
  _key,
  style: "normal",
  children,
  markDefs: [],
  ...more,
});

describe("Portable Text in the editor", () => {
  it("comes out as it went in (RULES 11.7)", () => {
    fc.assert(
      fc.property(value, (blocks) => {
        const document = documentOf(blocks);
        document.check();
        // Through JSON, so that no node is remembered.
        const again = schema.nodeFromJSON(JSON.parse(JSON.stringify(document)));
        expect(JSON.stringify(valueOf(again))).toBe(JSON.stringify(blocks));
      }),
      { numRuns: rounds(150, 3000) },
    );
  });

  it("means the same when every block is written anew", () => {
    fc.assert(
      fc.property(value, (blocks) => {
        const { doc } = stateOf(blocks);
        const bare = doc.copy(doc.content);
        let state = EditorState.create({ doc: bare, plugins: [uniqueKeys], schema });
        const { tr } = state;
        doc.forEach((node, at) => node.isTextblock && tr.setNodeAttribute(at, "origin", null));
        state = state.apply(tr);
        const written = valueOf(state.doc);
        expectWhole(written);
        if (written.length > 0) expect(written.map(meaningOf)).toEqual(blocks.map(meaningOf));
      }),
      { numRuns: rounds(100, 2000) },
    );
  });

  it("is one that the service takes after any commands", () => {
    const command = fc.oneof(
      fc.constantFrom(...STYLES).map(setStyle),
      fc.constantFrom("bullet", "number").map(toggleList),
      fc.constantFrom<1 | -1>(1, -1).map(shiftLevel),
      fc.constantFrom(...DECORATORS).map(toggleDecorator),
      fc.constantFrom<1 | -1>(1, -1).map(moveBlock),
      fc.constant(enter),
      fc.constant(insertObject({ _type: "image", _key: "same", media: "M" })),
      fc.webUrl().map((href) => annotate("link", { href }, "a link")),
      fc.string({ maxLength: 5 }).map((words): Command => (state, dispatch) => {
        dispatch?.(state.tr.insertText(words));
        return true;
      }),
    );
    fc.assert(
      fc.property(
        value,
        fc.array(fc.tuple(command, fc.nat(), fc.nat()), { maxLength: 12 }),
        (blocks, steps) => {
          let state = stateOf(blocks);
          for (const [one, from, to] of steps) {
            const { size } = state.doc.content;
            state = after(selected(state, from % (size + 1), to % (size + 1)), one);
          }
          state.doc.check();
          const written = valueOf(state.doc);
          expectWhole(written);
          // Once more through the service.
          expect(JSON.stringify(valueOf(documentOf(written)))).toBe(JSON.stringify(written));
        },
      ),
      { numRuns: rounds(100, 2000) },
    );
  });

  it("keeps keys of spans and definitions that a change leaves", () => {
    const link = { _type: "link", _key: "d1", href: "https://a.example" };
    const unused = { _type: "link", _key: "d2", href: "https://b.example" };
    const stored = [
      block("b1", [span("s1", "one "), span("s2", "two", ["strong"]), span("s3", " three", ["d1"])], {
        markDefs: [link, unused],
      }),
      block("b2", [span("s1", "", []), span("s4", "rest")]),
    ];
    const state = stateOf(stored);
    const written = valueOf(state.apply(state.tr.insertText("X", 1)).doc);
    expect(written).toEqual([
      block("b1", [span("s1", "Xone "), span("s2", "two", ["strong"]), span("s3", " three", ["d1"])], {
        markDefs: [link, unused],
      }),
      stored[1],
    ]);
    // Undone, it is the stored value again.
    const undone = state.apply(state.tr.insertText("X", 1));
    expect(valueOf(undone.apply(undone.tr.delete(1, 2)).doc)).toEqual(stored);
  });

  it("drops the definition of a link that is taken away, and tells two links of one key apart", () => {
    const link = { _type: "link", _key: "d1", href: "https://a.example" };
    const state = stateOf([block("b1", [span("s1", "linked", ["d1"])], { markDefs: [link] })]);
    const { tr } = state;
    const gone = valueOf(state.apply(tr.removeMark(1, 7)).doc);
    expect(gone).toMatchObject([{ children: [{ text: "linked", marks: [] }], markDefs: [] }]);
    const other = schema.mark("annotation", { definition: { ...link, href: "https://b.example" } });
    const both = valueOf(state.apply(state.tr.insert(1, schema.text("new", [other]))).doc);
    expect(both).toMatchObject([
      {
        children: [
          { text: "new", marks: ["d1-2"] },
          { text: "linked", marks: ["d1"] },
        ],
        markDefs: [link, { _key: "d1-2", href: "https://b.example" }],
      },
    ]);
  });

  it("is no value if it is one empty paragraph, unless that was stored", () => {
    expect(valueOf(documentOf(null))).toEqual([]);
    expect(valueOf(documentOf([]))).toEqual([]);
    const empty = [block("b1", [span("s1", "")])];
    expect(valueOf(documentOf(empty))).toEqual(empty);
    const state = stateOf([block("b1", [span("s1", "x")])]);
    expect(valueOf(state.apply(state.tr.delete(1, 2)).doc)).toEqual([]);
  });

  it("counts numbered lists through deeper levels, and anew after other blocks", () => {
    const item = (_key: string, level: number, listItem = "number"): TextBlock =>
      block(_key, [span("s", "x")], { listItem, level });
    const document = documentOf([
      ...[item("a", 1), item("b", 2), item("c", 2), item("d", 1), item("e", 2, "bullet"), item("f", 1)],
      block("g", [span("s", "x")]),
      item("h", 1),
    ]);
    expect([...numbersOf(document).values()]).toEqual([1, 1, 2, 2, 3, 1]);
  });
});
