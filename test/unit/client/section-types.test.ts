/** The types of records with components and rich text: what `populate` gives inside of them. */
import { describe, expectTypeOf, it } from "vitest";
import type { Media, Path, RecordOf } from "../../../src/client/models.ts";
import type { Space } from "../../support/section-types.ts";

type Posts = Space["collections"]["posts"];
type Plain = RecordOf<Space, Posts>;
type Section<Record extends { sections: unknown[] }, Type> = Extract<
  Record["sections"][number],
  { _type: Type }
>;
type Block<Record extends { body: unknown[] }, Type> = Extract<Record["body"][number], { _type: Type }>;

describe("a record with components", () => {
  it("has ids inside without populate", () => {
    expectTypeOf<NonNullable<Plain["cta"]>["icon"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Section<Plain, "quote">["author"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Block<Plain, "image">["media"]>().toEqualTypeOf<string>();
  });

  it("has what populate names inside, and ids elsewhere", () => {
    type Populated = RecordOf<
      Space,
      Posts,
      "cta.icon" | "sections.author.photo" | "body.image" | "body.internalLink"
    >;
    expectTypeOf<NonNullable<Populated["cta"]>["icon"]>().toEqualTypeOf<Media | null>();
    type Author = NonNullable<Section<Populated, "quote">["author"]>;
    expectTypeOf<Author["photo"]>().toEqualTypeOf<Media | null>();
    expectTypeOf<Section<Populated, "quote">["icon"]>().toEqualTypeOf<string[]>();
    expectTypeOf<Block<Populated, "image">["media"]>().toEqualTypeOf<Media | null>();
    type Links = Extract<Block<Populated, "block">["markDefs"][number], { _type: "internalLink" }>;
    expectTypeOf<NonNullable<Links["record"]>["photo"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Block<Populated, "quote">["author"]>().toEqualTypeOf<string | null>();
  });

  it("takes the paths that the service takes", () => {
    expectTypeOf<"body.quote.cta.icon">().toExtend<Path<Space, Posts>>();
    expectTypeOf<"sections.author.photo">().toExtend<Path<Space, Posts>>();
    expectTypeOf<"body.text">().not.toExtend<Path<Space, Posts>>();
  });
});
