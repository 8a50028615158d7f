import { beforeEach, describe, expect, it } from "vitest";
import { cleanBetweenTests, hastyVisitors } from "../support/clean.ts";
import { builder, Gate } from "../support/builder/fake-builder.ts";
import { request } from "../support/http.ts";
import {
  bindings,
  JPEG_FACTS,
  makeMedia,
  makeSpace,
  newId,
  type Media,
  type Space,
} from "../support/rows.ts";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";

cleanBetweenTests();

let space: Space;
let media: Media;
beforeEach(async () => {
  space = await makeSpace();
  media = await makeMedia(space, { ...JPEG_FACTS, width: 1200, height: 900 });
});

const path = (query = "", file = "/file"): string =>
  `/api/v1/${space.name}/pictures/${media.id}${file}${query && `?${query}`}`;
const IMMUTABLE = "public, max-age=31536000, immutable";

async function direct(query: string, init: RequestInit = {}) {
  const response = await request(path(query), init);
  const { headers, status } = response;
  return {
    status,
    bytes: await response.arrayBuffer(),
    header: (name: string) => headers.get(name),
    state: headers.get("X-Service-Transform"),
    cacheControl: headers.get("Cache-Control"),
  };
}

describe("direct delivery (RULES 7.7)", () => {
  it("answers with the bytes to which the redirect leads, with its width, state and caching", async () => {
    const accept = { headers: { Accept: "image/avif,image/webp" } };
    for (const query of ["", "w=64", "w=64&fm=webp", "w=64&auto=format"]) {
      const first = await direct(query, accept);
      expect(first.status, query).toBe(200);
      expect(first.cacheControl).toBe("public, max-age=300");
      const redirect = await request(path(query, ""), accept);
      const linked = await request(redirect.headers.get("Location") ?? "");
      expect(new Uint8Array(first.bytes)).toEqual(new Uint8Array(await linked.arrayBuffer()));
      for (const name of ["X-Service-Width", "Vary"])
        expect(first.header(name)).toBe(redirect.headers.get(name));
      for (const name of ["ETag", "Content-Type", "Content-Length", "X-Content-Type-Options"])
        expect(first.header(name), name).toBe(linked.headers.get(name));
      expect((await direct(query, accept)).state).toBe(redirect.headers.get("X-Service-Transform"));
    }
    expect((await direct("w=128")).state).toBe("built");
  });

  it("is immutable when v names the present version, and only then", async () => {
    await direct("w=64");
    for (const query of ["w=64&v=1", "v=1"]) expect((await direct(query)).cacheControl).toBe(IMMUTABLE);
    for (const v of ["v=2", "v=0", "v=01", "v=1.0", "v=", "v=x", "v=1&v=1"]) {
      const answer = await direct(`w=64&${v}`);
      expect([v, answer.status, answer.cacheControl]).toEqual([v, 200, "public, max-age=300"]);
    }
  });

  it("gives the master for 30 seconds while a variant is built, whatever v says", async () => {
    const gate = new Gate();
    hastyVisitors();
    builder.next(gate.hold);
    const queued = await direct("w=64&v=1");
    expect(queued).toMatchObject({ status: 200, state: "queued", cacheControl: "public, max-age=30" });
    expect(new TextDecoder().decode(queued.bytes)).toBe("master");
    expect(queued.header("X-Service-Width")).toBe("1200");
    gate.open();
  });

  it("answers conditions, ranges and HEAD", async () => {
    const whole = await direct("");
    const etag = whole.header("ETag") ?? "";
    const same = await direct("", { headers: { "If-None-Match": etag } });
    expect([same.status, same.bytes.byteLength, same.cacheControl]).toEqual([304, 0, "public, max-age=300"]);
    const part = await direct("", { headers: { Range: "bytes=2-3" } });
    expect([part.status, part.header("Content-Range")]).toEqual([206, "bytes 2-3/6"]);
    expect(new TextDecoder().decode(part.bytes)).toBe("st");
    expect((await direct("", { headers: { Range: "bytes=9-" } })).status).toBe(416);
    const head = await direct("", { method: "HEAD" });
    expect([head.status, head.bytes.byteLength, head.header("Content-Length")]).toEqual([200, 0, "6"]);
    const ranged = await direct("", { method: "HEAD", headers: { Range: "bytes=2-3" } });
    expect([ranged.status, ranged.header("Content-Range")]).toEqual([200, null]);
    const built = await direct("w=236", { headers: { Range: "bytes=0-0" } });
    expect([built.status, built.bytes.byteLength, built.state]).toEqual([206, 1, "built"]);
  });

  it("keeps the checks of the redirect", async () => {
    expect((await direct("w=0")).status).toBe(400);
    expect((await direct("fm=webp&auto=format")).status).toBe(400);
    expect((await request(`/api/v1/${space.name}/pictures/${newId()}/file`)).status).toBe(404);
    expect((await request(path("", "/other"))).status).toBe(404);
  });

  it("answers with the master when a variant's bytes are gone, and builds it again", async () => {
    await direct("w=64");
    await bindings.BUCKET.delete(`v/${space.id}/${media.id}/1/w64-q80-e${ENCODER_VERSION}.jpg`);
    const gone = await direct("w=64&v=1");
    expect(gone).toMatchObject({ status: 200, state: "unavailable", cacheControl: "no-store" });
    expect(new TextDecoder().decode(gone.bytes)).toBe("master");
  });

  it("has a policy that runs nothing in a drawing", async () => {
    const drawing = await makeMedia(space, { ...JPEG_FACTS, format: "svg" } as never);
    const response = await request(`/api/v1/${space.name}/pictures/${drawing.id}/file`);
    await response.body?.cancel();
    expect(response.headers.get("Content-Type")).toBe("image/svg+xml");
    expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });
});
