/** The query for a picture reads the variants that a request can use, and no others, however many there are. */
import { beforeAll, describe, expect, it } from "vitest";
import { allowedVariants, wantedOf } from "../../../src/edge/delivery/choose.ts";
import { framingOf, isListed } from "../../../src/edge/delivery/framing.ts";
import { acceptedFormats } from "../../../src/edge/delivery/negotiate.ts";
import { parsePictureParameters } from "../../../src/image/parameters/read.ts";
import { database, prepareSql } from "../../../src/edge/storage/database/database.ts";
import { pictureQuery } from "../../../src/edge/storage/pictures/pictures.ts";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import { focalPointOf, type FocalPoint } from "../../../src/image/geometry/focal-point.ts";
import { ENCODER_VERSION, variantFile } from "../../../src/image/model/variant.ts";
import { BACKGROUND, CROP, VARIANT } from "../../../src/limits.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, type Media, type Space } from "../support/rows.ts";

const db = database(bindings.DB);
const LISTED = CROP.aspectRatiosDefault;
/** One per table, one per beginning of a name (listed once for each), and one per variant found. */
const MOST_ROWS = 18;
/** The beginnings with and without a canvas and a background. */
const MOST_ROWS_OF_PADS = 48;
/** The variants of one width and the picture's own, in each format that has a quality. */
const MOST_VARIANTS = 6;
const BOTH = "image/avif,image/webp";

async function offer(media: Media, files: Iterable<string>): Promise<void> {
  const insert = bindings.DB.prepare(
    `INSERT OR IGNORE INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
     SELECT ?1, 1, value, ?2, 1, 1, 1, ?3 FROM json_each(?4)`,
  );
  await insert.bind(media.id, media.spaceId, Date.now() + 1e9, JSON.stringify([...files])).run();
}

async function read(space: Space, media: Media, query: string) {
  const wanted = wantedOf(parsePictureParameters(new URLSearchParams(query)), LISTED);
  const statement = pictureQuery({ spaceName: space.name, mediaId: media.id }, wanted, Date.now());
  const { results, meta } = await prepareSql(db, statement).all<{ variants: string }>();
  return { files: Object.keys(JSON.parse(results[0]!.variants) as object), rowsRead: meta.rows_read };
}

let space: Space;
beforeAll(async () => {
  space = await makeSpace();
});

describe("rows read of a picture with all of its 192 variants", () => {
  let media: Media;
  beforeAll(async () => {
    media = await makeMedia(space);
    const crops = ["", "r16x9-f50-", "r1x1-f50-", ...[...Array(9).keys()].map((n) => `r16x9-f${n}-`)];
    const widths = [500, 1000, 1600, 4000];
    const formats = ["q80-eE.jpg", "q80-eE.webp", "q80-eE.avif", "q90-eE.avif"];
    const files = crops.flatMap((crop) =>
      widths.flatMap((w) => formats.map((format) => `${crop}w${w}-${format}`)),
    );
    expect(files).toHaveLength(VARIANT.perMasterVersionMax);
    await offer(
      media,
      files.map((file) => file.replace("E", String(ENCODER_VERSION))),
    );
  });

  it("are few, whatever is asked for", async () => {
    const queries = [
      ...["", "w=1000", "w=1000&auto=format", "q=80", "fm=avif", "w=8192&fm=webp&q=90"],
      ...["h=750&q=80", "h=8192&auto=format", "ar=16:9&w=1000", "ar=16:9&q=80", "ar=16:9&w=1000&fp=0.05,0.5"],
      ...["ar=16:9&h=500&auto=format", "w=1600&h=900&auto=format", "w=500&h=500&fm=avif"],
    ];
    const padded = ["fit=pad&ar=16:9&w=1000&bg=000000", "fit=pad&ar=16:9&auto=format&bg=ffffff"];
    for (const query of padded) {
      const { files, rowsRead } = await read(space, media, query);
      expect([query, rowsRead <= MOST_ROWS_OF_PADS, files.length <= MOST_VARIANTS]).toEqual([
        query,
        true,
        true,
      ]);
    }
    for (const query of [...queries, "fit=inside&w=1000&h=600"]) {
      const { files, rowsRead } = await read(space, media, query);
      expect([query, rowsRead <= MOST_ROWS, files.length <= MOST_VARIANTS]).toEqual([query, true, true]);
    }
  });
});

describe("what is read", () => {
  const kinds: { facts: Partial<MasterFacts>; focal: FocalPoint | null }[] = [
    { facts: { width: 4000, height: 3000 }, focal: null },
    { facts: { width: 3000, height: 4000 }, focal: focalPointOf({ x: 0.2, y: 0.97 }) },
    { facts: { width: 1201, height: 899 }, focal: focalPointOf({ x: 0, y: 0.33 }) },
    { facts: { width: 333, height: 7000 }, focal: focalPointOf({ x: 0.5, y: 0.71 }) },
    { facts: { width: 9001, height: 7 }, focal: focalPointOf({ x: 1, y: 1 }) },
    { facts: { width: 1, height: 1 }, focal: null },
    { facts: { format: "svg", width: 640, height: 481 }, focal: null },
    {
      facts: { format: "gif", width: 640, height: 480, animated: true },
      focal: null,
    },
    { facts: { format: "png", width: 641, height: 480 }, focal: null },
    { facts: { format: "png", width: 999, height: 667, hasAlpha: true }, focal: null },
  ];
  const sizes = [
    "",
    "w=500",
    "w=8192",
    "h=1",
    "h=500",
    "h=8192",
    "w=1600&h=900",
    "w=500&h=281&dpr=3",
    "h=333&dpr=1.5",
  ];
  const fits = ["fit=pad", "fit=pad&bg=000000", "fit=inside", "bg=ffffff"];
  const crops = ["", "ar=16:9", "ar=9:16&fp=0.35,0.9", "ar=4:3&fp=0,1"];
  const formats = ["q=90", "fm=png", "auto=format"];
  const boxes = ["w=500&h=500", "w=8192&h=4096", "w=300&h=7"];
  const ofFits = [...sizes, ...boxes].flatMap((size) =>
    ["", "ar=16:9"].flatMap((ratio) =>
      fits.flatMap((fit) =>
        ["auto=format"].map((format) => [size, ratio, fit, format].filter(Boolean).join("&")),
      ),
    ),
  );
  const ofCrops = sizes.flatMap((size) =>
    crops
      .filter((crop) => !(crop && size.includes("&")))
      .flatMap((crop) => formats.map((format) => [size, crop, format].filter(Boolean).join("&"))),
  );

  const isTaken = (query: string): boolean => {
    try {
      const asked = parsePictureParameters(new URLSearchParams(query));
      return isListed(asked, {
        aspectRatios: LISTED,
        backgrounds: BACKGROUND.backgroundsDefault,
        focalPoint: null,
      });
    } catch {
      return false;
    }
  };
  const queries = [...ofCrops, ...ofFits.filter(isTaken)];

  it.each(kinds)("has every variant that can be the answer: %j", async ({ facts: some, focal }) => {
    const facts = { ...JPEG_FACTS, ...some } as MasterFacts;
    const media = await makeMedia(space, facts);
    await bindings.DB.prepare("UPDATE media SET focal_x = ?, focal_y = ? WHERE id = ?")
      .bind(focal?.x ?? null, focal?.y ?? null, media.id)
      .run();
    const wanted = new Map<string, string[]>();
    for (const query of queries) {
      const asked = parsePictureParameters(new URLSearchParams(query));
      const framing = framingOf(asked, {
        aspectRatios: LISTED,
        backgrounds: BACKGROUND.backgroundsDefault,
        focalPoint: focal,
      });
      if (facts.animated && asked.format === "png") continue;
      const specs = allowedVariants(facts, asked, framing, acceptedFormats(BOTH), {
        metadata: "copyright",
        gamut: "p3",
      });
      if (specs.length === 0) continue;
      wanted.set(
        query,
        specs.flatMap((spec) => [variantFile(spec), variantFile(spec, 1)]),
      );
    }
    await offer(media, [...wanted.values()].flat());
    for (const [query, files] of wanted) {
      const found = await read(space, media, query);
      expect([query, files.filter((file) => !found.files.includes(file))]).toEqual([query, []]);
    }
  });
});
