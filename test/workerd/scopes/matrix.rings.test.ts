/**
 * Every route, by every role and scope, against what is inside and outside (RULES 1.12). The routes come from their own
 * descriptions: a new one has to have a row here.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../../src/edge/app.ts";
import type { EndpointDescription } from "../../../src/edge/http/documents/description.ts";
import { ROLES, type Requirement } from "../../../src/edge/spaces/roles.ts";
import { ofRing } from "../../support/ring.ts";
import { call, Client, type Reply } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";

const routes = createApp().descriptions.filter(({ path }) => path.startsWith("/api/v1/:spaceName"));

/** Returns the role that a route asks for; null for a public one. */
function requiredBy({ access }: EndpointDescription): Requirement | null {
  if (access === "public") return null;
  return typeof access === "object" ? access.checkedByHandler : (access as Requirement);
}

/** The scopes of the matrix, by name. */
const SCOPES = {
  whole: undefined,
  "no model": { models: [] },
  "another model": { models: ["elsewhere"] },
  "no media": { media: "none" },
  "media read": { media: "read" },
  "publishes nothing": { publish: false },
} as const;
type ScopeName = keyof typeof SCOPES;

/** Bodies with which a route gets to its gate: only those that are checked before it need one. */
const BODY: Record<string, unknown> = { post: {}, put: {}, patch: {}, delete: undefined, get: undefined };

let client: Client;
let foreign: Client;
let record: string;
let picture: string;
const keys = new Map<string, string>();

beforeAll(async () => {
  [client, foreign] = [await Client.make(), await Client.make()];
  await client.model("things", [{ name: "title", type: "string" }]);
  record = await client.create("things", { title: "a" });
  picture = (await makeMedia(client.space)).id;
  for (const role of ROLES) {
    for (const [name, scopes] of Object.entries(SCOPES)) {
      if (role === "admin" && scopes !== undefined) continue;
      const made = await client.call("POST", "/keys", { name, role, ...(scopes && { scopes }) });
      keys.set(`${role} ${name}`, String(made.data["key"]));
    }
  }
  const made = await client.call("POST", "/preview-tokens", { ttlSeconds: 3600 });
  keys.set("preview token", String(made.data["token"]));
});

/** Returns the address of a route. Ids are of things that are there, or of none. */
function addressOf({ path }: EndpointDescription, isThere: boolean, of = client): string {
  const none = "0".repeat(26);
  const values: Record<string, string> = {
    spaceName: of.space.name,
    typeModel: "collections",
    model: isThere ? "things" : "nowhere",
    id: isThere ? record : none,
    mediaId: isThere ? picture : none,
    version: "1",
  };
  return path.replace(/:([A-Za-z]+)(?:\{[^}]*\})?/g, (_all, name: string) => values[name] ?? none);
}

/** An answer, which has no error if it is a good one. */
type Answer = Omit<Reply, "error"> & { error?: Reply["error"] };

const ask = (route: EndpointDescription, key: string | null, isThere = true, of = client): Promise<Answer> =>
  call(route.method.toUpperCase(), addressOf(route, isThere, of), BODY[route.method], { key }).catch(
    // Answers of files are no JSON.
    () => ({ status: 200, data: {} }) as Answer,
  );

const isRead = ({ method }: EndpointDescription): boolean => method === "get";
const reachesRole = (role: Requirement, required: Requirement): boolean =>
  [...ROLES, "root"].indexOf(role) >= [...ROLES, "root"].indexOf(required);
const guarded = routes.filter((route) => requiredBy(route) !== null);

describe.each(ofRing(guarded, 5).map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s",
  (_name, route) => {
    const required = requiredBy(route) as Requirement;

    it("is refused without a key, and not there for a key of another space", async () => {
      const isPublic = typeof route.access === "object" && route.access.orPublic === true;
      expect((await ask(route, null)).status).toBe(401);
      expect(isPublic || route.access !== "public").toBe(true);
      const other = await ask(route, keys.get("admin whole") ?? "", true, foreign);
      expect([other.status, other.error?.code]).toEqual([404, "NOT_FOUND"]);
    });

    it("is refused to lower roles", async () => {
      for (const role of ROLES.filter((one) => !reachesRole(one, required))) {
        const reply = await ask(route, keys.get(`${role} whole`) ?? "");
        expect([role, reply.status, reply.error?.code]).toEqual([role, 403, "FORBIDDEN"]);
      }
    });

    it("is refused to preview tokens, unless it reads records, media or the caller", async () => {
      const isOpen =
        ["records", "media", "caller"].includes(route.reaches) && reachesRole("preview", required);
      const reply = await ask(route, keys.get("preview token") ?? "");
      if (isOpen) expect(reply.error?.code).not.toBe("FORBIDDEN");
      else expect([reply.status, reply.error?.code]).toEqual([403, "FORBIDDEN"]);
    });

    it("names a part that fits its path", () => {
      const isOfRecords = route.path.includes("/data/");
      const isOfMedia = /\/(?:media|origins|remote|activity)(?:\/|$)/.test(route.path);
      if (isOfRecords) expect(["records", "history"]).toContain(route.reaches);
      if (isOfMedia && !route.path.includes("/export/"))
        expect(["media", "media work"]).toContain(route.reaches);
      if (required === "admin" || required === "root") {
        expect(["everything", "models", "trash"]).toContain(route.reaches);
      }
    });

    const scoped = (Object.keys(SCOPES) as ScopeName[]).filter((name) => name !== "whole");
    const roles = ROLES.filter((role) => role !== "admin" && reachesRole(role, required));
    it.each(scoped)("shows nothing outside of the scope: %s", async (scope) => {
      for (const role of roles) {
        const key = keys.get(`${role} ${scope}`) ?? "";
        const { media, models } = { media: "write", models: null, ...SCOPES[scope] };
        const isOfMedia = route.reaches === "media" || route.reaches === "media work";
        if (isOfMedia && media !== "write") {
          const reply = await ask(route, key);
          const status = media === "none" ? 404 : isRead(route) ? reply.status : 403;
          expect([role, reply.status]).toEqual([role, status]);
        }
        const isOfModel = route.path.includes("/:model");
        if (isOfModel && models !== null) {
          const [inside, nowhere] = [await ask(route, key), await ask(route, key, false)];
          expect([role, inside.status, inside.error?.code, inside.error?.message]).toEqual([
            role,
            nowhere.status,
            nowhere.error?.code,
            nowhere.error?.message,
          ]);
          expect([400, 404]).toContain(inside.status);
        }
        if (route.reaches === "models" && !isOfModel && models !== null) {
          expect((await ask(route, key)).data).toEqual([]);
        }
        if (route.reaches === "trash" && route.path.endsWith("/trash")) {
          expect((await ask(route, key)).status).toBe(200);
        }
        if (route.reaches === "everything") expect((await ask(route, key)).status).toBe(403);
      }
    });
  },
);

it("has a part for each route that is not described as nothing's", () => {
  for (const { path, access, reaches } of routes) {
    if (reaches === "nothing") expect([path, access]).toEqual([path, "public"]);
  }
});
