/** R2 buckets, their lifecycle rules, CORS policies and custom domains. */
import { type LifecycleRule, newBucket } from "./account.ts";
import { answer, type Handler, refuse, type Routes } from "./route.ts";

const notEnabled = refuse(403, 10042, "Please enable R2 through the Cloudflare Dashboard.");
const missing = refuse(404, 10006, "The specified bucket does not exist.");

const routes: Routes = {
  "GET /r2/buckets/:name": (account, { params }) => {
    const bucket = account.buckets.get(params["name"] ?? "");
    return bucket ? answer({ name: bucket.name }) : missing;
  },
  "POST /r2/buckets": (account, { json }) => {
    const { name, locationHint } = json() as { name?: string; locationHint?: string };
    if (name === undefined) return refuse(400, 10005, "The specified bucket name is not valid.");
    if (account.buckets.has(name)) {
      return refuse(409, 10004, "The bucket you tried to create already exists, and you own it.");
    }
    account.buckets.set(name, newBucket(name, locationHint ?? null));
    return answer({ name });
  },
  "GET /r2/buckets/:name/lifecycle": (account, { params }) => {
    const bucket = account.buckets.get(params["name"] ?? "");
    return bucket ? answer({ rules: bucket.rules }) : missing;
  },
  "PUT /r2/buckets/:name/lifecycle": (account, { params, json }) => {
    const bucket = account.buckets.get(params["name"] ?? "");
    if (!bucket) return missing;
    const { rules } = json() as { rules: LifecycleRule[] };
    if (new Set(rules.map(({ id }) => id)).size < rules.length) {
      return refuse(400, 10057, "The lifecycle configuration has two rules of one id.");
    }
    bucket.rules = rules;
    return answer({});
  },
  "GET /r2/buckets/:name/cors": (account, { params }) => {
    const bucket = account.buckets.get(params["name"] ?? "");
    if (!bucket) return missing;
    if (!bucket.cors) return refuse(404, 10059, "The CORS configuration does not exist.");
    return answer({ rules: bucket.cors });
  },
  "PUT /r2/buckets/:name/cors": (account, { params, json }) => {
    const bucket = account.buckets.get(params["name"] ?? "");
    if (!bucket) return missing;
    bucket.cors = (json() as { rules: NonNullable<typeof bucket.cors> }).rules;
    return answer({});
  },
  "GET /r2/buckets/:name/domains/custom/:domain": (account, { params }) => {
    const { name = "", domain = "" } = params;
    const found = account.bucketDomains.get(domain);
    if (!account.buckets.has(name)) return missing;
    if (found?.bucket !== name) return refuse(404, 10070, "The specified custom domain does not exist.");
    const { zoneId } = found;
    return answer({ domain, enabled: true, zoneId, zoneName: account.zones.get(zoneId)?.name });
  },
};

/** Refuses every call before R2 was subscribed to. */
const onceEnabled =
  (handle: Handler): Handler =>
  (account, request) =>
    account.hasR2 ? handle(account, request) : notEnabled;

export const r2Routes: Routes = Object.fromEntries(
  Object.entries(routes).map(([route, handle]) => [route, onceEnabled(handle)]),
);
