import { beforeAll, expect, it } from "vitest";
import { readConfigs } from "../../../../scripts/deploy/configs.ts";
import {
  builderConfig,
  type Configs,
  deploymentOf,
  edgeConfig,
  namespaceId,
} from "../../../../scripts/deploy/deployment.ts";
import { DELIVERY } from "../../../../src/limits.ts";
import { parseFlags } from "../../../../scripts/deploy/flags.ts";

const ID = "11111111-2222-3333-4444-555555555555";
let configs: Configs;

beforeAll(async () => {
  configs = await readConfigs(process.cwd());
});

const derive = (...args: string[]) => {
  const deployment = deploymentOf(configs, parseFlags(args));
  return {
    deployment,
    edge: edgeConfig(configs, deployment, [ID]),
    builder: builderConfig(configs.builder, deployment),
  };
};

it("the main deployment has the names of the repository, and the account's database", () => {
  const { deployment, edge, builder } = derive();
  expect(deployment).toMatchObject({ edge: "silverprint", builder: "silverprint-builder", isNamed: false });
  const migrations = { migrations_dir: "schema/migrations" };
  const database = { binding: "DB", database_name: "silverprint", database_id: ID, ...migrations };
  expect(edge).toEqual({ ...configs.edge, d1_databases: [database] });
  expect(builder).toEqual(configs.builder);
});

it("the flood ceilings are those of the rules", () => {
  const { floodRequestsPerMinute: limit, floodWindowSeconds: period } = DELIVERY;
  const ceilings = Object.fromEntries(
    (derive().edge.ratelimits ?? []).map(({ name, simple }) => [name, simple]),
  );
  const each = { limit, period };
  expect(ceilings).toEqual({ IMAGE_FLOOD: each, FILE_FLOOD: each, DIRECT_FLOOD: each });
});

it("a named deployment shares nothing with the main one", () => {
  const { edge, builder } = derive("--name", "staging");
  expect(edge).toMatchObject({
    name: "silverprint-staging",
    d1_databases: [{ binding: "DB", database_name: "silverprint-staging", database_id: ID }],
    r2_buckets: [{ binding: "BUCKET", bucket_name: "silverprint-staging" }],
  });
  expect(builder.name).toBe("silverprint-builder-staging");
  const scripts = edge.durable_objects?.bindings.map(({ name, script_name }) => [name, script_name]);
  expect(scripts).toEqual([
    ["SPACE_QUEUE", undefined],
    ["BUILD_ROOM", "silverprint-builder-staging"],
    ["METRICS", undefined],
    ["SWEEPER", undefined],
  ]);
  const namespaces = (limits: typeof edge.ratelimits) => (limits ?? []).map((limit) => limit.namespace_id);
  for (const id of namespaces(edge.ratelimits)) expect(namespaces(configs.edge.ratelimits)).not.toContain(id);
});

it("a named deployment does not answer under the main one's addresses", () => {
  const vars = {
    CDN_BASE_URL: "https://cdn.example.com",
    PUBLIC_BASE_URL: "https://example.com",
    VERSION: "1",
  };
  const edge = { ...configs.edge, vars };
  const deployment = deploymentOf({ ...configs, edge }, parseFlags(["--name", "staging"]));
  expect(edgeConfig({ ...configs, edge }, deployment, [ID]).vars).toEqual({ CDN_BASE_URL: "", VERSION: "1" });
  const main = deploymentOf({ ...configs, edge }, parseFlags([]));
  expect(edgeConfig({ ...configs, edge }, main, [ID]).vars).toEqual(vars);
});

it("namespaces of rate limits are numbers below 2^31, different for each name and limit", () => {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  const names = letters.flatMap((one) => letters.map((two) => `silverprint-${one}${two}`.padEnd(40, two)));
  const ids = ["6000", "6001", "6002"].flatMap((base) =>
    names.map((name) => Number(namespaceId(base, name))),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toBeLessThan(2 ** 31);
  expect(Math.min(...ids)).toBeGreaterThan(9999);
});

it("an id in the configuration pins the database, zeros and other deployments aside", () => {
  const pin = (id: string, ...args: string[]) => {
    const d1_databases = (configs.edge.d1_databases ?? []).map((database) => ({
      ...database,
      database_id: id,
    }));
    return deploymentOf({ ...configs, edge: { ...configs.edge, d1_databases } }, parseFlags(args))
      .pinnedDatabaseId;
  };
  expect(pin(ID)).toBe(ID);
  expect(pin(ID, "--name", "staging")).toBeNull();
  expect(pin("00000000-0000-0000-0000-000000000000")).toBeNull();
});
