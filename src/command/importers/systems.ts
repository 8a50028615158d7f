/** The importers by the names of their systems. */
import { Failure } from "../base/failure.ts";
import type { Reading } from "./reading.ts";
import type { Site, System } from "./site.ts";

type Importer = (reading: Reading) => Promise<Site>;

/** Each is loaded when it is needed, with its parsers. */
const IMPORTERS: Readonly<Record<System, () => Promise<Importer>>> = {
  contentful: async () => (await import("./contentful/contentful.ts")).readContentful,
  sanity: async () => (await import("./sanity/sanity.ts")).readSanity,
  strapi: async () => (await import("./strapi/strapi.ts")).readStrapi,
  wordpress: async () => (await import("./wordpress/wordpress.ts")).readWordPress,
};

/** Reads the export of a system. @throws Failure when the file is none, or cannot be read */
export async function readSite(system: System, reading: Reading): Promise<Site> {
  const read = await IMPORTERS[system]();
  try {
    return await read(reading);
  } catch (cause) {
    if (cause instanceof Failure || !(cause instanceof Error) || !("code" in cause)) throw cause;
    const { code } = cause;
    if (code === "ENOENT") throw new Failure(`${reading.path} is not there.`, { cause });
    throw new Failure(`${reading.path} cannot be read (${String(code)}).`, {
      next: "Look whether the file was copied whole, and export it again if it was not.",
      cause,
    });
  }
}
