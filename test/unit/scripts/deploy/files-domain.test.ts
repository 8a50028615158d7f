/**
 * CDN_BASE_URL names a custom domain of the bucket: the rules that a deploy sets in its zone, and those that it leaves
 * alone.
 */
import { afterEach, describe, expect, it } from "vitest";
import { readConfigs } from "../../../../scripts/deploy/configs.ts";
import { type Configs, deploymentOf } from "../../../../scripts/deploy/deployment.ts";
import { parseFlags } from "../../../../scripts/deploy/flags.ts";
import { emptyAccount, newZone, type Zone } from "../../../../scripts/deploy/rehearsal/account.ts";
import { type Cloudflare, startCloudflare } from "../../../../scripts/deploy/rehearsal/cloudflare.ts";
import { deployTo, rehearseHere } from "../../../../scripts/deploy/rehearsal/deploy-here.ts";
import { rehearseFailures } from "../../../../scripts/deploy/rehearsal/failures.ts";
import {
  accountWithFilesDomain,
  withFilesDomain,
} from "../../../../scripts/deploy/rehearsal/files-domain.ts";

const HEADERS = "http_response_headers_transform";
const CACHE = "http_request_cache_settings";
const HOST = "files.example.com";

const plain = await readConfigs(process.cwd());
const configs: Configs = withFilesDomain(plain, HOST);
const deployment = deploymentOf(configs, parseFlags([]));

const open: Cloudflare[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((cloudflare) => cloudflare.close()));
});

/** Returns an account whose bucket has the domain, in a zone with a rule of another owner in these phases. */
async function accountWith(...phases: string[]): Promise<{ cloudflare: Cloudflare; zone: Zone }> {
  const account = emptyAccount();
  const zone = newZone("example.com", phases);
  account.zones.set(zone.id, zone);
  account.bucketDomains.set(HOST, { bucket: deployment.bucket, zoneId: zone.id });
  const cloudflare = await startCloudflare(account);
  open.push(cloudflare);
  return { cloudflare, zone };
}

const rulesOf = (zone: Zone, phase: string) =>
  zone.rulesets.find((ruleset) => ruleset.phase === phase)?.rules ?? [];

async function deployed(cloudflare: Cloudflare, given = configs): Promise<string[]> {
  const { error, lines } = await deployTo(cloudflare, given, deploymentOf(given, parseFlags([])));
  expect(error).toBeNull();
  return lines;
}

describe("a deploy with files on a domain of the bucket", () => {
  it("sets headers, the policy of drawings, a bound for the edge's copies, and CORS", async () => {
    const { cloudflare, zone } = await accountWith();
    await deployed(cloudflare);
    const [all, svg] = rulesOf(zone, HEADERS);
    expect(all).toMatchObject({
      expression: `(http.host eq "${HOST}")`,
      action: "rewrite",
      action_parameters: { headers: { "X-Content-Type-Options": { operation: "set", value: "nosniff" } } },
      enabled: true,
    });
    expect(svg).toMatchObject({
      expression: `(http.host eq "${HOST}" and ends_with(http.request.uri.path, ".svg"))`,
      action_parameters: {
        headers: {
          "Content-Security-Policy": {
            operation: "set",
            value: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          },
        },
      },
    });
    expect(rulesOf(zone, CACHE)).toMatchObject([
      { action_parameters: { cache: true, edge_ttl: { mode: "override_origin", default: 3600 } } },
    ]);
    expect(cloudflare.account.buckets.get(deployment.bucket)?.cors).toMatchObject([
      { allowed: { origins: ["*"], methods: ["GET", "HEAD"] } },
    ]);
  });

  it("changes nothing the second time", async () => {
    const { cloudflare, zone } = await accountWith(HEADERS);
    await deployed(cloudflare);
    const before = structuredClone(zone);
    const start = cloudflare.log.length;
    const lines = await deployed(cloudflare);
    expect(zone).toEqual(before);
    const changes = cloudflare.log
      .slice(start)
      .filter(({ line }) => /^(?!GET ).*(\/zones\/|\/cors)/.test(line));
    expect(changes).toEqual([]);
    expect(lines.filter((line) => line.includes(HOST)).every((line) => line.includes("as it was"))).toBe(
      true,
    );
  });

  it("keeps the rules of others as they are, and mends its own", async () => {
    const { cloudflare, zone } = await accountWith(HEADERS, CACHE);
    const others = structuredClone(zone.rulesets.flatMap(({ rules }) => rules));
    await deployed(cloudflare);
    const [other, ours] = rulesOf(zone, HEADERS);
    Object.assign(ours as object, { enabled: false, action_parameters: { headers: {} } });
    const cors = { id: "mine", allowed: { origins: ["https://a.example"], methods: ["PUT"] } };
    const bucket = cloudflare.account.buckets.get(deployment.bucket);
    bucket!.cors!.unshift(cors);
    await deployed(cloudflare);
    expect(rulesOf(zone, HEADERS)).toHaveLength(3);
    expect(rulesOf(zone, HEADERS)[1]).toMatchObject({ enabled: true, id: ours?.id });
    expect([other, rulesOf(zone, CACHE)[0]]).toEqual(others);
    expect(bucket?.cors?.[0]).toEqual(cors);
    expect(bucket?.cors).toHaveLength(2);
  });

  it("says so, and goes on, while the domain is none of the bucket's", async () => {
    const { cloudflare, zone } = await accountWith();
    cloudflare.account.bucketDomains.clear();
    const lines = await deployed(cloudflare);
    expect(lines.filter((line) => line.includes(HOST))).toEqual([
      expect.stringContaining("not R2's yet"),
      expect.stringContaining("not R2's yet"),
    ]);
    expect(zone.rulesets).toEqual([]);
  });

  it("comes before the Worker that sends visitors there, and is not there without CDN_BASE_URL", async () => {
    const { cloudflare } = await accountWith();
    await deployed(cloudflare);
    const places = cloudflare.log.map(({ route }) => route);
    expect(places.indexOf("POST /zones/:zone/rulesets")).toBeGreaterThan(0);
    expect(places.indexOf("POST /zones/:zone/rulesets")).toBeLessThan(
      cloudflare.log.findIndex(({ line }) => line === `PUT /workers/scripts/${deployment.edge}`),
    );
    const { cloudflare: without } = await accountWith();
    await deployed(without, plain);
    expect(without.log.filter(({ line }) => /zones|cors|domains\/custom/.test(line))).toEqual([]);
  });

  it("is mended by the next deploy, whichever of its calls failed", async () => {
    for (const among of ["/zones/", "/cors", "/domains/custom"]) {
      const trials = await rehearseFailures({
        edge: deployment.edge,
        among,
        deploy: (cloudflare) => rehearseHere(cloudflare, configs, deployment),
        account: () => accountWithFilesDomain(deployment.bucket, HOST),
        report: () => undefined,
      });
      expect(trials.length).toBeGreaterThan(2);
      expect(trials.flatMap(({ faults }) => faults)).toEqual([]);
    }
  });
});
