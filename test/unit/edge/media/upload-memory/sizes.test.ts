/** The memory that a file and a drawing take. */
import { describe, expect, it } from "vitest";
import { memoryOf } from "../../../../../src/edge/media/upload-memory.ts";
import { createProbe } from "../../../../../src/image/formats/probe.ts";
import { UPLOAD } from "../../../../../src/limits.ts";

describe("the memory of a drawing", () => {
  /** Returns the bytes of the document of a drawing for each byte that was sent. */
  const grown = (drawing: string): number => {
    const sent = new TextEncoder().encode(drawing);
    const probe = createProbe();
    probe.push(sent);
    probe.finish();
    return new TextEncoder().encode(probe.takeDocument() ?? "").length / sent.length;
  };
  const svg = (content: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`;
  const many = 20_000;

  it("is enough for its bytes and those of its document, whatever it is full of", () => {
    const quotes = grown(svg(`<text font-family='${'"'.repeat(many)}'>a</text>`));
    const others = ['"', "'", ">", "&amp;", "&#38;", "&#9;", "\u00a0", "<g/>", "<b/>"].map((sign) =>
      grown(svg(`<text>${sign.repeat(many)}</text>`)),
    );
    expect(quotes).toBeGreaterThan(5);
    for (const ratio of [quotes, ...others]) expect(1 + ratio).toBeLessThanOrEqual(UPLOAD.memoryPerByte);
  });
});

describe("the memory of a file", () => {
  const { memoryBytes, memoryMinBytes, memoryPerByte } = UPLOAD;
  const [least, most] = [Math.floor(memoryMinBytes / memoryPerByte), Math.ceil(memoryBytes / memoryPerByte)];

  it.each([
    [0, memoryMinBytes],
    [least, memoryMinBytes],
    [least + 1, memoryPerByte * (least + 1)],
    [most - 1, memoryPerByte * (most - 1)],
    [most, memoryBytes],
    [most + 1, memoryBytes],
    [Infinity, memoryBytes],
    [null, memoryBytes],
  ])("of %s bytes is %i", (bytes, expected) => {
    expect(memoryOf(bytes)).toBe(expected);
  });
});
