/**
 * The attacks that one tenant or visitor can try. All of them run at once, against a space of the attacker, but for the
 * two that a visitor tries on the public addresses of the victim.
 */
import { randomUUID } from "node:crypto";
import type { Space } from "../harness/api.ts";
import { call, dataOf, pause, type Answered, type Statuses } from "./caller.ts";
import { avifOfManyFrames, dearDocuments, dearDrawings, picture } from "./files.ts";
import { trickle } from "./slow-upload.ts";

export interface Scene {
  /** A space in which the attacker may write, with a key of the role `read` too. */
  attacker: Space & { readKey: string };
  victim: Space;
  /** A public picture of the victim. */
  victimPicture: string;
  /** Ends the attack. */
  until: AbortSignal;
}

export interface Attack {
  /** The row of the list of attacks, and what is tried. */
  name: string;
  /** Makes what the attack needs, before the clock starts. */
  prepare?: (scene: Scene) => Promise<void>;
  /** Goes on until the signal aborts. */
  run: (scene: Scene, statuses: Statuses) => Promise<void>;
}

/** A client that is not the victim's visitors. */
const ATTACKER = "198.51.100.66";
const TRICKLING_AT_ONCE = 6;
const COUNTED_RECORDS = 6000;
const COUNTED_CHARACTERS = 6000;
const COUNTS_AT_ONCE = 8;
const PATTERN_FIELDS = 20;
const AVIF_FRAMES = 2000;

/** Calls one after the other, until the end; refusals are answered by a short pause, as an attacker would not waste. */
async function repeat(
  { until }: Scene,
  statuses: Statuses,
  next: (n: number) => Promise<Answered>,
): Promise<void> {
  for (let n = 0; !until.aborted; n++) {
    const { status } = await next(n);
    statuses.add(status);
    await pause(status >= 200 && status < 400 ? 20 : 200);
  }
}

const upload = ({ attacker }: Scene, file: string | Uint8Array): Promise<Answered> =>
  call(`${attacker.api}/media`, {
    ...{ method: "POST", key: attacker.key, from: ATTACKER },
    body: typeof file === "string" ? file : new Uint8Array(file),
  });

/** Uploads a file and asks for variants of it, again and again. */
async function uploadAndDraw(
  scene: Scene,
  statuses: Statuses,
  files: (string | Uint8Array)[],
  query: string,
) {
  await repeat(scene, statuses, async (n) => {
    const stored = await upload(scene, files[n % files.length] ?? "");
    if (stored.status !== 201) return stored;
    const { id } = dataOf(stored);
    return call(`${scene.attacker.api}/pictures/${id}?${query}`, { from: ATTACKER });
  });
}

/** Words that no record has. */
const randomWord = (): string => randomUUID().slice(0, 12);

async function fillCountedModel({ attacker }: Scene): Promise<void> {
  const fields = [{ name: "body", type: "text" }];
  const model = { typeModel: "collections", name: "counted", public: true, fields };
  dataOf(await call(`${attacker.api}/models`, { method: "POST", key: attacker.key, body: model }));
  const batch = 100;
  for (let done = 0; done < COUNTED_RECORDS; done += batch) {
    const operations = Array.from({ length: batch }, (_, n) => ({
      op: "create",
      data: { body: `${done + n} ${"words of a long text ".repeat(COUNTED_CHARACTERS / 21)}` },
    }));
    const path = `${attacker.api}/data/collections/counted/bulk`;
    dataOf(await call(path, { method: "POST", key: attacker.key, body: { operations } }));
  }
}

/** As many classes as 200 characters of pattern hold, repeated as often as states allow. */
const DEAR_PATTERN = `[${[
  "Lu",
  "Ll",
  "Lt",
  "Lm",
  "Lo",
  "Mn",
  "Mc",
  "Nd",
  "Nl",
  "No",
  "Pc",
  "Pd",
  "Ps",
  "Pe",
  "Sm",
  "Sc",
]
  .map((name) => `\\p{${name}}`)
  .join("")}]{490}`;

async function makePatternModel({ attacker }: Scene): Promise<void> {
  const fields = Array.from({ length: PATTERN_FIELDS }, (_, n) => ({
    ...{ name: `f${n}`, type: "string", pattern: DEAR_PATTERN },
  }));
  const model = { typeModel: "collections", name: "patterns", fields };
  // A service that refuses the model has parried the attack.
  await call(`${attacker.api}/models`, { method: "POST", key: attacker.key, body: model });
}

let manyFrames: Uint8Array = new Uint8Array();

export const attacks: Attack[] = [
  {
    name: "1 dear drawings",
    run: (scene, statuses) => uploadAndDraw(scene, statuses, Object.values(dearDrawings), "w=64&fm=png"),
  },
  {
    name: "2 an AVIF of 2,000 frames in one item",
    prepare: async () => void (manyFrames = await avifOfManyFrames(AVIF_FRAMES)),
    run: (scene, statuses) => uploadAndDraw(scene, statuses, [manyFrames], "w=64&fm=webp"),
  },
  {
    name: "3 documents that are dear to sanitize",
    run: (scene, statuses) => {
      const files = Object.values(dearDocuments);
      return repeat(scene, statuses, (n) => upload(scene, files[n % files.length] ?? ""));
    },
  },
  {
    name: "4 counts that scan, without a key",
    prepare: fillCountedModel,
    run: async (scene, statuses) => {
      const count = (): Promise<Answered> => {
        const groups = Array.from(
          { length: 10 },
          (_, n) => `filter[or][${n}][body][icontains]=${randomWord()}`,
        );
        const path = `${scene.attacker.api}/data/collections/counted?count=true&limit=1&${groups.join("&")}`;
        return call(path, { from: ATTACKER });
      };
      await Promise.all(Array.from({ length: COUNTS_AT_ONCE }, () => repeat(scene, statuses, count)));
    },
  },
  {
    name: "5 uploads that trickle",
    run: async (scene, statuses) => {
      const line = async (): Promise<void> => {
        while (!scene.until.aborted) {
          await trickle(`${scene.attacker.api}/media`, scene.attacker.key, scene.until, statuses);
          await pause(200);
        }
      };
      await Promise.all(Array.from({ length: TRICKLING_AT_ONCE }, line));
    },
  },
  {
    name: "6 idempotency keys of a caller who may not write",
    run: (scene, statuses) =>
      repeat(scene, statuses, () =>
        call(`${scene.attacker.api}/models`, {
          ...{ method: "POST", key: scene.attacker.readKey, body: { any: "thing" } },
          headers: { "Idempotency-Key": randomUUID() },
        }),
      ),
  },
  {
    name: "7 patterns of many classes",
    prepare: makePatternModel,
    run: (scene, statuses) => {
      const text = "aB1(".repeat(500);
      const body = Object.fromEntries(Array.from({ length: PATTERN_FIELDS }, (_, n) => [`f${n}`, text]));
      const path = `${scene.attacker.api}/data/collections/patterns`;
      return repeat(scene, statuses, () => call(path, { method: "POST", key: scene.attacker.key, body }));
    },
  },
  {
    name: "8 all places of the victim's queue, by one visitor",
    run: (scene, statuses) =>
      repeat(scene, statuses, (n) => {
        const focalPoint = `${((n * 7) % 21) / 20},${((n * 11) % 21) / 20}`;
        const query = `w=${[1000, 750, 500][n % 3]}&ar=1:1&fm=avif&q=${[80, 90, 95][n % 3]}&fp=${focalPoint}`;
        return call(`${scene.victim.api}/pictures/${scene.victimPicture}?${query}`, { from: ATTACKER });
      }),
  },
  {
    name: "9 cursors that were tampered with",
    run: (scene, statuses) =>
      repeat(scene, statuses, () =>
        call(`${scene.victim.api}/data/collections/posts?limit=1&cursor=${randomUUID()}`, { from: ATTACKER }),
      ),
  },
  {
    name: "a flood of small uploads",
    run: async (scene, statuses) => {
      const file = await picture(300, 200, 1);
      await repeat(scene, statuses, () => upload(scene, file));
    },
  },
];
