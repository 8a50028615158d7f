/**
 * `node scripts/run.mjs scripts/measure/importers/index.ts SYSTEM FILE [--stand-ins]`: brings a public export of another
 * system into a new space of the service that `npm start` runs (PORT, ROOT_TOKEN), and holds the space to the export, which
 * it reads by itself. With `--stand-ins`, drawn pictures are served in place of those of other servers, half of them not
 * before the second run, for machines that reach no other server.
 */
import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import sharp from "sharp";
import { run } from "../../../src/command/run.ts";
import { worldOfProcess, type World } from "../../../src/command/base/world.ts";
import type { System } from "../../../src/command/importers/site.ts";
import { expectedOf } from "./expected.ts";
import { Measured } from "./measured.ts";

const [system, file, ...flags] = process.argv.slice(2) as [System, string, ...string[]];
const base = `http://localhost:${process.env["PORT"] ?? 8787}`;
const key = process.env["ROOT_TOKEN"] ?? "";
const space = `measure-${system}-${Date.now().toString(36)}`;
const hasStandIns = flags.includes("--stand-ins");

const digestOf = (address: string): Buffer => createHash("sha256").update(address).digest();

async function standIn(address: string): Promise<Response> {
  const [red, green, blue, width] = digestOf(address) as unknown as [number, number, number, number];
  const picture = {
    create: {
      width: 64 + width,
      height: 48,
      channels: 3 as const,
      background: { r: red, g: green, b: blue },
    },
  };
  return new Response(new Uint8Array(await sharp(picture).png().toBuffer()));
}

let runs = 0;
async function command(
  ...argv: string[]
): Promise<{ code: number; json: { written: Record<string, never> } }> {
  runs += 1;
  let text = "";
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const world = worldOfProcess();
  const env = { SILVERPRINT_URL: base, SILVERPRINT_SPACE: space, SILVERPRINT_KEY: key };
  const fetchFile: World["fetchFile"] = (address, asked) => {
    if (!hasStandIns) return world.fetchFile(address, asked);
    const isLate = digestOf(address)[31]! % 2 === 0 && runs === 1;
    return isLate ? Promise.resolve(new Response("later", { status: 503 })) : standIn(address);
  };
  const code = await run([...argv, "--json"], { ...world, env, stdout, isTerminal: false, fetchFile });
  return { code, json: JSON.parse(text) as { written: Record<string, never> } };
}

const made = await fetch(`${base}/api/v1/spaces`, {
  method: "POST",
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
  body: JSON.stringify({ name: space }),
});
if (!made.ok) throw new Error(`No space was made: ${await made.text()}`);
const started = performance.now();
const first = await command("import", "--from", system, file);
console.log(
  `first run: exit ${first.code}, ${Math.round(performance.now() - started)} ms`,
  summary(first.json.written),
);
const second = await command("import", "--from", system, file);
console.log(`second run: exit ${second.code}`, summary(second.json.written));
const third = await command("import", "--from", system, file);
console.log(`third run: exit ${third.code}`, summary(third.json.written));

function summary(written: Record<string, unknown>): string {
  return JSON.stringify(written, (name, value: unknown) =>
    ["missing", "refused", "different"].includes(name) && Array.isArray(value) ? value.length : value,
  );
}

const measured = await Measured.read(base, space, key);
const { lines, faults } = await expectedOf(system, file, measured);
for (const line of lines) console.log(line);
for (const fault of faults.slice(0, 20)) console.log(`FAULT ${fault}`);
console.log(
  `${faults.length} faults; peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB; space ${space}`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
