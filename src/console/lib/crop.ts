/** The crop that the service makes: the largest rectangle of a ratio, centred on the focal point, inside the picture. */

/** Shares from the left and the top. */
export interface Point {
  x: number;
  y: number;
}

export interface Crop {
  /** Shares of the picture. */
  left: number;
  top: number;
  width: number;
  height: number;
}

/** "16:9" as 16 / 9. */
export function ratioOf(text: string): number {
  const [width, height] = text.split(":").map(Number);
  return (width ?? 1) / (height ?? 1);
}

/** @param pictureRatio width by height of the whole */
export function cropOf(pictureRatio: number, ratio: number, { x, y }: Point): Crop {
  const width = Math.min(1, ratio / pictureRatio);
  const height = Math.min(1, pictureRatio / ratio);
  const inside = (centre: number, size: number): number => Math.min(1 - size, Math.max(0, centre - size / 2));
  return { left: inside(x, width), top: inside(y, height), width, height };
}
