/** Focal points of media items, and the settings that crops follow (RULES 2.2, 4.8). */
import { beforeEach, describe, expect, test } from "vitest";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { request, ROOT } from "../support/http.ts";
import { bindings, makeMedia, type Media } from "../support/rows.ts";

cleanBetweenTests();

let client: Client;
let media: Media;
beforeEach(async () => {
  client = await Client.make();
  media = await makeMedia(client.space);
});

const path = (): string => `/media/${media.id}`;
const focalPointOf = async () => (await client.call("GET", path())).data["focalPoint"];
const patch = (body: unknown) => client.call("PATCH", path(), body);

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><path d="M0 0h40v30z"/></svg>`;
const upload = async (focalPoint: string | null, method = "POST", below = "/media") => {
  const response = await request(`/api/v1/${client.space.name}${below}`, {
    method,
    body: SVG,
    headers: { ...ROOT, "Content-Type": "image/svg+xml", ...(focalPoint && { "X-Focal-Point": focalPoint }) },
  });
  const { data, error } = await response.json<{
    data: { id: string; focalPoint: unknown };
    error: { code: string };
  }>();
  return { status: response.status, data, error };
};

describe("a focal point", () => {
  test("of media without one is null, and a change sets and clears it", async () => {
    expect(await focalPointOf()).toBeNull();
    const changed = await patch({ focalPoint: { x: 0.254, y: 1 } });
    expect(changed.data).toMatchObject({ focalPoint: { x: 0.25, y: 1 }, focalPointSuggested: null });
    await patch({ alt: "a boat" });
    expect(await focalPointOf()).toEqual({ x: 0.25, y: 1 });
    await patch({ focalPoint: null });
    expect(await focalPointOf()).toBeNull();
  });

  test.each([
    { x: 0.5 },
    { x: -0.01, y: 0 },
    { x: 0, y: 1.01 },
    { x: "0.5", y: 0.5 },
    { x: 0.5, y: 0.5, z: 0 },
    [0.5, 0.5],
    "0.5,0.5",
  ])("is not %j", async (focalPoint) => {
    const refused = await patch({ focalPoint });
    expect(refused.status).toBe(400);
    expect(refused.error.details?.[0]?.path).toContain("focalPoint");
    expect(await focalPointOf()).toBeNull();
  });

  test("can be part of an upload, and a new file keeps it unless it has its own", async () => {
    const { status, data } = await upload("0.25,0.755");
    expect([status, data.focalPoint]).toEqual([201, { x: 0.25, y: 0.76 }]);
    const file = `/media/${data.id}/file`;
    expect((await upload(null, "PUT", file)).data.focalPoint).toEqual({ x: 0.25, y: 0.76 });
    expect((await upload("0,1", "PUT", file)).data.focalPoint).toEqual({ x: 0, y: 1 });
  });

  test.each(["NaN,2", "0.5", "1.5,0", "0.5,0.5,0.5"])("of an upload is not %j", async (text) => {
    const refused = await upload(text);
    expect([refused.status, refused.error.code]).toEqual([400, "INVALID_UPLOAD"]);
  });

  test("that is suggested is used only if the settings say so", async () => {
    await bindings.DB.prepare("UPDATE masters SET suggested_focal_x = 30, suggested_focal_y = 70").run();
    const suggested = async () => (await client.call("GET", path())).data["focalPointSuggested"];
    expect(await suggested()).toBeNull();
    await client.call("PATCH", "/settings", { suggestFocalPoint: true });
    expect(await suggested()).toEqual({ x: 0.3, y: 0.7 });
    expect(await focalPointOf()).toBeNull();
  });
});

describe("the setting aspectRatios", () => {
  const set = (aspectRatios: unknown) => client.call("PATCH", "/settings", { aspectRatios });
  const DEFAULT = "1:1 5:4 4:3 3:2 16:9 2:1 21:9 4:5 3:4 2:3 9:16 1:2".split(" ");
  const many = Array.from({ length: 25 }, (_, n) => `${n + 1}:1`);

  test("has a default, and stays when a change omits it", async () => {
    expect((await client.call("GET", "/settings")).data).toMatchObject({
      aspectRatios: DEFAULT,
      suggestFocalPoint: false,
      prebuild: "presets",
    });
    expect((await set(["191:100", "1:1"])).data).toMatchObject({ aspectRatios: ["191:100", "1:1"] });
    expect((await client.call("PATCH", "/settings", { prebuild: "some" })).status).toBe(400);
    expect((await client.call("PATCH", "/settings", { prebuild: "none" })).data).toMatchObject({
      prebuild: "none",
    });
    const other = await client.call("PATCH", "/settings", { quality: 90 });
    expect(other.data).toMatchObject({ aspectRatios: ["191:100", "1:1"], quality: 90 });
  });

  test("accepts 1 to 24 different ratios", async () => {
    expect((await set(many.slice(0, 1))).status).toBe(200);
    expect((await set(many.slice(0, 24))).status).toBe(200);
    for (const wrong of [[], many, ["1:1", "1:1"]]) expect((await set(wrong)).status).toBe(400);
  });

  test.each(["1.5:1", "0:1", "1:0", "01:1", "1:10000", "1x1", "1 : 1", "-1:1", "1:1 ", "", 1, null])(
    "has no %j among them",
    async (ratio) => {
      const refused = await set(["1:1", ratio]);
      expect([refused.status, refused.error.code]).toEqual([400, "VALIDATION_FAILED"]);
      expect((await client.call("GET", "/settings")).data["aspectRatios"]).toEqual(DEFAULT);
    },
  );

  test("accepts sides up to 9999", async () => expect((await set(["9999:1", "1:9999"])).status).toBe(200));
});
