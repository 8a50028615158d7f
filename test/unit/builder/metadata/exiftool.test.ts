/**
 * Variants of masters that exiftool wrote, read by exiftool (RULES 9.9): statements about rights come through in every
 * format, and a place in none, wherever it hid. scripts/measure/kept-metadata.ts holds the same of any folder.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../../../../scripts/harness/builds.ts";
import {
  foreignTags,
  hasExiftool,
  type Tags,
  tagsOf,
  writeTags,
} from "../../../../scripts/harness/exiftool.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";

const FORMATS = ["jpeg", "png", "webp", "avif"] as const;
type Format = (typeof FORMATS)[number];

/** A place of which no digit may pass. */
const LATITUDE = "52.5163";
const LONGITUDE = "13.3777";

/** Everything that exiftool writes of a place, a time and a device, in blocks of each kind. */
const SECRETS = [
  `-GPS:GPSLatitude=${LATITUDE}`,
  `-GPS:GPSLongitude=${LONGITUDE}`,
  "-GPS:GPSLatitudeRef=N",
  "-GPS:GPSLongitudeRef=E",
  "-GPS:GPSDateStamp=2026:11:27",
  `-XMP-exif:GPSLatitude=${LATITUDE}`,
  `-XMP-exif:GPSLongitude=${LONGITUDE}`,
  "-XMP-iptcCore:Location=Pariser Platz",
  "-XMP-iptcExt:LocationShownCity=Berlin",
  "-XMP-photoshop:City=Berlin",
  "-XMP-GCamera:MicroVideo=1",
  "-XMP-drone-dji:GpsLatitude=52.5163",
  "-XMP-mwg-rs:RegionName=Somebody",
  "-ExifIFD:SerialNumber=SeCrEt",
  "-ExifIFD:DateTimeOriginal=2026:11:27 08:00:00",
  "-IFD0:Model=SeCrEt",
  "-ExifIFD:UserComment=52.5163 13.3777",
];
const SECRETS_OF_JPEG = [
  "-IPTC:City=Berlin",
  "-IPTC:Sub-location=Pariser Platz",
  "-IPTC:DateCreated=2026:11:27",
  "-Photoshop:URL=https://example.com/?at=52.5163,13.3777",
  "-Comment=52.5163 13.3777",
];
const SECRETS_OF_PNG = [
  "-PNG:Comment=52.5163 13.3777",
  "-PNG:Source=SeCrEt",
  "-PNG:CreationTime=2026:11:27 08:00:00",
];

const RIGHTS = {
  "XMP-dc:Creator": ["Jané Döe", "Second Photographer"],
  "XMP-dc:Rights": "© 2026 Jané Döe",
  "XMP-photoshop:Credit": "Agency & <Sons>",
  "XMP-xmpRights:UsageTerms": "Editorial use only",
  "XMP-xmpRights:WebStatement": "https://example.com/rights?a=1&b=2",
  "XMP-plus:LicensorName": "Licensing House",
  "XMP-plus:LicensorURL": "https://example.com/licence",
} as const;
const RIGHTS_FLAGS = Object.entries(RIGHTS).flatMap(([tag, value]) =>
  [value].flat().map((one) => `-${tag}=${one}`),
);

const isThere = hasExiftool();
if (!isThere) console.warn("No exiftool here: what it reads of variants is not looked at.");

const folder = mkdtempSync(join(tmpdir(), "exiftool-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The masters that exiftool wrote, and the variants that were built of them. */
const masters = new Map<Format, Tags>();
const variants = new Map<string, Tags>();
const bytes = new Map<string, Buffer>();

describe.skipIf(!isThere)("the variants of masters that exiftool wrote", () => {
  beforeAll(async () => {
    const picture = image(await photo(520, 130));
    const paths: string[] = [];
    for (const master of FORMATS) {
      const path = join(folder, `master.${master}`);
      writeFileSync(path, await picture.clone().toFormat(master).toBuffer());
      const more = master === "jpeg" ? SECRETS_OF_JPEG : master === "png" ? SECRETS_OF_PNG : [];
      writeTags([...SECRETS, ...more, ...RIGHTS_FLAGS], [path]);
      // The thumbnail of the first, with a place of its own, is a file of exiftool's too.
      if (master === "jpeg") {
        const thumbnail = join(folder, "thumbnail.jpg");
        writeFileSync(thumbnail, await picture.clone().resize(80).jpeg().toBuffer());
        writeTags(SECRETS, [thumbnail]);
        writeTags([`-ThumbnailImage<=${thumbnail}`], [path]);
      }
      const file = readFileSync(path);
      for (const format of FORMATS) {
        for (const metadata of ["copyright", "none"] as const) {
          const built = await build(file, { width: 500, format, settings: { metadata } });
          const name = `${master}-${metadata}.${format}`;
          writeFileSync(join(folder, name), built.bytes);
          bytes.set(name, built.bytes);
          paths.push(join(folder, name));
        }
      }
    }
    const read = tagsOf([...FORMATS.map((master) => join(folder, `master.${master}`)), ...paths]);
    FORMATS.forEach((master, i) => masters.set(master, read[i]!));
    paths.forEach((path, i) => variants.set(path.slice(folder.length + 1), read[FORMATS.length + i]!));
  });

  it.each(FORMATS)("start from a %s that holds places in every block that it can have", (master) => {
    const tags = masters.get(master)!;
    expect(tags).toMatchObject({ "IFD0:Model": "SeCrEt" });
    const places = ["GPS:GPSLatitude", "XMP-exif:GPSLatitude", "XMP-drone-dji:GPSLatitude"];
    expect(Object.keys(tags)).toEqual(expect.arrayContaining(places));
    expect(foreignTags(tags).length).toBeGreaterThan(12);
  });

  it.each(FORMATS)("of a %s state its rights in every format", (master) => {
    for (const format of FORMATS) {
      expect(variants.get(`${master}-copyright.${format}`), format).toMatchObject({
        ...RIGHTS,
        "IFD0:Artist": RIGHTS["XMP-dc:Creator"].join("; "),
        "IFD0:Copyright": RIGHTS["XMP-dc:Rights"],
      });
    }
  });

  it.each(FORMATS)("of a %s have no other tag, and nothing of a place, in any format", (master) => {
    for (const format of FORMATS) {
      for (const metadata of ["copyright", "none"] as const) {
        const name = `${master}-${metadata}.${format}`;
        expect(foreignTags(variants.get(name)!), name).toEqual([]);
        expect(bytes.get(name)!.toString("latin1"), name).not.toMatch(
          /52\.5163|13\.3777|SeCrEt|Berlin|Pariser/,
        );
      }
      const none = Object.keys(variants.get(`${master}-none.${format}`)!);
      expect(none.filter((tag) => /^(?:XMP|IFD0|IPTC)/.test(tag))).toEqual([]);
    }
  });
});
