/** Focal points: the points that crops are centred on (RULES 4.8, 5.9). */
import { CROP } from "../../limits.ts";

/** A point in the upright picture, as whole percentages of its width (from the left) and height (from the top). */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

export const CENTRE: FocalPoint = { x: 50, y: 50 };

/** Makes a focal point of shares from 0 to 1, rounded to two decimals. */
export const focalPointOf = ({ x, y }: { x: number; y: number }): FocalPoint => ({
  x: Math.round(100 * x),
  y: Math.round(100 * y),
});

/** Returns the focal point as clients see it: shares from 0 to 1. */
export const sharesOf = ({ x, y }: FocalPoint): { x: number; y: number } => ({ x: x / 100, y: y / 100 });

const SHARES = /^([01](?:\.\d{1,20})?) ?, ?([01](?:\.\d{1,20})?)$/;

/** Reads `0.25,0.75`, rounded to two decimals; null for anything else. */
export function parseFocalPoint(text: string): FocalPoint | null {
  const match = SHARES.exec(text);
  const [x, y] = [Number(match?.[1]), Number(match?.[2])];
  return match && x <= 1 && y <= 1 ? focalPointOf({ x, y }) : null;
}

const STEPS = /^(?:0(?:\.\d{1,2})?|1(?:\.00?)?),(?:0(?:\.\d{1,2})?|1(?:\.00?)?)$/;

/** Reads the focal point of a request: two decimals, in steps of 0.05. Null for anything else. */
export function parseRequestedFocalPoint(text: string): FocalPoint | null {
  const point = STEPS.test(text) ? parseFocalPoint(text) : null;
  const isStep = (percent: number): boolean => percent % CROP.requestedFocalPointStepPercent === 0;
  return point && isStep(point.x) && isStep(point.y) ? point : null;
}

/** Makes a focal point of its two database columns, which are both set or both null. */
export const storedFocalPoint = (x: number | null, y: number | null): FocalPoint | null =>
  x === null || y === null ? null : { x, y };
