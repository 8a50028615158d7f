/**
 * The routes of a space that write, each with a request that changes something and the lines that it has in the audit. The
 * tests ask it of every route, so a new one has a row here.
 */
import { EXCHANGE_TYPE } from "../../../src/exchange/lines.ts";
import { hashKey, newToken } from "../../../src/edge/spaces/secrets.ts";
import { hashOf } from "../../../src/edge/remote/fetch-key.ts";
import type { Client } from "../support/api.ts";
import { listOf } from "../support/backups.ts";
import { bindings, newId } from "../support/rows.ts";
import { gifOf, Uploader } from "../support/uploads.ts";

/** A request, of which the test adds the key. */
export interface Write {
  /** Below the space. */
  path: string;
  body?: unknown;
  bytes?: Uint8Array<ArrayBuffer>;
  text?: string;
  headers?: Record<string, string>;
  /** The key or session that asks, if it is not the test's own. */
  key?: string;
}

export interface WriteCase {
  prepare: (client: Client) => Promise<Write>;
  /** The actions of its lines. */
  actions: string[];
  /** Whether only root may do so. */
  isRoot?: true;
  /** Whether the same request again changes nothing, and so writes nothing. */
  isSettled?: true;
}

const BACKUP_POLL_MS = 20;
const LIST = "/data/collections/posts";
const FIELDS = [{ name: "title", type: "string" }];
const DOCUMENT = { models: [{ typeModel: "collections", name: "posts", fields: FIELDS }] };

async function makePosts(client: Client): Promise<void> {
  const model = { typeModel: "collections", name: "posts", drafts: true, fields: FIELDS };
  await client.call("POST", "/models", model);
}

/** Makes a record. @returns its path */
async function makePost(client: Client): Promise<string> {
  await makePosts(client);
  return `${LIST}/${await client.create("posts", { title: "a" })}`;
}

async function makePicture(client: Client): Promise<string> {
  const uploader = new Uploader(client.space);
  const { data } = await uploader.complete((await uploader.sent(gifOf(60))).id);
  return data.id;
}

async function makeTrashed(client: Client): Promise<string> {
  const id = (await makePost(client)).slice(LIST.length + 1);
  await client.call("DELETE", `${LIST}/${id}`);
  return `/trash/${id}`;
}

async function make(client: Client, path: string, body: object): Promise<string> {
  const { data } = await client.call<{ id: string }>("POST", path, body);
  return `${path}/${data.id}`;
}

const makeMember = (client: Client): Promise<string> =>
  make(client, "/members", { email: "ada@example.com", role: "write" });

const HOOK = { name: "a", url: "https://example.com/hook", events: ["record.created"], models: ["posts"] };
const makeHook = (client: Client): Promise<string> => make(client, "/webhooks", HOOK);

async function makeRemote({ space }: Client): Promise<string> {
  const url = "https://img.example.com/a.gif";
  await bindings.DB.prepare(
    `INSERT INTO remotes (space_id, hash, id, url, origin, version, last_version, file, size_bytes, sha256, facts,
       fetched_at, fresh_until, asked_at) VALUES (?1, ?2, ?3, ?4, 'https://img.example.com', 1, 1, 'master.gif',
       100, 'none', '{}', 1, 1, 99999999999999)`,
  )
    .bind(space.id, await hashOf(url), newId(), url)
    .run();
  return `/remote?url=${encodeURIComponent(url)}`;
}

/** Makes a session of a member. @returns its token */
async function makeSession(client: Client): Promise<string> {
  const id = (await makeMember(client)).slice("/members/".length);
  const token = newToken("session");
  await bindings.DB.batch([
    bindings.DB.prepare("UPDATE members SET iss = 'i', sub = 's' WHERE id = ?").bind(id),
    bindings.DB.prepare(
      "INSERT INTO sessions (hash, space_id, iss, sub, created_at, expires_at) VALUES (?, ?, 'i', 's', ?, ?)",
    ).bind(await hashKey(token), client.space.id, Date.now(), Date.now() + 3_600_000),
  ]);
  return token;
}

/** Resolves when no backup is worked on: its pages are made beside the answer, and change rows until then. */
async function pagesAreMade(client: Client): Promise<void> {
  while ((await listOf(client)).some(({ state }) => state === "working"))
    await new Promise((resolve) => setTimeout(resolve, BACKUP_POLL_MS));
}

const at = (path: string, rest: Omit<Write, "path"> = {}): Write => ({ path, ...rest });
const now = (path: string, body?: unknown) => () => Promise.resolve(at(path, { body }));

/** The rows, by the names of the operations. A text is the reason why a route has no row. */
export const WRITES: Record<string, WriteCase | string> = {
  createRecord: {
    prepare: async (client) => (await makePosts(client), at(LIST, { body: { title: "a" } })),
    actions: ["record.created"],
  },
  updateRecord: {
    prepare: async (client) => at(await makePost(client), { body: { title: "b" } }),
    actions: ["record.updated"],
    isSettled: true,
  },
  patchRecord: {
    prepare: async (client) => at(await makePost(client), { body: { title: "b" } }),
    actions: ["record.updated"],
    isSettled: true,
  },
  deleteRecord: { prepare: async (client) => at(await makePost(client)), actions: ["record.trashed"] },
  bulkRecords: {
    prepare: async (client) => {
      const id = (await makePost(client)).slice(LIST.length + 1);
      const operations = [
        { op: "create", data: { title: "c" } },
        { op: "publish", id },
      ];
      return at(`${LIST}/bulk`, { body: { operations } });
    },
    actions: ["record.created", "record.published"],
  },
  publishRecord: {
    prepare: async (client) => at(`${await makePost(client)}/publish`),
    actions: ["record.published"],
  },
  unpublishRecord: {
    prepare: async (client) => {
      const path = await makePost(client);
      await client.call("POST", `${path}/publish`);
      return at(`${path}/unpublish`);
    },
    actions: ["record.unpublished"],
  },
  restoreRecordVersion: {
    prepare: async (client) => {
      const path = await makePost(client);
      await client.call("PUT", path, { title: "b" });
      return at(`${path}/versions/1/restore`);
    },
    actions: ["record.restored"],
  },
  restoreTrashEntry: {
    prepare: async (client) => at(`${await makeTrashed(client)}/restore`),
    actions: ["record.restored"],
  },
  purgeTrashEntry: { prepare: async (client) => at(await makeTrashed(client)), actions: ["record.removed"] },
  uploadMedia: {
    prepare: () => Promise.resolve(at("/media", { bytes: gifOf(60) })),
    actions: ["media.created"],
  },
  updateMedia: {
    prepare: async (client) => at(`/media/${await makePicture(client)}`, { body: { alt: "a dot" } }),
    actions: ["media.updated"],
    isSettled: true,
  },
  replaceMediaFile: {
    prepare: async (client) => at(`/media/${await makePicture(client)}/file`, { bytes: gifOf(60, 1) }),
    actions: ["media.replaced"],
  },
  deleteMedia: {
    prepare: async (client) => at(`/media/${await makePicture(client)}`),
    actions: ["media.trashed"],
  },
  createUpload: {
    prepare: now("/media/uploads", { filename: "a.gif", sizeBytes: 60 }),
    actions: ["upload.created"],
  },
  putUploadPart: "a part of an upload, whose beginning and end have lines",
  completeUpload: {
    prepare: async (client) =>
      at(`/media/uploads/${(await new Uploader(client.space).sent(gifOf(60))).id}/complete`),
    actions: ["media.created"],
  },
  deleteUpload: {
    prepare: async (client) => at(`/media/uploads/${(await new Uploader(client.space).sent(gifOf(60))).id}`),
    actions: ["upload.removed"],
  },
  deleteRemotePicture: {
    prepare: async (client) => at(await makeRemote(client)),
    actions: ["remote.removed"],
  },
  createModel: {
    prepare: now("/models", { typeModel: "collections", name: "posts", fields: FIELDS }),
    actions: ["model.created"],
  },
  replaceModel: {
    prepare: async (client) => {
      await makePosts(client);
      return at("/models/collections/posts", {
        body: { fields: [...FIELDS, { name: "n", type: "number" }] },
      });
    },
    actions: ["model.changed"],
    isSettled: true,
  },
  deleteModel: {
    prepare: async (client) => (await makePosts(client), at("/models/collections/posts")),
    actions: ["model.removed"],
  },
  withdrawModelChange: "needs thousands of records: background-change.rings.test.ts asks for its line",
  planModels: "changes nothing",
  applyModels: {
    prepare: async (client) => {
      const { data } = await client.call("POST", "/models/plan", DOCUMENT);
      return at("/models/apply", { body: { ...DOCUMENT, hash: data["hash"] } });
    },
    actions: ["model.created"],
  },
  createSession: "needs a provider: sign-in.test.ts asks for its line",
  deleteSession: {
    prepare: async (client) => at("/sessions/self", { key: await makeSession(client) }),
    actions: ["session.ended"],
  },
  createPreviewToken: { prepare: now("/preview-tokens", { ttlSeconds: 60 }), actions: ["token.created"] },
  createKey: { prepare: now("/keys", { name: "a", role: "read" }), actions: ["key.created"] },
  revokeKey: {
    prepare: async (client) => at(await make(client, "/keys", { name: "a", role: "read" })),
    actions: ["key.removed"],
  },
  createMember: {
    prepare: now("/members", { email: "ada@example.com", role: "write" }),
    actions: ["member.created"],
  },
  updateMember: {
    prepare: async (client) => at(await makeMember(client), { body: { scopes: { models: ["posts"] } } }),
    actions: ["member.changed"],
    isSettled: true,
  },
  deleteMember: { prepare: async (client) => at(await makeMember(client)), actions: ["member.removed"] },
  endMemberSessions: {
    prepare: async (client) => {
      await makeSession(client);
      const { data } = await client.call<{ id: string }[]>("GET", "/members");
      return at(`/members/${String(data[0]?.id)}/sessions`);
    },
    actions: ["session.ended"],
  },
  createWebhook: { prepare: now("/webhooks", HOOK), actions: ["webhook.created"] },
  updateWebhook: {
    prepare: async (client) =>
      at(await makeHook(client), { body: { ...HOOK, events: ["*"], models: null, enabled: false } }),
    actions: ["webhook.changed"],
    isSettled: true,
  },
  deleteWebhook: { prepare: async (client) => at(await makeHook(client)), actions: ["webhook.removed"] },
  redeliver: "sends again what was written before",
  pingWebhook: "changes nothing of the space",
  updateSettings: {
    prepare: now("/settings", {
      quality: 95,
      origins: ["https://a.example.com"],
      locales: [{ code: "en" }, { code: "de" }],
    }),
    actions: ["settings.changed", "settings.changed"],
    isSettled: true,
  },
  updateSpace: {
    prepare: now("", { plan: { historyDays: 7 } }),
    actions: ["space.changed"],
    isRoot: true,
    isSettled: true,
  },
  deleteSpace: {
    prepare: ({ space }) => Promise.resolve(at("", { body: { confirm: space.name } })),
    actions: ["space.removed"],
    isRoot: true,
  },
  moveSpace: "needs a second database: the tests of moves ask for its lines",
  makeBackup: { prepare: now("/backups"), actions: ["backup.created"] },
  removeOwnBackup: {
    prepare: async (client) => {
      const { data } = await client.call<{ id: string }>("POST", "/backups");
      await pagesAreMade(client);
      return at(`/backups/${data.id}`);
    },
    actions: ["backup.removed"],
  },
  importLines: {
    prepare: async (client) => {
      await makePosts(client);
      const times = {
        version: 1,
        createdAt: "2026-01-02T03:04:05.678Z",
        updatedAt: "2026-01-02T03:04:05.678Z",
      };
      const id = newId().replace("T", "0");
      const of = { typeModel: "collections", model: "posts", id, ...times };
      const line = { kind: "record", ...of, data: { title: "a" } };
      return at("/import", { text: JSON.stringify(line), headers: { "Content-Type": EXCHANGE_TYPE } });
    },
    actions: ["import.created"],
  },
  callMcp: "a tool calls a route, which has its row here",
};
