/**
 * `npm run types -- --space NAME [--out FILE] [--base URL]`: TypeScript types of a space's models, for the client:
 * createClient<import("./my-site.ts").Space>(...). The key is taken from SILVERPRINT_KEY, or ROOT_TOKEN.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { spaceTypes, type ModelDescription } from "./space-types.ts";

const { values } = parseArgs({
  options: {
    space: { type: "string" },
    base: { type: "string", default: `http://localhost:${process.env["PORT"] ?? 8787}` },
    out: { type: "string" },
  },
});

function keyOf(): string {
  const given = process.env["SILVERPRINT_KEY"] ?? process.env["ROOT_TOKEN"];
  if (given) return given;
  const text = existsSync(".dev.vars") ? readFileSync(".dev.vars", "utf8") : "";
  return /^ROOT_TOKEN\s*=\s*"?([^"\r\n]+)"?\s*$/m.exec(text)?.[1] ?? "";
}

interface ModelsPage {
  data?: ModelDescription[];
  meta?: { nextCursor: string | null };
  error?: { message: string };
}

async function readModels(space: string): Promise<ModelDescription[]> {
  const models: ModelDescription[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const url: string = `${values.base}/api/v1/${space}/models?limit=100${cursor && `&cursor=${cursor}`}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${keyOf()}` } });
    const page = (await response.json()) as ModelsPage;
    if (!response.ok) throw new Error(page.error?.message ?? `The service answered ${response.status}.`);
    models.push(...(page.data ?? []));
    cursor = page.meta?.nextCursor ?? null;
  }
  return models;
}

if (!values.space) {
  console.error("Which space? npm run types -- --space NAME [--out FILE] [--base URL]");
  process.exit(1);
}
const text = spaceTypes(values.space, await readModels(values.space));
if (values.out) writeFileSync(values.out, text);
else process.stdout.write(text);
