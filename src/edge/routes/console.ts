/**
 * Serves the console: files that Vite built, with headers that the Worker sets. Every path of the console that is not a
 * file answers with the console's page, whose router reads the path (RULES 11.1).
 */
import { notFound } from "../../errors.ts";
import { CACHE } from "../../limits.ts";
import type { AppContext } from "../http/context.ts";
import type { App } from "../http/endpoint.ts";

/** The folder of the built files in the assets, and the path under which they are served. */
const ROOT = "/console";
const PAGE = `${ROOT}/index.html`;
/** Files under this path have a hash of their content in their name. */
const HASHED = `${ROOT}/assets/`;

/** The Web Worker that decodes HEIC. Its policy comes with its own file, not with the page. */
const DECODER = `${ROOT}/heic.js`;

/** Allows no inline code and nothing from other origins, except for pictures that the page itself makes. */
const policyOf = (scripts: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The policy with which the page starts the decoder's Worker.
    "trusted-types heic",
  ].join("; ");
const POLICY = policyOf("'self'");
const DECODER_POLICY = policyOf("'self' 'wasm-unsafe-eval'");

const SECURITY = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Whether a path is a file: only file names contain a dot, other paths of the console do not. */
const isFile = (path: string): boolean => path.slice(path.lastIndexOf("/")).includes(".");

async function serve(c: AppContext, path: string): Promise<Response> {
  const condition = c.req.header("If-None-Match");
  const asset = await c.env.ASSETS.fetch(new URL(path, c.req.url), {
    ...(condition !== undefined && { headers: { "If-None-Match": condition } }),
  });
  if (!asset.ok && asset.status !== 304) {
    await asset.body?.cancel();
    throw notFound("The file");
  }
  const headers = new Headers(SECURITY);
  headers.set("Content-Security-Policy", path === DECODER ? DECODER_POLICY : POLICY);
  for (const name of ["Content-Type", "ETag"]) headers.set(name, asset.headers.get(name) ?? "");
  const isHashed = path.startsWith(HASHED);
  headers.set("Cache-Control", isHashed ? `public, max-age=${CACHE.variantSeconds}, immutable` : "no-cache");
  return new Response(asset.body, { status: asset.status, headers });
}

export function mountConsole(app: App): void {
  app.get(ROOT, (c) => serve(c, PAGE));
  app.get(`${ROOT}/*`, (c) => serve(c, isFile(c.req.path) ? c.req.path : PAGE));
}
