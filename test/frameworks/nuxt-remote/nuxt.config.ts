import remote from "./remote.json";

const { base, isUnoptimized, origin } = remote;

export default defineNuxtConfig({
  modules: ["@nuxt/image"],
  compatibilityDate: "2026-11-01",
  telemetry: false,
  app: { head: { link: [{ rel: "icon", href: "data:," }] } },
  image: {
    domains: [new URL(origin).host],
    // The one line, which is all that differs from the app with ipx of its own.
    ...(base && { provider: "ipx", ipx: { baseURL: `${base}/ipx` } }),
    ...(isUnoptimized && { provider: "none" }),
  },
});
