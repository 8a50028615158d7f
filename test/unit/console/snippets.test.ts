import { describe, expect, it } from "vitest";
import type { Media } from "../../../src/client/models.ts";
import {
  addressOf,
  snippetOf,
  widthsOf,
  type TriedParameters,
} from "../../../src/console/playground/address.ts";

const media = {
  directUrl: "https://images.example.com/api/v1/site/pictures/01ARZ3NDEKTSV4RRFFQ69G5FAV/file?v=3",
  width: 1200,
  height: 800,
  masterVersion: 3,
  alt: `A "red" <door> & more`,
} as Media;
const choice: TriedParameters = { w: "1000", q: "90", auto: "format" };
const FILE = "https://images.example.com/api/v1/site/pictures/01ARZ3NDEKTSV4RRFFQ69G5FAV/file";

describe("snippets", () => {
  it("name the version last, and leave out what was not chosen", () => {
    expect(addressOf(media, choice)).toBe(`${FILE}?w=1000&q=90&auto=format&v=3`);
    expect(addressOf(media, { w: "", q: "", fm: "", ar: "" })).toBe(`${FILE}?v=3`);
    expect(addressOf(media, { ...choice, auto: "", fm: "webp", ar: "16:9" })).toBe(
      `${FILE}?w=1000&ar=16:9&q=90&fm=webp&v=3`,
    );
  });

  it("offer the widths that the picture fills, and the one that its own rounds up to", () => {
    expect(widthsOf(media, "")).toEqual([236, 500, 750, 1000, 1600]);
    expect(widthsOf(media, "1:2")).toEqual([236, 500]);
    expect(widthsOf({ ...media, width: 100, height: 100 }, "")).toEqual([128]);
  });

  it("escape what an author wrote, and state the size of what is delivered", () => {
    const tag = snippetOf("<img>", media, choice);
    expect(tag).toContain('alt="A &quot;red&quot; &lt;door&gt; &amp; more"');
    expect(tag).toContain('width="1000"\n  height="667"');
    expect(tag).toContain("w=500&amp;q=90&amp;auto=format&amp;v=3 500w");
    const cropped = snippetOf("<picture>", media, { ...choice, ar: "1:1" });
    expect(cropped).toContain('width="800"\n    height="800"');
    expect(cropped).toContain('type="image/avif"');
  });
});
