/**
 * Serves the console: files that Vite built, with headers that the Worker sets. Every path of the console that is not a
 * file answers with the console's page, whose router reads the path (RULES 11.1).
 */
import { notFound } from "../../../errors.ts";
import { CACHE } from "../../../limits.ts";
import type { AppContext } from "../../http/context.ts";
import type { App } from "../../http/endpoint.ts";

/** The folder of the built files in the assets, and the path under which they are served. */
const ROOT = "/console";
const PAGE = `${ROOT}/index.html`;
/** Files under this path have a hash of their content in their name. */
const HASHED = `${ROOT}/assets/`;

/** The Web Worker that decodes HEIC. Its policy comes with its own file, not with the page. */
const DECODER = `${ROOT}/heic.js`;

/** Allows nothing from other origins, except for pictures that the page itself makes, and previews in frames. */
const policyOf = (scripts: string, styles: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    // The pages that models name as previews (RULES 3.36).
    "frame-src https: http://localhost:*",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The policies with which the page starts the decoder's Worker, and the editor reads what is pasted.
    "trusted-types heic ProseMirrorClipboard",
  ].join("; ");
const POLICY = policyOf("'self'", "'self'");
const DECODER_POLICY = policyOf("'self' 'wasm-unsafe-eval'", "'self'");

const SECURITY = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Returns whether a path is a file: only file names contain a dot, other paths of the console do not. */
const isFile = (path: string): boolean => path.slice(path.lastIndexOf("/")).includes(".");

async function assetOf(c: AppContext, path: string, etag: string | undefined): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(new URL(path, c.req.url), {
    ...(etag !== undefined && { headers: { "If-None-Match": etag } }),
  });
  if (asset.ok || asset.status === 304) return asset;
  await asset.body?.cancel();
  throw notFound("The file");
}

function answerOf(
  asset: Response,
  body: string | Response["body"],
  policy: string,
  caching: string,
): Response {
  const headers = new Headers({ ...SECURITY, "Content-Security-Policy": policy, "Cache-Control": caching });
  for (const name of ["Content-Type", "ETag"]) headers.set(name, asset.headers.get(name) ?? "");
  return new Response(body, { status: asset.status, headers });
}

async function serveFile(c: AppContext, path: string): Promise<Response> {
  const asset = await assetOf(c, path, c.req.header("If-None-Match"));
  const caching = path.startsWith(HASHED) ? `public, max-age=${CACHE.variantSeconds}, immutable` : "no-cache";
  return answerOf(asset, asset.body, path === DECODER ? DECODER_POLICY : POLICY, caching);
}

/** Returns the source by which a policy allows an inline script or style. */
async function sourceOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

/** The parts that the build wrote into the page itself (scripts/console/inline.ts). */
const INLINE = { script: /<script>([^]*?)<\/script>/g, style: /<style>([^]*?)<\/style>/g } as const;

async function pagePolicy(html: string): Promise<string> {
  const sources = async (element: keyof typeof INLINE): Promise<string> => {
    const texts = [...html.matchAll(INLINE[element])].map(([, text = ""]) => text);
    return ["'self'", ...(await Promise.all(texts.map(sourceOf)))].join(" ");
  };
  return policyOf(await sources("script"), await sources("style"));
}

/** The page that this isolate answered last. There is one per deployment. */
let known: { etag: string; policy: string } | null = null;

async function servePage(c: AppContext): Promise<Response> {
  const condition = c.req.header("If-None-Match");
  // Only for the page that is known is "not changed" a whole answer: it goes with that page's policy.
  const isKnown = known !== null && condition?.replace(/^W\//, "") === known.etag;
  const asset = await assetOf(c, PAGE, isKnown ? condition : undefined);
  const etag = asset.headers.get("ETag") ?? "";
  if (known?.etag === etag) return answerOf(asset, asset.body, known.policy, "no-cache");
  const html = await asset.text();
  known = { etag, policy: await pagePolicy(html) };
  return answerOf(asset, html, known.policy, "no-cache");
}

export function mountConsole(app: App): void {
  app.get(ROOT, servePage);
  app.get(`${ROOT}/*`, (c) => (isFile(c.req.path) ? serveFile(c, c.req.path) : servePage(c)));
}
