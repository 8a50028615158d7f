/**
 * The uploads of a session: some at once, the others in line, each with its progress. A plain store beside the
 * components, so that uploads go on while pages change.
 */
import type { Media } from "../../client/index.ts";
import { converted, isHeic } from "../heic/convert.ts";
import type { UploadSession } from "./job.ts";
import { UploadKeep, type KeptUpload } from "./keep.ts";
import { runJob } from "./run-job.ts";
import { isRunning, isUnderWay, type UploadState } from "./state.ts";
import { mayTryAgain, refusalBefore, refusalOf } from "./words.ts";

export interface Upload {
  id: number;
  filename: string;
  totalBytes: number;
  sentBytes: number;
  state: UploadState;
  /** Why it failed. */
  fault: string | null;
  /** Whether another try of the same file may succeed. */
  mayTryAgain: boolean;
  media: Media | null;
}

interface Entry extends Upload {
  /** Under which it outlives a reload. */
  key: string;
  file: Blob;
  mediaId: string | null;
  uploadId: string | null;
  running: AbortController | null;
}

const AT_ONCE_MAX = 3;

class Paused extends Error {}
class Cancelled extends Error {}

export class UploadQueue {
  /** Each request of a job reads the key from here. */
  readonly #session: UploadSession;
  readonly #onStored: (media: Media) => void;
  readonly #keep: UploadKeep;
  readonly #listeners = new Set<() => void>();
  #entries: readonly Entry[] = [];
  #nextId = 1;

  /** @param onStored called for each file that the service has taken */
  constructor(session: UploadSession, onStored: (media: Media) => void) {
    this.#session = { ...session };
    this.#onStored = onStored;
    this.#keep = new UploadKeep(session.space);
  }

  /** Goes on with another key of the same person. */
  renew(key: string): void {
    this.#session.key = key;
  }

  get uploads(): readonly Upload[] {
    return this.#entries;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param mediaId the item whose file is replaced; left out for new items */
  add(files: Iterable<File>, mediaId: string | null = null): void {
    const added = [...files].map((file) => {
      const entry = this.#entryOf({
        key: crypto.randomUUID(),
        filename: file.name,
        mediaId,
        uploadId: null,
        file,
      });
      const fault = refusalBefore(file);
      if (fault === null) this.#keep.put(entry, file);
      return fault === null ? entry : { ...entry, state: "failed" as const, fault, mayTryAgain: false };
    });
    this.#set([...this.#entries, ...added]);
    this.#advance();
  }

  /** Goes on with what this tab had not done when it was reloaded. */
  async restore(): Promise<void> {
    const kept = await this.#keep.mine();
    const known = new Set(this.#entries.map(({ key }) => key));
    const added = kept.filter(({ key }) => !known.has(key)).map((upload) => this.#entryOf(upload));
    this.#set([...added, ...this.#entries]);
    this.#advance();
  }

  #entryOf(upload: KeptUpload & { file: Blob }): Entry {
    const { key, filename, mediaId, uploadId, file } = upload;
    return {
      id: this.#nextId++,
      key,
      file,
      filename,
      totalBytes: file.size,
      sentBytes: 0,
      state: "waiting",
      fault: null,
      mayTryAgain: true,
      media: null,
      mediaId,
      uploadId,
      running: null,
    };
  }

  pause(id: number): void {
    const entry = this.#find(id);
    if (!entry || !isUnderWay(entry)) return;
    entry.running?.abort(new Paused());
    this.#change(id, { state: "paused", running: null });
    this.#advance();
  }

  /** Goes on with what was paused, and tries again what failed. */
  resume(id: number): void {
    this.#change(id, { state: "waiting", fault: null });
    this.#advance();
  }

  /** Gives up what is not done, and takes it off the list. */
  remove(id: number): void {
    this.#giveUp(this.#find(id));
    this.#set(this.#entries.filter((entry) => entry.id !== id));
    this.#advance();
  }

  clearDone(): void {
    this.#set(this.#entries.filter(({ state }) => state !== "done"));
  }

  /** Ends everything: the session is over. */
  end(): void {
    for (const entry of this.#entries) this.#giveUp(entry);
    this.#set([]);
  }

  #giveUp(entry: Entry | undefined): void {
    entry?.running?.abort(new Cancelled());
    if (entry) this.#keep.remove(entry.key);
  }

  #find(id: number): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  #set(entries: readonly Entry[]): void {
    this.#entries = entries;
    for (const listener of this.#listeners) listener();
  }

  #change(id: number, to: Partial<Entry>): void {
    this.#set(this.#entries.map((entry) => (entry.id === id ? { ...entry, ...to } : entry)));
  }

  #advance(): void {
    const sending = this.#entries.filter(isRunning).length;
    const waiting = this.#entries.filter(({ state }) => state === "waiting");
    for (const entry of waiting.slice(0, Math.max(0, AT_ONCE_MAX - sending))) void this.#run(entry);
  }

  /** Returns the file as it is sent. */
  async #prepared(entry: Entry, signal: AbortSignal): Promise<Entry> {
    if (!(await isHeic(entry.file))) return entry;
    this.#change(entry.id, { state: "converting" });
    const file = await converted(entry.file, entry.filename, signal);
    const changed = { file, filename: file.name, totalBytes: file.size };
    this.#change(entry.id, { ...changed, state: "sending" });
    this.#keep.put({ ...entry, ...changed }, file);
    return { ...entry, ...changed };
  }

  async #run(entry: Entry): Promise<void> {
    const { id, key, mediaId, uploadId } = entry;
    const running = new AbortController();
    this.#change(id, { state: "sending", running });
    try {
      const { file, filename } = await this.#prepared(entry, running.signal);
      const media = await runJob({
        session: this.#session,
        file,
        filename,
        mediaId,
        uploadId,
        signal: running.signal,
        onProgress: (sentBytes) => this.#change(id, { sentBytes }),
        onBegun: (begun) => {
          this.#change(id, { uploadId: begun });
          this.#keep.put({ key, filename, mediaId, uploadId: begun });
        },
      });
      this.#change(id, { state: "done", sentBytes: file.size, media, running: null });
      this.#keep.remove(key);
      this.#onStored(media);
    } catch (error) {
      // A pause and a removal have said already what becomes of it.
      if (!running.signal.aborted) {
        const refused = { fault: refusalOf(error), mayTryAgain: mayTryAgain(error) };
        this.#change(id, { state: "failed", ...refused, running: null });
        this.#keep.remove(key);
      }
    }
    this.#advance();
  }
}
