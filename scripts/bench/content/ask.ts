/** A request of the bench of the content API, with what it costs. */
import { TOKEN } from "./worker.ts";

const RATE_LIMITED = 429;
const SECOND_MS = 1000;

export interface Answer {
  ms: number;
  rows: string;
  queries: string;
  cursor: string | null;
  /** The body of the answer. */
  text: string;
}

export async function ask(base: URL, path: string, init: RequestInit = {}, counted = false): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${TOKEN}`,
    ...(init.body !== undefined && { "Content-Type": "application/json" }),
    ...(counted && { "X-Count": "1" }),
  };
  const started = performance.now();
  const response = await fetch(new URL(path, base), { ...init, headers });
  const text = await response.text();
  const ms = performance.now() - started;
  if (response.status === RATE_LIMITED) {
    // The bench reads more in a minute than a space may.
    await new Promise((resolve) =>
      setTimeout(resolve, Number(response.headers.get("Retry-After")) * SECOND_MS),
    );
    return ask(base, path, init, counted);
  }
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  const { meta } = JSON.parse(text) as { meta?: { nextCursor: string | null } };
  return {
    ms,
    rows: response.headers.get("X-Rows") ?? "?",
    queries: response.headers.get("X-Queries") ?? "?",
    cursor: meta?.nextCursor ?? null,
    text,
  };
}
