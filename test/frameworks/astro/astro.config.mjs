import { defineConfig } from "astro/config";
import { breakpoints } from "silverprint/astro";

export default defineConfig({ image: { breakpoints, service: { entrypoint: "silverprint/astro" } } });
