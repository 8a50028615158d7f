import { afterEach, describe, expect, it } from "vitest";
import { UPLOAD } from "../../../src/limits.ts";
import { uploadMemory, type UploadReservation } from "../../../src/edge/media/upload-memory.ts";
import { emptyStorage, makeSpace } from "../support/rows.ts";
import { request, ROOT } from "../support/http.ts";

const PIXEL = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="),
  (character) => character.charCodeAt(0),
);

const held: UploadReservation[] = [];
afterEach(async () => {
  for (const reservation of held.splice(0)) reservation.end();
  await emptyStorage();
});

describe("uploads beyond the memory of an isolate", () => {
  it("are 503 with Retry-After, and leave nothing behind", async () => {
    const space = await makeSpace();
    const upload = () =>
      request(`/api/v1/${space.name}/media`, { method: "POST", headers: ROOT, body: PIXEL });
    const most = Math.floor(UPLOAD.memoryMaxBytes / UPLOAD.memoryBytes);
    for (let n = 0; n < most; n++) held.push(uploadMemory.begin(UPLOAD.memoryBytes));
    const refused = await upload();
    expect(refused.status).toBe(503);
    expect(refused.headers.get("Retry-After")).toBe(String(UPLOAD.retryAfterSeconds));
    expect(await refused.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
    held.pop()?.end();
    for (let n = 0; n < 3; n++) expect((await upload()).status).toBe(201);
  });
});
