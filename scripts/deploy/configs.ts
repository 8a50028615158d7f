/** The repository's own wrangler configurations. */
import { join } from "node:path";
import type { Configs, WranglerConfig } from "./deployment.ts";
import { CONFIG_FILES } from "./wrangler.ts";

/** The part of wrangler's programming interface that is used here; its own types name a package that is not published. */
interface Wrangler {
  experimental_readRawConfig: (options: { config: string }) => { rawConfig: WranglerConfig };
}

export async function readConfigs(root: string): Promise<Configs> {
  // Wrangler's own reader; it is large, so that it is loaded only when it is needed.
  const { experimental_readRawConfig: read } = (await import("wrangler")) as unknown as Wrangler;
  const configOf = (file: string): WranglerConfig => read({ config: join(root, file) }).rawConfig;
  return { edge: configOf(CONFIG_FILES.edge), builder: configOf(CONFIG_FILES.builder) };
}
