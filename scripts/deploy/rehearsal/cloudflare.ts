/**
 * A Cloudflare API on this machine that remembers what it is told: deploys can be rehearsed against it, with failures
 * on demand. It knows the calls of a deploy and answers them, refusals included, as Cloudflare does.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Account, type Area, emptyAccount } from "./account.ts";
import { assetRoutes } from "./asset-routes.ts";
import { d1Routes } from "./d1-routes.ts";
import { domainRoutes } from "./domain-routes.ts";
import { queueRoutes } from "./queue-routes.ts";
import { r2Routes } from "./r2-routes.ts";
import { answer, type ApiResponse, type Handler, refuse, type Routes } from "./route.ts";
import { workerRoutes } from "./worker-routes.ts";
import { zoneRoutes } from "./zone-routes.ts";

const PREFIX = "/client/v4";

const ROUTES: Routes = {
  ...d1Routes,
  ...r2Routes,
  ...queueRoutes,
  ...workerRoutes,
  ...assetRoutes,
  ...domainRoutes,
  ...zoneRoutes,
};

/**
 * How a call fails: refused by the API, refused for want of rights, cut before the API saw it, or cut after it did
 * what was asked.
 */
export type Failure = "500" | "403" | "cut before" | "cut after";

export interface Call {
  /** `PUT /r2/buckets/:name`: the route, which is what failures are asked for by. */
  route: string;
  /** `PUT /r2/buckets/silverprint` */
  line: string;
  /** The answer's status and codes, or how the call was cut. */
  outcome: string;
  /** The body of a failed answer that no route gave. */
  known: boolean;
}

export interface Cloudflare {
  /** For CLOUDFLARE_API_BASE_URL. */
  baseUrl: string;
  account: Account;
  log: Call[];
  /** Makes calls fail from now on; null: none. */
  failing: ((call: { route: string; index: number }) => Failure | null) | null;
  close(): Promise<void>;
}

const PATTERNS = Object.entries(ROUTES).map(([route, handle]) => {
  const [method = "", pattern = ""] = route.split(" ");
  return { route, handle, method, wanted: pattern.split("/") };
});

interface Match {
  route: string;
  handle: Handler;
  params: Record<string, string>;
}

function match(method: string, path: string): Match | null {
  const parts = path.split("/");
  for (const { route, handle, method: routeMethod, wanted } of PATTERNS) {
    if (routeMethod !== method || wanted.length !== parts.length) continue;
    if (!wanted.every((part, at) => part.startsWith(":") || part === parts[at])) continue;
    const named = wanted.flatMap((part, at) =>
      part.startsWith(":") ? [[part.slice(1), decodeURIComponent(parts[at] ?? "")] as const] : [],
    );
    return { route, handle, params: Object.fromEntries(named) };
  }
  return null;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function perform(
  account: Account,
  found: Match,
  url: URL,
  request: IncomingMessage,
  body: Buffer,
): Promise<ApiResponse> {
  const type = request.headers["content-type"] ?? "";
  return found.handle(account, {
    params: found.params,
    query: url.searchParams,
    text: () => body.toString(),
    baseUrl: `http://${request.headers.host}${PREFIX}`,
    json: () => JSON.parse(body.toString()) as Record<string, unknown>,
    form: () => new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData(),
  });
}

const outcomeOf = ({ status, body }: ApiResponse): string =>
  body.success
    ? String(status)
    : `${status} ${body.errors.map(({ code, message }) => `${code} ${message}`).join("; ")}`;

/** Starts it on a free port of the loopback. */
export async function startCloudflare(account: Account = emptyAccount()): Promise<Cloudflare> {
  const log: Call[] = [];
  const self: Omit<Cloudflare, "baseUrl"> = {
    account,
    log,
    failing: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const method = request.method ?? "GET";
    const body = await bodyOf(request);
    const path = url.pathname.replace(PREFIX, "").replace(`/accounts/${account.id}`, "");
    const found = match(method, path);
    const call: Call = {
      route: found?.route ?? `${method} ?`,
      line: `${method} ${path}`,
      outcome: "",
      known: found !== null,
    };
    log.push(call);
    const send = (answered: ApiResponse): void => {
      call.outcome = outcomeOf(answered);
      response
        .writeHead(answered.status, { "Content-Type": "application/json", ...answered.headers })
        .end(JSON.stringify(answered.body));
    };
    const failure = self.failing?.({ route: call.route, index: log.length - 1 }) ?? null;
    if (failure === "500") {
      send(refuse(500, 10013, "An unknown error has occurred."));
      return;
    }
    if (failure === "403") {
      send(noRight);
      return;
    }
    if (failure !== "cut before") {
      const answered = isLookUpOfAccounts(url) ? answer([{ id: account.id, name: "Rehearsal" }]) : null;
      const refused = isAllowed(account, method, path) ? null : noRight;
      const done =
        answered ?? refused ?? (found ? await perform(account, found, url, request, body) : unknownRoute);
      if (failure === null) {
        send(done);
        return;
      }
    }
    call.outcome = failure;
    request.socket.destroy();
  }

  const server: Server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(self, { baseUrl: `http://127.0.0.1:${port}${PREFIX}` });
}

const noRight = refuse(403, 10000, "Authentication error");

/** The kind of things that a path is about. Files to import are sent without a token. */
const AREAS: readonly [start: string, area: Area][] = [
  ["/workers/", "workers"],
  ["/d1/", "d1"],
  ["/r2/", "r2"],
  ["/queues", "queues"],
  ["/zones/", "zones"],
];

function isAllowed({ rights }: Account, method: string, path: string): boolean {
  const area = AREAS.find(([start]) => path.startsWith(start))?.[1];
  return area === undefined || rights[area] === "edit" || (rights[area] === "read" && method === "GET");
}

const unknownRoute = refuse(
  404,
  7003,
  "Could not route to this path, perhaps your object identifier is invalid?",
);
const isLookUpOfAccounts = ({ pathname }: URL): boolean => pathname === `${PREFIX}/accounts`;
