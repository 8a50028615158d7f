/** Uploads that promise 100 MB and send a byte now and then. */
import { request } from "node:http";
import type { Statuses } from "./caller.ts";

const PROMISED_BYTES = 100_000_000;
const BYTE_EVERY_MS = 15_000;

/** Sends one such upload. Resolves once it is answered or cut off, or when `until` aborts. */
export function trickle(url: string, key: string, until: AbortSignal, statuses: Statuses): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "image/jpeg",
      "Content-Length": PROMISED_BYTES,
    };
    const sending = request(url, { method: "POST", headers, signal: until });
    const timer = setInterval(() => sending.write(Uint8Array.of(0)), BYTE_EVERY_MS);
    const end = (what: number | string): void => {
      clearInterval(timer);
      if (!until.aborted) statuses.add(what);
      sending.destroy();
      resolve();
    };
    sending.on("response", (response) => {
      response.resume();
      end(response.statusCode ?? 0);
    });
    sending.on("error", () => end("cut off"));
    // The beginning of a JPEG, so that its kind is known and its place taken.
    sending.write(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0));
  });
}
