/** Crops as clients ask for them: parameters, identity, focal points, caching, the limit of variants (RULES 5.7 to 5.10). */
import { beforeEach, describe, expect, it } from "vitest";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";
import { CROP, VARIANT } from "../../../src/limits.ts";
import { forgetFiles } from "../../../src/edge/storage/pictures/files.ts";
import { forgetPicture } from "../../../src/edge/storage/pictures/pictures.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests, hastyVisitors } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { answer, build, builder } from "../support/fake-builder.ts";
import { request } from "../support/http.ts";
import { bindings, JPEG_FACTS, makeMedia, newId, variantFiles, type Media } from "../support/rows.ts";

cleanBetweenTests();

const FACTS = { ...JPEG_FACTS, width: 1200, height: 900, codedWidth: 1200, codedHeight: 900 };

let client: Client;
let media: Media;
beforeEach(async () => {
  client = await Client.make();
  media = await makeMedia(client.space, FACTS);
});

interface Answer {
  status: number;
  /** Name of the file that answers. */
  file: string | null;
  state: string | null;
  size: string;
  cacheControl: string | null;
  message: string | null;
}

async function ask(query: string, route = "", id = media.id): Promise<Answer> {
  const response = await request(`/api/v1/${client.space.name}/pictures/${id}${route}?${query}`);
  const { headers, status } = response;
  const text = new TextDecoder().decode(await response.arrayBuffer());
  const address = headers.get("Location") ?? headers.get("ETag")?.replaceAll('"', "");
  return {
    status,
    file: address?.split("/").at(-1) ?? null,
    state: headers.get("X-Service-Transform"),
    size: `${headers.get("X-Service-Width")}x${headers.get("X-Service-Height")}`,
    cacheControl: headers.get("Cache-Control"),
    message: status === 400 ? (JSON.parse(text) as { error: { message: string } }).error.message : null,
  };
}

const named = (crop: string, width: number): string => `${crop}w${width}-q80-e${ENCODER_VERSION}.jpg`;
const setFocalPoint = (focalPoint: { x: number; y: number } | null) =>
  client.call("PATCH", `/media/${media.id}`, { focalPoint });

describe("a crop", () => {
  it("is built once and is a hit for every request with the same file", async () => {
    const built = await ask("ar=16:9&w=64");
    expect(built).toMatchObject({ state: "built", size: "64x36", file: named("r16x9-f50-", 64) });
    for (const query of ["ar=16%3A9&w=10", "w=64&h=36", "ar=16:9&h=36&q=80", "ar=16:9&w=64&fp=0.1,0.5"])
      expect(await ask(query)).toMatchObject({ state: "hit", file: built.file });
    expect(builder.orders().map(({ spec }) => spec.crop)).toEqual([
      { ratio: { width: 16, height: 9 }, focus: 50, rect: { left: 0, top: 113, width: 1200, height: 675 } },
    ]);
  });

  it("that covers the whole master is the uncropped variant", async () => {
    expect(await ask("ar=4:3&w=64&fp=0,0")).toMatchObject({ state: "built", file: named("", 64) });
    expect(await ask("w=64")).toMatchObject({ state: "hit", file: named("", 64) });
    expect(await ask("h=48&q=80")).toMatchObject({ state: "hit", file: named("", 64), size: "64x48" });
  });

  it("that is narrower than the grid has its own width", async () => {
    for (const query of ["ar=1:2&w=500", "ar=1:2&w=8192", "ar=1:2&q=80", "ar=1:2&h=8192&q=80"])
      expect(await ask(query)).toMatchObject({ size: "450x900", file: named("r1x2-f50-", 450) });
    expect(builder.orders()).toHaveLength(1);
  });

  it("redirects to its file, whose address redirects back once it has expired", async () => {
    for (const query of [
      "ar=16:9&w=64",
      "ar=16:9&w=64&fp=0.5,0.25",
      "ar=1:2&fm=webp",
      "ar=9:16&w=64&fm=png",
    ]) {
      media = await makeMedia(client.space, FACTS);
      await setFocalPoint({ x: 0.47, y: 0.43 });
      const { file, state } = await ask(query);
      expect([query, state]).toEqual([query, "built"]);
      const path = `/cdn/v/${client.space.id}/${media.id}/1/${file}`;
      const served = await request(path);
      expect([served.status, (await served.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
      await bindings.DB.prepare("DELETE FROM variants").run();
      await bindings.BUCKET.delete(path.replace("/cdn/", ""));
      forgetFiles(media.id);
      forgetPicture(media.id);
      const location = (await request(path)).headers.get("Location") ?? "";
      const again = await request(location);
      expect(again.headers.get("Location")?.split("/").at(-1)).toBe(file);
    }
  });

  it("is 404 at file names that no variant can have", async () => {
    for (const file of ["r32x18-f50-w64-q80-e3.jpg", "r16x9-w64-q80-e3.jpg", "r16x9-f101-w64-q80-e3.jpg"]) {
      const response = await request(`/cdn/v/${client.space.id}/${media.id}/1/${file}`);
      expect([response.status, await response.text()].slice(0, 1)).toEqual([404]);
    }
  });

  it("is not the answer without w, q, fm or auto, but its values are checked", async () => {
    for (const query of ["ar=1:1", "h=100", "fp=0,0", "ar=1:1&h=100&fp=0.05,1"])
      expect(await ask(query)).toMatchObject({
        status: 302,
        state: null,
        file: "master.jpg",
        size: "1200x900",
      });
    for (const query of ["ar=7:5", "h=0", "fp=0.03,0"]) expect((await ask(query)).status).toBe(400);
  });
});

describe("during a roll-out", () => {
  it("the output of a builder that does not know crops is not stored as a crop", async () => {
    hastyVisitors();
    builder.always(async ({ readMaster }) => answer(await readMaster()));
    expect(await ask("ar=1:1&w=64")).toMatchObject({ state: "queued", file: "master.jpg" });
    const file = named("r1x1-f50-", 64);
    expect(await bindings.BUCKET.head(`v/${client.space.id}/${media.id}/1/${file}`)).toBeNull();
    expect(await variantFiles(media)).toEqual([]);
    builder.always(build);
    await eventually(async () => expect(await ask("ar=1:1&w=64")).toMatchObject({ state: "hit", file }));
  });
});

describe("what is refused", () => {
  it.each([
    ..."0:0 1:1000000 32:18 016:9 16%2F9 16:9%20 1.78:1 16x9 NaN:1 -16:9"
      .split(" ")
      .map((ratio) => `ar=${ratio}`),
    "ar=",
    "w=1000&h=100",
    "w=1&h=8192",
  ])("%s, with the list of the space's ratios", async (query) => {
    for (const route of ["", "/file"]) {
      const { status, message } = await ask(query, route);
      expect(status).toBe(400);
      for (const ratio of CROP.aspectRatiosDefault) expect(message).toContain(ratio);
    }
  });

  it.each(["h=1e9", "h=0", "h=8193", "h=", "fp=NaN,2", "fp=0.5", "fp=0.51,0.5", "w=100&h=100&ar=1:1"])(
    "%s",
    async (query) => {
      for (const route of ["", "/file"]) expect((await ask(`q=80&${query}`, route)).status).toBe(400);
      expect(builder.orders()).toEqual([]);
    },
  );

  it("follows the setting at once", async () => {
    expect(await ask("ar=1:1&w=64")).toMatchObject({ state: "built" });
    await client.call("PATCH", "/settings", { aspectRatios: ["191:100"] });
    expect(await ask("ar=191:100&w=64")).toMatchObject({ state: "built", size: "64x34" });
    media = await makeMedia(client.space, FACTS);
    expect((await ask("ar=1:1&w=64")).message).toContain("191:100");
    expect((await ask("ar=1:1&w=64", "", newId())).status).toBe(404);
  });
});

describe("a change of the focal point", () => {
  it("offers new crops at once, and keeps the old ones until they expire", async () => {
    const centred = await ask("ar=1:1&w=64");
    await setFocalPoint({ x: 0.43, y: 0.9 });
    const moved = await ask("ar=1:1&w=64");
    expect([centred.file, moved.file]).toEqual([named("r1x1-f50-", 64), named("r1x1-f43-", 64)]);
    expect(moved.state).toBe("built");
    const old = await request(`/cdn/v/${client.space.id}/${media.id}/1/${centred.file}`);
    expect(old.status).toBe(200);
    await old.body?.cancel();
    expect(await variantFiles(media)).toHaveLength(2);
    await setFocalPoint(null);
    expect(await ask("ar=1:1&w=64")).toMatchObject({ state: "hit", file: centred.file });
  });

  it("is overridden by fp, which changes nothing without a crop", async () => {
    await setFocalPoint({ x: 0.33, y: 0.9 });
    expect((await ask("ar=1:1&w=64&fp=0.6,0")).file).toBe(named("r1x1-f60-", 64));
    expect((await ask("w=64&fp=0.6,0")).file).toBe(named("", 64));
    expect((await ask("ar=4:3&w=64&fp=0.6,0")).file).toBe(named("", 64));
  });

  it("uses the suggested one while there is none, if the settings say so", async () => {
    await bindings.DB.prepare("UPDATE masters SET suggested_focal_x = 40, suggested_focal_y = 10").run();
    expect((await ask("ar=1:1&w=64")).file).toBe(named("r1x1-f50-", 64));
    await client.call("PATCH", "/settings", { suggestFocalPoint: true });
    await setFocalPoint(null);
    expect((await ask("ar=1:1&w=64")).file).toBe(named("r1x1-f40-", 64));
    await setFocalPoint({ x: 0.6, y: 0.6 });
    expect((await ask("ar=1:1&w=64")).file).toBe(named("r1x1-f60-", 64));
  });
});

describe("direct delivery of a crop", () => {
  const IMMUTABLE = "public, max-age=31536000, immutable";

  it("is immutable only where the request names the version and the focal point", async () => {
    await ask("ar=1:1&w=64");
    const caching = async (query: string) => (await ask(query, "/file")).cacheControl;
    expect(await caching("ar=1:1&w=64&v=1")).toBe("public, max-age=300");
    expect(await caching("ar=1:1&w=64&fp=0.5,0.5&v=1")).toBe(IMMUTABLE);
    expect(await caching("ar=1:1&w=64&fp=0.5,0.5&v=2")).toBe("public, max-age=300");
    expect(await caching("ar=4:3&w=64&v=1")).toBe(IMMUTABLE);
    expect(await caching("ar=1:1&v=1")).toBe(IMMUTABLE);
    expect(await ask("ar=1:1&w=64&v=1", "/file")).toMatchObject({ size: "64x64", state: "hit" });
  });
});

describe("many focal points", () => {
  it("never keep more than 192 variants, and are evicted before variants without", async () => {
    await bindings.DB.prepare(
      `INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
       SELECT ?1, 1, 'w' || value || '-q90-e3.jpg', ?2, 3, 10, 1000 + value, 9e15 FROM json_each(?3)`,
    )
      .bind(media.id, client.space.id, JSON.stringify(Array.from({ length: 190 }, (_, n) => n + 2000)))
      .run();
    for (let step = 1; step <= 6; step++) await ask(`ar=1:1&w=64&fp=${(30 + 5 * step) / 100},0`);
    const files = await variantFiles(media);
    expect(files).toHaveLength(VARIANT.perMasterVersionMax);
    expect(files.filter((file) => file.startsWith("r"))).toEqual(
      [55, 60].map((f) => named(`r1x1-f${f}-`, 64)),
    );
    expect(await ask("ar=2:3&w=64")).toMatchObject({ state: "built" });
    expect(await ask("ar=2:1&w=64")).toMatchObject({ state: "built" });
    const later = (await variantFiles(media)).filter((file) => file.startsWith("r"));
    expect(later).toEqual([named("r2x1-f50-", 64), named("r2x3-f50-", 64)]);
    expect(await variantFiles(media)).toHaveLength(VARIANT.perMasterVersionMax);
  });
});
