/** Waits for placeholders, which the queue makes in idle time. */
import { bearer, json, type MediaObject, type Space } from "../../../scripts/harness/api.ts";

const POLL_MS = 500;

/** Asks until the placeholder of a version is there. The test's own limit ends what hangs. */
export async function described(space: Space, id: string, version = 1): Promise<MediaObject> {
  for (;;) {
    const media = await json<MediaObject>(
      await fetch(`${space.api}/media/${id}`, { headers: bearer(space.key) }),
    );
    if (media.placeholder && media.masterVersion === version) return media;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
