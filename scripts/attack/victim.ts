/** The visitors and editors of another space, and how long each of their answers took. */
import { ms } from "../bench/figures.ts";
import { bearer, json, type Space } from "../harness/api.ts";
import { call, dataOf, pause, type Answered } from "./caller.ts";
import { picture } from "./files.ts";

/** A client that is not the attacker's. */
const VISITOR = "192.0.2.10";
const PAUSE_MS = 400;
/** With it, the variants of three minutes are fewer than the crops that there are. */
const NEW_VARIANT_PAUSE_MS = 2000;
const READY_MAX_MS = 60_000;
/** An answer that takes longer is late. */
const ANSWER_MAX_MS = 2000;

export interface Visits {
  name: string;
  /** Milliseconds of every answer. */
  times: number[];
  /** Answers that are wrong or late, each with the second in which it was asked for. */
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

/** The crop of each is inside the picture, which is broad, for each of these ratios: no two of them are the same. */
const FOCAL_POINTS = [0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65];
const RATIOS = ["1:1", "4:5", "3:4", "2:3", "9:16"];
const QUALITIES = [80, 90, 95, 100];

/** The states of an answer for which no build was admitted. */
const NOT_NEW_OR_REFUSED: (string | null)[] = ["hit", "overloaded", "limited", "unavailable", null];

/** Returns the n-th of 140 different crops. No attack asks for the victim's picture as a JPEG. */
function newCrop(n: number): string {
  const ratio = Math.floor(n / FOCAL_POINTS.length);
  const quality = Math.floor(ratio / RATIOS.length);
  const from = <T>(list: T[], at: number): T => list[at % list.length] as T;
  return `fp=${from(FOCAL_POINTS, n)},0.5&ar=${from(RATIOS, ratio)}&q=${from(QUALITIES, quality)}`;
}

function kindsOf({ space, pictureId }: Victim): Kind[] {
  const { api, key } = space;
  const records = `${api}/data/collections/posts`;
  const cropOf = (n: number, width: number): string =>
    `${api}/pictures/${pictureId}?${newCrop(n)}&w=${width}&fm=jpeg`;
  return [
    {
      name: "cached picture",
      visit: () => call(`${api}/pictures/${pictureId}?w=500&fm=webp`, { from: VISITOR }),
      fault: (answer) => statusIs(302)(answer) ?? (answer.state === "hit" ? null : `state ${answer.state}`),
    },
    {
      name: "new variant",
      pauseMs: NEW_VARIANT_PAUSE_MS,
      visit: (n) => call(cropOf(n, 236), { from: VISITOR }),
      fault: (answer) =>
        statusIs(302)(answer) ?? (NOT_NEW_OR_REFUSED.includes(answer.state) ? `state ${answer.state}` : null),
    },
    {
      name: "new variant, until it is there",
      isBound: false,
      pauseMs: NEW_VARIANT_PAUSE_MS,
      visit: async (n) => {
        const began = performance.now();
        const url = cropOf(n, 64);
        const answer = await call(url, { from: VISITOR });
        const end = await isReady(url).then(() => null, String);
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

const lateness = ({ ms: tookMs, state, status }: Answered): string | null =>
  tookMs > ANSWER_MAX_MS ? `${status} ${state ?? ""} took ${ms(tookMs)}` : null;

/** Visits everything again and again until `until` aborts; each kind in a line of its own. */
export function visit(victim: Victim, until: AbortSignal): Promise<Visits[]> {
  const began = performance.now();
  return Promise.all(
    kindsOf(victim).map(async ({ name, isBound = true, pauseMs = PAUSE_MS, visit: once, fault }) => {
      const visits: Visits = { name, times: [], faults: [], isBound };
      for (let n = 0; !until.aborted; n++) {
        const second = Math.floor((performance.now() - began) / 1000);
        const answer = await once(n);
        visits.times.push(answer.ms);
        const wrong = fault(answer) ?? (isBound ? lateness(answer) : null);
        if (wrong !== null) visits.faults.push(`in second ${second}: ${wrong}`);
        await pause(pauseMs);
      }
      return visits;
    }),
  );
}
