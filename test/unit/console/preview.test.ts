/** The addresses of previews (RULES 3.36). */
import { describe, expect, it } from "vitest";
import { previewAddress, renamedInPreview } from "../../../src/console/lib/preview-template.ts";

const record = {
  id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  version: 2,
  ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  ...{ slug: "Ä/?#&%{x}", empty: null, token: "a field", constructor: undefined },
};
const parts = { record, model: "posts", locale: "de-AT", token: "sp+/=" };

describe("the address of a preview", () => {
  it("has each value percent-encoded, and leaves the template as it is", () => {
    const template = "https://example.com/a%20b/{locale}/{model}/{slug}?id={id}&t={token}#{empty}";
    const address = previewAddress(template, parts);
    expect(address).toBe(
      "https://example.com/a%20b/de-AT/posts/%C3%84%2F%3F%23%26%25%7Bx%7D" +
        "?id=01ARZ3NDEKTSV4RRFFQ69G5FAV&t=sp%2B%2F%3D#",
    );
    expect(new URL(address).searchParams.get("t")).toBe("sp+/=");
  });

  it("has nothing in place of a name without a text", () => {
    expect(previewAddress("https://example.com/{constructor}{gone}{version}", parts)).toBe(
      "https://example.com/",
    );
  });

  it("keeps its host whatever a record holds", () => {
    const evil = { ...parts, record: { ...record, slug: "/../..//evil.example/@evil.example\\" } };
    expect(new URL(previewAddress("https://example.com/{slug}", evil)).host).toBe("example.com");
  });
});

describe("a template in the form of a model", () => {
  it("follows a field that is renamed, and not the names that every template has", () => {
    expect(renamedInPreview("https://example.com/{slug}/{slug}/{slugs}", "slug", "path")).toBe(
      "https://example.com/{path}/{path}/{slugs}",
    );
    expect(renamedInPreview("https://example.com/{id}", "id", "x")).toBe("https://example.com/{id}");
    expect(renamedInPreview("https://example.com/{}", "", "x")).toBe("https://example.com/{}");
  });
});
