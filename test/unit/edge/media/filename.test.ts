/** The name of a file that is uploaded. */
import { describe, expect, it } from "vitest";
import { cleanFilename } from "../../../../src/edge/media/filename.ts";
import { UPLOAD } from "../../../../src/limits.ts";

describe("a file name", () => {
  it("is cut at its limit in code points, never within one", () => {
    const faces = "\u{1F600}".repeat(UPLOAD.filenameMaxCharacters);
    expect(cleanFilename(faces)).toBe(faces);
    expect(cleanFilename(`a${faces}`)).toBe(`a${faces.slice(2)}`);
  });
});
