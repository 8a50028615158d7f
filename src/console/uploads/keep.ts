/**
 * Uploads that outlive a reload of their tab: their files are in IndexedDB, under an id that the tab keeps. A browser
 * that keeps nothing, in a private window for example, goes without. Other tabs leave them alone; an upload that no tab
 * came back for within a day is removed, since the service has forgotten it by then (RULES 11.5).
 */

/** The data of an upload beside its file. */
export interface KeptUpload {
  key: string;
  filename: string;
  mediaId: string | null;
  uploadId: string | null;
}
interface Stored extends KeptUpload {
  tab: string;
  space: string;
  addedAt: number;
}

const DATABASE = "silverprint";
const [UPLOADS, FILES] = ["uploads", "files"];
const TAB = "silverprint.tab";
const KEPT_MS = 24 * 3_600_000;
/** A page that is going gives its lock back within this. */
const HANDOVER_MS = 3000;

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error("IndexedDB refused", { cause: request.error }));
  });

let opened: Promise<IDBDatabase> | null = null;
const open = (): Promise<IDBDatabase> => {
  opened ??= (() => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(UPLOADS, { keyPath: "key" });
      request.result.createObjectStore(FILES);
    };
    return done(request);
  })();
  return opened;
};

/**
 * Takes the id for this page alone. True once it has it: a duplicated tab starts with the session storage of the first.
 */
function hold(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lock = navigator.locks.request(id, { signal: AbortSignal.timeout(HANDOVER_MS) }, () => {
      resolve(true);
      // Held until the page goes.
      return new Promise(() => undefined);
    });
    lock.catch(() => resolve(false));
  });
}

let tab: Promise<string> | null = null;
const tabId = (): Promise<string> => {
  tab ??= (async () => {
    const known = sessionStorage.getItem(TAB);
    if (known !== null && (await hold(known))) return known;
    const id = crypto.randomUUID();
    sessionStorage.setItem(TAB, id);
    await hold(id);
    return id;
  })();
  return tab;
};

/** Runs work of the store, which is a convenience: where it fails, the upload itself goes on. */
const quietly = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
  try {
    return await work();
  } catch {
    return null;
  }
};

/** Opens both stores in a transaction that lasts as long as requests follow one another. */
async function stores(): Promise<{ uploads: IDBObjectStore; files: IDBObjectStore }> {
  const transaction = (await open()).transaction([UPLOADS, FILES], "readwrite");
  return { uploads: transaction.objectStore(UPLOADS), files: transaction.objectStore(FILES) };
}

export class UploadKeep {
  readonly #space: string;
  /** One after another: a removal comes after what it removes. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(space: string) {
    this.#space = space;
  }

  /** Keeps an upload, or what has changed of it. @param file left out where it is still the same */
  put(upload: KeptUpload, file?: Blob): void {
    this.#then(async () => {
      const { key, filename, mediaId, uploadId } = upload;
      const stored = {
        key,
        filename,
        mediaId,
        uploadId,
        tab: await tabId(),
        space: this.#space,
        addedAt: Date.now(),
      };
      const { uploads, files } = await stores();
      if (file) files.put(file, key);
      await done(uploads.put(stored satisfies Stored));
    });
  }

  remove(key: string): void {
    this.#then(async () => {
      const { uploads, files } = await stores();
      files.delete(key);
      await done(uploads.delete(key));
    });
  }

  /** Returns the uploads that this tab had not done when it was reloaded. */
  async mine(): Promise<(KeptUpload & { file: Blob })[]> {
    const found = await quietly(async () => {
      const me = await tabId();
      const { uploads, files } = await stores();
      const mine: (KeptUpload & { file: Blob })[] = [];
      for (const stored of (await done(uploads.getAll())) as Stored[]) {
        if (stored.tab === me && stored.space === this.#space) {
          const file: unknown = await done(files.get(stored.key));
          if (file instanceof Blob) mine.push({ ...stored, file });
        } else if (stored.addedAt < Date.now() - KEPT_MS) {
          uploads.delete(stored.key);
          files.delete(stored.key);
        }
      }
      return mine;
    });
    return found ?? [];
  }

  #then(work: () => Promise<unknown>): void {
    this.#last = this.#last.then(() => quietly(work));
  }
}
