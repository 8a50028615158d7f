/** The visitors and editors of another space, and how long each of their answers took. */
import { bearer, json, type Space } from "../harness/api.ts";
import { call, dataOf, pause, type Answered } from "./caller.ts";
import { picture } from "./files.ts";

/** A client that is not the attacker's. */
const VISITOR = "192.0.2.10";
const PAUSE_MS = 400;
const READY_MAX_MS = 60_000;

export interface Visits {
  name: string;
  /** Milliseconds of every answer. */
  times: number[];
  /** Answers that are not what the visitor came for. */
  faults: string[];
  /** False for what is shown beside the bound of 2 s and not held to it. */
  isBound: boolean;
}

export interface Victim {
  space: Space;
  pictureId: string;
}

const PICTURE = { width: 1200, height: 800 };

/** Makes a space with a public picture, one of its variants built, and a public model with records. */
export async function makeVictim(space: Space): Promise<Victim> {
  const stored = await call(`${space.api}/media`, {
    ...{
      method: "POST",
      key: space.key,
      body: new Uint8Array(await picture(PICTURE.width, PICTURE.height, 7)),
    },
  });
  const { id } = dataOf(stored);
  const fields = [{ name: "title", type: "string" }];
  const headers = { ...bearer(space.key), "Content-Type": "application/json" };
  const model = { typeModel: "collections", name: "posts", public: true, fields };
  await json(await fetch(`${space.api}/models`, { method: "POST", headers, body: JSON.stringify(model) }));
  await isReady(`${space.api}/pictures/${id}?w=500&fm=webp`);
  return { space, pictureId: id };
}

/** Asks until the variant is there. @throws Error when it does not come */
async function isReady(url: string): Promise<void> {
  const until = performance.now() + READY_MAX_MS;
  for (;;) {
    const { state, status } = await call(url, { from: VISITOR });
    if (state === "hit" || state === "built") return;
    if (performance.now() > until) throw new Error(`${url} is not there: ${status}, ${state}`);
    await pause(100);
  }
}

interface Kind {
  name: string;
  isBound?: boolean;
  /** Between two calls, if not PAUSE_MS. */
  pauseMs?: number;
  visit: (n: number) => Promise<Answered>;
  /** Why an answer is not what it should be; null when it is. */
  fault: (answer: Answered) => string | null;
}

const statusIs =
  (...statuses: number[]) =>
  ({ status, body }: Answered): string | null =>
    statuses.includes(status) ? null : `${status} ${body.slice(0, 120)}`;

function kindsOf({ space, pictureId }: Victim): Kind[] {
  const { api, key } = space;
  const records = `${api}/data/collections/posts`;
  /** Crops that no visitor has asked for: a new variant each time. */
  const cropOf = (n: number): string =>
    `${api}/pictures/${pictureId}?w=236&ar=1:1&fm=webp&fp=${(n % 21) / 20},${(Math.floor(n / 21) % 21) / 20}&q=80`;
  return [
    {
      name: "cached picture",
      visit: () => call(`${api}/pictures/${pictureId}?w=500&fm=webp`, { from: VISITOR }),
      fault: (answer) => statusIs(302)(answer) ?? (answer.state === "hit" ? null : `state ${answer.state}`),
    },
    {
      name: "new variant",
      visit: (n) => call(cropOf(n), { from: VISITOR }),
      fault: (answer) =>
        statusIs(302)(answer) ??
        (answer.state === "overloaded" || answer.state === "limited" ? answer.state : null),
    },
    {
      name: "new variant, until it is there",
      isBound: false,
      visit: async (n) => {
        const began = performance.now();
        const query = cropOf(n).replace("w=236", "w=64");
        const answer = await call(query, { from: VISITOR });
        const end = await isReady(query).then(() => null, String);
        return { ...answer, ...(end !== null && { status: 0, body: end }), ms: performance.now() - began };
      },
      fault: statusIs(302),
    },
    { name: "public list", visit: () => call(`${records}?limit=5`, { from: VISITOR }), fault: statusIs(200) },
    { name: "list with a key", visit: () => call(`${records}?limit=5`, { key }), fault: statusIs(200) },
    {
      name: "record written",
      visit: (n) => call(records, { method: "POST", key, body: { title: `Post ${n}` } }),
      fault: statusIs(201),
    },
    {
      name: "picture uploaded",
      visit: async (n) =>
        call(`${api}/media`, { method: "POST", key, body: new Uint8Array(await picture(300, 200, n)) }),
      fault: statusIs(201),
    },
    {
      name: "drawing uploaded",
      visit: (n) => {
        const body = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="${n}"/></svg>`;
        return call(`${api}/media`, { method: "POST", key, body });
      },
      fault: statusIs(201),
    },
    {
      // Needs no database and no file: it tells how long the isolate was held by others.
      name: "a path that is not there",
      pauseMs: 25,
      visit: () => call(new URL("/nothing-is-here", api).href, { from: VISITOR }),
      fault: statusIs(404),
    },
    {
      name: "/healthz",
      visit: () => call(new URL("/healthz", api).href),
      fault: statusIs(200, 503),
    },
  ];
}

/** Visits everything again and again until `until` aborts; each kind in a line of its own. */
export function visit(victim: Victim, until: AbortSignal): Promise<Visits[]> {
  return Promise.all(
    kindsOf(victim).map(async ({ name, isBound = true, pauseMs = PAUSE_MS, visit: once, fault }) => {
      const visits: Visits = { name, times: [], faults: [], isBound };
      for (let n = 0; !until.aborted; n++) {
        const answer = await once(n);
        visits.times.push(answer.ms);
        const wrong = fault(answer);
        if (wrong !== null) visits.faults.push(wrong);
        await pause(pauseMs);
      }
      return visits;
    }),
  );
}
