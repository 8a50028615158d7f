/**
 * The API reference with a viewer that sends requests. `/docs` is readable without it; this script puts the viewer in
 * its place. A reader who comes from the console in this tab sends requests with the session's key and space.
 */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { storedTheme } from "../lib/theme.ts";
import { readSession } from "../session/kept.ts";
import { PLUGIN } from "./plugin.ts";
import "./docs.css";

const DOCUMENT = "/api/v1/openapi.json";
/** As the document calls the only way to sign in. */
const SCHEME = "bearer";

interface Parameter {
  name?: string;
  schema?: { default?: string };
}
interface ApiDocument {
  servers?: unknown;
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}

/** Fills in the space that the session is of. */
function withSpace(document: ApiDocument, space: string): ApiDocument {
  for (const operations of Object.values(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters)
        if (parameter.name === "spaceName") parameter.schema = { ...parameter.schema, default: space };
    }
  }
  return document;
}

/** Makes the viewer dark with the console: it asks no media query, but for this class on the document's element. */
function followTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const theme = storedTheme();
  const show = (): void => {
    const isDark = theme === "dark" || (theme === "system" && system.matches);
    document.documentElement.classList.toggle("dark-mode", isDark);
  };
  show();
  system.addEventListener("change", show);
}

/** Loads the styles with the viewer: without it, the page keeps the look that it came with. */
function loadStyles(): Promise<void> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = "/console/docs.css";
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error("The styles of the viewer were not found."));
    document.head.append(link);
  });
}

async function show(): Promise<void> {
  const session = readSession();
  const answer = await fetch(DOCUMENT);
  if (!answer.ok) return;
  await loadStyles();
  const document_ = (await answer.json()) as ApiDocument;
  // There is one server, this one: nothing to choose.
  delete document_.servers;
  followTheme();
  const host = document.createElement("div");
  host.id = "viewer";
  const ui = SwaggerUI({
    domNode: host,
    spec: session ? withSpace(document_, session.space) : document_,
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    filter: true,
    tryItOutEnabled: session !== null,
    // The viewer never writes a key to this device.
    persistAuthorization: false,
    validatorUrl: null,
    plugins: [PLUGIN],
    onComplete: () => {
      if (session) ui.preauthorizeApiKey(SCHEME, session.key);
    },
  });
  const back = document.createElement("a");
  back.className = "docs-back";
  back.href = session ? `/console/${encodeURIComponent(session.space)}/media` : "/console";
  back.textContent = session ? `Console, signed in to ${session.space}` : "Console";
  const head = document.createElement("header");
  head.append(back);
  document.body.replaceChildren(head, host);
}

void show();
