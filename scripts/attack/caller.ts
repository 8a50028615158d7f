/** Calls of attackers and of their victim, each with a time limit, and their outcomes. */
import { bearer } from "../harness/api.ts";

/** A call that takes longer counts as this long. */
export const CALL_MAX_MS = 60_000;

export interface Answered {
  status: number;
  /** X-Service-Transform of an image request. */
  state: string | null;
  location: string | null;
  body: string;
  ms: number;
}

export interface Call {
  method?: string;
  key?: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: object | Uint8Array<ArrayBuffer> | string;
  /** The address that the service takes for the client's. */
  from?: string;
}

/** Returns the answer, with status 0 for a call that got none in time. */
export async function call(
  url: string,
  { method = "GET", key, headers, body, from }: Call = {},
): Promise<Answered> {
  const isJson = typeof body === "object" && !(body instanceof Uint8Array);
  const began = performance.now();
  const since = (): number => performance.now() - began;
  try {
    const response = await fetch(url, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(CALL_MAX_MS),
      headers: {
        ...(key !== undefined && bearer(key)),
        ...(isJson && { "Content-Type": "application/json" }),
        ...(from !== undefined && { "CF-Connecting-IP": from }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
    });
    const text = await response.text();
    const { status } = response;
    const state = response.headers.get("X-Service-Transform");
    return { status, state, location: response.headers.get("Location"), body: text, ms: since() };
  } catch (error) {
    return { status: 0, state: null, location: null, body: causeOf(error), ms: since() };
  }
}

/** The error under `fetch failed`, as undici makes it. */
interface SocketFailure {
  code: string;
  message: string;
  socket: { bytesRead: number };
}

/** Returns why a call got no answer: the error, its cause, and whether its connection had answered other calls before. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: Partial<SocketFailure> };
  if (!cause) return String(error);
  const { code = "", message = "", socket } = cause;
  const used = socket && socket.bytesRead > 0 ? ", on a used connection" : "";
  return `${String(error)}: ${code} ${message}${used}`;
}

/** Returns the `data` of a JSON answer. @throws Error for a refusal */
export function dataOf(answer: Answered): { id: string } {
  if (answer.status < 200 || answer.status >= 300)
    throw new Error(`${answer.status}: ${answer.body.slice(0, 300)}`);
  return (JSON.parse(answer.body) as { data: { id: string } }).data;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
