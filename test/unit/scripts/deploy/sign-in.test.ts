/** The variables of the sign-in: if one is missing, a deploy stops before anything is made. The first deploy brings the secret. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { readConfigs } from "../../../../scripts/deploy/configs.ts";
import { type Configs, deploymentOf } from "../../../../scripts/deploy/deployment.ts";
import { parseFlags } from "../../../../scripts/deploy/flags.ts";
import {
  type Account,
  emptyAccount,
  isEmpty,
  secretOf,
} from "../../../../scripts/deploy/rehearsal/account.ts";
import { type Cloudflare, startCloudflare } from "../../../../scripts/deploy/rehearsal/cloudflare.ts";
import { type Deployed, deployTo } from "../../../../scripts/deploy/rehearsal/deploy-here.ts";
import { clientSecretOf, signInFaults } from "../../../../scripts/deploy/sign-in.ts";

const EDGE = "silverprint";
const SECRET = "OIDC_CLIENT_SECRET";
const WHOLE = { OIDC_ISSUER: "https://accounts.google.com", OIDC_CLIENT_ID: "client" };
const ENTRA = "https://login.microsoftonline.com";

let configs: Configs;
const open: Cloudflare[] = [];

beforeAll(async () => {
  configs = await readConfigs(process.cwd());
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((cloudflare) => cloudflare.close()));
});

/** Deploys with variables beside those of the repository. */
async function deploy(
  account: Account,
  vars: Record<string, string>,
  env: Record<string, string> = {},
): Promise<Deployed> {
  const cloudflare = await startCloudflare(account);
  open.push(cloudflare);
  const edge = { ...configs.edge, vars: { ...configs.edge.vars, ...vars } };
  const deployment = deploymentOf({ ...configs, edge }, parseFlags([]));
  const clientSecret = clientSecretOf(edge.vars, env);
  return deployTo(cloudflare, { ...configs, edge }, deployment, { clientSecret });
}

describe("the variables of the sign-in", () => {
  it("may all be there, or none", () => {
    expect(signInFaults(configs.edge.vars ?? {})).toEqual([]);
    expect(signInFaults({ ...WHOLE, OIDC_NAME: "Google", ROOT_MEMBERS: "ada@example.com" })).toEqual([]);
    expect(signInFaults({ ...WHOLE, OIDC_ISSUER: `${ENTRA}/1-2/v2.0`, OIDC_TRUST_EMAIL: "1" })).toEqual([]);
  });

  it.each([
    [{ OIDC_ISSUER: WHOLE.OIDC_ISSUER }, /OIDC_CLIENT_ID is not/],
    [{ OIDC_CLIENT_ID: "client", OIDC_ISSUER: " " }, /OIDC_ISSUER is not/],
    [{ ...WHOLE, OIDC_ISSUER: "http://accounts.google.com" }, /must be an address that begins with https/],
    [{ ...WHOLE, OIDC_ISSUER: "accounts.google.com" }, /must be an address/],
    [{ ...WHOLE, OIDC_ISSUER: `${ENTRA}/common/v2.0`, OIDC_TRUST_EMAIL: "1" }, /strangers/],
    [{ ROOT_MEMBERS: "ada@example.com", OIDC_NAME: "Google" }, /OIDC_NAME and ROOT_MEMBERS do nothing/],
    [{ ROOT_MEMBERS: "ada@example.com" }, /^ROOT_MEMBERS does nothing/],
    [{ ...WHOLE, [SECRET]: "in the code" }, /stands in \[vars\]/],
  ])("are refused where they are half set or dangerous: %j", (vars, words) => {
    expect(signInFaults(vars)).toEqual([expect.stringMatching(words)]);
  });

  it("stop a deploy before anything is made, all faults at once", async () => {
    const account = emptyAccount();
    const { error } = await deploy(account, { OIDC_ISSUER: "http://id.example.com" });
    expect(isEmpty(account)).toBe(true);
    for (const words of [
      "begins with https://",
      "OIDC_CLIENT_ID is not",
      `no ${SECRET}`,
      "Nothing was made.",
    ])
      expect(error?.message).toContain(words);
  });
});

describe("the secret of the client", () => {
  it("is given by the environment of the first deploy, and never changed or printed", async () => {
    const account = emptyAccount();
    const first = await deploy(account, WHOLE, { [SECRET]: "of the first" });
    expect(first.error).toBeNull();
    expect(secretOf(account, EDGE, SECRET)).toBe("of the first");
    expect(first.lines.join("\n")).not.toContain("of the first");
    for (const env of [{}, { [SECRET]: "another" }]) {
      const { error, lines } = await deploy(account, WHOLE, env);
      expect(error).toBeNull();
      // The deploy says so where it leaves the secret of its environment aside.
      const isIgnored = lines.some((line) => line.includes(`The Worker keeps its own ${SECRET}`));
      expect(isIgnored).toBe(SECRET in env);
      expect(lines.join("\n")).not.toContain("another");
      expect(secretOf(account, EDGE, SECRET)).toBe("of the first");
    }
  });

  it("comes to a Worker that is there already, and to none without a provider", async () => {
    const account = emptyAccount();
    expect((await deploy(account, {}, { [SECRET]: "unasked" })).error).toBeNull();
    expect(secretOf(account, EDGE, SECRET)).toBeUndefined();
    const token = secretOf(account, EDGE, "ROOT_TOKEN");
    expect((await deploy(account, WHOLE, { [SECRET]: "later" })).error).toBeNull();
    expect([secretOf(account, EDGE, SECRET), secretOf(account, EDGE, "ROOT_TOKEN")]).toEqual([
      "later",
      token,
    ]);
  });
});
