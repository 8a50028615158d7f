/** The variables of the sign-in (src/edge/sign-in/README.md). If one of them is missing, the console offers no sign-in. */
import type { WranglerConfig } from "./deployment.ts";

/** The variables of a deployment, as `[vars]` has them. */
type Vars = NonNullable<WranglerConfig["vars"]>;

export const CLIENT_SECRET = "OIDC_CLIENT_SECRET";

const README = "src/edge/sign-in/README.md has a table of providers";

const textOf = (vars: Vars, name: string): string => {
  const value = vars[name];
  return typeof value === "string" ? value.trim() : "";
};

/** Returns whether the deployment names a provider, whole or half. */
export const namesProvider = (vars: Vars): boolean =>
  textOf(vars, "OIDC_ISSUER") !== "" || textOf(vars, "OIDC_CLIENT_ID") !== "";

/** Tenants of Entra that stand for the tenants of strangers, who may name any address. */
const SHARED_TENANT = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)(?:\/|$)/i;

function issuerFault(issuer: string, trustsEmail: boolean): string | null {
  if (!URL.canParse(issuer) || new URL(issuer).protocol !== "https:")
    return `OIDC_ISSUER is "${issuer}" and must be an address that begins with https://.`;
  if (trustsEmail && SHARED_TENANT.test(issuer))
    return (
      `OIDC_TRUST_EMAIL trusts the addresses of ${issuer}, to which strangers' tenants belong: these may name any ` +
      "address. Name the one tenant of your organisation in OIDC_ISSUER."
    );
  return null;
}

/** Says what is wrong with the variables of the sign-in. Pure. */
export function signInFaults(vars: Vars): string[] {
  const [issuer, id] = [textOf(vars, "OIDC_ISSUER"), textOf(vars, "OIDC_CLIENT_ID")];
  const faults: (string | null)[] = [];
  if (Object.hasOwn(vars, CLIENT_SECRET))
    faults.push(
      `${CLIENT_SECRET} stands in [vars] of wrangler.toml, where everybody with the code reads it. Take it out, make a ` +
        "new one at the provider, and set that in the environment of this deploy.",
    );
  if (!namesProvider(vars)) {
    const useless = ["OIDC_NAME", "OIDC_TRUST_EMAIL", "ROOT_MEMBERS"].filter(
      (name) => textOf(vars, name) !== "",
    );
    if (useless.length > 0)
      faults.push(
        `${useless.join(" and ")} ${useless.length === 1 ? "does" : "do"} nothing without OIDC_ISSUER and OIDC_CLIENT_ID: nobody can sign in. ${README}.`,
      );
    return faults.filter((fault) => fault !== null);
  }
  if (issuer === "") faults.push(`OIDC_CLIENT_ID is set, and OIDC_ISSUER is not. ${README}.`);
  else faults.push(issuerFault(issuer, textOf(vars, "OIDC_TRUST_EMAIL") === "1"));
  if (id === "") faults.push(`OIDC_ISSUER is set, and OIDC_CLIENT_ID is not. ${README}.`);
  return faults.filter((fault) => fault !== null);
}

/** The secret of the provider's client: the Worker has it, or this deploy brings it. */
export interface ClientSecret {
  /** Whether the deployment names a provider. */
  isNeeded: boolean;
  /** The secret that the environment names. */
  given: string | null;
}

export const clientSecretOf = (vars: Vars, env: Record<string, string | undefined>): ClientSecret => ({
  isNeeded: namesProvider(vars),
  given: env[CLIENT_SECRET] || null,
});

/** Says what to do about a secret that neither the Worker nor the environment has; null if there is nothing to do. */
export function clientSecretFault(
  known: readonly string[],
  { isNeeded, given }: ClientSecret,
): string | null {
  if (!isNeeded || given !== null || known.includes(CLIENT_SECRET)) return null;
  return (
    `OIDC_ISSUER is set, and the Worker has no ${CLIENT_SECRET}. Set it in the environment of this deploy, which gives ` +
    `it to the Worker: ${CLIENT_SECRET}=… npm run deploy. Later deploys need it no more.`
  );
}
