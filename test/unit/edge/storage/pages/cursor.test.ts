import { describe, expect, it } from "vitest";
import { openCursor, sealCursor } from "../../../../../src/edge/storage/pages/cursor.ts";

const SECRET = "cursor-secret-of-this-test";
const LIST = '["media","01H"]';

describe("a cursor", () => {
  it("leads back to its position", async () => {
    const cursor = await sealCursor(SECRET, LIST, ["Blå", 7, null]);
    expect(await openCursor(SECRET, LIST, cursor)).toEqual(["Blå", 7, null]);
  });

  it("is the same for the same position in the same list, so that answers keep their ETag", async () => {
    expect(await sealCursor(SECRET, LIST, ["a", 1])).toBe(await sealCursor(SECRET, LIST, ["a", 1]));
  });

  it("differs between positions, lists and secrets", async () => {
    const cursors = await Promise.all([
      sealCursor(SECRET, LIST, ["a", 1]),
      sealCursor(SECRET, LIST, ["a", 2]),
      sealCursor(SECRET, `${LIST} `, ["a", 1]),
      sealCursor(`${SECRET} `, LIST, ["a", 1]),
    ]);
    expect(new Set(cursors.map((cursor) => cursor.slice(0, 16))).size).toBe(4);
  });

  it("is refused by another list, with another secret, and when it was changed or cut", async () => {
    const cursor = await sealCursor(SECRET, LIST, ["a", 1]);
    const forged = (cursor.startsWith("A") ? "B" : "A") + cursor.slice(1);
    for (const [secret, list, text] of [
      [SECRET, "other", cursor],
      ["other", LIST, cursor],
      [SECRET, LIST, forged],
      [SECRET, LIST, cursor.slice(0, -4)],
    ] as const) {
      await expect(openCursor(secret, list, text)).rejects.toMatchObject({ code: "INVALID_CURSOR" });
    }
  });
});
