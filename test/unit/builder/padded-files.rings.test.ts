/** Pads in every format, of every kind of master, and what they take (RULES 5.13, 5.14). */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { framesOf, likeness, sharpFrames } from "../../../scripts/harness/animation-frames.ts";
import { bitmap, planFor } from "../../../scripts/harness/builds.ts";
import { psnr } from "../../../scripts/harness/ssim.ts";
import { sample } from "../../../scripts/samples/animation/samples.ts";
import { writeApng } from "../../../scripts/samples/animation/writers.ts";
import { type Entry, weigh } from "../../../scripts/samples/ledger-matrix.ts";
import { cutout, image, photo } from "../../../scripts/samples/pictures.ts";
import { drawing, drawnBySharp, sanitize } from "../../../scripts/samples/svg/svg.ts";
import { OUTPUT_FORMATS } from "../../../src/image/formats/registry.ts";
import { askedSpec, buildAsked } from "../../support/pictures/asked-build.ts";
import { ofRing } from "../../support/ring.ts";
import { expectTruth } from "../../support/plans/planned-bytes.ts";

const NEAR_DB = { jpeg: 31, png: 40, webp: 29, avif: 29 } as const;

describe("a padded photograph", () => {
  const asked = OUTPUT_FORMATS.flatMap((format) =>
    [
      ["", format === "jpeg" ? "#ffffff" : "transparent"],
      ["&bg=transparent", format === "jpeg" ? "#ffffff" : "transparent"],
      ["&bg=00ff80", "#00ff80"],
      ["&bg=000000", "#000000"],
    ].map(([query = "", colour = ""]) => ({ format, query, colour })),
  );

  // In the first ring, each format and each background at least once.
  it.each(ofRing(asked, 3))("stands as $format on its background: $query is $colour", async (one) => {
    const { format, query, colour } = one;
    const master = await image(await photo(301, 200))
      .jpeg({ quality: 95, chromaSubsampling: "4:4:4" })
      .toBuffer();
    const { bytes, spec } = await buildAsked(master, `fit=pad&ar=1:1&w=236&fm=${format}${query}`);
    const background = colour === "transparent" ? { r: 0, g: 0, b: 0, alpha: 0 } : colour;
    const theirs = await sharp(master).resize(236, 236, { fit: "contain", background }).png().toBuffer();
    expect([spec.width, spec.height]).toEqual([236, 236]);
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(colour === "transparent");
    const seen = async (file: Buffer) =>
      bitmap(sharp(await sharp(file).flatten({ background: "#f0f" }).png().toBuffer()), 3);
    expect(psnr(await seen(bytes), await seen(theirs))).toBeGreaterThan(NEAR_DB[format]);
  });
});

describe("a picture with alpha", () => {
  const holes = async () =>
    image(await cutout(240, 160))
      .png()
      .toBuffer();
  const corner = async (bytes: Buffer) => [...(await bitmap(sharp(bytes), 4)).data.subarray(0, 4)];

  it("is composed on the background as JPEG, with and without a pad", async () => {
    const master = await holes();
    for (const query of ["w=236&fm=jpg&bg=1e90ff", "fit=pad&ar=3:2&w=236&fm=jpg&bg=1e90ff"]) {
      const { bytes, spec } = await buildAsked(master, query);
      expect(spec.background).toBe("1e90ff");
      const flat = sharp(master).resize(236, spec.height, { fit: "fill" }).flatten({ background: "#1e90ff" });
      expect(
        psnr(await bitmap(sharp(bytes), 3), await bitmap(sharp(await flat.png().toBuffer()), 3)),
      ).toBeGreaterThan(28);
    }
  });

  it.each(["png", "webp", "avif"] as const)(
    "is composed on a colour when it is padded as %s",
    async (format) => {
      const master = await holes();
      for (const ratio of ["1:1", "3:2"]) {
        const { bytes } = await buildAsked(master, `fit=pad&ar=${ratio}&w=236&fm=${format}&bg=ff0000`);
        expect((await sharp(bytes).metadata()).hasAlpha).toBe(false);
        const [red = 0, green = 255, blue = 255] = await corner(bytes);
        if (ratio === "1:1") expect([red > 240, green < 12, blue < 12]).toEqual([true, true, true]);
      }
      const { bytes } = await buildAsked(master, `fit=pad&ar=1:1&w=236&fm=${format}`);
      expect((await corner(bytes))[3]).toBe(0);
    },
  );

  it("stays gray on gray, and takes colour on a colour", async () => {
    const gray = await sharp(await holes())
      .toColourspace("b-w")
      .png()
      .toBuffer();
    expect((await sharp(gray).metadata()).channels).toBe(2);
    for (const [query, colour, space] of [
      ["bg=808080&fm=png", [128, 128, 128, 255], "b-w"],
      ["bg=ff8000&fm=png", [255, 128, 0, 255], "srgb"],
      ["fm=png", [0, 0, 0, 0], "b-w"],
    ] as const) {
      const { bytes } = await buildAsked(gray, `fit=pad&ar=1:1&w=236&${query}`);
      expect([query, await corner(bytes), (await sharp(bytes).metadata()).space]).toEqual([
        query,
        colour,
        space,
      ]);
    }
    const { bytes } = await buildAsked(gray, "w=236&fm=jpg&bg=ff8000");
    expect((await sharp(bytes).metadata()).space).toBe("srgb");
  });
});

describe("a padded animation", () => {
  const asked = [
    ["gif", "q=80"],
    ["gif", "fm=webp"],
    ["webp", "q=80"],
  ] as const;
  const LEAST_DB = { graphic: 28, sticker: 25 };

  const cases = (["graphic", "sticker"] as const).flatMap((kind) =>
    asked.flatMap(([from, query]) =>
      ["", "&bg=ff8800"].map((background) => ({ kind, from, query, background })),
    ),
  );
  for (const { kind, from, query, background } of ofRing(cases, 5)) {
    it(`keeps every frame of a ${kind}: ${from}, ${query}${background}`, async () => {
      const master = (await sample(kind))[from];
      const { bytes, spec, predictedBytes, peakBytes } = await buildAsked(
        master,
        `fit=pad&ar=1:1&w=128&${query}${background}`,
      );
      const built = await sharpFrames(bytes);
      expect([built.width, built.height, built.plays]).toEqual([128, 128, 3]);
      expect(spec.pad?.place).toEqual({ left: 0, top: 16, width: 128, height: 96 });
      expect((await framesOf(bytes)).delays).toEqual((await framesOf(master)).delays);
      const frames = (await sharpFrames(master)).frames;
      expect(built.frames.length).toBe(frames.length);
      for (const [i, frame] of frames.entries()) {
        const clear = { r: 0, g: 0, b: 0, alpha: 0 };
        const fitted = await sharp(frame, { raw: { width: 160, height: 120, channels: 4 } })
          .resize(128, 128, { fit: "contain", background: clear })
          .png()
          .toBuffer();
        const flat = background ? sharp(fitted).flatten({ background: "#ff8800" }) : sharp(fitted);
        const theirs = await flat.ensureAlpha().raw().toBuffer();
        expect(likeness(built.frames[i]!, theirs), `frame ${i}`).toBeGreaterThan(LEAST_DB[kind]);
        const top = built.frames[i]!.subarray(0, 4);
        if (!background) expect(top[3]).toBe(0);
        else
          for (const [c, sample] of [255, 136, 0, 255].entries())
            expect(Math.abs(top[c]! - sample)).toBeLessThan(10);
      }
      expect(predictedBytes).toBeGreaterThan(0.95 * peakBytes);
    });
  }

  it("loses nothing unscaled, beside the colours of its tables", async () => {
    const master = (await sample("graphic")).gif;
    const { bytes } = await buildAsked(master, "fit=pad&ar=1:1&q=80");
    const [mine, theirs] = [await framesOf(bytes), await framesOf(master)];
    for (const [i, frame] of theirs.frames.entries()) {
      const part = mine.frames[i]!.subarray(20 * 160 * 4, 140 * 160 * 4);
      expect(Buffer.compare(part, frame)).toBe(0);
    }
  });

  it("may be a single frame, or an animated PNG", async () => {
    const still = await image(await photo(120, 80))
      .gif()
      .toBuffer();
    const { bytes } = await buildAsked(still, "fit=pad&ar=1:1&w=64&q=80&bg=0000ff");
    expect((await sharpFrames(bytes)).frames[0]!.subarray(0, 4)).toEqual(Uint8Array.of(0, 0, 255, 255));
    const rgba = Uint8Array.from({ length: 40 * 30 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i >> 4) & 255));
    const frame = { left: 0, top: 0, width: 40, height: 30, rgba };
    const apng = writeApng({
      width: 40,
      height: 30,
      frames: [frame, { ...frame, rgba: rgba.map((s, i) => (i % 4 === 3 ? s : 255 - s)) }],
    });
    const webp = await buildAsked(apng, "fit=pad&ar=2:1&w=64&fm=webp");
    const built = await sharpFrames(webp.bytes);
    expect([built.width, built.height, built.frames.length]).toEqual([60, 30, 2]);
    for (const pixels of built.frames) expect([pixels[3], pixels[30 * 4 + 3]]).toEqual([0, 255]);
  });
});

describe("a padded drawing", () => {
  it("is drawn at the size of its place, which may be larger than its own", async () => {
    const { document, facts } = sanitize(drawing("icon.svg").toString());
    const file = new TextEncoder().encode(document);
    const { bytes, spec } = await buildAsked(file, "fit=pad&ar=16:9&w=1000&fm=png&bg=ffffff", facts);
    expect([spec.width, spec.height]).toEqual([1000, 563]);
    const { place } = spec.pad!;
    expect(place.height).toBe(563);
    expect(place.height).toBeGreaterThan(facts.height);
    const inner = await sharp(bytes).extract(place).png().toBuffer();
    const theirs = await drawnBySharp(file, facts, place.width);
    const flat = sharp(theirs.data as Buffer, {
      raw: { width: theirs.width, height: theirs.height, channels: 4 },
    });
    const ground = await flat
      .flatten({ background: "#fff" })
      .resize(place.width, place.height, { fit: "fill" })
      .png()
      .toBuffer();
    expect(psnr(await bitmap(sharp(inner), 3), await bitmap(sharp(ground), 3))).toBeGreaterThan(20);
  });
});

describe("the memory of a pad", () => {
  it("is that of the encoder of its canvas, and no canvas beside it", async () => {
    const file = await image(await photo(900, 300))
      .jpeg({ quality: 90 })
      .toBuffer();
    const turned = await image(await photo(900, 300))
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 90 })
      .toBuffer();
    const asked = [
      { name: "upright", master: file },
      { name: "turned", master: turned },
    ].flatMap((one) => OUTPUT_FORMATS.map((format) => ({ ...one, format })));
    for (const { name, master, format } of ofRing(asked, 3)) {
      const label = `${name} as ${format}`;
      const effort = format === "png" ? ({ effort: "quick" } as const) : {};
      const specOf = (facts: Parameters<typeof askedSpec>[0]) =>
        askedSpec(facts, `fit=pad&ar=1:1&w=750&fm=${format}&bg=336699`);
      const entry = await weigh(label, master, { format, ...effort }, specOf);
      expectTruth(entry, label);
      // The picture alone, at the size that it has on the canvas, whose pixels take three bytes.
      const bare = await weigh(label, master, { format, ...effort, width: name === "turned" ? 250 : 750 });
      // Trials of the quantiser read a file of the whole canvas again, and compare its rows.
      const trials = bytesOfTrials(entry!, master) - bytesOfTrials(bare!, master);
      expect(entry!.taken - bare!.taken - trials, label).toBeLessThan(750 * 750);
    }
  });
});

/** Returns the bytes that the plan of a build has for trials of its quantiser. */
function bytesOfTrials({ facts, spec }: Entry, master: Buffer): number {
  const plan = planFor(facts, master.length, spec);
  return plan.kind === "still" && plan.look ? plan.canvas.floorBytes + plan.memory.rowCodec : 0;
}
