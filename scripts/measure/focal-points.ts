/**
 * How often crops hold the subject: around the suggested focal point, beside crops around the centre and, for what is
 * possible at all, around the middle of the subject itself.
 *
 *     node scripts/run.mjs scripts/measure/focal-points.ts smartcrop=folder kodak=folder [debian=/usr/share]
 *
 * Of the photographs that `focal-point-subjects.ts` names, those that are there are measured. "Whole" is the share of
 * crops that hold all of the subject, of those that have room for it; "part" is how much of the subject a crop holds on
 * average, of all crops. Cases are pairs of a picture and a ratio that crops it. What counts are the pictures that the
 * method was not tuned on.
 *
 * With all of them there: of the 46 pictures that the method was not tuned on, 76 % of the crops that have room for the
 * subject hold it whole, and 63 % of those around the centre; 100 % would be possible. Of the subject, crops hold 89 %
 * on average, around the centre 85 % (94 % possible). The tuned half gives 75 % and 60 %. It helps most where much is
 * cut off at the sides (4:5: 79 % for 56 %, 9:16: 68 % for 48 %), and nothing where a flat picture is cut a little
 * flatter (16:9: 76 % for 76 %, and 61 % for 66 % in the tuned half).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { suggestFocalPoint } from "../../src/builder/placeholder/suggest-focal-point.ts";
import { parseRatio, type Ratio } from "../../src/image/geometry/aspect-ratio.ts";
import { cropOf } from "../../src/image/geometry/crop.ts";
import { CENTRE, type FocalPoint } from "../../src/image/geometry/focal-point.ts";
import type { Rect, Size } from "../../src/image/geometry/size.ts";
import { PLACEHOLDER } from "../../src/limits.ts";
import { SUBJECTS, type SubjectBox } from "./focal-point-subjects.ts";

const RATIOS = ["1:1", "4:3", "4:5", "2:3", "9:16", "16:9", "21:9"];
/** Half a pixel: boxes are in parts of pixels, crops are not. */
const TOLERANCE_PIXELS = 0.5;

interface Measured {
  isTuned: boolean;
  size: Size;
  subject: Rect;
  suggested: FocalPoint;
}

const folders: Record<string, string> = {
  debian: "/usr/share",
  ...Object.fromEntries(process.argv.slice(2).map((argument) => argument.split("=", 2) as [string, string])),
};

function subjectIn({ width, height }: Size, [left, top, right, bottom]: SubjectBox): Rect {
  const [x, y] = [width / 100, height / 100];
  return { left: left * x, top: top * y, width: (right - left) * x, height: (bottom - top) * y };
}

async function measure(file: string, box: SubjectBox, isTuned: boolean): Promise<Measured> {
  const upright = sharp(file).autoOrient();
  const { width, height } = (await upright.clone().metadata()).autoOrient;
  const side = PLACEHOLDER.sideMaxPixels;
  const { data, info } = await upright
    .resize(side, side, { fit: "inside" })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const suggested = suggestFocalPoint({ width: info.width, height: info.height, rgba: data });
  const size = { width, height };
  return { isTuned, size, subject: subjectIn(size, box), suggested };
}

const middleOf = ({ size, subject }: Measured): FocalPoint => ({
  x: Math.round((100 * (subject.left + subject.width / 2)) / size.width),
  y: Math.round((100 * (subject.top + subject.height / 2)) / size.height),
});

const overlap = (start: number, length: number, otherStart: number, otherLength: number): number =>
  Math.max(0, Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart));

class Tally {
  #cases = 0;
  #fitting = 0;
  #whole = 0;
  #parts = 0;

  add(crop: Rect, subject: Rect): void {
    const across = overlap(crop.left, crop.width, subject.left, subject.width);
    const down = overlap(crop.top, crop.height, subject.top, subject.height);
    this.#cases++;
    this.#parts += (across * down) / (subject.width * subject.height);
    if (subject.width > crop.width || subject.height > crop.height) return;
    this.#fitting++;
    const isWhole = across >= subject.width - TOLERANCE_PIXELS && down >= subject.height - TOLERANCE_PIXELS;
    if (isWhole) this.#whole++;
  }

  get cases(): string {
    return `${this.#cases} (${this.#fitting})`;
  }

  get shares(): string {
    const percent = (share: number): string => `${(100 * share).toFixed(0)} %`.padStart(5);
    return `${percent(this.#whole / this.#fitting)} ${percent(this.#parts / this.#cases)}`;
  }
}

function row(name: string, pictures: Measured[], ratios: Ratio[]): string {
  const ways = [(): FocalPoint => CENTRE, ({ suggested }: Measured) => suggested, middleOf];
  const tallies = ways.map((focalOf) => {
    const tally = new Tally();
    for (const picture of pictures) {
      for (const ratio of ratios) {
        const crop = cropOf(picture.size, ratio, focalOf(picture));
        if (crop) tally.add(crop.rect, picture.subject);
      }
    }
    return tally;
  });
  const cells = [tallies[0]!.cases.padEnd(11), ...tallies.map(({ shares }) => shares)];
  return `${name.padEnd(6)} ${cells.join("   ")}`;
}

const measured: Measured[] = [];
const missing: string[] = [];
for (const [at, [source, file, box]] of SUBJECTS.entries()) {
  const path = join(folders[source] ?? "", file);
  if (existsSync(path)) measured.push(await measure(path, box, at % 2 === 0));
  else missing.push(`${source}: ${file}`);
}
if (missing.length > 0) console.log(`${missing.length} pictures are not here, the first is ${missing[0]}\n`);
const ratios = RATIOS.map((text) => parseRatio(text)!);
for (const isTuned of [false, true]) {
  const pictures = measured.filter((picture) => picture.isTuned === isTuned);
  console.log(
    `${pictures.length} pictures ${isTuned ? "that the method was tuned on" : "that it was not tuned on"}`,
  );
  console.log("ratio  cases (fit)   centre        suggested     best possible   (whole, part)");
  RATIOS.forEach((name, at) => console.log(row(name, pictures, [ratios[at]!])));
  console.log(`${row("all", pictures, ratios)}\n`);
}
