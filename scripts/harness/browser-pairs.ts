/** Shows pairs of pictures in a browser, and says how alike it draws them. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type BrowserName, visit } from "./browsers.ts";

/** A picture and the file that was made of it; null where there is none. */
export interface Pair {
  picture: { bytes: Uint8Array; type: string };
  variant: { bytes: Uint8Array; type: string } | null;
}

/** How a browser draws a picture: its size, and the mean of each of 8 × 8 cells as RGBA, premultiplied. */
export interface Drawn {
  width: number;
  height: number;
  cells: number[];
}

/** Null for a picture that the browser does not show. */
export interface DrawnPair {
  picture: Drawn | null;
  variant: Drawn | null;
}

/** Sides beyond this are drawn smaller: a canvas is no longer. */
const MAX_SIDE_PIXELS = 4096;

const PAGE = `<!doctype html><title>pairs</title><script>
const wait = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Error("time")), ms));
// The cells that each pixel of a side lies in, with its share in each: a cell of a small picture ends within a pixel.
const shares = (length) => Array.from({ length }, (_, at) => {
  const [from, to] = [(at * 8) / length, ((at + 1) * 8) / length];
  const cells = [];
  for (let cell = Math.floor(from); cell < Math.min(8, to); cell++) {
    const share = Math.min(to, cell + 1) - Math.max(from, cell);
    if (share > 1e-9) cells.push([cell, share]);
  }
  return cells;
});
async function drawn(url) {
  try {
    const image = new Image();
    image.src = url;
    await Promise.race([image.decode(), wait(15000)]);
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(1, ${MAX_SIDE_PIXELS} / Math.max(width, height));
    const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    const canvas = Object.assign(document.createElement("canvas"), { width: w, height: h });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, w, h);
    const { data } = context.getImageData(0, 0, w, h);
    const [across, down] = [shares(w), shares(h)];
    const sums = new Float64Array(64 * 5);
    for (let y = 0, at = 0; y < h; y++) for (let x = 0; x < w; x++, at += 4) {
      const alpha = data[at + 3] / 255;
      for (const [row, high] of down[y]) for (const [column, wide] of across[x]) {
        const [cell, share] = [(row * 8 + column) * 5, high * wide];
        for (let c = 0; c < 3; c++) sums[cell + c] += data[at + c] * alpha * share;
        sums[cell + 3] += data[at + 3] * share;
        sums[cell + 4] += share;
      }
    }
    const cells = [];
    for (let cell = 0; cell < 64; cell++) for (let c = 0; c < 4; c++) {
      cells.push(Math.round((10 * sums[cell * 5 + c]) / sums[cell * 5 + 4]) / 10);
    }
    return { width, height, cells };
  } catch { return null; }
}
(async () => {
  const { count } = await (await fetch("/count")).json();
  for (let i = 0; i < count; i++) {
    const [picture, variant] = [await drawn("/picture/" + i), await drawn("/variant/" + i)];
    await fetch("/drawn/" + i, { method: "POST", body: JSON.stringify({ picture, variant }) });
  }
  await fetch("/done", { method: "POST" });
})();
</script>`;

/** Shows all pairs, one after the other. @throws Error when the browser fails or takes longer than `patienceMs` */
export async function drawPairs(
  browser: BrowserName,
  command: string,
  pairs: readonly Pair[],
  patienceMs: number,
): Promise<DrawnPair[]> {
  const drawn: DrawnPair[] = [];
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const server = createServer((request, response) => {
    void (async () => {
      const [, what = "", index = ""] = /^\/(\w*)\/?(\d*)/.exec(request.url ?? "") ?? [];
      if (request.method === "POST") {
        const body = await textOf(request);
        if (what === "drawn") drawn[Number(index)] = JSON.parse(body) as DrawnPair;
        else if (what === "done") finish();
        response.writeHead(204).end();
        return;
      }
      const file = what === "picture" || what === "variant" ? pairs[Number(index)]?.[what] : null;
      if (file) response.writeHead(200, { "Content-Type": file.type }).end(file.bytes);
      else if (what === "") response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
      else if (what === "count") response.end(JSON.stringify({ count: pairs.length }));
      else response.writeHead(404).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await visit(browser, command, url, done, patienceMs);
    return drawn;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
