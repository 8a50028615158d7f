import { beforeEach, describe, expect, it, vi } from "vitest";
import { CACHE, QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { builder } from "../support/builder/fake-builder.ts";
import { picture, request, requestWith } from "../support/http.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, type Media, type Space } from "../support/rows.ts";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";

cleanBetweenTests();

let space: Space;
let media: Media;
beforeEach(async () => {
  space = await makeSpace();
  media = await makeMedia(space, { ...JPEG_FACTS, width: 1200, height: 900 });
});

const path = (query = ""): string => `/api/v1/${space.name}/pictures/${media.id}?${query}`;

const failing: D1Database = new Proxy(bindings.DB, {
  get: (_, property) => {
    if (property === "withSession") return () => failing;
    throw new Error("D1 is down");
  },
});

/** Never says anything. */
const silent: D1Database = {
  withSession: () => silent,
  prepare: () => silent,
  bind: () => silent,
  all: () => new Promise(() => undefined),
  batch: () => new Promise(() => undefined),
} as unknown as D1Database;

/** Counts statements, through sessions too. Only `isReplica` sessions are told apart. */
function counting(): { db: D1Database; nearest: () => number; primary: () => number } {
  const counts = { nearest: 0, primary: 0 };
  const wrap = (kind: keyof typeof counts): D1Database =>
    new Proxy(bindings.DB, {
      get(target, property) {
        if (property === "withSession") return () => wrap("nearest");
        if (property === "prepare") counts[kind] += 1;
        const value = Reflect.get(target, property, target) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  return { db: wrap("primary"), nearest: () => counts.nearest, primary: () => counts.primary };
}

describe("when D1 does not answer", () => {
  const pass = (): void => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + CACHE.factsMs });
  };

  it("a picture and a file that the isolate holds are answered from memory", async () => {
    const hit = await picture(space.name, media.id, "w=64");
    const bytes = await (await request(hit.path)).arrayBuffer();
    await picture(space.name, media.id);
    pass();
    const redirect = await requestWith({ DB: failing }, path("w=64"));
    expect(redirect.headers.get("Location")).toBe(hit.path);
    expect(redirect.headers.get("X-Service-Transform")).toBe("hit");
    expect((await requestWith({ DB: failing }, path())).headers.get("Location")).toBe(
      `/cdn/${media.masterKey}`,
    );
    const file = await requestWith({ DB: failing }, hit.path);
    expect(await file.arrayBuffer()).toEqual(bytes);
  });

  it("a cold variant of such a picture is the master, never an error", async () => {
    await picture(space.name, media.id);
    pass();
    const answer = await requestWith({ DB: failing }, path("w=500&fm=webp"));
    expect(answer.status).toBe(302);
  });

  it("many requests at once for such a picture are all answered without an error", async () => {
    const hit = await picture(space.name, media.id, "w=64&fm=webp");
    await request(hit.path);
    await request(`/cdn/${media.masterKey}`);
    const gone = await picture(space.name, media.id, "w=128&fm=webp");
    await request(gone.path);
    await bindings.BUCKET.delete(gone.path.slice("/cdn/".length));
    const direct = (query: string): string => `/api/v1/${space.name}/pictures/${media.id}/file?${query}`;
    const paths = [
      ...[
        path(),
        path("w=64&fm=webp"),
        path("w=750&fm=webp"),
        path("w=500&ar=1:1"),
        path("h=300&auto=format"),
      ],
      ...[direct("w=64&fm=webp"), direct("w=1000&fm=webp"), direct("v=1"), direct("w=128&fm=webp&v=1")],
      ...[hit.path, gone.path, `/cdn/${media.masterKey}`],
    ];
    for (const db of [failing, silent]) {
      // At first the isolate's memory is fresh, then only held.
      for (const wait of [() => undefined, pass]) {
        wait();
        const answers = await Promise.all(
          [...paths, ...paths, ...paths].map(async (asked) => {
            const answer = await requestWith({ DB: db }, asked);
            await answer.body?.cancel();
            return [asked, answer.status < 400 ? "answered" : answer.status];
          }),
        );
        expect(answers.filter(([, status]) => status !== "answered")).toEqual([]);
      }
      vi.useRealTimers();
    }
  });

  it("a variant whose bytes are missing is answered with the master's bytes", async () => {
    const hit = await picture(space.name, media.id, "w=64&fm=webp");
    await bindings.BUCKET.delete(hit.path.slice("/cdn/".length));
    const direct = `/api/v1/${space.name}/pictures/${media.id}/file?w=64&fm=webp`;
    const answer = await requestWith({ DB: failing }, direct);
    expect([answer.status, answer.headers.get("X-Service-Transform")]).toEqual([200, "unavailable"]);
    expect(await answer.text()).toBe("master");
    // Once D1 is back, it is built again.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + QUEUE.builtMemoryMs });
    await eventually(async () => expect(await (await request(direct)).text()).toBe("master at 64"));
    expect(builder.widths()).toEqual([64, 64]);
  });

  it("a picture that it does not hold is 503, to be tried again", async () => {
    const answer = await requestWith({ DB: failing }, path());
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
  });

  it("a trashed picture is not served again by an isolate that knows that it is trashed", async () => {
    await picture(space.name, media.id);
    await bindings.DB.prepare("UPDATE media SET deleted_at = 1 WHERE id = ?").bind(media.id).run();
    pass();
    expect((await request(path())).status).toBe(404);
    vi.setSystemTime(Date.now() + CACHE.missingMs);
    expect((await requestWith({ DB: failing }, path())).status).toBe(503);
  });
});

describe("a replica", () => {
  /** Returns a database that no row has reached yet, and notes the sessions that it was asked for. */
  const empty = (asked: string[]): D1Database =>
    new Proxy(bindings.DB, {
      get(target, property) {
        if (property === "withSession") {
          return (constraint: string) => {
            asked.push(constraint);
            return {
              prepare: () => ({
                bind: () => ({
                  all: () => Promise.resolve({ results: [], meta: { served_by_primary: false } }),
                }),
              }),
            };
          };
        }
        const value = Reflect.get(target, property, target) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });

  it("is asked first, and the primary before anything is 404", async () => {
    const asked: string[] = [];
    expect((await requestWith({ DB: empty(asked) }, path())).status).toBe(302);
    const file = await requestWith({ DB: empty(asked) }, `/cdn/${media.masterKey}`);
    expect([file.status, await file.text()]).toEqual([200, "master"]);
    expect(asked).toEqual(["first-unconstrained", "first-unconstrained"]);
  });
});

describe("a redirect from memory", () => {
  it("opens no session and asks nothing", async () => {
    await picture(space.name, media.id);
    const untouched = new Proxy(bindings.DB, {
      get(_, property) {
        throw new Error(`D1 was touched: ${String(property)}`);
      },
    });
    expect((await requestWith({ DB: untouched }, path())).status).toBe(302);
  });
});

describe("a cold variant that many visitors request", () => {
  it("costs one call of D1 and of the queue per isolate and two seconds", async () => {
    let admissions = 0;
    const queues = new Proxy(bindings.SPACE_QUEUE, {
      get(target, property) {
        if (property === "get") {
          return (id: DurableObjectId) => {
            admissions += 1;
            return target.get(id);
          };
        }
        const value = Reflect.get(target, property, target) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const { db, nearest, primary } = counting();
    const ask = () => requestWith({ DB: db, SPACE_QUEUE: queues }, path("w=500"));
    await ask();
    const queries = nearest() + primary();
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    for (const answer of answers) {
      expect(["hit", "coalesced"]).toContain(answer.headers.get("X-Service-Transform"));
      expect(answer.headers.get("Location")).toBe(
        `/cdn/v/${space.id}/${media.id}/1/w500-q80-e${ENCODER_VERSION}.jpg`,
      );
    }
    expect(admissions).toBe(1);
    expect(queries).toBeLessThanOrEqual(2);
    expect(nearest() + primary()).toBe(queries);
    expect(builder.widths()).toEqual([500]);
  });
});

describe("the picture query", () => {
  it("reads only variants of the requested width, or of the master's own", async () => {
    const insert = bindings.DB.prepare(
      `INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
       SELECT ?1, 1, 'w' || value || '-q80-e3.webp', ?2, 1, 7, 1, 9e15 FROM json_each(?3)`,
    );
    const widths = [64, 128, 236, 500, 750, 1000, 1200];
    await insert.bind(media.id, space.id, JSON.stringify(widths)).run();
    for (const width of [64, 750, 1000]) {
      const answer = await picture(space.name, media.id, `w=${width}&fm=webp`);
      expect(answer).toMatchObject({ state: "hit", width });
    }
    expect(await picture(space.name, media.id, "w=2560&fm=webp")).toMatchObject({
      state: "hit",
      width: 1200,
    });
    expect(await picture(space.name, media.id, "fm=webp")).toMatchObject({ state: "hit", width: 1200 });
    expect(builder.widths()).toEqual([]);
  });
});
