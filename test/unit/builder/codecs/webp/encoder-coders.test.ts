import asc from "assemblyscript/asc";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { prefixCodes, prefixLengths } from "../../../../../src/builder/codecs/webp/lossless/prefix-code.ts";
import { BoolReader } from "../../../../support/pictures/webp-rows-reader.ts";

interface Coder {
  memory: WebAssembly.Memory;
  startCoder(): void;
  setOutput(address: number): void;
  outputPosition(): number;
  carriesOver(): number;
  putBit(bit: number, probability: number): void;
  finishCoder(): void;
}

const OUTPUT = 1024;

describe("the boolean coder", () => {
  let coder: Coder;
  beforeAll(async () => {
    const source = readFileSync("src/builder/codecs/webp/assembly/encoder/coding/bool-coder.ts", "utf8");
    const files = new Map<string, string | Uint8Array>([["coder.ts", source]]);
    const { error } = await asc.main(["coder.ts", "-o", "coder.wasm", "--runtime", "stub", "-O"], {
      readFile: (name) => (files.get(name) as string | undefined) ?? null,
      writeFile: (name, contents) => void files.set(name, contents),
      listFiles: () => [],
    });
    if (error) throw error;
    const { instance } = await WebAssembly.instantiate(files.get("coder.wasm") as Uint8Array<ArrayBuffer>);
    coder = instance.exports as unknown as Coder;
    if (coder.memory.buffer.byteLength < 65_536) coder.memory.grow(1);
  });

  /** Encodes bits, and takes the bytes out after every `piece` bits, as a caller with little room would. */
  function encode(bits: [bit: boolean, probability: number][], piece: number): Uint8Array {
    const bytes: number[] = [];
    const take = (): void => {
      if (coder.carriesOver()) {
        let at = bytes.length - 1;
        while (bytes[at] === 255) bytes[at--] = 0;
        bytes[at] = (bytes[at] ?? 0) + 1;
      }
      bytes.push(...new Uint8Array(coder.memory.buffer, OUTPUT, coder.outputPosition() - OUTPUT));
      coder.setOutput(OUTPUT);
    };
    coder.startCoder();
    coder.setOutput(OUTPUT);
    bits.forEach(([bit, probability], i) => {
      coder.putBit(bit ? 1 : 0, probability);
      if (i % piece === 0) take();
    });
    coder.finishCoder();
    take();
    return Uint8Array.from(bytes);
  }

  const probability = fc.oneof(fc.integer({ min: 1, max: 255 }), fc.constantFrom(1, 2, 128, 254, 255));

  it("writes what a decoder by the definition reads", () => {
    const bits = fc.array(fc.tuple(fc.boolean(), probability), { maxLength: 3000 });
    fc.assert(
      fc.property(bits, fc.integer({ min: 1, max: 100 }), (list, piece) => {
        const reader = new BoolReader(encode(list, piece));
        for (const [bit, likely] of list) if (reader.bit(likely) !== bit) return false;
        return true;
      }),
      { numRuns: 300 },
    );
  });

  it("carries into bytes that were taken before", () => {
    // Ones of a likelihood of a half fill the interval from above: bytes of 255, then a carry or none.
    for (let ones = 0; ones < 200; ones++) {
      const list = [
        [true, 1],
        ...Array.from({ length: ones }, () => [true, 128]),
        [false, 128],
        [true, 255],
        [true, 200],
      ] as [boolean, number][];
      const reader = new BoolReader(encode(list, 1));
      expect(list.map(([, likely]) => reader.bit(likely))).toEqual(list.map(([bit]) => bit));
    }
  });

  it("takes hardly more bytes than the bits hold", () => {
    const list = Array.from({ length: 20_000 }, (_, i): [boolean, number] => [i % 16 === 0, 240]);
    const ideal = (20_000 / 16) * (Math.log2(256 / 16) + 15 * Math.log2(256 / 240));
    expect(encode(list, 50).length * 8).toBeLessThan(1.02 * ideal + 32);
  });
});

describe("prefix codes", () => {
  const counts = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000 })), {
    minLength: 2,
    maxLength: 287,
  });

  it("are complete, not longer than allowed, and none begins with another", () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(9, 15), (list, longest) => {
        const lengths = prefixLengths(list, longest);
        const used = [...lengths].filter((length) => length > 0);
        expect(Math.max(...used)).toBeLessThanOrEqual(longest);
        expect(used.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1);
        list.forEach((count, symbol) => {
          if (count > 0) expect(lengths[symbol]).toBeGreaterThan(0);
        });
        const codes = prefixCodes(lengths);
        const names = [...lengths].flatMap((length, symbol) =>
          length
            ? [(codes[symbol] ?? 0).toString(2).padStart(length, "0").split("").toReversed().join("")]
            : [],
        );
        names.sort();
        for (let i = 1; i < names.length; i++) expect(names[i]?.startsWith(names[i - 1] ?? "")).toBe(false);
      }),
    );
  });

  it("of counts like Fibonacci's numbers are cut to the longest", () => {
    const list: number[] = [1, 1];
    while (list.length < 30) list.push(list.slice(-2).reduce((sum, n) => sum + n));
    expect(Math.max(...prefixLengths(list))).toBe(15);
  });
});
