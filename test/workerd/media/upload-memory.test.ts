/** Uploads beyond the memory of an isolate, beyond the share of a space, and beyond its work with drawings. */
import { afterEach, describe, expect, it } from "vitest";
import { SPACE_WORK, SVG, UPLOAD } from "../../../src/limits.ts";
import { uploadMemory, type UploadReservation } from "../../../src/edge/media/upload-memory.ts";
import { drawingWork } from "../../../src/edge/spaces/work-budget.ts";
import { emptyStorage, makeSpace, type Space } from "../support/rows.ts";
import { request, ROOT } from "../support/http.ts";

const PIXEL = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="),
  (character) => character.charCodeAt(0),
);
/** Needs all that a drawing may hold while it arrives. */
const DRAWING = new TextEncoder().encode(
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${"<g/>".repeat(40_000)}</svg>`,
);

/** As long as an upload waits for its place. Tests of refused ones wait for a fraction of it. */
const WAIT_MS = UPLOAD.placeWaitMaxMs;
const uploadsWait = (ms: number): void => {
  (UPLOAD as { placeWaitMaxMs: number }).placeWaitMaxMs = ms;
};

const held: UploadReservation[] = [];
afterEach(async () => {
  uploadsWait(WAIT_MS);
  for (const reservation of held.splice(0)) reservation.end();
  await emptyStorage();
});

const most = (bytes: number): number => Math.floor(bytes / UPLOAD.memoryBytes);
const hold = (spaceId: string, count: number): void => {
  for (let n = 0; n < count; n++) held.push(uploadMemory.begin(spaceId, UPLOAD.memoryBytes));
};
const upload = ({ name }: Space, body: BodyInit = PIXEL, headers: Record<string, string> = {}) =>
  request(`/api/v1/${name}/media`, { method: "POST", headers: { ...ROOT, ...headers }, body });

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe(String(UPLOAD.retryAfterSeconds));
  expect(await response.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
}

describe("uploads beyond the memory of an isolate", () => {
  it("are 503 with Retry-After, and leave nothing behind", async () => {
    expect(WAIT_MS).toBe(10_000);
    uploadsWait(WAIT_MS / 20);
    const space = await makeSpace();
    for (let n = 0; n < most(UPLOAD.memoryMaxBytes); n++) hold(`space ${n}`, 1);
    await expectRefused(await upload(space));
    uploadsWait(WAIT_MS);
    held.pop()?.end();
    for (let n = 0; n < 3; n++) expect((await upload(space)).status).toBe(201);
  });
});

describe("drawings beyond the work of a space", () => {
  it("are 429, while its pictures and the drawings of others are stored (RULES 1.11)", async () => {
    const [busy, other] = [await makeSpace(), await makeSpace()];
    const least = SVG.workMaxUnits + SVG.workMaxUnitsPerByte * DRAWING.length;
    const spent = SPACE_WORK.drawingUnitsPerMinute - least + 1;
    const now = Date.now();
    drawingWork.reserve(busy.id, spent, now);
    const refused = await upload(busy, DRAWING);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: { code: "RATE_LIMITED" } });
    expect((await upload(busy)).status).toBe(201);
    expect((await upload(other, DRAWING)).status).toBe(201);
    drawingWork.giveBack(busy.id, 1, now);
    expect((await upload(busy, DRAWING)).status).toBe(201);
    // The units that the drawing reserved and did not take are free again. Those that it took are not.
    expect(() => drawingWork.reserve(busy.id, 1, now)).not.toThrow();
    expect(() => drawingWork.reserve(busy.id, least - 1, now)).toThrow("drawings of this space");
  });
});

describe("uploads beyond the share of a space", () => {
  it("wait for their turn, so that a page of them is stored", async () => {
    const space = await makeSpace();
    const responses = await Promise.all(Array.from({ length: 12 }, () => upload(space)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 201));
  });

  it("are 503, in whatever form they come, while other spaces upload", async () => {
    const greedy = await makeSpace();
    const other = await makeSpace();
    const stored = await (await upload(greedy)).json<{ data: { id: string } }>();
    hold(greedy.id, most(UPLOAD.memoryPerSpaceMaxBytes));
    const form = new FormData();
    form.set("file", new Blob([PIXEL]), "pixel.gif");
    const path = `/api/v1/${greedy.name}/media/${stored.data.id}/file`;
    uploadsWait(WAIT_MS / 5);
    const refused = [
      upload(greedy),
      upload(greedy, form),
      request(path, { method: "PUT", headers: ROOT, body: PIXEL }),
    ];
    expect((await upload(other)).status).toBe(201);
    expect((await upload(other, DRAWING)).status).toBe(201);
    await Promise.all(refused.map(async (response) => expectRefused(await response)));
  });

  it("of drawings keep nobody out: each holds what a picture holds", async () => {
    const [one, two, other] = [await makeSpace(), await makeSpace(), await makeSpace()];
    hold(one.id, 1);
    hold(two.id, 1);
    const responses = await Promise.all([
      ...[one, two].map((space) => upload(space, DRAWING)),
      upload(other),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
  });
});
