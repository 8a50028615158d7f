/** The font's files, which reach the builder as static assets. */
import { describe, expect, it } from "vitest";
import { fontsFor, fontsOf } from "../../../../../src/builder/codecs/svg/fonts.ts";
import { drawSvg } from "../../../../../src/builder/codecs/svg/draw.ts";
import { SourceLost } from "../../../../../src/builder/streams/source.ts";
import { decoderOf } from "../../../../../src/image/plan/build-plan.ts";
import type { SvgFacts } from "../../../../../src/image/model/facts.ts";
import { contextOf, readFont } from "../../../../../scripts/harness/builds.ts";
import { sanitize, svg } from "../../../../../scripts/samples/svg/svg.ts";

const WORDS = '<text x="1" y="9" font-weight="bold">a</text>';

/** Returns static assets that answer every request with `status`. */
function assets(status: number) {
  const asked: string[] = [];
  const fetch = (address: string): Promise<Response> => {
    asked.push(new URL(address).pathname);
    return Promise.resolve(new Response(status === 200 ? "a font" : null, { status }));
  };
  return { asked, files: { fetch } };
}

describe("the fonts of a drawing", () => {
  it("are the faces that it uses, and none without text", async () => {
    const { asked, files } = assets(200);
    expect(await fontsFor("<svg><path/></svg>", fontsOf(files))).toEqual([]);
    expect(asked).toEqual([]);
    expect(await fontsFor(`<svg>${WORDS}</svg>`, fontsOf(files))).toHaveLength(2);
    expect(asked).toEqual(["/regular.ttf", "/bold.ttf"]);
  });

  it.each([404, 500])("answered with %i leave the build to another try", async (status) => {
    await expect(fontsFor(WORDS, fontsOf(assets(status).files))).rejects.toThrow(SourceLost);
  });

  it("that cannot be read end the drawing before anything is drawn", async () => {
    const master = Buffer.from(sanitize(svg(WORDS)).document);
    const context = contextOf(master);
    const facts = context.facts as SvgFacts;
    const decoder = decoderOf(context.plan);
    if (decoder?.name !== "resvg") throw new Error("the plan does not draw");
    const options = { ...decoder, crop: null, canvasBytes: 0 };
    const lost = { ...context, readFont: () => Promise.reject(new Error("no network")) };
    await expect(drawSvg(lost, facts, options)).rejects.toThrow("a font could not be read");
    await context.source.close();
  });

  it("are TrueType files", async () => {
    for (const face of ["regular", "bold", "italic"] as const) {
      const file = await readFont(face);
      expect([...file.subarray(0, 4)]).toEqual([0, 1, 0, 0]);
    }
  });
});
