import type { NextConfig } from "next";
import remote from "./remote.json";

const { base, isUnoptimized, origin }: { base: string | null; isUnoptimized: boolean; origin: string } =
  remote;
const { hostname, port } = new URL(origin);

const config: NextConfig = {
  images: {
    // The one line, which is all that differs from the app with Next's own optimizer.
    ...(base !== null && { path: `${base}/next` }),
    unoptimized: isUnoptimized,
    // Without a search, so that a picture may have a query.
    remotePatterns: [{ protocol: "http", hostname, port, pathname: "/**" }],
    // Next's own optimizer refuses a server of this machine without it.
    dangerouslyAllowLocalIP: true,
  },
};
export default config;
