/** The statements about rights in variants (RULES 9.9), read by libvips; and everything that must not be in them. */
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { orderFor } from "../../../../src/image/protocol/order.ts";
import { specOf } from "../../../../scripts/harness/animation-frames.ts";
import { build, partsOf, planFor, take } from "../../../../scripts/harness/builds.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import { jpegFullOfSecrets, packet, RIGHTS, SECRET } from "../../../support/pictures/stated-rights.ts";

const COPYRIGHT = { metadata: "copyright" } as const;
const FORMATS = ["jpeg", "png", "webp", "avif"] as const;

let picture: Sharp;
let secretive: Buffer;

beforeAll(async () => {
  picture = image(await photo(520, 390));
  secretive = await jpegFullOfSecrets(picture.clone());
});

/** Returns the text of an element, or of its items. */
const textsIn = (xmp: string, element: string): string[] => {
  const inner = new RegExp(`<${element}>(.*?)</${element}>`, "s").exec(xmp)?.[1] ?? "";
  const items = [...inner.matchAll(/<rdf:li[^>]*>([^<]*)<\/rdf:li>/g)].map(([, text = ""]) => text);
  return items.length > 0 ? items : [inner];
};

describe.each(FORMATS)("a %s variant", (format) => {
  it("holds what its master states about rights, and nothing else of its file", async () => {
    const { bytes } = await build(secretive, { width: 500, format, settings: COPYRIGHT });
    const { xmp, exif, icc, width, hasProfile } = await sharp(bytes).metadata();
    const written = xmp!.toString();
    expect(textsIn(written, "dc:creator")).toEqual(RIGHTS.creator.split("; "));
    expect(textsIn(written, "dc:rights")).toEqual([RIGHTS.notice]);
    expect(textsIn(written, "photoshop:Credit")).toEqual(["Agency &amp; &lt;Sons&gt;"]);
    expect(textsIn(written, "xmpRights:UsageTerms")).toEqual([RIGHTS.usageTerms]);
    expect(textsIn(written, "xmpRights:WebStatement")).toEqual([RIGHTS.statement.replaceAll("&", "&amp;")]);
    expect(textsIn(written, "plus:LicensorName")).toEqual(["Licensing House"]);
    expect(textsIn(written, "plus:LicensorURL")).toEqual(["https://example.com/licence"]);
    const tags = exif!.toString("utf8");
    expect(tags).toContain(RIGHTS.creator);
    expect(tags).toContain(RIGHTS.notice);
    expect(exif!.length + xmp!.length).toBeLessThanOrEqual(2048 + "Exif\0\0".length);
    expect({ width, hasProfile, icc }).toMatchObject({ width: 500, hasProfile: false });
    expect(bytes.includes(SECRET)).toBe(false);
    expect(bytes.toString("latin1")).not.toMatch(/GPS|Photoshop 3|MPF\0|JFXX|8BIM/);
  });

  it("has the same pixels and names as without them, under the setting none, and below 500 pixels", async () => {
    const facts = probe(secretive);
    const kept = await build(secretive, { width: 500, format, settings: COPYRIGHT }, facts);
    const none = await build(secretive, { width: 500, format }, facts);
    const small = await build(secretive, { width: 499, format, settings: COPYRIGHT }, facts);
    expect([kept.spec.rights, none.spec.rights, small.spec.rights]).toEqual([true, undefined, undefined]);
    for (const { bytes } of [none, small]) {
      const { xmp, exif } = await sharp(bytes).metadata();
      expect([xmp, exif, bytes.includes(SECRET)]).toEqual([undefined, undefined, false]);
    }
    const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).raw().toBuffer();
    expect((await pixels(kept.bytes)).equals(await pixels(none.bytes))).toBe(true);
    expect(kept.bytes.length - none.bytes.length).toBeLessThan(2048 + 200);
  });

  it("of a master that states nothing is the same file under every setting", async () => {
    const plain = await picture
      .clone()
      .jpeg()
      .withExif({ IFD0: { Make: SECRET } })
      .toBuffer();
    const settings = { metadata: "copyright", gamut: "p3" } as const;
    const [one, other] = [
      await build(plain, { width: 500, format, settings }),
      await build(plain, { width: 500, format }),
    ];
    expect(one.spec).toEqual(other.spec);
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });
});

it("of an animation holds them too, as WebP", async () => {
  const raw = { width: 500, height: 40, channels: 4, pageHeight: 20 } as const;
  const frames = Buffer.from(Array.from({ length: 4 * 500 * 40 }, (_, i) => (i * 7 + (i >> 13)) & 255));
  const master = await sharp(frames, { raw })
    .webp({ delay: [100, 100] })
    .withXmp(packet())
    .toBuffer();
  const facts = probe(master);
  expect(facts).toMatchObject({ animated: true, copyright: { creator: RIGHTS.creator } });
  const spec = { ...specOf(facts, { format: "webp" }), rights: true as const };
  const plan = planFor(facts, master.length, spec);
  const answer = await take(orderFor(facts, master.length, spec, plan), master);
  if (!answer.ok) throw new Error(answer.code);
  const bytes = Buffer.concat((await partsOf(answer)).parts);
  const { pages, xmp, exif } = await sharp(bytes, { pages: -1 }).metadata();
  expect(pages).toBe(2);
  expect(xmp!.toString()).toContain("<rdf:li>Second Photographer</rdf:li>");
  expect(exif!.toString()).toContain(RIGHTS.notice);
  expect(bytes.includes(SECRET)).toBe(false);
});

it("with long statements has at most 2,048 bytes of them: texts are cut, and long addresses left out", async () => {
  const long = "Ünï&".repeat(2000);
  const xmp = packet()
    .replace(RIGHTS.usageTerms, long)
    .replace("&#169; 2026 Jané Döe", long.replaceAll("&", "&amp;"))
    .replace("https://example.com/licence", `https://example.com/${"a".repeat(3000)}`);
  const master = await picture.clone().jpeg().withXmp(xmp).toBuffer();
  const { bytes, masterFacts } = await build(master, { width: 500, format: "jpeg", settings: COPYRIGHT });
  const { copyright } = masterFacts;
  expect(Buffer.byteLength(copyright?.notice ?? "")).toBeLessThanOrEqual(500);
  expect(copyright?.licensor).toEqual({ name: "Licensing House", url: null });
  const read = await sharp(bytes).metadata();
  expect(read.exif!.length - 6 + read.xmp!.length).toBeLessThanOrEqual(2048);
  expect(read.xmp!.length).toBeGreaterThan(1000);
  expect(read.xmp!.toString()).not.toContain("\ufffd");
});
