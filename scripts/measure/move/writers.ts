/** Editors who write while the space moves. Each has records and files of its own, so that it knows what they must be. */
import type { Space } from "../../harness/api.ts";
import { textOfError, type Answer, type Caller } from "./caller.ts";
import { dataOf, photoOf, POSTS } from "./fill.ts";
import { presentOf, sha256Of, textOf, type Contents, type Entry, type File } from "./ledger.ts";

const random = (below: number): number => Math.floor(Math.random() * below);
const pick = <T>(items: readonly T[]): T | undefined => items[random(items.length)];
const BULK = 10;

export class Writer {
  readonly #caller: Caller;
  readonly #space: Space;
  readonly #no: number;
  readonly contents: Contents;
  #made = 0;

  /** @param contents what is this writer's alone; it adds what it makes */
  constructor(caller: Caller, space: Space, no: number, contents: Contents) {
    this.#caller = caller;
    this.#space = space;
    this.#no = no;
    this.contents = contents;
  }

  /** Writes one thing after another until `isOver`. */
  async work(isOver: () => boolean): Promise<void> {
    const acts: [() => Promise<void>, number][] = [
      [() => this.#update(), 10],
      [() => this.#create(), 5],
      [() => this.#publish(), 3],
      [() => this.#trash(), 2],
      [() => this.#restore(), 2],
      [() => this.#bulk(), 1],
      [() => this.#upload(), 1],
      [() => this.#describe(), 1],
    ];
    const drawn = acts.flatMap(([act, often]) => Array.from({ length: often }, () => act));
    while (!isOver()) {
      try {
        await pick(drawn)?.();
      } catch (error) {
        this.#caller.faults.push(`a writer failed: ${String(error)}`);
      }
    }
  }

  async #write(
    method: string,
    path: string,
    status: number,
    body?: object | Uint8Array<ArrayBuffer>,
    filename?: string,
  ) {
    const answer: Answer = await this.#caller.write(`${this.#space.api}${path}`, {
      method,
      key: this.#space.key,
      ...(body !== undefined && { body }),
      ...(filename !== undefined && { headers: { "X-Filename": filename } }),
    });
    if (answer.status !== status)
      this.#caller.faults.push(`${method} ${path} was ${answer.status}: ${textOfError(answer)}`);
    return answer.status === status ? answer.data : null;
  }

  #one(state: Entry["state"]): Entry | undefined {
    const { records } = this.contents;
    for (let tries = 0; tries < 50; tries++) {
      const entry = pick(records);
      if (entry?.state === state) return entry;
    }
    return records.find((entry) => entry.state === state);
  }

  async #create(): Promise<void> {
    const mark = `w${this.#no}x${this.#made++}`;
    const made = await this.#write(
      "POST",
      POSTS,
      201,
      dataOf({ mark }, 1, pick(this.contents.files)?.id ?? null),
    );
    if (!made) return;
    this.contents.records.push({
      ...{ id: String(made["id"]), mark, texts: [textOf(mark, 1)], pending: null },
      ...{ version: 1, state: "there", trashings: 0, publishedText: null },
    });
  }

  async #update(): Promise<void> {
    const entry = this.#one("there");
    if (!entry) return;
    const no = entry.version + 1;
    entry.pending = textOf(entry.mark, no);
    const changed = await this.#write("PUT", `${POSTS}/${entry.id}`, 200, { text: entry.pending, n: no });
    if (changed) this.#noteChange(entry);
    // A read that begins now must show it, whichever database answers.
    await this.#readBack(entry);
  }

  #noteChange(entry: Entry): void {
    entry.texts.push(entry.pending ?? "");
    entry.pending = null;
    entry.version += 1;
  }

  async #readBack({ id, texts }: Entry): Promise<void> {
    const read = await this.#caller.read(`${this.#space.api}${POSTS}/${id}?status=draft`, {
      key: this.#space.key,
    });
    if (read && read.data["text"] !== texts.at(-1))
      this.#caller.faults.push(
        `record ${id} was read as "${String(read.data["text"])}" after "${texts.at(-1)}"`,
      );
  }

  async #publish(): Promise<void> {
    const entry = this.#one("there");
    if (entry && (await this.#write("POST", `${POSTS}/${entry.id}/publish`, 200)))
      entry.publishedText = presentOf(entry);
  }

  async #trash(): Promise<void> {
    const entry = this.#one("there");
    if (!entry) return;
    entry.state = "trashed";
    entry.trashings += 1;
    if (!(await this.#write("DELETE", `${POSTS}/${entry.id}`, 200))) entry.state = "there";
  }

  async #restore(): Promise<void> {
    const entry = this.#one("trashed");
    if (entry && (await this.#write("POST", `/trash/${entry.id}/restore`, 200))) entry.state = "there";
  }

  async #bulk(): Promise<void> {
    const chosen = new Set(
      Array.from({ length: BULK }, () => this.#one("there")).filter((one) => one !== undefined),
    );
    const entries = [...chosen];
    if (entries.length === 0) return;
    for (const entry of entries) entry.pending = textOf(entry.mark, entry.version + 1);
    const operations = entries.map(({ id, pending }) => ({ op: "update", id, data: { text: pending } }));
    const done = await this.#write("POST", `${POSTS}/bulk`, 200, { operations });
    if (done) for (const entry of entries) this.#noteChange(entry);
  }

  async #upload(): Promise<void> {
    const n = 100_000 + this.#no * 10_000 + this.#made++;
    const bytes = await photoOf(n);
    const filename = `written-${n}.jpg`;
    const made = await this.#write("POST", "/media", 201, bytes, filename);
    if (made)
      this.contents.files.push({ id: String(made["id"]), filename, sha256: sha256Of(bytes), alt: "" });
  }

  async #describe(): Promise<void> {
    const file: File | undefined = pick(this.contents.files);
    if (!file) return;
    const alt = `alt ${random(1e9)}`;
    if (await this.#write("PATCH", `/media/${file.id}`, 200, { alt })) file.alt = alt;
  }
}
