/** The API document of the app in this checkout. */
import type { EndpointDescription } from "../../src/edge/http/documents/description.ts";
import { apiDocument, type ApiDocument } from "./document.ts";

/** Imports the app as an untyped module, because its types belong to another runtime than those of scripts. */
const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href);

export async function describedApi(version: string): Promise<ApiDocument> {
  const { createApp } = (await load("../../src/edge/app.ts")) as {
    createApp: () => { descriptions: EndpointDescription[] };
  };
  return apiDocument(createApp().descriptions, version);
}
