/** The answers of the service about a document of models. */
import type { components } from "../../client/schema.ts";

export type ModelsPlan = components["schemas"]["ModelsPlan"];
export type AppliedModels = components["schemas"]["AppliedModels"];
export type Entry = ModelsPlan["changes"][number];
export type ModelEntry = Exclude<Entry, { settings: string[] }>;
export type WorkingChange = ModelsPlan["working"][number];
export type BackgroundChange = components["schemas"]["ModelChange"];
export type Model = components["schemas"]["Model"];
export type Settings = components["schemas"]["SpaceSettings"];

/** Returns whether an entry is something that changes. */
export const isChange = (entry: Entry): boolean => entry.action !== "none";
