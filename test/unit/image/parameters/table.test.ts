import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PictureParameters } from "../../../../src/image/parameters/parameter.ts";
import { parsePictureParameters } from "../../../../src/image/parameters/read.ts";
import { NO_PARAMETERS, PARAMETER_NAMES } from "../../../../src/image/parameters/table.ts";
import { normalQuery, queryOf } from "../../../../src/image/parameters/write.ts";
import { QUALITIES } from "../../../../src/image/model/variant.ts";
import { OUTPUT_FORMATS } from "../../../../src/image/formats/registry.ts";

const side = fc.option(fc.integer({ min: 1, max: 8192 }));
const step = fc.integer({ min: 0, max: 20 }).map((steps) => 5 * steps);
const anyParameters: fc.Arbitrary<PictureParameters> = fc
  .record({
    width: side,
    height: side,
    density: fc.option(fc.integer({ min: 100, max: 400 })),
    ratio: fc.option(fc.constantFrom("16:9", "1:1")),
    focalPoint: fc.option(fc.record({ x: step, y: step })),
    fit: fc.option(fc.constantFrom("inside" as const, "pad" as const)),
    background: fc.option(fc.constantFrom("ffffff", "00a1b2", "transparent")),
    quality: fc.option(fc.constantFrom(...QUALITIES)),
    format: fc.option(fc.constantFrom(...OUTPUT_FORMATS)),
    auto: fc.option(fc.constantFrom("format" as const, "compress" as const)),
  })
  .filter(({ width, height, ratio }) => width === null || height === null || ratio === null)
  .filter(({ width, height, fit }) => fit !== "inside" || (width !== null && height !== null))
  .filter(
    ({ width, height, ratio, fit }) => fit !== "pad" || ratio !== null || (width !== null && height !== null),
  )
  .filter(({ fit, focalPoint }) => fit === null || focalPoint === null)
  .filter(({ format, auto }) => format === null || auto === null);

describe("the table of parameters", () => {
  it("reads what it writes", () => {
    fc.assert(
      fc.property(anyParameters, (all) => {
        expect(parsePictureParameters(queryOf(all))).toEqual(all);
      }),
    );
  });

  it("has one normal form, which is read as itself", () => {
    fc.assert(
      fc.property(anyParameters, (all) => {
        const normal = normalQuery(all).toString();
        expect(normalQuery(parsePictureParameters(new URLSearchParams(normal))).toString()).toBe(normal);
      }),
    );
  });

  it("writes nothing for a request without parameters", () => {
    expect(queryOf(NO_PARAMETERS).toString()).toBe("");
    expect(PARAMETER_NAMES).toEqual(["w", "h", "dpr", "ar", "fp", "fit", "bg", "q", "fm", "auto"]);
  });
});
