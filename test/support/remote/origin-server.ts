/** An origin on this machine, whose answers a test controls: honest ones, and those of an origin that fails or lies. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface SeenRequest {
  path: string;
  headers: IncomingMessage["headers"];
}

export class OriginServer {
  readonly requests: SeenRequest[] = [];
  /** How many requests are being answered, now and at most so far. */
  open = 0;
  openMax = 0;
  readonly #handlers = new Map<string, Handler>();
  readonly #server: Server;
  #otherwise: Handler = (_, response) => void response.writeHead(404).end();

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(port = 0): Promise<OriginServer> {
    const origin = new OriginServer();
    await new Promise<void>((resolve) => origin.#server.listen(port, "127.0.0.1", resolve));
    return origin;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  url(path: string): string {
    return this.base + path;
  }

  on(path: string, handler: Handler): this {
    this.#handlers.set(path, handler);
    return this;
  }

  otherwise(handler: Handler): this {
    this.#otherwise = handler;
    return this;
  }

  /** Answers with a file, as a web server does: with an ETag, and 304 to whoever knows it. */
  file(path: string, bytes: Uint8Array, headers: Record<string, string> = {}): this {
    const etag = `"${path}-${bytes.length}-${bytes.reduce((sum, byte) => (31 * sum + byte) % 65_521, 0)}"`;
    return this.on(path, (request, response) => {
      const all = { "Content-Type": "application/octet-stream", ETag: etag, ...headers };
      if (request.headers["if-none-match"] === etag) response.writeHead(304, all).end();
      else response.writeHead(200, { ...all, "Content-Length": bytes.length }).end(bytes);
    });
  }

  countOf(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { url: path = "" } = request;
    this.requests.push({ path, headers: request.headers });
    this.open += 1;
    this.openMax = Math.max(this.openMax, this.open);
    response.on("close", () => (this.open -= 1));
    response.on("error", () => undefined);
    const handler = this.#handlers.get(path) ?? this.#otherwise;
    handler(request, response);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
