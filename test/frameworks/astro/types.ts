import type { ExternalImageService } from "astro";
import service from "silverprint/astro";

/** It is what Astro calls an image service. */
service satisfies ExternalImageService;
