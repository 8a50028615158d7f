import type { Picture } from "silverprint/next";
import media from "./media.json";

/** As the service answered them, written by the test. */
export const { landscape, portrait, small, drawing }: Record<string, Picture> = media;
