/** Static assets: a deploy names its files by their hashes, sends those that are missing, and gets a token for the rest. */
import { answer, refuse, type Routes } from "./route.ts";

/** Sessions are told from completed uploads by this; wrangler takes any text for a token. */
export const COMPLETED = "completed";

export const assetRoutes: Routes = {
  "POST /workers/scripts/:name/assets-upload-session": ({ assets }, { json }) => {
    const { manifest } = json() as { manifest: Record<string, { hash: string; size: number }> };
    const hashes = [...new Set(Object.values(manifest).map(({ hash }) => hash))];
    const missing = hashes.filter((hash) => !assets.has(hash));
    return answer(
      missing.length === 0 ? { jwt: COMPLETED, buckets: [] } : { jwt: "session", buckets: [missing] },
    );
  },
  "POST /workers/assets/upload": async ({ assets }, { form }) => {
    const sent = [...(await form()).keys()];
    if (sent.length === 0) return refuse(400, 10101, "No assets were sent.");
    for (const hash of sent) assets.add(hash);
    return answer({ jwt: COMPLETED });
  },
};
