/**
 * HEIC files, the photos of phones, as JPEG or PNG: the service takes no HEIC. Browsers that know it (Safari) do it
 * themselves; for the others a decoder is loaded once there is such a file (RULES 11.6).
 */
import type { Decoded } from "./worker.ts";

/** Brands of pictures coded with HEVC, one or a sequence. */
const BRANDS: readonly string[] = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"];
/** Brands that HEIC shares with AVIF. */
const SHARED: readonly string[] = ["mif1", "mif2", "msf1", "miaf"];
/** Enough for `ftyp` and a dozen brands. */
const HEAD_BYTES = 64;
const BRAND_BYTES = 4;
const JPEG_QUALITY = 0.95;

/** The decoder's file: `vite-config.ts` names it, and the edge Worker gives it a policy of its own. */
const DECODER = "/console/heic.js";

/** Returns whether a file is HEIC, by its first bytes: phones and systems disagree about its name and kind. */
export async function isHeic(file: Blob): Promise<boolean> {
  const head = new TextDecoder("latin1").decode(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (head.slice(4, 8) !== "ftyp") return false;
  const brands: string[] = [];
  const end = Math.min(head.length, head.charCodeAt(2) * 256 + head.charCodeAt(3));
  for (let at = 8; at + BRAND_BYTES <= end; at += BRAND_BYTES) brands.push(head.slice(at, at + BRAND_BYTES));
  const isAvif = brands.some((brand) => brand === "avif" || brand === "avis");
  return brands.some((brand) => BRANDS.includes(brand)) || (!isAvif && SHARED.includes(brands[0] ?? ""));
}

/** Decodes by the browser; null where it does not know HEIC. */
async function byBrowser(file: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d", { colorSpace: "display-p3" })?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
}

interface Policies {
  trustedTypes?: {
    createPolicy: (
      name: string,
      rules: { createScriptURL: () => string },
    ) => { createScriptURL: (url: string) => unknown };
  };
}
let trusted: unknown;

/** Returns the one address that the page may start a Worker from. */
function decoderUrl(): string {
  const { trustedTypes } = globalThis as Policies;
  trusted ??= trustedTypes?.createPolicy("heic", { createScriptURL: () => DECODER }).createScriptURL("");
  return (trusted ?? DECODER) as string;
}

async function byDecoder(file: Blob, signal: AbortSignal): Promise<Blob> {
  const worker = new Worker(decoderUrl(), { type: "module" });
  try {
    const bytes = await file.arrayBuffer();
    const answer = await new Promise<Decoded>((resolve, reject) => {
      signal.throwIfAborted();
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      worker.onmessage = ({ data }: MessageEvent<Decoded>) => resolve(data);
      worker.onerror = () => reject(new Error("The decoder of HEIC could not be loaded. Try again."));
      worker.postMessage(bytes, [bytes]);
    });
    if ("fault" in answer) throw new Error(answer.fault);
    return answer.blob;
  } finally {
    worker.terminate();
  }
}

/** Each takes the memory of all its pixels: one after another. */
let last: Promise<unknown> = Promise.resolve();

/** @throws Error that says why it cannot be converted, or the signal's reason */
export function converted(file: Blob, filename: string, signal: AbortSignal): Promise<File> {
  const turn = last.then(async () => {
    signal.throwIfAborted();
    const blob = (await byBrowser(file)) ?? (await byDecoder(file, signal));
    const ending = blob.type === "image/png" ? "png" : "jpg";
    return new File([blob], `${filename.replace(/\.hei[cf]s?$/i, "")}.${ending}`, { type: blob.type });
  });
  last = turn.catch(() => undefined);
  return turn;
}
