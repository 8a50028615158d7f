/**
 * Masters that are not what they say: what can be known at upload is refused there, and of the rest no part is passed
 * off as the whole: the master is the answer, `unavailable`, and what is built next is right.
 */
import { crc32, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { writeApng, writeGif, writeWebpAnimation } from "../../scripts/samples/animation-writers.ts";
import { bearer, newSpace, picture, upload, variantOf, type Space } from "../../scripts/harness/api.ts";
import { photo, pixels, psnr } from "../support/draw.ts";
import { svg } from "../../scripts/samples/svg.ts";

let space: Space;
let sound: Buffer;
beforeAll(async () => {
  space = await newSpace(inject("service"));
  sound = await photo(320, 240).jpeg({ quality: 90 }).toBuffer();
});

async function post(
  file: Uint8Array,
  name = "x",
): Promise<{ status: number; code?: string; id?: string; url?: string }> {
  const response = await fetch(`${space.api}/media`, {
    method: "POST",
    headers: { ...bearer(space.key), "X-Filename": name, "Content-Type": "image/png" },
    body: new Uint8Array(file),
  });
  const { data, error } = (await response.json()) as {
    data?: { id: string; url: string };
    error?: { code: string };
  };
  return { status: response.status, ...data, ...(error && { code: error.code }) };
}

const settled = async (id: string, query: string): Promise<string> => {
  for (;;) {
    const { status, state } = await picture(space, id, query);
    if (status !== 302) return String(status);
    if (state !== "queued" && state !== "coalesced") return state ?? "master";
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

async function expectNextIsRight(name: string): Promise<void> {
  const next = await upload(space, sound);
  const { bytes } = await variantOf(space, next.id, "w=128&fm=png");
  const wanted = await sharp(sound).resize(128).ensureAlpha().raw().toBuffer();
  expect(psnr((await pixels(bytes)).data, wanted), `after ${name}`).toBeGreaterThan(38);
}

/** Refused at upload, or every variant of it is the master; and the next build is right. */
async function expectNoPart(
  file: Uint8Array,
  name: string,
  formats = ["png", "webp"],
): Promise<"refused" | "unavailable"> {
  const { status, code, id = "" } = await post(file);
  let outcome: "refused" | "unavailable" = "refused";
  if (status === 201) {
    outcome = "unavailable";
    for (const format of formats)
      expect(await settled(id, `w=64&fm=${format}`), `${name} as ${format}`).toBe("unavailable");
  } else {
    expect([status, code], name).toEqual([400, expect.stringMatching(/^(?:INVALID_IMAGE|SVG_REJECTED)$/)]);
  }
  await expectNextIsRight(name);
  return outcome;
}

const frame = { left: 0, top: 0, width: 64, height: 48, delayMs: 50 };
const rgba = Uint8Array.from({ length: 64 * 48 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7) & 255));

async function masters(): Promise<Record<string, { file: Buffer; formats?: string[] }>> {
  const still = photo(300, 200);
  const palette = Array.from({ length: 48 }, (_, i) => (i * 53) & 255);
  const indices = Array.from({ length: 64 * 48 }, (_, i) => (i >> 2) & 15);
  return {
    jpeg: { file: await still.clone().jpeg().toBuffer() },
    "progressive jpeg": { file: await still.clone().jpeg({ progressive: true }).toBuffer() },
    png: { file: await still.clone().png().toBuffer() },
    "interlaced png": { file: await still.clone().png({ progressive: true }).toBuffer() },
    webp: { file: await still.clone().webp().toBuffer() },
    "lossless webp": { file: await still.clone().webp({ lossless: true }).toBuffer() },
    avif: { file: await still.clone().avif({ effort: 1 }).toBuffer() },
    gif: { file: await still.clone().gif().toBuffer() },
    "animated gif": {
      file: Buffer.from(
        writeGif({ width: 64, height: 48, palette, frames: [0, 1].map(() => ({ ...frame, indices })) }),
      ),
      formats: ["webp"],
    },
    "animated webp": {
      file: Buffer.from(
        await writeWebpAnimation({
          width: 64,
          height: 48,
          frames: [
            { ...frame, rgba },
            { ...frame, rgba },
          ],
        }),
      ),
      formats: ["webp"],
    },
    "animated png": {
      file: Buffer.from(
        writeApng({
          width: 64,
          height: 48,
          frames: [
            { ...frame, rgba },
            { ...frame, rgba },
          ],
        }),
      ),
      formats: ["webp"],
    },
    svg: { file: Buffer.from(svg('<rect width="9" height="9" fill="red"/>')) },
  };
}

describe("a file that is cut off", () => {
  it("is never passed off as whole, wherever the cut is", async () => {
    for (const [name, { file, formats }] of Object.entries(await masters())) {
      for (const share of [0.3, 0.6, 0.9, 1]) {
        const cut = file.subarray(0, share === 1 ? file.length - 3 : Math.floor(file.length * share));
        await expectNoPart(cut, `${name} cut at ${share}`, formats);
      }
    }
  });
});

/** The file without what follows `share` of it, but with an end as if that were all. */
function mended(name: string, file: Buffer, share: number): Buffer {
  const cut = file.subarray(0, Math.floor(file.length * share));
  if (name.endsWith("jpeg")) return Buffer.concat([cut, Buffer.from([0xff, 0xd9])]);
  if (name.endsWith("gif")) {
    // The sub-block that was cut is filled up, so that the blocks after it are where they should be.
    return Buffer.concat([cut, Buffer.alloc(256), Buffer.from([0x3b])]);
  }
  if (name.endsWith("webp")) {
    const even = Buffer.from(cut.subarray(0, cut.length & ~1));
    even.writeUInt32LE(even.length - 8, 4);
    even.writeUInt32LE(even.length - 20, 16);
    return even;
  }
  const data = Buffer.concat(
    chunksOf(file)
      .filter(({ type }) => type === "IDAT")
      .map(({ body }) => body),
  );
  const { body: header } = chunksOf(file)[0]!;
  const rest = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
  return pngOf(
    rest.width,
    rest.height,
    data.subarray(0, Math.floor(data.length * share)),
    header.subarray(8),
  );
}

function chunksOf(png: Buffer): { type: string; body: Buffer }[] {
  const found = [];
  for (let at = 8; at + 12 <= png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    found.push({ type: png.toString("latin1", at + 4, at + 8), body: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return found;
}

describe("a file whose middle is missing, with an end to it", () => {
  it("is never passed off as whole", async () => {
    const all = await masters();
    for (const name of [
      "jpeg",
      "progressive jpeg",
      "png",
      "interlaced png",
      "webp",
      "lossless webp",
      "gif",
    ]) {
      for (const share of [0.4, 0.7, 0.95]) {
        await expectNoPart(mended(name, all[name]!.file, share), `${name} mended at ${share}`);
      }
    }
  });
});

describe("a file that is damaged inside", () => {
  it("is refused, unavailable or built, and does the next no harm", async () => {
    for (const [name, { file, formats = ["png"] }] of Object.entries(await masters())) {
      for (const share of [0.5, 0.8]) {
        const damaged = Buffer.from(file);
        damaged.fill(0xff, Math.floor(file.length * share), Math.floor(file.length * share) + 24);
        const { status, id = "" } = await post(damaged);
        expect([201, 400], name).toContain(status);
        if (status === 201)
          expect(["built", "hit", "unavailable"], name).toContain(
            await settled(id, `w=64&fm=${formats[0]!}`),
          );
      }
    }
    expect((await post(new Uint8Array())).status).toBe(400);
    await expectNextIsRight("damaged files");
  });
});

describe("a wrong extension", () => {
  it("is of no account: the content tells", async () => {
    for (const [name, { file }] of Object.entries(await masters())) {
      const { status, url } = await post(file, "picture.exe");
      expect(status, name).toBe(201);
      const answer = await fetch(url!);
      expect(answer.headers.get("Content-Type")).toBe(
        `image/${name === "svg" ? "svg+xml" : name.split(" ").at(-1)}`,
      );
      await answer.body?.cancel();
    }
    expect((await post(Buffer.from("<html><script>alert(1)</script></html>"), "a.png")).status).toBe(415);
    expect((await post(Buffer.from("MZ\x90\0"), "a.jpg")).status).toBe(415);
  });
});

function pngOf(
  width: number,
  height: number,
  data: Buffer,
  kind: Uint8Array = Buffer.from([8, 2, 0, 0, 0]),
): Buffer {
  const chunk = (type: string, body: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type), body]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(body.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(kind, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("a decompression bomb", () => {
  it("costs no more than what was claimed: PNG", async () => {
    // 300 MB of zeros behind a header for 64 x 64 pixels.
    await expectNoPart(pngOf(64, 64, deflateSync(Buffer.alloc(300_000_000))), "more data than pixels");
    await expectNoPart(pngOf(8000, 8000, deflateSync(Buffer.alloc(1000))), "less data than pixels");
    expect(await expectNoPart(pngOf(30_000, 30_000, deflateSync(Buffer.alloc(1000))), "900 MP")).toBe(
      "unavailable",
    );
  });

  it("costs no more than what was claimed: GIF", async () => {
    const gif = (width: number, height: number, codes: Uint8Array, count = 1): Buffer => {
      const file = writeGif({
        width,
        height,
        palette: [0, 0, 0, 255, 255, 255],
        frames: Array.from({ length: count }, () => ({ left: 0, top: 0, width, height, indices: codes })),
      });
      return Buffer.from(file);
    };
    // Fewer pixels than claimed, and many more.
    await expectNoPart(gif(6000, 6000, new Uint8Array(100)), "a GIF of 36 MP with 100 pixels");
    const { status, id = "" } = await post(gif(16, 16, new Uint8Array(3_000_000)));
    if (status === 201) expect(["built", "hit", "unavailable"]).toContain(await settled(id, "w=64&fm=png"));
    const many = gif(4, 4, new Uint8Array(16), 5000);
    const stored = await post(many);
    expect(stored.status).toBe(201);
    expect(await settled(stored.id!, "w=64&fm=webp")).toBe("unavailable");
  });

  it("costs no more than what was claimed: WebP and JPEG", async () => {
    const black = { create: { width: 10_000, height: 8_500, channels: 3 as const, background: "#000" } };
    for (const [name, file] of [
      ["WebP", await sharp(black).webp({ lossless: true, effort: 0 }).toBuffer()],
      ["JPEG", await sharp(black).jpeg().toBuffer()],
      ["progressive JPEG", await sharp(black).jpeg({ progressive: true }).toBuffer()],
    ] as const) {
      expect(file.length).toBeLessThan(2_000_000);
      expect(await expectNoPart(file, `85 MP of ${name}`)).toBe("unavailable");
    }
  });

  it("costs no more than what was claimed: svgz", async () => {
    expect((await post(gzipSync(svg(`<!--${" ".repeat(200_000_000)}-->`)))).status).toBe(400);
    expect((await post(gzipSync(svg("<g>".repeat(2_000_000))))).status).toBe(400);
  });
});
