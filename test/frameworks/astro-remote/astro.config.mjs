import { defineConfig, passthroughImageService } from "astro/config";
import remote from "./remote.json" with { type: "json" };

const { base, isUnoptimized, origin } = remote;
const { protocol, hostname, port } = new URL(origin);

export default defineConfig({
  image: {
    // Astro copies a picture that it allows into the site, even if it does not optimize it.
    ...(!isUnoptimized && { remotePatterns: [{ protocol: protocol.slice(0, -1), hostname, port }] }),
    // The one line, which is all that differs from the site with Astro's own service.
    ...(base && { service: { entrypoint: "silverprint/astro", config: { base } } }),
    ...(isUnoptimized && { service: passthroughImageService() }),
  },
});
