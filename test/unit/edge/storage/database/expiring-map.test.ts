import { describe, expect, it } from "vitest";
import { ExpiringMap } from "../../../../../src/edge/storage/database/expiring-map.ts";

describe("an expiring map", () => {
  it("returns a value during its lifetime, and holds it for longer", () => {
    const map = new ExpiringMap<string>(10, 5, 100);
    map.set("a", "value", 1000);
    expect(map.get("a", 1009)).toBe("value");
    expect(map.get("a", 1010)).toBeUndefined();
    expect(map.held("a", 1099)).toBe("value");
    expect(map.held("a", 1100)).toBeUndefined();
    expect(map.held("a", 1000)).toBeUndefined();
  });

  it("keeps a limited number of entries, and removes the oldest first", () => {
    const map = new ExpiringMap<number>(10, 3);
    for (let n = 0; n < 4; n++) map.set(String(n), n, 0);
    expect([0, 1, 2, 3].map((n) => map.get(String(n), 0))).toEqual([undefined, 1, 2, 3]);
    map.set("1", 10, 0);
    map.set("4", 4, 0);
    expect([1, 2, 3, 4].map((n) => map.get(String(n), 0))).toEqual([10, undefined, 3, 4]);
  });

  it("forgets by value and by key", () => {
    const map = new ExpiringMap<number>(10, 5);
    map.set("a", 1, 0);
    map.set("b", 2, 0);
    map.set("c", 3, 0);
    map.deleteWhere((value, key) => value === 1 || key === "b");
    expect(["a", "b", "c"].map((key) => map.get(key, 0))).toEqual([undefined, undefined, 3]);
  });
});
