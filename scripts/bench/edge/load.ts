/**
 * A client that costs next to nothing, so that the measured rate is the server's. It keeps its sockets open, writes its
 * requests in advance, and reads of each answer only where it ends.
 */
import { connect, type Socket } from "node:net";

const HEAD_END = "\r\n\r\n";

/** A request that is sent again and again. */
export interface Target {
  url: URL;
  headers?: Record<string, string>;
  /** Any other answer is an error. */
  status: number;
}

export interface Load {
  requests: number;
  connections: number;
  /** The pause of each connection after an answer. With 0 it sends the next request at once. */
  pauseMs?: number;
}

export interface Measured {
  perSecond: number;
  /** The time of every request in milliseconds. */
  latenciesMs: number[];
}

function requestText({ url, headers = {} }: Target): string {
  const lines = Object.entries({ Host: url.host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${url.pathname}${url.search} HTTP/1.1`, ...lines].join("\r\n") + HEAD_END;
}

/** Returns the end of the answer at the start of `text`. Null while the answer is incomplete. */
function answerEnd(text: string): number | null {
  const head = text.indexOf(HEAD_END);
  if (head < 0) return null;
  const bodyStart = head + HEAD_END.length;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, bodyStart))?.[1];
  if (length !== undefined)
    return text.length >= bodyStart + Number(length) ? bodyStart + Number(length) : null;
  if (!/\r\ntransfer-encoding: *chunked/i.test(text.slice(0, bodyStart))) return bodyStart;
  const last = text.indexOf(`0${HEAD_END}`, bodyStart);
  return last < 0 ? null : last + 1 + HEAD_END.length;
}

async function open({ url }: Target): Promise<Socket> {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  socket.setEncoding("latin1");
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return socket;
}

/** Sends one request on an idle socket. @throws Error for another status, or when the connection ends */
function ask(socket: Socket, request: string, status: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    const settle = (error?: Error): void => {
      socket.off("data", take).off("error", settle).off("close", closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = (): void => settle(new Error("the connection ended"));
    const take = (data: string): void => {
      text += data;
      if (answerEnd(text) === null) return;
      const isExpected = text.startsWith(`HTTP/1.1 ${status} `);
      settle(isExpected ? undefined : new Error(`expected ${status}, got ${text.slice(0, 400)}`));
    };
    socket.on("data", take).on("error", settle).on("close", closed);
    socket.write(request);
  });
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends `requests` requests over `connections`, or until `goOn` returns false.
 * @throws Error for an unexpected answer
 */
export async function load(
  target: Target,
  { requests, connections, pauseMs = 0 }: Load,
  goOn: () => boolean = () => true,
): Promise<Measured> {
  const request = requestText(target);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(target)));
  const latenciesMs: number[] = [];
  let left = requests;
  const started = performance.now();
  const lane = async (socket: Socket): Promise<void> => {
    while (left-- > 0 && goOn()) {
      const asked = performance.now();
      await ask(socket, request, target.status);
      latenciesMs.push(performance.now() - asked);
      if (pauseMs > 0) await wait(pauseMs);
    }
  };
  try {
    await Promise.all(sockets.map(lane));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return { perSecond: (latenciesMs.length * 1000) / (performance.now() - started), latenciesMs };
}
