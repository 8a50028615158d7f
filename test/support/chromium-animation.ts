/** Animations as Chromium plays them, by its ImageDecoder. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "./chromium.ts";
import type { Frames } from "../../scripts/harness/frames.ts";

/** Waits in turn for each file, and posts what it found. */
const script = (urls: string[]): string => `<!doctype html><script type="module">
void fetch("/hold");
const found = [];
try {
for (const url of ${JSON.stringify(urls)}) {
  const answer = await fetch(url);
  const decoder = new ImageDecoder({ data: await answer.arrayBuffer(), type: answer.headers.get("Content-Type") });
  await Promise.all([decoder.tracks.ready, decoder.completed]);
  const { frameCount, repetitionCount, animated } = decoder.tracks.selectedTrack;
  const frames = [];
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let rgba = "";
    for (const byte of data) rgba += String.fromCharCode(byte);
    frames.push({ rgba: btoa(rgba), microseconds: image.duration, width: canvas.width, height: canvas.height });
  }
  found.push({ animated, repetitionCount: String(repetitionCount), frames });
}
} catch (error) { await fetch("/found", { method: "POST", body: String(error) }); }
await fetch("/found", { method: "POST", body: JSON.stringify(found) });
</script>`;

interface Found {
  animated: boolean;
  repetitionCount: string;
  frames: { rgba: string; microseconds: number; width: number; height: number }[];
}

/**
 * Serves one page and takes what it posts. ImageDecoder is for secure places alone, and a file is none; and a browser
 * whose time is virtual waits for a request, but not for a decoder.
 */
class Desk {
  posted = "";
  #hold: ServerResponse | null = null;
  readonly #server: Server;

  constructor(page: string) {
    this.#server = createServer((request, response) => {
      if (request.url === "/hold") this.#hold = response;
      else if (request.method === "POST") void this.#take(request, response);
      else response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(page);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const part of request) this.posted += String(part);
    response.end();
    this.#hold?.end();
  }
}

/** Decodes the files at `urls` in Chromium; `plays` is 0 for ever. */
export async function playedByChromium(browser: Browser, urls: string[]): Promise<Frames[]> {
  const desk = new Desk(script(urls));
  try {
    await browser.dump(await desk.open());
  } finally {
    desk.close();
  }
  if (!desk.posted.startsWith("[")) throw new Error(`Chromium decodes them not: ${desk.posted}`);
  return (JSON.parse(desk.posted) as Found[]).map(({ repetitionCount, frames }) => ({
    width: frames[0]?.width ?? 0,
    height: frames[0]?.height ?? 0,
    frames: frames.map(({ rgba }) => new Uint8Array(Buffer.from(rgba, "base64"))),
    delays: frames.map(({ microseconds }) => microseconds / 1000),
    plays: repetitionCount === "Infinity" ? 0 : Number(repetitionCount) + 1,
  }));
}
