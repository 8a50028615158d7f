/** Whole pictures in boxes and on canvases, and forgiving parameters, as clients ask for them (RULES 5.2, 5.11 to 5.14). */
import { beforeEach, describe, expect, it } from "vitest";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";
import { BACKGROUND } from "../../../src/limits.ts";
import { forgetFiles } from "../../../src/edge/storage/pictures/files.ts";
import { forgetPicture } from "../../../src/edge/storage/pictures/pictures.ts";
import { Client } from "../support/api.ts";
import { builder } from "../support/builder/fake-builder.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { request } from "../support/http.ts";
import { bindings, JPEG_FACTS, makeMedia, variantFiles, type Media } from "../support/rows.ts";

cleanBetweenTests();

const FACTS = { ...JPEG_FACTS, width: 1200, height: 900, codedWidth: 1200, codedHeight: 900 };

const SMALL = { ...JPEG_FACTS, width: 120, height: 90, codedWidth: 120, codedHeight: 90 };

let client: Client;
let media: Media;
beforeEach(async () => {
  client = await Client.make();
  media = await makeMedia(client.space, FACTS);
});

async function ask(query: string, route = "", id = media.id) {
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

const E = ENCODER_VERSION;

describe("parameters of other services", () => {
  it("lead to the file of a request that there was already", async () => {
    const built = await ask("w=64");
    expect(built).toMatchObject({ state: "built", file: `w64-q80-e${E}.jpg` });
    for (const query of [
      ...["w=64&q=75", "w=64&q=1", "w=50&fm=jpg", "w=50&fm=jpg&q=79", "w=32&dpr=2", "w=21&dpr=3&q=60"],
      ...["w=64&auto=format", "w=64&auto=format,compress", "w=64&auto=compress", "w=64&h=48&fit=inside"],
      ...["w=8192&h=48&fit=inside", "w=32&h=24&dpr=2&fit=inside", "w=64&fit=crop", "w=64&bg=000000"],
      ...["w=64&bg=000000&fm=jpg", "w=64&ar=4:3&fit=pad", "w=64&ar=4:3&fit=pad&bg=000000", "h=24&dpr=2&q=9"],
    ]) {
      expect([query, await ask(query)]).toEqual([query, { ...built, state: "hit" }]);
    }
    expect(await variantFiles(media)).toEqual([built.file]);
    expect(builder.orders()).toHaveLength(1);
  });

  it("answer the master where none asks for a variant", async () => {
    for (const query of [
      "auto=compress",
      "dpr=2",
      "bg=ffffff",
      "fit=pad&ar=1:1",
      "h=10&dpr=2&bg=000000&fit=crop",
    ]) {
      expect([query, await ask(query)]).toMatchObject([
        query,
        { status: 302, state: null, file: "master.jpg" },
      ]);
    }
  });

  it("are checked wherever they stand", async () => {
    for (const query of [
      ...[
        "q=0",
        "q=101",
        "q=high",
        "fm=jpg&auto=compress",
        "auto=compress,redeye",
        "dpr=0.5",
        "dpr=9",
        "dpr=1.123",
      ],
      ...[
        "fit=inside",
        "fit=inside&w=5",
        "fit=pad",
        "fit=pad&w=5",
        "fit=pad&ar=7:5",
        "fit=fill",
        "bg=red",
        "bg=123456",
      ],
      ...["fit=pad&ar=1:1&fp=0,0", "fit=inside&w=5&h=5&fp=0,0", "fit=pad&w=1000&h=100"],
    ]) {
      for (const route of ["", "/file"])
        expect([query, (await ask(query, route)).status]).toEqual([query, 400]);
    }
  });
});

describe("a padded picture", () => {
  it("has a file of its own, and its place is in the order", async () => {
    const built = await ask("fit=pad&ar=16:9&w=64&bg=000000");
    expect(built).toMatchObject({ state: "built", size: "64x36", file: `p16x9-w64-q80-b000000-e${E}.jpg` });
    for (const query of ["fit=pad&w=64&h=36&bg=000000", "fit=pad&w=16&h=9&dpr=4&bg=000000&q=50"])
      expect(await ask(query)).toMatchObject({ state: "hit", file: built.file });
    const [order] = builder.orders();
    expect(order?.plan.pad).toEqual({ place: { left: 8, top: 0, width: 48, height: 36 }, colour: "000000" });
    for (const query of ["", "&bg=ffffff", "&bg=transparent"]) {
      expect((await ask(`fit=pad&ar=16:9&w=64${query}`)).file).toBe(`p16x9-w64-q80-e${E}.jpg`);
    }
  });

  it("is immutable with the version, as an uncropped variant is", async () => {
    await ask("fit=pad&ar=1:1&w=64");
    expect((await ask("fit=pad&ar=1:1&w=64&v=1", "/file")).cacheControl).toBe(
      "public, max-age=31536000, immutable",
    );
  });

  it("redirects to its file, whose address redirects back once it has expired", async () => {
    const alpha = {
      ...FACTS,
      format: "png",
      hasAlpha: true,
      interlaced: false,
      colourType: 6,
    } as unknown as typeof FACTS;
    for (const [facts, query] of [
      [FACTS, "fit=pad&ar=16:9&w=64&bg=000000"],
      [SMALL, "fit=pad&ar=1:2&fm=webp"],
      [FACTS, "fit=pad&ar=9:16&w=64&fm=png&bg=ffffff"],
      [alpha, "fit=pad&ar=4:3&w=64&bg=ffffff"],
      [alpha, "w=64&fm=jpg&bg=000000"],
    ] as const) {
      media = await makeMedia(client.space, facts);
      const { file, state } = await ask(query);
      expect([query, state]).toEqual([query, "built"]);
      const path = `/cdn/v/${client.space.id}/${media.id}/1/${file}`;
      expect((await request(path)).status).toBe(200);
      await bindings.DB.prepare("DELETE FROM variants").run();
      await bindings.BUCKET.delete(path.replace("/cdn/", ""));
      forgetFiles(media.id);
      forgetPicture(media.id);
      const location = (await request(path)).headers.get("Location") ?? "";
      const again = await request(location);
      expect([query, again.headers.get("Location")?.split("/").at(-1)]).toEqual([query, file]);
    }
  });

  it("leads to the whole picture from an expired file whose ratio or background the space lists no more", async () => {
    const { file } = await ask("fit=pad&ar=16:9&w=64&bg=000000");
    await client.call("PATCH", "/settings", { aspectRatios: ["1:1"], backgrounds: ["ffffff"] });
    await bindings.DB.prepare("DELETE FROM variants").run();
    const path = `/cdn/v/${client.space.id}/${media.id}/1/${file}`;
    await bindings.BUCKET.delete(path.replace("/cdn/", ""));
    forgetFiles(media.id);
    forgetPicture(media.id);
    const location = (await request(path)).headers.get("Location") ?? "";
    expect((await request(location)).headers.get("Location")).toMatch(/\/w64-q80-e\d+\.jpg$/);
  });

  it("is listed with its own height", async () => {
    await ask("fit=pad&ar=1:1&w=64");
    const { data } = await client.call("GET", `/media/${media.id}/variants`);
    expect(data).toMatchObject([{ width: 64, height: 64, format: "jpeg", quality: 80 }]);
  });
});

describe("the setting backgrounds", () => {
  const set = (backgrounds: unknown) => client.call("PATCH", "/settings", { backgrounds });
  const many = Array.from(
    { length: BACKGROUND.backgroundsMax + 1 },
    (_, n) => `0000${String(n).padStart(2, "0")}`,
  );

  it("has a default, and says which backgrounds are taken", async () => {
    expect((await client.call("GET", "/settings")).data).toMatchObject({
      backgrounds: ["ffffff", "000000", "transparent"],
    });
    expect((await set(["FF8000", "Transparent"])).data).toMatchObject({
      backgrounds: ["ff8000", "transparent"],
    });
    expect((await client.call("PATCH", "/settings", { quality: 90 })).data).toMatchObject({
      backgrounds: ["ff8000", "transparent"],
    });
    expect(await ask("w=64&bg=ff8000")).toMatchObject({ state: "built" });
    const refused = await ask("w=64&bg=ffffff");
    expect([refused.status, refused.message]).toEqual([
      400,
      'Parameter "bg" must be one of ff8000, transparent.',
    ]);
  });

  it("takes 1 to 24 different ones", async () => {
    for (const right of [many.slice(0, 1), many.slice(1)]) expect((await set(right)).status).toBe(200);
    for (const wrong of [[], many, ["ffffff", "FFFFFF"], ["fff"], ["#ffffff"], ["red"], [null], "ffffff"]) {
      expect([wrong, (await set(wrong)).status]).toEqual([wrong, 400]);
    }
  });

  it("takes effect at once, also where the isolate remembers the picture", async () => {
    expect((await ask("w=64&bg=00ff00")).status).toBe(400);
    await set(["00ff00"]);
    expect((await ask("w=64&bg=00ff00")).status).toBe(302);
  });
});
