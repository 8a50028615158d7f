import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorBody } from "../../../src/errors.ts";
import { NOT_KEPT, type EdgeCopy } from "../../../src/edge/gateway/edge-copy.ts";
import { copyOfMissing } from "../../../src/edge/gateway/missing.ts";
import type { Asked } from "../../../src/edge/gateway/target.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { trashMedia } from "../../../src/edge/storage/media/media.ts";
import { CACHE, VARIANT } from "../../../src/limits.ts";
import { cleanBetweenTests, hastyVisitors } from "../support/clean.ts";
import { Edge } from "../support/edge.ts";
import { builder, Gate } from "../support/builder/fake-builder.ts";
import {
  bindings,
  JPEG_FACTS,
  makeMedia,
  makeSpace,
  newId,
  type Media,
  type Space,
} from "../support/rows.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";

cleanBetweenTests();

let space: Space;
let media: Media;
let edge: Edge;
beforeEach(async () => {
  space = await makeSpace();
  media = await makeMedia(space, { ...JPEG_FACTS, width: 1200, height: 900 });
  edge = new Edge();
});

const path = (query = "", file = ""): string =>
  `/api/v1/${space.name}/pictures/${media.id}${file}${query && `?${query}`}`;
const accepting = (Accept: string): RequestInit => ({ headers: { Accept } });

describe("a stored answer", () => {
  it("is replayed as hit, with a request id of its own (RULES 7.9)", async () => {
    const first = await edge.ask(path("w=64"));
    const second = await edge.ask(path("w=64"));
    expect([first, second].map(({ headers }) => headers.get("X-Service-Transform"))).toEqual([
      "built",
      "hit",
    ]);
    const ids = [first, second].map(({ headers }) => headers.get("X-Request-Id"));
    expect(new Set(ids).size).toBe(2);
    for (const name of ["Location", "X-Service-Width", "Cache-Control", "Access-Control-Allow-Origin"])
      expect(second.headers.get(name), name).toBe(first.headers.get(name));
    expect(edge.runs).toHaveLength(1);
  });

  it("with the master by rule has no state when it is replayed", async () => {
    for (const cache of ["MISS", "HIT"])
      expect(await edge.visit(path())).toMatchObject({ state: null, cache });
  });

  it("is shared by all addresses and clients with the same answer", async () => {
    for (const query of ["w=1000&fm=webp", "fm=webp&w=751&q=80", "fm=webp&w=999&utm_source=x&v=7"])
      expect((await edge.visit(path(query))).leadsTo).toMatch(/w1000-q80-e\d+\.webp$/);
    expect(edge.runs).toHaveLength(1);
    const browsers = [
      "image/avif,image/webp,image/apng,*/*;q=0.8",
      "image/webp,image/avif",
      "text/html,image/avif;q=0.9,image/webp;q=0.1",
    ];
    for (const accept of browsers) await edge.visit(path("auto=format"), accepting(accept));
    expect(edge.runs).toHaveLength(2);
    for (const accept of ["image/webp,*/*", "image/webp", "*/*", "image/avif;q=0"])
      await edge.visit(path("auto=format"), accepting(accept));
    expect(edge.runs).toHaveLength(4);
    // Without auto=format, Accept makes no difference.
    for (const accept of browsers) await edge.visit(path("w=64"), accepting(accept));
    expect(edge.runs).toHaveLength(5);
  });

  it("answers ranges, conditions and HEAD without the Worker", async () => {
    for (const address of [`/cdn/${media.masterKey}`, path("", "/file"), path("v=1", "/file")]) {
      // Answers from the isolate's memory are not kept.
      edge.pass(CACHE.factsMs);
      const part = await edge.ask(address, { headers: { Range: "bytes=1-2" } });
      expect([part.status, await part.text(), part.headers.get("Content-Range")]).toEqual([
        206,
        "as",
        "bytes 1-2/6",
      ]);
      const runs = edge.runs.length;
      const etag = part.headers.get("ETag") ?? "";
      expect((await edge.ask(address, { headers: { "If-None-Match": etag } })).status).toBe(304);
      expect((await edge.ask(address, { headers: { Range: "bytes=9-" } })).status).toBe(416);
      const head = await edge.ask(address, { method: "HEAD" });
      expect([head.status, await head.text(), head.headers.get("Content-Length")]).toEqual([200, "", "6"]);
      expect(await (await edge.ask(address)).text()).toBe("master");
      expect(edge.runs).toHaveLength(runs);
    }
  });

  it("that is not stored still answers conditions", async () => {
    // The isolate remembers the picture from the redirect, so that the file is not kept.
    await edge.visit(path());
    const { leadsTo, cache } = await edge.visit(path("", "/file"));
    expect(cache).toBe("BYPASS");
    edge.cache.purge([`media:${media.id}`]);
    edge.pass(1000);
    const same = await edge.ask(path("", "/file"), { headers: { "If-None-Match": leadsTo ?? "" } });
    expect([same.status, same.headers.get("Cf-Cache-Status")]).toEqual([304, "BYPASS"]);
  });

  it("still counts against the client's flood ceiling", async () => {
    await edge.visit(path("w=64"));
    edge.env = { IMAGE_FLOOD: { limit: () => Promise.resolve({ success: false }) } };
    expect((await edge.visit(path("w=64"))).status).toBe(429);
  });
});

describe("how long the edge keeps (RULES 7.8)", () => {
  it("a redirect: a day, and another day while it revalidates; browsers five minutes", async () => {
    expect((await edge.ask(path("w=64"))).headers.get("Cache-Control")).toBe("public, max-age=300");
    edge.pass(CACHE.edgeSeconds * 1000 - 1);
    expect((await edge.visit(path("w=64"))).cache).toBe("HIT");
    edge.pass(1);
    expect((await edge.visit(path("w=64"))).cache).toBe("UPDATING");
    expect((await edge.visit(path("w=64"))).cache).toBe("HIT");
  });

  it("a redirect to a variant: at most until the variant expires", async () => {
    await edge.visit(path("w=64"));
    edge.pass(VARIANT.lifetimeMs - 100_000);
    const late = await edge.ask(path("w=64"));
    expect(late.headers.get("Cache-Control")).toBe("public, max-age=100");
    edge.pass(100_000);
    const rebuilt = await edge.visit(path("w=64"));
    expect(rebuilt).toMatchObject({ state: "built", cache: "EXPIRED" });
  });

  it("a file: a year, even beyond the 30 days of a variant", async () => {
    const { leadsTo } = await edge.visit(path("w=64"));
    const file = leadsTo ?? "";
    await edge.visit(file);
    edge.pass(2 * VARIANT.lifetimeMs);
    expect(await edge.visit(file)).toMatchObject({ status: 200, cache: "HIT" });
  });

  it("the master in place of a variant that is being built: two seconds; browsers thirty", async () => {
    const gate = new Gate();
    hastyVisitors();
    builder.next(gate.hold);
    const queued = await edge.begin(path("w=64"));
    expect(queued.headers.get("Cache-Control")).toBe("public, max-age=30");
    const again = await edge.begin(path("w=64"));
    expect(again.headers.get("X-Service-Transform")).toBe("queued");
    expect(again.headers.get("Cf-Cache-Status")).toBe("HIT");
    gate.open();
    await edge.settled();
    edge.pass(CACHE.edgeUnderWaySeconds * 1000);
    expect(await edge.visit(path("w=64"))).toMatchObject({ state: "hit", cache: "EXPIRED" });
  });

  it("nothing that failed, was limited, or does not exist", async () => {
    const huge = await makeMedia(space, { ...JPEG_FACTS, width: 9000, height: 9000 });
    for (const address of [
      `/api/v1/${space.name}/pictures/${huge.id}?fm=webp`,
      `/api/v1/${space.name}/pictures/${newId()}`,
      `/cdn/m/${space.id}/${newId()}/1/master.jpg`,
      `/cdn/v/${space.id}/${media.id}/1/w500-q80-e3.webp`,
    ]) {
      for (let n = 0; n < 2; n++) expect((await edge.visit(address)).cache, address).not.toBe("HIT");
    }
  });
});

describe("the 404 of a picture in the trash", () => {
  it("is kept, with a request id of its own for each visitor", async () => {
    await trashMedia(database(bindings.DB), space.id, media.id, {
      deletedAt: 1,
      purgeAt: Date.now() + 1e6,
      origin: OF_SYSTEM,
    });
    for (const address of [path("w=64"), path("", "/file"), `/cdn/${media.masterKey}`]) {
      const first = await edge.ask(address);
      const second = await edge.ask(address);
      expect([first, second].map(({ status }) => status)).toEqual([404, 404]);
      expect(second.headers.get("Cf-Cache-Status")).toBe("HIT");
      const [one, other] = (await Promise.all([first.json(), second.json()])) as ErrorBody[];
      expect(other!.error).toEqual({ ...one!.error, requestId: second.headers.get("X-Request-Id") });
      expect(other!.error.requestId).not.toBe(one!.error.requestId);
    }
  });

  it("is not kept if D1 does not answer", async () => {
    await trashMedia(database(bindings.DB), space.id, media.id, {
      deletedAt: 1,
      purgeAt: Date.now() + 1e6,
      origin: OF_SYSTEM,
    });
    const asked = { kind: "redirect", spaceName: space.name, mediaId: media.id } as unknown as Asked;
    const prepare = (): never => {
      throw new Error("D1 is away");
    };
    const away = { prepare } as unknown as D1Database;
    const copyWith = (DB: D1Database): Promise<EdgeCopy> =>
      copyOfMissing(asked, { env: { ...bindings, DB }, queryCount: { queries: 0 } });
    expect((await copyWith(bindings.DB)).tags).toEqual([`media:${media.id}`]);
    expect(await copyWith(away)).toEqual(NOT_KEPT);
  });
});

describe("simultaneous visitors", () => {
  it("of one region run the Worker once for a cold variant, and all get it", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => edge.begin(path("w=500"))));
    await edge.settled();
    for (const answer of answers)
      expect(answer.headers.get("Location")).toMatch(/^\/cdn\/v\/.*w500-q80-e\d+\.jpg$/);
    expect(answers.map(({ headers }) => headers.get("X-Service-Transform")).sort()).toEqual(
      ["built", ...Array<string>(49).fill("hit")].sort(),
    );
    expect(edge.runs).toHaveLength(1);
    expect(builder.widths()).toEqual([500]);
  });
});

describe("when D1 does not answer", () => {
  const failing: D1Database = new Proxy(bindings.DB, {
    get: (_, property) => {
      if (property === "withSession") return () => failing;
      throw new Error("D1 is down");
    },
  });

  it("stored answers are served, even stale ones, in every region that has them", async () => {
    const file = (await edge.visit(path("w=64"))).leadsTo ?? "";
    const paths = [path("w=64"), path(), path("v=1", "/file"), file];
    for (const region of [0, 1]) {
      for (const address of paths) await edge.visit(address, {}, region);
      edge.pass(CACHE.edgeAskMs);
    }
    edge.env = { DB: failing };
    // Longer than any isolate holds facts, and than a redirect is fresh.
    edge.pass((CACHE.edgeSeconds + CACHE.edgeStaleSeconds + 60) * 1000);
    for (const address of paths) {
      for (const region of [0, 1]) {
        const { status } = await edge.visit(address, {}, region);
        expect(status, address).toBe(address.includes("/file") || address === file ? 200 : 302);
      }
    }
  });

  it("answers from an isolate's memory are not stored", async () => {
    await edge.visit(path());
    edge.cache.purge([`media:${media.id}`]);
    edge.env = { DB: failing };
    edge.pass(60_000);
    for (let n = 0; n < 2; n++)
      expect(await edge.visit(path())).toMatchObject({ status: 302, cache: "BYPASS" });
  });
});
