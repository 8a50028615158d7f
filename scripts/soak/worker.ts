/** One editor or visitor of the soak: it does one thing after another in the spaces that are its own. */
import { randomUUID } from "node:crypto";
import type { Space } from "../harness/api.ts";
import type { Caller } from "./caller.ts";
import type { Entry, Ledger } from "./ledger.ts";

export interface Place {
  space: Space;
  ledger: Ledger;
}

const POSTS = "/data/collections/posts";
const random = (below: number): number => Math.floor(Math.random() * below);
const pick = <T>(items: readonly T[]): T | undefined => items[random(items.length)];

const recordsOf = ({ ledger }: Place, state: Entry["state"]): Entry[] =>
  [...ledger.records.values()].filter((entry) => entry.state === state);

type Act = (caller: Caller, place: Place, photo: Uint8Array) => Promise<void>;

async function create(caller: Caller, { space, ledger }: Place): Promise<void> {
  const mark = randomUUID();
  const text = `text ${randomUUID().slice(0, 8)}`;
  const made = await caller.call("create", space.key, "POST", `/${space.name}${POSTS}`, { mark, text });
  if (made?.status === 201)
    ledger.records.set(mark, {
      id: String(made.data["id"]),
      texts: new Set([text]),
      state: "there",
      isPublished: false,
    });
  else ledger.records.set(mark, { id: "?", texts: new Set([text]), state: "unknown", isPublished: false });
}

async function update(caller: Caller, place: Place): Promise<void> {
  const { space } = place;
  const entry = pick(recordsOf(place, "there"));
  if (!entry) return create(caller, place);
  const text = `text ${randomUUID().slice(0, 8)}`;
  entry.texts.add(text);
  const path = `/${space.name}${POSTS}/${entry.id}`;
  const changed = await caller.call("update", space.key, "PUT", path, { text });
  if (changed?.status === 200) entry.texts = new Set([text]);
}

async function publish(caller: Caller, place: Place): Promise<void> {
  const { space } = place;
  const entry = pick(recordsOf(place, "there"));
  if (!entry) return;
  const published = await caller.call(
    "publish",
    space.key,
    "POST",
    `/${space.name}${POSTS}/${entry.id}/publish`,
  );
  if (published?.status === 200) entry.isPublished = true;
}

async function trash(caller: Caller, place: Place): Promise<void> {
  const { space } = place;
  const entry = pick(recordsOf(place, "there"));
  if (!entry) return;
  entry.state = "unknown";
  const gone = await caller.call("trash", space.key, "DELETE", `/${space.name}${POSTS}/${entry.id}`);
  // 404: an earlier try, whose answer was lost, has moved it.
  if (gone) entry.state = "trashed";
}

async function restore(caller: Caller, place: Place): Promise<void> {
  const { space } = place;
  const entry = pick(recordsOf(place, "trashed"));
  if (!entry) return;
  entry.state = "unknown";
  const back = await caller.call("restore", space.key, "POST", `/${space.name}/trash/${entry.id}/restore`);
  if (back) entry.state = "there";
}

async function search(caller: Caller, { space }: Place): Promise<void> {
  await caller.call("search", space.key, "GET", `/${space.name}${POSTS}?search=text&status=draft&limit=10`);
}

async function uploadWhole(caller: Caller, { space, ledger }: Place, photo: Uint8Array): Promise<void> {
  const name = `${randomUUID()}.jpg`;
  const headers = { "X-Filename": name };
  const made = await caller.call("upload", space.key, "POST", `/${space.name}/media`, photo, headers, false);
  if (made?.status === 201) ledger.media.set(name, String(made.data["id"]));
  else ledger.unansweredMedia.add(name);
}

/** Uploads a file of two parts: bytes after the end of a JPEG belong to the file all the same. */
async function uploadInParts(caller: Caller, { space, ledger }: Place, photo: Uint8Array): Promise<void> {
  const name = `${randomUUID()}.jpg`;
  ledger.unansweredMedia.add(name);
  const file = Buffer.concat([photo, Buffer.alloc(5_500_000, "tail")]);
  const uploads = `/${space.name}/media/uploads`;
  const begun = await caller.call("begin upload", space.key, "POST", uploads, {
    filename: name,
    sizeBytes: file.length,
  });
  if (begun?.status !== 201) return;
  const { id, parts, partBytes } = begun.data as { id: string; parts: number; partBytes: number };
  for (let n = 1; n <= parts; n++) {
    const part = file.subarray((n - 1) * partBytes, n * partBytes);
    if (!(await caller.call("part", space.key, "PUT", `${uploads}/${id}/parts/${n}`, part))) return;
  }
  const done = await caller.call("complete upload", space.key, "POST", `${uploads}/${id}/complete`);
  if (done && done.status < 300) {
    ledger.media.set(name, String(done.data["id"]));
    ledger.unansweredMedia.delete(name);
  }
}

async function view(caller: Caller, { space, ledger }: Place): Promise<void> {
  const id = pick([...ledger.media.values()]);
  if (id === undefined) return;
  const query = `w=${64 + random(900)}&q=${50 + random(45)}`;
  await caller.call("view", space.key, "GET", `/${space.name}/pictures/${id}?${query}`);
}

/** The acts, each as often as its number says. */
const ACTS: [Act, number][] = [
  [create, 6],
  [update, 8],
  [publish, 4],
  [trash, 2],
  [restore, 2],
  [search, 4],
  [uploadWhole, 2],
  [uploadInParts, 1],
  [view, 12],
];
const DRAWN = ACTS.flatMap(([act, often]) => Array.from({ length: often }, () => act));

/** Does one thing after another until `isOver`. */
export async function work(
  caller: Caller,
  places: readonly Place[],
  photo: Uint8Array,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const place = pick(places);
    const act = pick(DRAWN);
    if (place && act) await act(caller, place, photo);
  }
}
