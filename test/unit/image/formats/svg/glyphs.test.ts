/** The characters that the fonts are said to have, against the tables in their files. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { facesOf, facesWeight } from "../../../../../src/image/formats/svg/css/font-faces.ts";
import { GLYPHS, neededFor } from "../../../../../src/image/formats/svg/work/glyphs.ts";

const FONTS = new URL("../../../../../node_modules/@expo-google-fonts/", import.meta.url);
/** The table for Unicode beyond its first plane (OpenType, cmap, format 12). */
const FORMAT = 12;

/** Returns the code points for which a font file has a glyph. */
function characters(file: string): Set<number> {
  const font = readFileSync(new URL(file, FONTS));
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + 16 * i);
  const record = tables.find((at) => font.toString("latin1", at, at + 4) === "cmap")!;
  const cmap = font.readUInt32BE(record + 8);
  const found = new Set<number>();
  for (let i = 0; i < font.readUInt16BE(cmap + 2); i++) {
    const table = cmap + font.readUInt32BE(cmap + 4 + 8 * i + 4);
    if (font.readUInt16BE(table) !== FORMAT) continue;
    for (let group = 0; group < font.readUInt32BE(table + 12); group++) {
      const at = table + 16 + 12 * group;
      for (let code = font.readUInt32BE(at); code <= font.readUInt32BE(at + 4); code++) found.add(code);
    }
  }
  return found;
}

const listed = (list: readonly (readonly [number, number])[]): number[] =>
  list.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));

describe("the characters of a font", () => {
  it("are those of its files", () => {
    for (const face of ["400Regular/NotoSans_400Regular", "700Bold/NotoSans_700Bold"]) {
      const file = characters(`noto-sans/${face}.ttf`);
      expect(listed(GLYPHS.text).filter((code) => !file.has(code))).toEqual([]);
      expect([...file].filter((code) => code >= 32).length).toBe(listed(GLYPHS.text).length);
    }
    const symbols = characters("noto-sans-math/400Regular/NotoSansMath_400Regular.ttf");
    expect(listed(GLYPHS.symbols).filter((code) => !symbols.has(code))).toEqual([]);
  });

  it("are found, and the first one that is missing is named", () => {
    expect(neededFor("Größe, Кириллица\n")).toEqual({ symbols: false, missing: null });
    expect(neededFor("a → b")).toEqual({ symbols: true, missing: null });
    expect(neededFor("a → 中文")).toEqual({ symbols: true, missing: "中" });
    expect(neededFor("👍")).toEqual({ symbols: false, missing: "👍" });
  });

  it("decide about the faces", () => {
    expect(facesOf("<svg><text>a</text></svg>")).toEqual(["regular"]);
    expect(facesOf('<svg><text font-weight="bold">→</text></svg>')).toEqual(["regular", "bold", "symbols"]);
    expect(facesWeight("<svg><text>→</text></svg>")).toBe(3);
    expect(facesOf("<svg>→</svg>")).toEqual([]);
  });
});
