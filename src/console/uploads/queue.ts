/**
 * The uploads of a session: some at once, the others in line, each with its progress. A plain store beside the
 * components, so that uploads go on while pages change.
 */
import type { Media } from "../api/media.ts";
import type { Session } from "../session/session.ts";
import { runJob } from "./run-job.ts";
import { refusalBefore, refusalOf } from "./words.ts";

export type UploadState = "waiting" | "sending" | "paused" | "done" | "failed";

export interface Upload {
  id: number;
  filename: string;
  totalBytes: number;
  sentBytes: number;
  state: UploadState;
  /** Why it failed. */
  fault: string | null;
  media: Media | null;
}

interface Entry extends Upload {
  file: Blob;
  mediaId: string | null;
  uploadId: string | null;
  running: AbortController | null;
}

const AT_ONCE_MAX = 3;

class Paused extends Error {}
class Cancelled extends Error {}

export class UploadQueue {
  readonly #session: Pick<Session, "space" | "key">;
  readonly #onStored: (media: Media) => void;
  readonly #listeners = new Set<() => void>();
  #entries: readonly Entry[] = [];
  #nextId = 1;

  /** @param onStored called for each file that the service has taken */
  constructor(session: Pick<Session, "space" | "key">, onStored: (media: Media) => void) {
    this.#session = session;
    this.#onStored = onStored;
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
    const added = [...files].map((file): Entry => {
      const fault = refusalBefore(file);
      return {
        id: this.#nextId++,
        file,
        filename: file.name,
        totalBytes: file.size,
        sentBytes: 0,
        state: fault === null ? "waiting" : "failed",
        fault,
        media: null,
        mediaId,
        uploadId: null,
        running: null,
      };
    });
    this.#set([...this.#entries, ...added]);
    this.#advance();
  }

  pause(id: number): void {
    const entry = this.#find(id);
    if (entry?.state !== "sending" && entry?.state !== "waiting") return;
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
    this.#find(id)?.running?.abort(new Cancelled());
    this.#set(this.#entries.filter((entry) => entry.id !== id));
    this.#advance();
  }

  clearDone(): void {
    this.#set(this.#entries.filter(({ state }) => state !== "done"));
  }

  /** Ends everything: the session is over. */
  end(): void {
    for (const { running } of this.#entries) running?.abort(new Cancelled());
    this.#set([]);
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
    const sending = this.#entries.filter(({ state }) => state === "sending").length;
    const waiting = this.#entries.filter(({ state }) => state === "waiting");
    for (const entry of waiting.slice(0, Math.max(0, AT_ONCE_MAX - sending))) void this.#run(entry);
  }

  async #run({ id, file, filename, mediaId, uploadId }: Entry): Promise<void> {
    const running = new AbortController();
    this.#change(id, { state: "sending", running });
    try {
      const media = await runJob({
        session: this.#session,
        file,
        filename,
        mediaId,
        uploadId,
        signal: running.signal,
        onProgress: (sentBytes) => this.#change(id, { sentBytes }),
        onBegun: (begun) => this.#change(id, { uploadId: begun }),
      });
      this.#change(id, { state: "done", sentBytes: file.size, media, running: null });
      this.#onStored(media);
    } catch (error) {
      // A pause and a removal have said already what becomes of it.
      if (!running.signal.aborted)
        this.#change(id, { state: "failed", fault: refusalOf(error), running: null });
    }
    this.#advance();
  }
}
