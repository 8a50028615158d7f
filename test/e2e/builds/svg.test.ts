/** SVG masters over HTTP (RULES 6.4, 6.5). */
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, inject, it } from "vitest";
import { bearer, newSpace, picture, upload, variantOf } from "../../../scripts/harness/api.ts";
import { faultsOf } from "../../../scripts/harness/svg-check.ts";
import { payloads } from "../../../scripts/samples/svg/payloads.ts";
import { drawing, sanitize, svg } from "../../../scripts/samples/svg/svg.ts";

const space = await newSpace(inject("service"));
const ALL = svg(Object.values(payloads).join(""), 'onload="alert(1)" viewBox="0 0 200 100"');

const post = async (
  file: string | Uint8Array,
): Promise<{ status: number; code?: string; message?: string }> => {
  const body = typeof file === "string" ? file : new Uint8Array(file);
  const response = await fetch(`${space.api}/media`, { method: "POST", headers: bearer(space.key), body });
  const { error } = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, ...error };
};

/**
 * Requests without compression: the runtime compresses text for a client that takes it, and then no longer tells the
 * length.
 */
const plainly = (url: string): Promise<Response> =>
  fetch(url, { headers: { "Accept-Encoding": "identity" } });

describe("an SVG upload", () => {
  it("is stored as the sanitized document, and served with a policy", async () => {
    const media = await upload(space, Buffer.from(ALL), "drawing.svg");
    const { document } = sanitize(ALL);
    expect(media).toMatchObject({
      mime: "image/svg+xml",
      width: 100,
      height: 100,
      frames: 1,
      size: Buffer.byteLength(document),
    });
    const response = await plainly(media.url);
    expect(await response.text()).toBe(document);
    expect(faultsOf(document)).toEqual([]);
    expect(response.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(response.headers.get("Content-Length")).toBe(String(media.size));
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });

  it("may be compressed, and is stored decompressed", async () => {
    const logo = drawing("logo.svg");
    const media = await upload(space, gzipSync(logo), "logo.svgz");
    expect(media).toMatchObject({ mime: "image/svg+xml", width: 240, height: 120 });
    const response = await plainly(media.url);
    expect(response.headers.get("Content-Encoding")).toBe(null);
    expect(await response.text()).toBe(sanitize(logo.toString()).document);
  });

  it("can be refused with a reason, and nothing of it stays", async () => {
    expect(await post(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg("&a;")}`)).toMatchObject({
      status: 400,
      code: "SVG_REJECTED",
      message: expect.stringContaining("DOCTYPE") as string,
    });
    expect(await post(svg("<g>"))).toMatchObject({ status: 400, code: "SVG_REJECTED" });
    expect(await post(Buffer.from(svg(""), "utf16le"))).toMatchObject({ status: 400, code: "SVG_REJECTED" });
    expect(await post(svg(`<!--${" ".repeat(4 * 1_048_576)}-->`))).toMatchObject({
      status: 400,
      code: "SVG_REJECTED",
    });
    const bomb = gzipSync(svg(`<!--${" ".repeat(300 * 1_048_576)}-->`));
    expect(await post(bomb)).toMatchObject({
      status: 400,
      code: "SVG_REJECTED",
      message: expect.stringContaining("inflated") as string,
    });
    const zipped = gzipSync(svg(""));
    expect(await post(zipped.subarray(0, -9))).toMatchObject({ status: 400, code: "SVG_REJECTED" });
    expect(await post(gzipSync(zipped))).toMatchObject({ status: 415, code: "UNSUPPORTED_MEDIA" });
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    expect(await post(gzipSync(png))).toMatchObject({ status: 415, code: "UNSUPPORTED_MEDIA" });
  });
});

describe("delivery of an SVG", () => {
  it("is the vector itself without fm, whatever w and q say", async () => {
    const { id, url } = await upload(space, drawing("logo.svg"));
    for (const query of ["", "w=64", "w=500&q=90", "q=100", "auto=format", "w=64&auto=format"]) {
      expect(await picture(space, id, query, { accept: "image/png,*/*" })).toMatchObject({
        status: 302,
        location: url,
      });
    }
  });

  it.each(["png", "jpeg", "webp", "avif"])(
    "is a raster with fm=%s, at the grid width itself",
    async (format) => {
      const { id } = await upload(space, drawing("logo.svg"));
      for (const [asked, width] of [
        [60, 64],
        [600, 750],
      ] as const) {
        const variant = await variantOf(space, id, `w=${asked}&fm=${format}`);
        expect(variant).toMatchObject({ type: `image/${format}`, width });
        const metadata = await sharp(variant.bytes).metadata();
        expect(metadata).toMatchObject({ width, height: width / 2, hasAlpha: format !== "jpeg" });
      }
    },
  );

  it("is AVIF or WebP with auto=format, if Accept names it", async () => {
    const { id } = await upload(space, drawing("icon.svg"));
    const accepted = [
      ["image/avif,image/webp", "image/avif"],
      ["image/webp", "image/webp"],
    ] as const;
    for (const [accept, type] of accepted) {
      expect(await variantOf(space, id, "w=236&auto=format", { accept })).toMatchObject({ type, width: 236 });
    }
  });

  it("shows its text", async () => {
    const { id } = await upload(
      space,
      Buffer.from(svg('<text x="5" y="60" font-size="20">Silverprint</text>')),
    );
    const { bytes } = await variantOf(space, id, "w=236&fm=png");
    const { data } = await sharp(bytes).extractChannel("alpha").raw().toBuffer({ resolveWithObject: true });
    expect(data.filter((alpha) => alpha > 128).length).toBeGreaterThan(500);
  });

  it("is the master if it cannot be drawn, or is over the limits", async () => {
    const { id, url } = await upload(space, Buffer.from(svg('<rect fill="color-mix(in lch, red, blue)"/>')));
    expect(await picture(space, id, "w=64&fm=png")).toMatchObject({ location: url, state: "unavailable" });
    const square = await upload(space, Buffer.from(svg("<g/>")));
    expect(await picture(space, square.id, "w=6400&fm=png")).toMatchObject({
      location: square.url,
      state: "unavailable",
    });
  });
});
