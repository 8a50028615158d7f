import { describe, expect, it, vi } from "vitest";
import { REMEMBERED } from "../../src/limits.ts";
import { oncePerObject, remembered } from "../../src/remembered.ts";

describe("remembered", () => {
  const make = () => {
    const valueOf = vi.fn((text: string) => ({ text }));
    return { valueOf, read: remembered(valueOf) };
  };

  it("reads a text once", () => {
    const { valueOf, read } = make();
    expect(read("?w=500")).toBe(read("?w=500"));
    expect(read("?w=600")).toEqual({ text: "?w=600" });
    expect(valueOf).toHaveBeenCalledTimes(2);
  });

  it("remembers texts of the longest length, and reads longer ones each time", () => {
    const { valueOf, read } = make();
    const longest = "x".repeat(REMEMBERED.textMaxCharacters);
    expect(read(longest)).toBe(read(longest));
    expect(read(`${longest}x`)).toEqual(read(`${longest}x`));
    expect(valueOf).toHaveBeenCalledTimes(3);
  });

  it("forgets the oldest of too many texts alone", () => {
    const { valueOf, read } = make();
    for (let n = 0; n < REMEMBERED.textsMax; n++) read(String(n));
    read("0");
    expect(valueOf).toHaveBeenCalledTimes(REMEMBERED.textsMax);
    read("one more");
    read("1");
    expect(valueOf).toHaveBeenCalledTimes(REMEMBERED.textsMax + 1);
    read("0");
    expect(valueOf).toHaveBeenCalledTimes(REMEMBERED.textsMax + 2);
  });

  it("does not remember a text whose value is not worth it, which makes it forget no other one", () => {
    const valueOf = vi.fn((text: string) => ({ text }));
    const read = remembered(valueOf, ({ text }) => !text.includes("cb"));
    read("?w=500");
    for (let n = 0; n < REMEMBERED.textsMax; n++) expect(read(`?w=500&cb=${n}`).text).toBe(`?w=500&cb=${n}`);
    read("?w=500&cb=0");
    expect(valueOf).toHaveBeenCalledTimes(REMEMBERED.textsMax + 2);
    read("?w=500");
    expect(valueOf).toHaveBeenCalledTimes(REMEMBERED.textsMax + 2);
  });

  it("does not remember a text that is refused", () => {
    const read = remembered((text): object => {
      throw new Error(text);
    });
    for (const text of ["w=0", "w=0"]) expect(() => read(text)).toThrow("w=0");
  });
});

describe("oncePerObject", () => {
  it("computes a value once for each object, not for each equal one", () => {
    const valueOf = vi.fn(({ n }: { n: number }) => String(n));
    const read = oncePerObject(valueOf);
    const one = { n: 1 };
    expect([read(one), read(one), read({ n: 1 })]).toEqual(["1", "1", "1"]);
    expect(valueOf).toHaveBeenCalledTimes(2);
  });
});
