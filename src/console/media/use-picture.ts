/**
 * A variant as it comes to be. The service answers with the master until the variant is built; a page of small pictures
 * must not load a hundred masters for that, so a large one is left unread and the variant is asked for again.
 */
import { useEffect, useState } from "preact/hooks";
import { FORMATS, NEGOTIATED_FORMATS } from "../../image/formats/registry.ts";
import { MEGABYTE_BYTES } from "../../limits.ts";

export type PictureState = "loading" | "waiting" | "shown" | "failed";

/** The file that is shown, or why none is. */
export interface ShownPicture {
  /** A `blob:` address; null until there is one. */
  address: string | null;
  state: PictureState;
}

/** A master up to this is shown while its variant is built. */
const MASTER_MEANWHILE_MAX_BYTES = 150_000;
/** A master up to this is shown where no variant can be had. */
const MASTER_INSTEAD_MAX_BYTES = 4 * MEGABYTE_BYTES;
const WAITS_MS = [700, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 10_000, 15_000];
/** The Accept header of a browser that takes all formats to which `auto=format` can lead. */
const ACCEPT = [...NEGOTIATED_FORMATS.map((format) => FORMATS[format].mime), "image/*;q=0.8"].join(",");

/** States in which a master stands in for a variant that will be built. */
const IS_UNDER_WAY = ["queued", "coalesced", "overloaded"];

/** @param path of direct delivery, on this origin; null for nothing */
export function usePicture(path: string | null): ShownPicture {
  const [picture, setPicture] = useState<ShownPicture>({ address: null, state: "loading" });
  useEffect(() => {
    if (path === null) return;
    const ended = new AbortController();
    const addresses: string[] = [];
    const show = async (response: Response, state: PictureState): Promise<void> => {
      const address = URL.createObjectURL(await response.blob());
      addresses.push(address);
      setPicture({ address, state });
    };
    /** Asks for the picture. True when there is nothing more to wait for. */
    const ask = async (tries: number): Promise<boolean> => {
      const cache = tries === 0 ? "default" : "reload";
      const response = await fetch(path, { headers: { Accept: ACCEPT }, signal: ended.signal, cache });
      const state = response.headers.get("X-Service-Transform");
      // Without a state, the master is the answer by rule.
      const isInstead = state !== null && response.headers.get("X-Service-File") === "master";
      const size = Number(response.headers.get("Content-Length") ?? Infinity);
      const waits = isInstead && IS_UNDER_WAY.includes(state) && tries < WAITS_MS.length;
      const maxBytes = waits ? MASTER_MEANWHILE_MAX_BYTES : MASTER_INSTEAD_MAX_BYTES;
      if (response.ok && (!isInstead || size <= maxBytes)) {
        await show(response, waits ? "waiting" : "shown");
      } else {
        void response.body?.cancel();
        setPicture(({ address }) => ({ address, state: waits ? "waiting" : "failed" }));
      }
      return !waits;
    };
    const run = async (): Promise<void> => {
      for (let tries = 0; !(await ask(tries)); tries++) {
        await new Promise((resolve) => setTimeout(resolve, WAITS_MS[tries]));
        if (ended.signal.aborted) return;
      }
    };
    setPicture({ address: null, state: "loading" });
    run().catch(() => {
      if (!ended.signal.aborted) setPicture({ address: null, state: "failed" });
    });
    return () => {
      ended.abort();
      for (const address of addresses) URL.revokeObjectURL(address);
    };
  }, [path]);
  return picture;
}
