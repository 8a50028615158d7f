/** Whether an AVIF shows a photograph: encoders allow palettes in drawings, and facts say whether they did. */
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { build, planFor, specFor } from "../../../../../scripts/harness/builds.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { image, photo } from "../../../../../scripts/samples/pictures.ts";
import { decodingOf } from "../../../../../src/image/formats/decodings.ts";
import type { AvifFacts } from "../../../../../src/image/model/facts.ts";

/** Flat colours and letters, as a screenshot has them. */
const SCREEN = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="#fff"/>
  <rect width="90" height="300" fill="#1b2430"/>${Array.from(
    { length: 14 },
    (_, i) =>
      `<text x="100" y="${20 + 20 * i}" font-size="14">Light falls on silver and leaves a trace</text>`,
  ).join("")}</svg>`,
);

let files: Record<"photograph" | "screen", Record<"sharp" | "own", Buffer>>;

beforeAll(async () => {
  const photograph = image(await photo(400, 300));
  const screen = sharp(SCREEN).removeAlpha();
  const [jpeg, png] = [await photograph.clone().jpeg().toBuffer(), await screen.clone().png().toBuffer()];
  files = {
    photograph: {
      sharp: await photograph.clone().avif({ quality: 60, effort: 2 }).toBuffer(),
      own: (await build(jpeg, { format: "avif" })).bytes,
    },
    screen: {
      sharp: await screen.clone().avif({ quality: 60, effort: 2 }).toBuffer(),
      own: (await build(png, { format: "avif" })).bytes,
    },
  };
});

const isPhotograph = (facts: AvifFacts, file: Buffer): boolean =>
  decodingOf(facts).isPhotograph(facts, file.length);

describe.each(["sharp", "own"] as const)("an AVIF by the encoder of %s", (encoder) => {
  it("is a photograph or a drawing by what it shows", () => {
    for (const [kind, expected] of [
      ["photograph", true],
      ["screen", false],
    ] as const) {
      const file = files[kind][encoder];
      expect(isPhotograph(probe(file) as AvifFacts, file), kind).toBe(expected);
    }
  });

  it("has the promised look in its variants if it is a photograph", () => {
    for (const kind of ["photograph", "screen"] as const) {
      const file = files[kind][encoder];
      const facts = probe(file);
      const plan = planFor(facts, file.length, specFor(facts, { format: "jpeg", width: 300 }));
      expect(plan.kind === "still" && plan.look !== undefined, kind).toBe(kind === "photograph");
    }
  });
});

it("is a drawing where facts of earlier versions say nothing, so that its variants stay", () => {
  const file = files.photograph.sharp;
  const { hasScreenTools, ...earlier } = probe(file) as AvifFacts;
  expect(hasScreenTools).toBe(false);
  expect(isPhotograph(earlier, file)).toBe(false);
});
