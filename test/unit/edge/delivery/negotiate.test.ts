import { describe, expect, it } from "vitest";
import { acceptedFormats } from "../../../../src/edge/delivery/negotiate.ts";

describe("Accept (RULES 5.5)", () => {
  it.each<[string | null, boolean, boolean]>([
    ["image/avif,image/webp,image/apng,image/*,*/*;q=0.8", true, true],
    ["image/webp", false, true],
    ["IMAGE/AVIF", true, false],
    ["image/*", false, false],
    ["*/*", false, false],
    [null, false, false],
    ["", false, false],
    ["image/avif;q=0", false, false],
    ["image/avif;q=0.000, image/webp;q=0.1", false, true],
    ["image/avif; Q=0 , image/webp", false, true],
    ["image/avif;q=0.001", true, false],
    ["image/webp;q=0.9,image/avif;q=0.1", true, true],
    ["image/avif;v=b3;q=0", false, false],
    ["text/image/avif", false, false],
    ["image/avifs", false, false],
  ])("%s", (accept, avif, webp) => {
    expect(acceptedFormats(accept)).toEqual({ avif, webp });
  });
});
