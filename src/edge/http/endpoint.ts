/**
 * Mounts a route from one description: it authorises the caller and validates query and body before the handler runs,
 * and the OpenAPI document is written from the same schemas.
 */
import * as z from "zod";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError, type ErrorDetail } from "../../errors.ts";
import { findCaller, requireRoot, type Caller, type Credential, type Space } from "../spaces/authorize.ts";
import type { AtGate } from "../spaces/gate.ts";
import type { AppContext } from "./context.ts";
import { authorizingReads } from "./space-database.ts";
import { presentedTo } from "./requests/credential.ts";
import { isReadMethod } from "./requests/read-method.ts";
import { countingRefusals, passGate } from "./refusals.ts";
import { claimOnce } from "./requests/idempotency.ts";
import { faultMessage } from "../../content/faults/fault-message.ts";
import { detailsOf, withoutFaults } from "./answers/faults.ts";
import { readJson, refuseEncodedBody } from "./requests/json-body.ts";
import { describeEndpoint, type App } from "./documents/describe.ts";
import type { Reader } from "../storage/spaces/keys.ts";
import type { Requirement } from "../spaces/roles.ts";
import type { EndpointDoc, EndpointRules, OpenAccess } from "./documents/description.ts";

export type { App } from "./documents/describe.ts";

/** A description whose schemas determine the types of the handler's arguments. */
export interface EndpointDefinition<Query extends z.ZodType, Body extends z.ZodType> extends EndpointRules {
  query?: Query;
  body?: Body;
  doc: EndpointDoc;
  /** Whether the handler itself reads the parameter of this name. */
  isOwnParameter?: (name: string) => boolean;
  /** Finds faults that the schema cannot, so that one answer lists all faults of a body. */
  furtherFaults?: (call: Pick<Call<unknown, unknown>, "c" | "space">) => FurtherFaults;
}

export interface Call<Query, Body> {
  c: AppContext;
  /** The space of the path; absent if access is "deployment", "public" or checked by the handler. */
  space: Space;
  /** The caller; absent in the same cases. */
  caller: Caller;
  query: Query;
  body: Body;
}

/** @throws ApiError INVALID_PARAMETER for an unknown, repeated or malformed query parameter */
export function parseQuery<Query extends z.ZodType>(
  schema: Query,
  params: Iterable<[name: string, value: string]>,
): z.output<Query> {
  const values = Object.create(null) as Record<string, string>;
  for (const [name, value] of params) {
    if (name in values) {
      const details = [{ path: name, message: "must be given at most once" }];
      throw new ApiError("INVALID_PARAMETER", `Parameter "${name}" is given twice.`, { details });
    }
    values[name] = value;
  }
  const parsed = schema.safeParse({ ...values }, { error: faultMessage });
  if (parsed.success) return parsed.data;
  const details = detailsOf(parsed.error);
  const message = details.map((d) => `"${d.path}" ${d.message}`).join("; ");
  throw new ApiError("INVALID_PARAMETER", `Invalid query: ${message}.`, { details });
}

/**
 * Finds faults that the schema cannot find, in a body that the schema refused. It gets the body without the faulty
 * values (`rest`), and as it was sent (`given`).
 */
export type FurtherFaults = (rest: unknown, given: unknown) => Promise<readonly ErrorDetail[]>;

/** @throws ApiError VALIDATION_FAILED with one detail per fault */
async function parseBody<Body extends z.ZodType>(
  schema: Body,
  value: unknown,
  furtherFaults?: FurtherFaults,
): Promise<z.output<Body>> {
  const parsed = schema.safeParse(value, { error: faultMessage });
  if (parsed.success) return parsed.data;
  const further = (await furtherFaults?.(withoutFaults(value, parsed.error), value)) ?? [];
  throw new ApiError("VALIDATION_FAILED", "The body does not fit; see details.", {
    details: [...detailsOf(parsed.error), ...further],
    cause: parsed.error,
  });
}

const NO_QUERY = z.strictObject({});

/** Returns the gate of a route. */
const gateOf = ({ method, reaches, query }: EndpointRules, required: Requirement): AtGate => ({
  required,
  reaches,
  isRead: isReadMethod(method),
  takesLocale: query instanceof z.ZodObject && "locale" in query.shape,
});

async function authorize(c: AppContext, definition: EndpointRules): Promise<Caller | null> {
  const { access } = definition;
  if (access === "public" || typeof access === "object") return null;
  const credential = await presentedTo(c);
  if (access === "deployment") {
    await requireRoot(c.get("db"), credential, authorizingReads(c));
    await claimOnce(c, credential, null);
    return null;
  }
  const caller = await findCaller(authorizingReads(c), credential, c.req.param("spaceName") ?? "");
  c.set("isKeyKnown", true);
  c.set("spaceId", caller.space.id);
  await passGate(c, caller, gateOf(definition, access));
  await claimOnce(c, credential, caller.space.id);
  return caller;
}

/**
 * Returns the parameters of a request's query. Many reads have none, and to parse the whole address takes longer. The
 * query keeps its question mark, because URLSearchParams removes one: `??a=1` has a parameter `?a`.
 */
export const parametersIn = (c: AppContext): URLSearchParams =>
  new URLSearchParams(/^[^?#]*(\?[^#]*)/.exec(c.req.url)?.[1] ?? "");

/** Returns the query of a request, without the parameters that `isOwn` names. @throws ApiError INVALID_PARAMETER */
function queryOf<Query extends z.ZodType>(
  c: AppContext,
  { query }: { query?: Query },
  isOwn: (name: string) => boolean = () => false,
): z.output<Query> {
  const parameters = [...parametersIn(c)].filter(([name]) => !isOwn(name));
  return parseQuery(query ?? NO_QUERY, parameters) as z.output<Query>;
}

const spaceOf = (caller: Caller | null): Space => caller?.space as Space;

/** Mounts a route and adds it to the API document. */
export function endpoint<Query extends z.ZodType, Body extends z.ZodType>(
  app: App,
  definition: EndpointDefinition<Query, Body>,
  handle: (call: Call<z.output<Query>, z.output<Body>>) => Response | Promise<Response>,
): void {
  describeEndpoint(app, { ...definition, ...definition.doc });
  app.on(definition.method.toUpperCase(), definition.path, async (c) => {
    // The caller is absent only if the access says so, and then the handler does not use it.
    const caller = (await authorize(c, definition)) as Caller;
    const query = queryOf(c, definition, definition.isOwnParameter);
    if (definition.streamedBody) refuseEncodedBody(c.req.raw.headers);
    const call = { c, caller, space: spaceOf(caller), query };
    const further = definition.furtherFaults?.(call);
    const body = definition.body ? await parseBody(definition.body, await readJson(c), further) : undefined;
    const run = () => handle({ ...call, body: body as z.output<Body> });
    const { access } = definition;
    if (access === "public" || access === "deployment" || typeof access === "object") return run();
    return countingRefusals(c, caller, { required: access }, run);
  });
}

type ReaderOf<Open extends OpenAccess> = Open extends { orPublic: true } ? Reader : Credential;

/** Mounts a handler that authorises by its own query: the request is validated when the handler asks for it. */
export interface OpenCall<Query, Body, Who> {
  c: AppContext;
  credential: Who;
  /** The gate that the handler passes the caller through, once it knows the caller. */
  gate: AtGate;
  /** Parameters that `isOwn` names are left to the handler. */
  query: (isOwn?: (name: string) => boolean) => Query;
  body: (furtherFaults?: FurtherFaults) => Promise<Body>;
}

const hasNoBody = ({ body, headers }: Request): boolean =>
  body === null || headers.get("Content-Length") === "0";

/**
 * Does the same as `endpoint`, for access {checkedByHandler}: nothing but the presence of a credential is checked
 * before.
 */
export function openEndpoint<Query extends z.ZodType, Body extends z.ZodType, const Open extends OpenAccess>(
  app: App,
  definition: EndpointDefinition<Query, Body> & { access: Open },
  handle: (call: OpenCall<z.output<Query>, z.output<Body>, ReaderOf<Open>>) => Promise<Response>,
): void {
  describeEndpoint(app, { ...definition, ...definition.doc });
  app.on(definition.method.toUpperCase(), definition.path, async (c) => {
    const authorization = c.req.header("Authorization");
    const isAnybody = authorization === undefined && definition.access.orPublic === true;
    const credential: Reader = isAnybody ? { kind: "anybody" } : await presentedTo(c);
    return handle({
      c,
      gate: gateOf(definition, definition.access.checkedByHandler),
      // "anybody" is there only where the access says so.
      credential: credential as ReaderOf<Open>,
      query: (isOwn) => queryOf(c, definition, isOwn),
      async body(furtherFaults) {
        const schema = definition.body ?? z.unknown();
        const isLeftOut = definition.bodyIsOptional === true && hasNoBody(c.req.raw);
        const given = isLeftOut ? {} : await readJson(c, definition.takesMergePatch);
        return (await parseBody(schema, given, furtherFaults)) as z.output<Body>;
      },
    });
  });
}

/** Answers `{data}` or `{data, meta}`, never stored by a cache (RULES 1.2, 1.5). */
export function respond(
  c: AppContext,
  data: unknown,
  options: { status?: ContentfulStatusCode; meta?: unknown; headers?: Record<string, string> } = {},
): Response {
  const { status = 200, meta, headers } = options;
  return c.json({ data, ...(meta !== undefined && { meta }) }, status, {
    "Cache-Control": "no-store",
    ...headers,
  });
}
