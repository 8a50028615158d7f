/** Models and records for tests of the console. */
import { bearer, json, type Space } from "../../../scripts/harness/api.ts";

/** Calls a space's API with its key. */
export async function call<T>(space: Space, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${space.api}${path}`, {
    method,
    headers: { ...bearer(space.key), "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return json<T>(answer);
}

/** Makes a collection of articles with a field of every type, and one of authors. */
export async function articles(space: Space): Promise<void> {
  const model = (name: string, fields: object[]): Promise<unknown> =>
    call(space, "POST", "/models", { typeModel: "collections", name, fields });
  await model("authors", [{ name: "name", type: "string", required: true }]);
  await model("articles", [
    { name: "title", type: "string", required: true, unique: true, maxLength: 80 },
    { name: "body", type: "text", description: "Markdown" },
    { name: "minutes", type: "number", integer: true, min: 1 },
    { name: "featured", type: "boolean", default: false },
    { name: "written", type: "datetime" },
    { name: "mood", type: "enum", values: ["calm", "bright"] },
    { name: "cover", type: "media" },
    { name: "author", type: "relation", to: "authors" },
    { name: "related", type: "relation", to: "articles", multiple: true },
    { name: "extra", type: "json" },
  ]);
}
