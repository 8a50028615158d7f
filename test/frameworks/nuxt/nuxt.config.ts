export default defineNuxtConfig({
  modules: ["@nuxt/image"],
  compatibilityDate: "2026-11-01",
  telemetry: false,
  app: { head: { link: [{ rel: "icon", href: "data:," }] } },
  image: { provider: "silverprint", providers: { silverprint: { provider: "silverprint/nuxt" } } },
});
