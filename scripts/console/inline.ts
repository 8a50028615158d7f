/**
 * Puts what the first paint needs into the text of the console's page: its styles and the script that runs before them.
 * The page then paints with its first answer. The Worker allows them by their hashes (`src/edge/routes/service/console.ts`).
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const BASE = "/console/";
const SCRIPT = /<script +src="([^"]+)"><\/script>/;
const STYLESHEETS = /<link rel="stylesheet"[^>]* href="([^"]+)">/g;
const END_TAG = /<\/(?:script|style)/i;

/** @param folder the folder that is served at `/console/` */
export function inlineFirstPaint(folder: string): void {
  const pathOf = (address: string): string => join(folder, address.slice(BASE.length));
  const textOf = (address: string): string => {
    const text = readFileSync(pathOf(address), "utf8").trim();
    if (END_TAG.test(text)) throw new Error(`${address} cannot stand inside a page`);
    return text;
  };
  const page = join(folder, "index.html");
  const html = readFileSync(page, "utf8");
  const [script, scriptAddress] = SCRIPT.exec(html) ?? [];
  const sheets = [...html.matchAll(STYLESHEETS)].map(([link, address = ""]) => ({ link, address }));
  const [last] = sheets.slice(-1);
  if (script === undefined || scriptAddress === undefined || !last)
    throw new Error("The console's page has no script or style of its own");

  let written = html.replace(script, () => `<script>${textOf(scriptAddress)}</script>`);
  const style = `<style>${sheets.map(({ address }) => textOf(address)).join("\n")}</style>`;
  for (const { link, address } of sheets) {
    // Never loaded. It tells the loader of the other pages that this sheet is here: loaded again, it would come to stand
    // behind those that overrule it.
    const known = `<link rel="stylesheet" href="${address}" disabled>`;
    written = written.replace(link, () => (link === last.link ? `${known}\n    ${style}` : known));
  }
  rmSync(pathOf(scriptAddress));
  writeFileSync(page, written);
}
