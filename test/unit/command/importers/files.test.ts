import * as fc from "fast-check";
import { expect, it } from "vitest";
import { listedItems } from "../../../../src/command/importers/files/json-lists.ts";
import { linesOf } from "../../../../src/command/importers/files/ndjson.ts";

async function* inPieces(text: string, sizes: readonly number[]): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length]!;
    yield await Promise.resolve(bytes.subarray(at, at + size));
    at += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

it("finds the items of lists in JSON, wherever the pieces of the file end", async () => {
  const lists = fc.dictionary(
    fc.string(),
    fc.oneof(fc.array(fc.jsonValue(), { maxLength: 4 }), fc.jsonValue()),
    { maxKeys: 5 },
  );
  await fc.assert(
    fc.asyncProperty(lists, sizes, fc.constantFrom(0, 2), async (object, pieces, indent) => {
      const found: unknown[] = [];
      for await (const item of listedItems(inPieces(JSON.stringify(object, null, indent), pieces), "x"))
        found.push(item);
      const expected = Object.entries(JSON.parse(JSON.stringify(object)) as Record<string, unknown>).flatMap(
        ([list, value]) => (Array.isArray(value) ? value.map((one: unknown) => ({ list, value: one })) : []),
      );
      expect(found).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

it("finds the lines of a text, wherever its pieces end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme" })), sizes, async (lines, pieces) => {
      const clean = lines.map((line) => line.replaceAll("\n", ""));
      const found: string[] = [];
      for await (const line of linesOf(inPieces(clean.map((line) => `${line}\n`).join(""), pieces)))
        found.push(line);
      expect(found).toEqual(clean.map((line) => line.toWellFormed()));
    }),
    { numRuns: 100 },
  );
});
