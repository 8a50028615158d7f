import { request } from "node:http";
import sharp from "sharp";
import { describe, expect, inject, it } from "vitest";
import { bearer, json, newSpace, picture, upload, type MediaObject } from "../../scripts/harness/api.ts";
import { drawingPng, photoJpeg } from "../support/pictures/draw.ts";

const service = inject("service");
const space = await newSpace(service);
const photo = await photoJpeg(1200, 900);

const post = (body: BodyInit | null, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${space.api}/media`, {
    method: "POST",
    headers: { ...bearer(space.key), ...headers },
    ...(body && { body }),
  });
const code = async (response: Response): Promise<string> =>
  `${response.status} ${((await response.json()) as { error: { code: string } }).error.code}`;
const mediaCount = async (): Promise<number> =>
  (
    (await (await fetch(`${space.api}/usage`, { headers: bearer(space.key) })).json()) as {
      data: { media: { active: number } };
    }
  ).data.media.active;

const RESETS_MAX = 5;

/** Sends a JPEG that never ends (a comment, again and again) until just over the limit; the status of the answer. */
function endlessUpload(): Promise<number | "reset"> {
  return new Promise((resolve) => {
    const options = { method: "POST", headers: { ...bearer(space.key), "Transfer-Encoding": "chunked" } };
    const sending = request(new URL(`${space.api}/media`), options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
      sending.destroy();
    });
    sending.on("error", () => resolve("reset"));
    sending.write(Buffer.from([0xff, 0xd8]));
    const comment = Buffer.alloc(65_537);
    comment.set([0xff, 0xfe, 0xff, 0xff]);
    const block = Buffer.concat(Array.from({ length: 16 }, () => comment));
    let left = 100 * 1_048_576 + 3 * block.length;
    const more = (): void => {
      if (left <= 0 || sending.destroyed) return;
      left -= block.length;
      if (sending.write(block)) setImmediate(more);
      else sending.once("drain", more);
    };
    more();
  });
}

describe("an upload (RULES 4.1)", () => {
  it("is kept byte for byte and described (RULES 4.2, 4.5)", async () => {
    const media = await upload(space, photo, "Größe 1.jpg");
    expect(media).toMatchObject({
      filename: "Größe 1.jpg",
      mime: "image/jpeg",
      size: photo.length,
      width: 1200,
      height: 900,
    });
    expect(media).toMatchObject({ frames: 1, masterVersion: 1 });
    expect(media.formats?.["large"]).toMatchObject({ width: 1000, height: 750 });
    const response = await fetch(media.url);
    expect(Buffer.from(await response.arrayBuffer()).equals(photo)).toBe(true);
    expect(response.headers.get("Content-Type")).toBe("image/jpeg");
    expect(response.headers.get("Content-Length")).toBe(String(photo.length));
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  it("may be one part of a form", async () => {
    const form = new FormData();
    form.append("note", "a field beside it is ignored");
    form.append("file", new Blob([new Uint8Array(photo)]), "form.jpg");
    const media = await json<MediaObject>(await post(form));
    expect(media).toMatchObject({ filename: "form.jpg", size: photo.length });
    expect(Buffer.from(await (await fetch(media.url)).arrayBuffer()).equals(photo)).toBe(true);
  });

  it("in a form keeps a name in any script, and ignores a name that cannot be decoded", async () => {
    const named = async (disposition: string): Promise<string> => {
      const head = `--x\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(head), photo, Buffer.from("\r\n--x--\r\n")]);
      const headers = { "Content-Type": "multipart/form-data; boundary=x" };
      return (await json<MediaObject>(await post(new Uint8Array(body), headers))).filename;
    };
    expect(await named("filename=图片.jpg")).toBe("图片.jpg");
    expect(await named('filename="图片.jpg"')).toBe("图片.jpg");
    expect(await named("filename=a.jpg; filename*=utf-9''%E2%82")).toBe("a.jpg");
  });

  it("larger than one part is stored completely", async () => {
    const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
    const big = await sharp({ create: { width: 2400, height: 1800, channels: 3, background: "#777", noise } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    expect(big.length).toBeGreaterThan(11 * 1_048_576);
    const media = await upload(space, big);
    expect(Buffer.from(await (await fetch(media.url)).arrayBuffer()).equals(big)).toBe(true);
  });

  it("is identified by its content, and has its displayed size", async () => {
    const turned = await sharp(photo).withMetadata({ orientation: 6 }).toBuffer();
    expect(await upload(space, turned, "lies.png")).toMatchObject({
      mime: "image/jpeg",
      width: 900,
      height: 1200,
    });
    expect(await upload(space, await drawingPng(64, 32))).toMatchObject({
      mime: "image/png",
      hasAlpha: true,
    });
    const webp = await sharp(photo).webp().toBuffer();
    expect(await upload(space, webp)).toMatchObject({ mime: "image/webp", width: 1200 });
    const avif = await sharp(photo).resize(300).avif().toBuffer();
    expect(await upload(space, avif)).toMatchObject({ mime: "image/avif", width: 300, height: 225 });
    const gif = await sharp(photo).resize(100).gif().toBuffer();
    expect(await upload(space, gif)).toMatchObject({ mime: "image/gif", width: 100, frames: 1 });
  });

  it("that is not a picture, or a broken one, is refused and leaves nothing", async () => {
    const before = await mediaCount();
    expect(await code(await post("hello"))).toBe("415 UNSUPPORTED_MEDIA");
    expect(await code(await post(null))).toBe("400 INVALID_IMAGE");
    expect(await code(await post(new Uint8Array(photo.subarray(0, photo.length >> 1))))).toBe(
      "400 INVALID_IMAGE",
    );
    expect(await code(await post("<svg/>"))).toBe("400 SVG_REJECTED");
    expect(await code(await post("%PDF-1.7 not an image"))).toBe("415 UNSUPPORTED_MEDIA");
    const broken = Buffer.from(await drawingPng(64, 64));
    expect(await code(await post(new Uint8Array(broken.subarray(0, broken.length - 13))))).toBe(
      "400 INVALID_IMAGE",
    );
    const form = new FormData();
    form.append("picture", new Blob([new Uint8Array(photo)]), "x.jpg");
    expect(await code(await post(form))).toBe("400 INVALID_UPLOAD");
    expect(await code(await post("--x", { "Content-Type": "multipart/form-data; boundary=y" }))).toBe(
      "400 INVALID_UPLOAD",
    );
    expect(await mediaCount()).toBe(before);
  });

  it("that is refused before its end is told why, in whichever way it is sent", async () => {
    const bytes = Buffer.alloc(21_000_000, 0xa5);
    expect(await code(await post(bytes))).toBe("415 UNSUPPORTED_MEDIA");
    const form = new FormData();
    form.set("file", new Blob([bytes]), "photo.jpg");
    expect(await code(await post(form))).toBe("415 UNSUPPORTED_MEDIA");
    const headers = { ...bearer(space.key), "Content-Type": "application/json" };
    const put = (path: string, body: BodyInit, method: string): Promise<Response> =>
      fetch(`${space.api}/media/uploads${path}`, { method, headers, body });
    expect(await code(await put("", JSON.stringify({ filename: bytes.toString("hex") }), "POST"))).toBe(
      "413 PAYLOAD_TOO_LARGE",
    );
    const begun = await put("", JSON.stringify({ filename: "a.jpg", sizeBytes: 6_000_000 }), "POST");
    const { data } = (await begun.json()) as { data: { id: string } };
    expect(await code(await put(`/${data.id}/parts/3`, bytes, "PUT"))).toBe("404 NOT_FOUND");
    expect(await code(await put(`/${data.id}/parts/1`, bytes, "PUT"))).toBe("413 PAYLOAD_TOO_LARGE");
  });

  it("of a PNG that claims 60000×60000 pixels is stored and never transformed", async () => {
    const huge = Buffer.from(await drawingPng(16, 16));
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    const response = await post(new Uint8Array(huge));
    if (response.status === 201) {
      const { id } = await json<MediaObject>(response);
      expect(await picture(space, id, "w=64")).toMatchObject({ status: 302, state: "unavailable" });
    } else {
      expect(await code(response)).toBe("400 INVALID_IMAGE");
    }
  });

  it("over 100 MB is stopped by its actual length, whatever Content-Length says", async () => {
    const before = await mediaCount();
    let status = await endlessUpload();
    // A connection closed under what is still being sent is reset, and its answer lost: then it is asked again.
    for (let tries = 1; status === "reset" && tries < RESETS_MAX; tries++) status = await endlessUpload();
    expect(status).toBe(413);
    expect(await mediaCount()).toBe(before);
  });

  it("whose client goes away leaves nothing", async () => {
    const before = await mediaCount();
    await new Promise<void>((resolve) => {
      const headers = { ...bearer(space.key), "Content-Length": String(photo.length) };
      const upload = request(new URL(`${space.api}/media`), { method: "POST", headers });
      upload.on("error", () => resolve());
      upload.write(photo.subarray(0, 5000), () => setTimeout(() => upload.destroy(), 100));
      upload.on("close", () => resolve());
    });
    expect(await mediaCount()).toBe(before);
    // A part of the service that takes longer than two seconds to answer, as on a busy machine, counts as failing.
    await expect.poll(async () => (await fetch(`${service.base}/healthz`)).status).toBe(200);
  });

  it("can be replaced, deleted and restored (RULES 4.3)", async () => {
    const { id, url } = await upload(space, photo);
    const small = await photoJpeg(300, 200);
    const headers = bearer(space.key);
    const replaced = await json<MediaObject>(
      await fetch(`${space.api}/media/${id}/file`, { method: "PUT", headers, body: new Uint8Array(small) }),
    );
    expect(replaced).toMatchObject({ id, masterVersion: 2, width: 300, height: 200 });
    expect((await picture(space, id, "")).location).toBe(replaced.url);
    expect((await fetch(url)).status).toBe(200);

    const deleted = await fetch(`${space.api}/media/${id}`, { method: "DELETE", headers });
    expect(await json<{ state: string }>(deleted)).toMatchObject({ id, state: "trashed" });
    expect((await picture(space, id, "w=64")).status).toBe(404);
    expect((await fetch(replaced.url)).status).toBe(404);
    expect((await fetch(`${space.api}/media/${id}`, { headers })).status).toBe(404);
    await json(await fetch(`${space.api}/trash/${id}/restore`, { method: "POST", headers }));
    // An isolate remembers for some seconds that a picture was not there (RULES 4.4).
    await expect.poll(async () => (await picture(space, id, "")).location).toBe(replaced.url);
  });
});
