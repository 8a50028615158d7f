/**
 * Fills a space of a running service, so that lists are looked at with as many entries as large customers have:
 *
 *   BASE=http://localhost:8787 ROOT_TOKEN=… node scripts/run.mjs scripts/measure/fill-space.ts [space] [media] [records]
 *
 * It goes on where it was broken off. Pictures are small and of few kinds, because only their number matters here.
 */
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { bearer, json } from "../harness/api.ts";

const { BASE = "http://localhost:8787", ROOT_TOKEN = "" } = process.env;
const [SPACE = "large", MEDIA = "10000", RECORDS = "100000"] = process.argv.slice(2);
const API = `${BASE}/api/v1/${SPACE}`;
const AT_ONCE = 4;
const RETRY_MS = 500;
/** The service's limit of operations in one request. */
const BULK = 100;
/** Sides in pixels, and the hue of a picture. */
const KINDS = [
  { width: 96, height: 64, hue: 20 },
  { width: 64, height: 96, hue: 110 },
  { width: 80, height: 80, hue: 200 },
  { width: 128, height: 72, hue: 280 },
] as const;
const MODEL = {
  typeModel: "collections",
  name: "entries",
  label: "Entries",
  fields: [
    { name: "title", type: "string", required: true, searchable: true },
    { name: "body", type: "text" },
    { name: "number", type: "number", integer: true },
    { name: "isEven", type: "boolean" },
    { name: "mood", type: "enum", values: ["calm", "bright", "dark"] },
  ],
};

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { ...bearer(ROOT_TOKEN), "Content-Type": "application/json" };
  return json<T>(await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
}

/** Does `work` for every number from `first` to below `end`, some at once. */
async function each(first: number, end: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = first;
  const line = async (): Promise<void> => {
    while (next < end) {
      const at = next++;
      await work(at);
      if (at % 500 === 0) console.log(`${at} of ${end}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
}

const draw = ({ width, height, hue }: (typeof KINDS)[number]): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
        <rect width="100%" height="100%" fill="hsl(${hue} 45% 40%)"/>
        <circle cx="50%" cy="45%" r="20%" fill="hsl(${hue + 40} 80% 75%)"/></svg>`,
    ),
  )
    .jpeg({ quality: 80 })
    .toBuffer();

async function fillMedia(held: number): Promise<void> {
  const pictures = await Promise.all(KINDS.map(draw));
  await each(held, Number(MEDIA), async (at) => {
    const headers = { ...bearer(ROOT_TOKEN), "X-Filename": `picture-${String(at).padStart(5, "0")}.jpg` };
    const body = new Uint8Array(pictures[at % pictures.length] ?? []);
    for (;;) {
      const answer = await fetch(`${API}/media`, { method: "POST", headers, body });
      // Each isolate takes only so many uploads at once.
      if (answer.status !== 503) return json(answer);
      await answer.body?.cancel();
      await setTimeout(RETRY_MS);
    }
  });
}

const entry = (at: number): object => ({
  title: `Entry ${String(at).padStart(6, "0")}`,
  body: `What entry ${at} says is not much, but it is ${at % 7} lines of it.`,
  number: at,
  isEven: at % 2 === 0,
  mood: ["calm", "bright", "dark"][at % 3],
});

const fillRecords = (held: number): Promise<void> =>
  each(Math.floor(held / BULK), Math.ceil(Number(RECORDS) / BULK), (batch) =>
    call("POST", `${API}/data/collections/${MODEL.name}/bulk`, {
      operations: Array.from({ length: BULK }, (_, at) => ({ op: "create", data: entry(batch * BULK + at) })),
    }),
  );

const known = await fetch(`${API}/settings`, { headers: bearer(ROOT_TOKEN) });
await known.body?.cancel();
if (known.status === 404) {
  await call("POST", `${BASE}/api/v1/spaces`, { name: SPACE });
  // Variants of thousands of pictures would keep the builder busy for hours.
  await call("PATCH", `${API}/settings`, { prebuild: "none" });
  await call("POST", `${API}/models`, MODEL);
}
const { media, records } = await call<{ media: { active: number }; records: { active: number } }>(
  "GET",
  `${API}/usage`,
);
await fillRecords(records.active);
await fillMedia(media.active);
console.log(`${SPACE} holds ${MEDIA} media and ${RECORDS} records`);
