/**
 * One caller, who writes one thing after another in a space of its own while the edge is killed under it. After each write it
 * compares the rows with the audit: a change that is there has its lines, and a line has its change, whether the write was
 * answered or not.
 */
import { randomUUID } from "node:crypto";
import { ulid } from "ulid";
import { bearer, newSpace, type Space } from "../../../scripts/harness/api.ts";
import type { Rows } from "./rows.ts";
import type { Victim } from "./victim.ts";

export interface Sent {
  method: string;
  /** Below the space of the stream, unless it begins with `/api/`. */
  path: string;
  json?: unknown;
  bytes?: Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** The token of the caller, if it is not the stream's key. */
  key?: string;
}

export interface Write {
  send: Sent | (() => Promise<Sent>);
  /** Returns the lines of the audit that the rows prove: all of them once the write is done, none before it. */
  lines: () => string[];
  /** The number of its lines; 1 unless it says otherwise. */
  count?: number;
  /** The space that it changes, if it is not the stream's; null while there is none. */
  spaceId?: () => string | null;
}

/**
 * Why a request has no good answer: a kill came while it ran, it met no process, or the edge was too busy for it. Any other
 * failure is a fault of the edge.
 */
type Lost = "cut" | "unmet" | "busy";
type Answer = { data: Record<string, unknown> } | Lost;

/** The answers in a row with which an edge that lives may say that it is too busy. */
const BUSY_MAX = 50;
const BUSY_PAUSE_MS = 200;
const UNAVAILABLE = 503;

const isRefused = ({ cause }: Error): boolean =>
  (cause as { code?: unknown } | undefined)?.code === "ECONNREFUSED";

/** The numbers of writes whose answer a kill took, by the action of their lines. */
export interface Cut {
  done: number;
  partly: number;
  not: number;
}

const sorted = (lines: readonly string[]): string[] => lines.toSorted((a, b) => a.localeCompare(b));

/** Returns the lines without those of an earlier state. */
function without(lines: readonly string[], earlier: readonly string[]): string[] {
  const left = [...earlier];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

export class Stream {
  readonly space: Space;
  readonly rows: Rows;
  readonly victim: Victim;
  readonly faults: string[] = [];
  readonly cut = new Map<string, Cut>();
  /** The actions of lines that were seen beside their change. */
  readonly seen = new Set<string>();
  acknowledged = 0;
  /** The requests that met no process, and those for which the edge was too busy. */
  unmet = 0;
  busy = 0;
  #busyInARow = 0;
  /** The number of the last line that was compared, by space. */
  readonly #seenNo = new Map<string, number>();

  private constructor(victim: Victim, rows: Rows, space: Space) {
    this.victim = victim;
    this.rows = rows;
    this.space = space;
    this.#seenNo.set(space.id, rows.lastLine(space.id));
  }

  static async make(victim: Victim, rows: Rows): Promise<Stream> {
    return new Stream(victim, rows, await newSpace(victim.service));
  }

  /** Returns a word that nothing else has. */
  mark(): string {
    return `m${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  }

  /** Returns a new id as exports have them. */
  ulid(): string {
    return ulid();
  }

  /** Sends until there is an answer, without a look at the audit. For what is read, or has no line. */
  async ask<T = Record<string, unknown>>(sent: Sent): Promise<T> {
    for (;;) {
      const answer = await this.#send(sent);
      if (typeof answer === "object") return answer.data as T;
      await this.#mayGoOn(answer);
    }
  }

  /** Writes until the write is done, and compares after each try. @returns the data of the answer; null if a kill took it */
  async write({ send, lines, count = 1, spaceId }: Write): Promise<Record<string, unknown> | null> {
    for (let proven: string[] = []; ;) {
      const sent = typeof send === "function" ? await send() : send;
      const answer = await this.#send(sent);
      if (typeof answer === "string") await this.#mayGoOn(answer);
      // One look: a change between two would seem to be without its line.
      const { now, written } = this.rows.atOnce(() => {
        const id = spaceId ? spaceId() : this.space.id;
        return { now: sorted(lines()), written: id === null ? [] : this.#newLines(id) };
      });
      const end = typeof answer === "string" ? answer : "acknowledged";
      const label = `${end} ${sent.method} ${sent.path} (${now.join(", ")})`;
      const expected = without(now, proven);
      if (sorted(written).join() !== sorted(expected).join())
        this.faults.push(
          `${label}: the rows prove [${expected.join(", ")}], the audit has [${written.join(", ")}]`,
        );
      for (const line of written) this.seen.add(line.split(" ")[0] ?? "");
      if (typeof answer === "object") {
        if (now.length !== count) this.faults.push(`${label}: has ${now.length} lines, not ${count}`);
        this.acknowledged += 1;
        return answer.data;
      }
      if (answer === "cut") this.#noteCut(now, count);
      if (now.length === count) return null;
      proven = now;
    }
  }

  /** Notes a request without a good answer, and resolves when it may be sent again. */
  async #mayGoOn(lost: Lost): Promise<void> {
    if (lost !== "cut") this[lost] += 1;
    if (lost === "busy") await this.victim.pause(BUSY_PAUSE_MS);
    else await this.victim.back();
  }

  /** Notes a write that a kill cut off, under the actions that it has, or `nothing`. */
  #noteCut(now: readonly string[], count: number): void {
    const kind = now[0]?.split(" ")[0] ?? "nothing";
    const cut = this.cut.get(kind) ?? { done: 0, partly: 0, not: 0 };
    cut[now.length === 0 ? "not" : now.length < count ? "partly" : "done"] += 1;
    this.cut.set(kind, cut);
  }

  #newLines(spaceId: string): string[] {
    const rows = this.rows.linesAfter(this.#seenNo.get(spaceId) ?? 0, spaceId);
    for (const { no } of rows) this.#seenNo.set(spaceId, no);
    return rows.flatMap(({ action, target, imported }) =>
      (imported === null ? [target] : (JSON.parse(imported) as string[])).map((id) => `${action} ${id}`),
    );
  }

  /** @throws Error for an answer that no kill excuses */
  async #send({ method, path, json, bytes, headers, key }: Sent): Promise<Answer> {
    const url = path.startsWith("/api/") ? this.victim.service.base + path : this.space.api + path;
    const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json));
    const { kills, isDown } = this.victim;
    let status: number;
    let text: string;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...bearer(key ?? this.space.key),
          ...(json !== undefined && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        signal: this.victim.givenUp,
      });
      status = response.status;
      text = await response.text();
    } catch (error) {
      this.victim.givenUp.throwIfAborted();
      const isKilled = this.victim.kills > kills;
      if (isKilled && !isRefused(error as Error)) return "cut";
      if (isKilled || isDown) return "unmet";
      throw new Error(`${method} ${path} failed, though no kill came`, { cause: error });
    }
    if (status >= 500 && this.victim.kills > kills) return "cut";
    const isStarting = status >= 500 && isDown;
    if ((isStarting || status === UNAVAILABLE) && ++this.#busyInARow <= BUSY_MAX) return "busy";
    if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    this.#busyInARow = 0;
    return { data: dataOf(text) };
  }
}

/** Returns the data of an answer; nothing for a file. */
function dataOf(text: string): Record<string, unknown> {
  if (!text.startsWith("{")) return {};
  try {
    return (JSON.parse(text) as { data?: Record<string, unknown> }).data ?? {};
  } catch {
    return {};
  }
}
