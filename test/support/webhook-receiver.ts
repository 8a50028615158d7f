/** A receiver of webhooks over real HTTP, which behaves as a test says and checks signatures as receivers do. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { freePort } from "../../scripts/start/ports.ts";

export interface Received {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Answers a request; `received` has all that came before, and this one. */
export type Behaviour = (received: Received, response: ServerResponse, all: readonly Received[]) => void;

export const answerWith =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    void response.writeHead(status, headers).end();

export class WebhookReceiver {
  readonly received: Received[] = [];
  /** The faults of signatures. */
  readonly faults: string[] = [];
  behaviour: Behaviour;
  secret = "";
  #server: Server | null = null;
  #port = 0;

  constructor(behaviour: Behaviour) {
    this.behaviour = behaviour;
  }

  get url(): string {
    return `http://localhost:${this.#port}/hook`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#take(request, response));
    this.#server = server;
    // Not port 0: while the receiver is stopped, the system would give that port to another program.
    if (this.#port === 0) this.#port = await freePort();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    return this;
  }

  /** Stops it: connections are refused until it is started again, on the same port. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    try {
      new Webhook(this.secret).verify(body, request.headers as Record<string, string>);
    } catch (error) {
      this.faults.push(String(error));
    }
    const { type, data } = JSON.parse(body) as Received;
    const received = { id: String(request.headers["webhook-id"]), type, data };
    this.received.push(received);
    this.behaviour(received, response, this.received);
  }
}
