/** Pictures for tests of placeholders. */
import sharp, { type Sharp } from "sharp";

export const WIDTH = 300;
export const HEIGHT = 200;

/** Returns a scene mostly of one colour, no part of which is alike when it is turned or mirrored. */
export const scene = (ground: string, width = WIDTH, height = HEIGHT): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 300 200"
  preserveAspectRatio="none"><rect width="300" height="200" fill="${ground}"/>
  <circle cx="60" cy="60" r="44" fill="#e8c020"/><path d="M300 200H170L300 90Z" fill="#c8281e"/></svg>`);

export const drawn = (ground: string, width?: number, height?: number): Sharp =>
  sharp(scene(ground, width, height)).removeAlpha();

export const rgba = (picture: Sharp): Promise<Buffer> => picture.ensureAlpha().raw().toBuffer();

export const GROUND = "#1c5a3c";
