/** Attacks by the content API: texts that are scanned, keys that are kept, patterns of many steps. */
import { randomUUID } from "node:crypto";
import { call, dataOf } from "./caller.ts";
import { attempt, repeat, writing, type Attack, type Scene } from "./scene.ts";

const COUNTED_RECORDS = 6000;
const COUNTED_CHARACTERS = 6000;
const COUNTS_AT_ONCE = 8;
const PATTERN_FIELDS = 20;
const PATTERN_CHARACTERS = 2000;
const PATTERN_RECORDS = 90;
const PATTERN_RECORDS_PER_BULK = 15;
const CLASSES = [
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
];
/** As many classes as the characters of a pattern hold, repeated as often as its states allow. */
const DEAR_PATTERN = `[${CLASSES.map((name) => `\\p{${name}}`).join("")}]{490}`;
const DEAR_TEXT = "aB1(".repeat(PATTERN_CHARACTERS / 4);

const patternFields = (pattern?: string): object[] =>
  Array.from({ length: PATTERN_FIELDS }, (_, n) => ({
    ...{ name: `f${n}`, type: "string" },
    ...(pattern !== undefined && { pattern }),
  }));

const dearRecord = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: PATTERN_FIELDS }, (_, n) => [`f${n}`, DEAR_TEXT]));

async function makeModel(scene: Scene, name: string, fields: object[], isPublic = false): Promise<void> {
  const model = { typeModel: "collections", name, public: isPublic, fields };
  await attempt(scene, `the model ${name}`, `${scene.space.api}/models`, writing(scene, "POST", model));
}

/** @throws Error when the records are refused */
async function makeRecords(scene: Scene, model: string, records: object[], perBulk: number): Promise<void> {
  for (let done = 0; done < records.length; done += perBulk) {
    const operations = records.slice(done, done + perBulk).map((data) => ({ op: "create", data }));
    const path = `${scene.space.api}/data/collections/${model}/bulk`;
    dataOf(await call(path, writing(scene, "POST", { operations })));
  }
}

/** Returns a count with as many groups, each of which looks for a word that no record has. */
function scanOf({ space }: Scene, groups: number): string {
  const filters = Array.from(
    { length: groups },
    (_, n) => `filter[or][${n}][body][icontains]=${randomUUID().slice(0, 12)}`,
  );
  return `${space.api}/data/collections/counted?count=true&limit=1&${filters.join("&")}`;
}

async function fillCountedModel(scene: Scene): Promise<void> {
  await makeModel(scene, "counted", [{ name: "body", type: "text" }], true);
  const words = "words of a long text ";
  const records = Array.from({ length: COUNTED_RECORDS }, (_, n) => ({
    body: `${n} ${words.repeat(COUNTED_CHARACTERS / words.length)}`,
  }));
  await makeRecords(scene, "counted", records, 100);
}

export const contentAttacks: Attack[] = [
  {
    name: "4 counts that scan, without a key",
    prepare: fillCountedModel,
    run: (scene) => repeat(scene, COUNTS_AT_ONCE, () => attempt(scene, "10 groups", scanOf(scene, 10))),
  },
  {
    name: "4 counts that scan, with a key",
    prepare: fillCountedModel,
    run: (scene) =>
      repeat(scene, COUNTS_AT_ONCE, (n) => {
        const groups = [10, 6, 1][n % 3] ?? 1;
        return attempt(scene, `${groups} groups`, scanOf(scene, groups), { key: scene.readKey });
      }),
  },
  {
    name: "6 idempotency keys of a caller who may not write",
    run: (scene) =>
      repeat(scene, 1, () =>
        attempt(scene, "POST of a model", `${scene.space.api}/models`, {
          ...{ method: "POST", key: scene.readKey, body: { any: "thing" } },
          headers: { "Idempotency-Key": randomUUID() },
        }),
      ),
  },
  {
    name: "7 patterns of many classes",
    prepare: (scene) => makeModel(scene, "patterns", patternFields(DEAR_PATTERN)),
    run: (scene) => {
      const path = `${scene.space.api}/data/collections/patterns`;
      return repeat(scene, 1, () => attempt(scene, "a record", path, writing(scene, "POST", dearRecord())));
    },
  },
  {
    name: "7 patterns that a model gets over its records",
    prepare: async (scene) => {
      await makeModel(scene, "filled", patternFields());
      const records = Array.from({ length: PATTERN_RECORDS }, dearRecord);
      await makeRecords(scene, "filled", records, PATTERN_RECORDS_PER_BULK);
    },
    run: (scene) => {
      const path = `${scene.space.api}/models/collections/filled`;
      return repeat(scene, 1, () =>
        attempt(
          scene,
          "PUT of the model",
          path,
          writing(scene, "PUT", { fields: patternFields(DEAR_PATTERN) }),
        ),
      );
    },
  },
];
