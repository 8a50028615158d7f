import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  adler32,
  damage,
  inflateInWasm,
  inflateRaw,
  someBytes,
  someDeflated,
  zlibStream,
} from "../../../../../scripts/samples/zlib-streams.ts";
import { integersOf } from "../../../../../scripts/samples/random.ts";
import { rounds } from "../../../../support/ring.ts";

const whole = (): number => Infinity;
const text = Buffer.from("deflate, deflate, deflate and inflate again. ".repeat(30));
const sound = deflateSync(text);

function withByte(at: number, value: number): Uint8Array {
  const bytes = Uint8Array.from(sound);
  bytes[at] = value;
  return bytes;
}

/** The damaged streams that are tried. */
const DAMAGED = rounds(400, 4000);

describe("a zlib stream", () => {
  it("of any kind gives what was compressed, however it arrives", () => {
    for (let seed = 1; seed <= rounds(60, 500); seed++) {
      const random = integersOf(seed);
      const bytes = someBytes(random);
      const stream = zlibStream(someDeflated(bytes, random), adler32(bytes));
      const most = [1, 40, 70_000][random(3)] ?? 1;
      const inflated = inflateInWasm(stream, () => 1 + random(most));
      expect(inflated && Buffer.compare(inflated, bytes), `seed ${seed}`).toBe(0);
    }
  });

  it("that is damaged is refused if zlib refuses it, and else has the same output as with zlib", () => {
    let accepted = 0;
    let refused = 0;
    for (let seed = 1; seed <= DAMAGED; seed++) {
      const random = integersOf(seed);
      const raw = damage(someDeflated(someBytes(random, 3_000), random), random);
      const right = inflateRaw(raw);
      // A checksum for what zlib makes of it: all that is refused is so for the stream itself.
      const stream = right
        ? zlibStream(raw.subarray(0, right.end), adler32(right.bytes))
        : zlibStream(raw, 1);
      const most = random(2) ? 20 : 70_000;
      const mine = inflateInWasm(stream, () => 1 + random(most));
      if (right) {
        accepted++;
        expect(mine && Buffer.compare(mine, right.bytes), `seed ${seed}`).toBe(0);
      } else {
        refused++;
        expect(mine, `seed ${seed}`).toBeNull();
      }
    }
    expect(accepted).toBeGreaterThan(DAMAGED / 8);
    expect(refused).toBeGreaterThan(DAMAGED / 8);
  });

  it.each([
    ["another method", withByte(0, 0x77)],
    ["a window of 64 KB", Uint8Array.from([0x88, 0x1c, ...sound.subarray(2)])],
    ["a wrong check of the header", withByte(1, 0x9d)],
    ["a preset dictionary", Uint8Array.from([0x78, 0xbb, ...sound.subarray(2)])],
    ["a wrong checksum", withByte(sound.length - 1, sound[sound.length - 1]! ^ 1)],
    ["half a checksum", sound.subarray(0, -2)],
    ["no end", sound.subarray(0, -20)],
    ["nothing at all", new Uint8Array()],
    ["half a header", sound.subarray(0, 1)],
    ["a block of the fourth kind", Uint8Array.from([0x78, 0x9c, 7, 0, 0, 0, 0, 0, 0, 0])],
    ["a stored block with a wrong length", Uint8Array.from([0x78, 0x9c, 1, 1, 0, 0, 0, 9, 0, 10, 0, 10])],
  ])("with %s is refused, as zlib does", (_, stream) => {
    expect(() => inflateSync(stream)).toThrow();
    expect(inflateInWasm(stream, whole)).toBeNull();
  });

  it("may be followed by other bytes", () => {
    const stream = Buffer.concat([sound, new Uint8Array(100).fill(0x55)]);
    expect(Buffer.compare(inflateInWasm(stream, whole) ?? sound, text)).toBe(0);
  });

  it("may refer back as far as deflate allows, even after the window was moved", () => {
    const far = new Uint8Array(400_000);
    const random = integersOf(7);
    for (let i = 0; i < far.length; i++) far[i] = i < 32_768 ? random(256) : far[i - 32_768]!;
    const inflated = inflateInWasm(deflateSync(far, { level: 9 }), () => 1 + random(3_000));
    expect(inflated && Buffer.compare(inflated, far)).toBe(0);
  });
});
