/** Uploads beyond the memory of an isolate, beyond the share of a space, and beyond its work with drawings. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { SPACE_WORK, SVG, UPLOAD } from "../../../src/limits.ts";
import {
  drawingChecks,
  uploadMemory,
  type UploadReservation,
} from "../../../src/edge/media/upload-memory.ts";
import { workTurns } from "../../../src/edge/spaces/work-turns.ts";
import { drawingWork } from "../../../src/edge/spaces/work-budget.ts";
import { Client } from "../support/api.ts";
import { bindings, emptyStorage, makeSpace, type Space } from "../support/rows.ts";
import { request, requestWith, ROOT, sentInPieces } from "../support/http.ts";

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
  vi.restoreAllMocks();
  await emptyStorage();
});

const most = (bytes: number): number => Math.floor(bytes / UPLOAD.memoryBytes);
const hold = (spaceId: string, count: number): void => {
  for (let n = 0; n < count; n++) held.push(uploadMemory.begin(spaceId, UPLOAD.memoryBytes));
};
const upload = ({ name }: Space, body: BodyInit = PIXEL, headers: Record<string, string> = {}) =>
  request(`/api/v1/${name}/media`, { method: "POST", headers: { ...ROOT, ...headers }, body });

/** Uploads by the Worker's own handler, which gets the `Content-Length` as it stands. */
const uploadTo = ({ name }: Space, body: BodyInit, headers: Record<string, string>) =>
  requestWith({}, `/api/v1/${name}/media`, { method: "POST", headers: { ...ROOT, ...headers }, body });

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

describe("refused uploads", () => {
  /**
   * Sends a body in pieces to the memory of an isolate that is full. The answer has the status, the body was read to its
   * end, and the timer of its reader has ended.
   */
  async function expectReadToEnd(
    path: string,
    init: { method: string; headers: Record<string, string> },
    head: string,
    status: number,
  ): Promise<void> {
    const [ticking, cleared] = [vi.spyOn(globalThis, "setInterval"), vi.spyOn(globalThis, "clearInterval")];
    for (let n = 0; n < most(UPLOAD.memoryMaxBytes); n++) hold(`space ${n}`, 1);
    uploadsWait(0);
    const unsent = [head, ...Array<string>(20).fill("x".repeat(1000)), "\r\n--x--\r\n"];
    const response = await requestWith({}, path, { ...init, body: sentInPieces(unsent) });
    expect(response.status).toBe(status);
    expect(unsent).toEqual([]);
    const begun = ticking.mock.results.map(({ value }) => value as unknown);
    expect(begun).toHaveLength(1);
    expect(cleared.mock.calls.map(([timer]) => timer as unknown)).toEqual(begun);
  }

  const FORM_HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\n';
  it.each([
    ["a file", "POST", "/media", "image/gif", "file", 503],
    ["a form", "POST", "/media", "multipart/form-data; boundary=x", FORM_HEAD, 503],
    ["a new file of no item", "PUT", "/media/none/file", "multipart/form-data; boundary=x", FORM_HEAD, 404],
    ["an import", "POST", "/import", "application/x-ndjson", "{}", 503],
    ["an import of another type", "POST", "/import", "application/json", "{}", 415],
    ["a form without a file", "POST", "/media", "multipart/form-data; boundary=x", "--x--\r\n", 400],
    ["a file at no focal point", "POST", "/media", "image/gif", "file", 400],
  ])(
    "of %s are read to their end, and no timer ticks on (RULES 10.4)",
    async (_, method, to, type, head, status) => {
      const space = await makeSpace();
      const headers = { ...ROOT, "Content-Type": type, ...(status === 400 && { "X-Focal-Point": "none" }) };
      await expectReadToEnd(`/api/v1/${space.name}${to}`, { method, headers }, head, status);
    },
  );

  it("of a key without the default locale are read to their end", async () => {
    const client = await Client.make();
    await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
    const asked = { name: "German", role: "write", scopes: { locales: ["de"] } };
    const { data } = await client.call<{ key: string }>("POST", "/keys", asked);
    const headers = { Authorization: `Bearer ${data.key}`, "Content-Type": "image/gif" };
    const path = `/api/v1/${client.space.name}/media/none/file`;
    await expectReadToEnd(path, { method: "PUT", headers }, "file", 403);
  });
});

describe("uploads that announce their length", () => {
  const announced = (bytes: number): Record<string, string> => ({ "Content-Length": String(bytes) });
  /** Leaves room for one small file. */
  const holdMost = (): void =>
    void held.push(
      uploadMemory.begin("one space", UPLOAD.memoryPerSpaceMaxBytes),
      uploadMemory.begin(
        "another space",
        UPLOAD.memoryMaxBytes - UPLOAD.memoryPerSpaceMaxBytes - UPLOAD.memoryMinBytes,
      ),
    );
  const small = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const gzipped = async (text: string): Promise<ArrayBuffer> =>
    new Response(new Response(text).body!.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();

  it("hold no more than files of that length, so that those that trickle keep out no small ones", async () => {
    const space = await makeSpace();
    holdMost();
    const form = new FormData();
    form.set("file", new Blob([PIXEL]), "pixel.gif");
    const sent = new Response(form);
    const type = sent.headers.get("Content-Type")!;
    const body = await sent.arrayBuffer();
    uploadsWait(0);
    await expectRefused(await uploadTo(space, DRAWING, announced(DRAWING.length)));
    for (const [file, more] of [
      [PIXEL],
      [new TextEncoder().encode(small)],
      [body, { "Content-Type": type }],
    ] as const)
      expect((await uploadTo(space, file, { ...announced(file.byteLength), ...more })).status).toBe(201);
  });

  it("are 400 where they are longer, and leave nothing behind", async () => {
    const space = await makeSpace();
    for (const length of [0, PIXEL.length - 1]) {
      const refused = await uploadTo(space, PIXEL, announced(length));
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        error: { code: "INVALID_UPLOAD", message: expect.stringContaining("Content-Length") as unknown },
      });
    }
    expect((await bindings.BUCKET.list()).objects).toEqual([]);
  });

  it("wait for the memory of a large drawing where they are gzip", async () => {
    const space = await makeSpace();
    const file = await gzipped(small);
    holdMost();
    uploadsWait(0);
    await expectRefused(await uploadTo(space, file, announced(file.byteLength)));
    uploadsWait(WAIT_MS);
    const stored = uploadTo(space, file, announced(file.byteLength));
    held.pop()?.end();
    expect((await stored).status).toBe(201);
  });
});

describe("drawings beyond the work of a space", () => {
  it("are 429, while its pictures and the drawings of others are stored (RULES 1.11)", async () => {
    const [busy, other] = [await makeSpace(), await makeSpace()];
    const least = SVG.workMaxUnits + SVG.workMaxUnitsPerByte * DRAWING.length;
    const spent = SPACE_WORK.drawingUnitsPerMinute - least + 1;
    const now = Date.now();
    const giveBack = drawingWork.reserve(busy.id, spent, now);
    const refused = await upload(busy, DRAWING);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: { code: "RATE_LIMITED" } });
    expect((await upload(busy)).status).toBe(201);
    expect((await upload(other, DRAWING)).status).toBe(201);
    giveBack(1);
    expect((await upload(busy, DRAWING)).status).toBe(201);
    // The units that the drawing reserved and did not take are free again. Those that it took are not.
    expect(() => drawingWork.reserve(busy.id, 1, now)).not.toThrow();
    expect(() => drawingWork.reserve(busy.id, least - 1, now)).toThrow("drawings of this space");
  });
});

describe("drawings that take little work", () => {
  const SMALL = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>';
  const atMost = Math.ceil(SPACE_WORK.drawingUnitsPerMinute / SVG.workMaxUnits) + 5;

  it("do not use up that of their space, whatever each might have taken", async () => {
    const space = await makeSpace();
    for (let n = 0; n < atMost; n++) expect((await upload(space, `<!-- ${n} -->${SMALL}`)).status).toBe(201);
  });
});

describe("a drawing that takes long to check", () => {
  it("lets the isolate serve others between pieces of about 20 milliseconds (RULES 1.11)", async () => {
    const space = await makeSpace();
    const noted = vi.spyOn(workTurns, "note");
    /** The pieces that were done when each other request was answered. */
    const served: number[] = [];
    let isDone = false;
    const stored = upload(space, DRAWING).finally(() => (isDone = true));
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect((await request("/api/v1")).status).toBe(404);
      served.push(noted.mock.calls.length);
    }
    expect((await stored).status).toBe(201);
    const pieces = noted.mock.calls.length;
    expect(pieces).toBeGreaterThan(4);
    expect(new Set(served.filter((done) => done > 0 && done < pieces)).size).toBeGreaterThan(1);
    noted.mockRestore();
  });
});

describe("drawings beyond those that an isolate checks at a time", () => {
  it("wait for one another, and small ones of other spaces go before them", async () => {
    const [busy, other] = [await makeSpace(), await makeSpace()];
    held.push(drawingChecks.begin("a third space", SVG.maxBytes - 1));
    const large = new TextEncoder().encode(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g>${" ".repeat(UPLOAD.checkedMaxBytes - SVG.maxBytes)}</g></svg>`,
    );
    let isStored = false;
    const waiting = upload(busy, large).then((response) => {
      isStored = true;
      return response;
    });
    const small = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    expect((await upload(other, small)).status).toBe(201);
    expect(isStored).toBe(false);
    held.pop()?.end();
    expect((await waiting).status).toBe(201);
  });

  it("wait beside the uploads of others, with no more memory than they need", async () => {
    const [one, two, other] = [await makeSpace(), await makeSpace(), await makeSpace()];
    held.push(
      drawingChecks.begin("another space", SVG.maxBytes),
      drawingChecks.begin("a third space", UPLOAD.checkedMaxBytes - SVG.maxBytes),
    );
    const small = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
    const drawings = [one, one, one, two, two].map((space) => upload(space, small));
    const picture = await upload(other);
    for (const check of held.splice(0)) check.end();
    expect(picture.status).toBe(201);
    expect((await Promise.all(drawings)).map(({ status }) => status)).toEqual(drawings.map(() => 201));
  });

  it("are 503 with Retry-After where none ends in time", async () => {
    uploadsWait(WAIT_MS / 20);
    const space = await makeSpace();
    held.push(
      drawingChecks.begin("another space", SVG.maxBytes),
      drawingChecks.begin("a third space", SVG.maxBytes / 4),
    );
    await expectRefused(await upload(space, DRAWING));
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
