import { afterEach, beforeEach, expect, it } from "vitest";
import { CloudflareApi } from "../../../../scripts/deploy/cloudflare-api.ts";
import { findCredentials } from "../../../../scripts/deploy/credentials.ts";
import {
  type Cloudflare,
  type Failure,
  startCloudflare,
} from "../../../../scripts/deploy/rehearsal/cloudflare.ts";

let cloudflare: Cloudflare;

beforeEach(async () => {
  cloudflare = await startCloudflare();
});
afterEach(() => cloudflare.close());

const apiFor = (accountId: string): CloudflareApi =>
  new CloudflareApi({ baseUrl: cloudflare.baseUrl, accountId, credentials: {}, retryDelayMs: 0 });
const api = (): CloudflareApi => apiFor(cloudflare.account.id);

/** Lets the first `count` calls fail. */
function failFirst(count: number, failure: Failure): void {
  cloudflare.failing = ({ index }) => (index < count ? failure : null);
}

it("believes Cloudflare when it says that something does not exist", async () => {
  expect(await api().find("/r2/buckets/none")).toBeNull();
});

it.each<Failure>(["500", "403", "cut before", "cut after"])(
  "takes a look-up that failed (%s) for a failure",
  async (how) => {
    failFirst(99, how);
    await expect(api().find("/r2/buckets/none")).rejects.toThrow("GET /r2/buckets/none");
  },
);

it("does not mistake a wrong account for an empty one", async () => {
  await expect(apiFor("0".repeat(32)).find("/r2/buckets/none")).rejects.toThrow(
    /answered 404: Could not route/,
  );
});

it("tries repeatable calls three times if the failure may be temporary", async () => {
  failFirst(2, "cut before");
  expect(await api().get("/d1/database")).toEqual([]);
  expect(cloudflare.log).toHaveLength(3);
});

it("gives up after three tries", async () => {
  failFirst(3, "500");
  await expect(api().get("/d1/database")).rejects.toThrow(
    "answered 500: An unknown error has occurred. [10013]",
  );
  expect(cloudflare.log).toHaveLength(3);
});

it("does not repeat refused calls, nor calls that would make something twice", async () => {
  failFirst(1, "403");
  await expect(api().get("/d1/database")).rejects.toThrow("403");
  cloudflare.failing = () => "cut after";
  await expect(api().post("/d1/database", { name: "silverprint" })).rejects.toThrow("got no answer");
  expect(cloudflare.log).toHaveLength(2);
  expect(cloudflare.account.databases.size).toBe(1);
});

it("asks for the account when the environment names none", async () => {
  const env = { CLOUDFLARE_API_BASE_URL: cloudflare.baseUrl, CLOUDFLARE_API_TOKEN: "token" };
  const found = await findCredentials(env, () => Promise.reject(new Error("not asked for")));
  expect(found).toEqual({
    baseUrl: cloudflare.baseUrl,
    accountId: cloudflare.account.id,
    credentials: { Authorization: "Bearer token" },
    isLogin: false,
  });
});

it("asks wrangler for the token when the environment holds none", async () => {
  const env = { CLOUDFLARE_API_BASE_URL: cloudflare.baseUrl, CLOUDFLARE_ACCOUNT_ID: "account" };
  const found = await findCredentials(env, () => Promise.resolve('{"type":"oauth","token":"of-wrangler"}'));
  expect(found).toMatchObject({ accountId: "account", credentials: { Authorization: "Bearer of-wrangler" } });
  expect(cloudflare.log).toEqual([]);
});
