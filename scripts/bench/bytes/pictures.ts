/** The masters of the bench: photographs from a folder, and generated pictures. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MADE_KINDS, madePicture, type MadeKind } from "./made-pictures.ts";

export type Kind = "photograph" | MadeKind;
export const KINDS: readonly Kind[] = ["photograph", ...MADE_KINDS];

export interface Master {
  kind: Kind;
  name: string;
  file: Buffer;
}

const PHOTOGRAPH = /\.(?:png|jpe?g|webp|avif)$/i;

/** @param folder a folder of photographs; without it, no photograph is measured */
export async function* masters(kinds: readonly Kind[], folder: string | undefined): AsyncGenerator<Master> {
  for (const kind of kinds) {
    if (kind !== "photograph") {
      yield { kind, name: kind, file: await madePicture(kind) };
      continue;
    }
    const names = folder ? readdirSync(folder).filter((name) => PHOTOGRAPH.test(name)) : [];
    for (const name of names.sort()) yield { kind, name, file: readFileSync(join(folder!, name)) };
  }
}
