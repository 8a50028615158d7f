/** One request with a body whose progress is told: `fetch` tells none of what it sends. */
import { SilverprintError } from "../../client/index.ts";
import { Unreachable } from "../session/answered.ts";

export interface Sending {
  method: "POST" | "PUT";
  path: string;
  key: string;
  body: Blob;
  headers?: Record<string, string>;
  signal: AbortSignal;
  /** Bytes of the body that have left this machine. */
  onProgress: (sentBytes: number) => void;
}

type ErrorPart = ConstructorParameters<typeof SilverprintError>[1];

function bodyOf(request: XMLHttpRequest): { data?: unknown; error?: ErrorPart } {
  try {
    return JSON.parse(request.responseText) as { data?: unknown; error?: ErrorPart };
  } catch {
    return {};
  }
}

/** Returns the `data` of the answer. @throws SilverprintError, Unreachable, or the signal's reason */
export function send<Data>({
  method,
  path,
  key,
  body,
  headers = {},
  signal,
  onProgress,
}: Sending): Promise<Data> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    const end = (settle: () => void) => (): void => {
      signal.removeEventListener("abort", abort);
      settle();
    };
    request.open(method, path);
    request.setRequestHeader("Authorization", `Bearer ${key}`);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = end(() => {
      const { data, error } = bodyOf(request);
      if (request.status < 400) resolve(data as Data);
      else reject(new SilverprintError(request.status, error ?? {}));
    });
    request.onerror = end(() => reject(new Unreachable("The connection broke.")));
    request.onabort = end(() => reject(signal.reason as Error));
    signal.addEventListener("abort", abort);
    request.send(body);
  });
}
