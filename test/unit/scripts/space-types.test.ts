/** The types that `npm run types` writes: what they say of models with drafts. */
import { describe, expect, it } from "vitest";
import { spaceTypes } from "../../../scripts/types/space-types.ts";

const fields = [{ name: "title", type: "string", required: true }] as const;

describe("a model with drafts", () => {
  it("may lack required fields, when it is written and when it is read", () => {
    const text = spaceTypes("s", [
      { typeModel: "collections", name: "posts", fields: [...fields], drafts: true },
      { typeModel: "collections", name: "plain", fields: [...fields] },
    ]);
    expect(text).toContain('"title"?: string | null;');
    expect(text.split("drafts: true;")).toHaveLength(2);
    expect(text.slice(text.indexOf('"plain"'))).toContain('"title": string;');
    expect(text.slice(text.indexOf('"plain"'))).not.toContain("null");
  });
});
