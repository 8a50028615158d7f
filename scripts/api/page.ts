/** Writes the API document as an HTML page that is readable without scripts. A script replaces it by a viewer. */

import type { ApiDocument, Content, Operation, Parameter } from "./document.ts";
import type { Schema } from "./schemas.ts";

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Escapes a text for HTML. */
export const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

/** Escapes the text first, so that only its code marks become elements. */
const inline = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

/** Writes Markdown of paragraphs, lists and code as HTML. */
export const prose = (text: string): string =>
  text
    .split("\n\n")
    .map((block) =>
      block.startsWith("- ")
        ? `<ul>${block
            .split("\n")
            .map((line) => `<li>${inline(line.slice(2))}</li>`)
            .join("")}</ul>`
        : `<p>${inline(block)}</p>`,
    )
    .join("");

function schemaText(schema: Schema | undefined): string {
  if (!schema) return "";
  const reference = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined;
  if (reference) return `<a href="#schema-${escape(reference)}">${escape(reference)}</a>`;
  return `<pre tabindex="0">${escape(JSON.stringify(schema, null, 2))}</pre>`;
}

const contentText = (content: Content | undefined): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => `<p><code>${escape(type)}</code></p>${schemaText(schema)}`)
    .join("");

function parameterRow({ name, in: place, required, description, schema }: Parameter): string {
  const type = schema?.["type"] ?? schema?.["enum"] ?? "";
  return `<tr><td><code>${escape(name)}</code></td><td>${escape(place)}${required ? ", required" : ""}</td>
    <td>${escape(typeof type === "string" ? type : JSON.stringify(type))}</td><td>${inline(description ?? "")}</td></tr>`;
}

function operationText(path: string, method: string, operation: Operation): string {
  const { summary = "", description, parameters = [], requestBody, responses, security } = operation;
  const isPublic = security?.length === 0;
  const rows = parameters.map(parameterRow).join("");
  const answers = Object.entries(responses)
    .map(([status, answer]) => {
      const isError = Number(status) >= 400;
      return `<dt>${escape(status)}</dt><dd>${inline(answer.description)}${isError ? "" : contentText(answer.content)}</dd>`;
    })
    .join("");
  return `<details><summary><b class="${escape(method)}">${escape(method.toUpperCase())}</b>
    <code>${escape(path)}</code> ${escape(summary)}${isPublic ? " <i>public</i>" : ""}</summary>
    ${description ? prose(description) : ""}
    ${rows ? `<table><tr><th>Parameter</th><th>In</th><th>Type</th><th></th></tr>${rows}</table>` : ""}
    ${requestBody ? `<h4>Body</h4>${contentText(requestBody.content)}` : ""}
    <h4>Answers</h4><dl>${answers}</dl></details>`;
}

export const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;background:light-dark(#fff,#131211);color:light-dark(#1c1a17,#f1eee8)}
code,pre{font:13px/1.45 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;border:1px solid #8884;border-radius:6px}
details{border-bottom:1px solid #8884;padding:.4rem 0}summary{cursor:pointer}summary b{display:inline-block;min-width:4.5rem}
.get{color:light-dark(#066a4b,#5fd3a8)}.post{color:light-dark(#1d5fb0,#8ab8f5)}.put,.patch{color:light-dark(#8a4b00,#e8b264)}
.delete{color:light-dark(#b02318,#ff938a)}.plain a{color:light-dark(#1d5fb0,#8ab8f5);display:inline-block;min-height:24px}
.plain{overflow-wrap:anywhere}.plain table{border-collapse:collapse;width:100%;table-layout:fixed}td,th{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0}
dt{font-weight:600}dd{margin:0 0 .5rem 1.5rem}`;

export function docsPage(document: ApiDocument): string {
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? "Other";
      groups.set(tag, [...(groups.get(tag) ?? []), operationText(path, method, operation)]);
    }
  }
  const sections = [...groups].map(([tag, parts]) => `<h2>${escape(tag)}</h2>${parts.join("")}`).join("");
  const schemas = Object.entries(document.components.schemas)
    .map(([name, schema]) => `<h3 id="schema-${escape(name)}">${escape(name)}</h3>${schemaText(schema)}`)
    .join("");
  const { title, version, description } = document.info;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)} API</title><style>${STYLE}</style>
<link rel="icon" type="image/svg+xml" href="/console/favicon.svg"><script type="module" src="/console/docs.js"></script></head>
<body><main class="plain"><h1>${escape(title)} API <small>${escape(version)}</small></h1>${prose(description)}
<p><a href="/api/v1/openapi.json">openapi.json</a></p>${sections}<h2>Schemas</h2>${schemas}</main></body></html>`;
}
