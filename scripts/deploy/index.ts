/**
 * `npm run deploy`: both Workers to your account, in an order that works the first time and every time.
 * Each step looks first and can be run again. `--dry-run` bundles both Workers and only prints the rest.
 *
 * 1. D1 database and R2 bucket, made when missing; the database's id goes into wrangler.toml.
 * 2. The bucket's rule that removes variants should the sweep ever fail to.
 * 3. The builder: the edge Worker binds to its Durable Object, which must exist.
 * 4. ROOT_TOKEN, made when missing and shown once.
 * 5. Migrations. They only add, so the version still running works with them.
 * 6. The edge Worker.
 */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CONFIG = "wrangler.toml";
const BUILDER_CONFIG = "src/builder/wrangler.toml";
const DATABASE = "silverprint";
const BUCKET = "silverprint";
const NO_ID = "00000000-0000-0000-0000-000000000000";
const LIFECYCLE_RULE = "expire-variants";
/** A week past the 30 days after which the sweep removes a variant. */
const LIFECYCLE_DAYS = 37;
const TOKEN_BYTES = 32;

const isDryRun = process.argv.includes("--dry-run");

interface Run {
  ok: boolean;
  output: string;
}

/** Runs wrangler and keeps what it prints. */
function wrangler(args: string[], input?: string): Run {
  const options = { encoding: "utf8", ...(input !== undefined && { input }) } as const;
  const { status, stdout, stderr } = spawnSync("node_modules/.bin/wrangler", args, options);
  return { ok: status === 0, output: stdout + stderr };
}

/** @throws Error with wrangler's words when the step fails */
function step(what: string, args: string[], input?: string): string {
  console.log(`${what}: wrangler ${args.join(" ")}`);
  if (isDryRun) return "";
  const { ok, output } = wrangler(args, input);
  if (!ok) throw new Error(`${what} failed:\n${output}`);
  return output;
}

const exists = (args: string[]): boolean => isDryRun || wrangler(args).ok;

function ensureDatabase(): void {
  if (!exists(["d1", "info", DATABASE])) step("Make the database", ["d1", "create", DATABASE]);
  const config = readFileSync(CONFIG, "utf8");
  if (!config.includes(NO_ID) || isDryRun) return;
  const { output } = wrangler(["d1", "info", DATABASE, "--json"]);
  const id = (JSON.parse(output.slice(output.indexOf("{"))) as { uuid: string }).uuid;
  writeFileSync(CONFIG, config.replace(NO_ID, id));
  console.log(`Wrote the database's id into ${CONFIG}: commit it.`);
}

function ensureBucket(): void {
  if (!exists(["r2", "bucket", "info", BUCKET])) step("Make the bucket", ["r2", "bucket", "create", BUCKET]);
  const known = isDryRun ? "" : wrangler(["r2", "bucket", "lifecycle", "list", BUCKET]).output;
  if (known.includes(LIFECYCLE_RULE)) return;
  const rule = [LIFECYCLE_RULE, "v/", "--expire-days", String(LIFECYCLE_DAYS), "--force"];
  step("Expire variants", ["r2", "bucket", "lifecycle", "add", BUCKET, ...rule]);
}

function ensureRootToken(): void {
  const known = isDryRun ? "[]" : wrangler(["secret", "list", "-c", CONFIG]).output;
  if (known.includes('"ROOT_TOKEN"')) return;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  step("Set the root token", ["secret", "put", "ROOT_TOKEN", "-c", CONFIG], token);
  if (!isDryRun) console.log(`ROOT_TOKEN, shown this once: ${token}`);
}

function deployWorker(what: string, config: string): void {
  const args = ["deploy", "-c", config];
  if (!isDryRun) {
    console.log(step(what, args));
    return;
  }
  const out = join(mkdtempSync(join(tmpdir(), "silverprint-bundle-")), "out");
  const { ok, output } = wrangler([...args, "--dry-run", "--outdir", out]);
  if (!ok) throw new Error(`${what} failed:\n${output}`);
  console.log(`${what}: ${/Total Upload: .*/.exec(output)?.[0] ?? "bundled"}`);
}

try {
  ensureDatabase();
  ensureBucket();
  deployWorker("Deploy the builder", BUILDER_CONFIG);
  ensureRootToken();
  step("Migrate", ["d1", "migrations", "apply", "DB", "--remote", "-c", CONFIG]);
  deployWorker("Deploy the edge Worker", CONFIG);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
