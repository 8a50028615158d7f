/**
 * Reads everything that precedes the pixels of a picture: transforms with their images, the cache's size, the groups of
 * prefix codes and which tile has which (RFC 9649, 3.8.2). It works in steps, so that data may arrive and others may run
 * in between. A step that finds too few data is begun again when there are more.
 */
import { isInputEnded, isStarved, keepPlace, readBits, returnToPlace } from "./bits";
import { CACHE_BITS_MAX } from "./colour-cache";
import {
  areGroupsRead,
  forgetUse,
  keepCode,
  noteUse,
  numberGroups,
  readNextCode,
  startGroups,
  startOneGroup,
} from "./groups";
import { areAllDecoded, decoded, decodePixels, pixelAt, startPixels } from "./pixels";
import { markReserve, returnToMark, takeReserve } from "./reserve";
import { addTransform, GREEN, imageBytes, keepPixel, PALETTE, placeImage } from "./transforms";
import {
  FAULT_CORRUPT,
  FAULT_OUT_OF_MEMORY,
  FAULT_TRUNCATED,
  NEED_INPUT,
  WORKING,
} from "../../decoder-status";

/** The steps. */
const TRANSFORM: i32 = 0;
const CACHE: i32 = 1;
const TILES: i32 = 2;
const CODES: i32 = 3;
const IMAGE_PIXELS: i32 = 4;
const READY: i32 = 5;

/** The image of groups beside those of the transforms, by their kinds. */
const GROUPS: i32 = 4;
const NO_IMAGE: i32 = -1;
/** Pixels of an image that are decoded in one step, and codes that are read. */
const STEP_PIXELS: u32 = 1 << 16;
const STEP_CODES: i32 = 64;

let step = TRANSFORM;
/** The picture as it is coded: narrower than it is shown where pixels have several indices. */
export let codedWidth: u32 = 0;
let pictureHeight: u32 = 0;
let pictureCacheBits: u32 = 0;
/** The tiles that have groups, and the group of each (u16); 0 if all pixels have the same group. */
let groupBits: u32 = 0;
let groupTiles: usize = 0;

/** The kind of the image that is read before the pixels of the picture, its size, and how many pixels are kept of it. */
let image = NO_IMAGE;
let imageWidth: u32 = 0;
let imageHeight: u32 = 0;
let imageCacheBits: u32 = 0;
let kept: u32 = 0;

/** Begins with a picture. */
export function startHead(width: u32, height: u32): void {
  step = TRANSFORM;
  codedWidth = width;
  pictureHeight = height;
  image = NO_IMAGE;
}

@inline
export function isHeadRead(): boolean {
  return step == READY;
}

/** Takes one step. @returns WORKING, also after the last one, NEED_INPUT, or a fault */
export function advanceHead(): i32 {
  if (step == IMAGE_PIXELS) return decodeImage();
  if (step == CODES) {
    for (let i = 0; i < STEP_CODES && step == CODES; i++) {
      const status = attempt();
      if (status != WORKING) return status;
    }
    return WORKING;
  }
  return step == READY ? WORKING : attempt();
}

/** Takes a step that is begun again where it lacks data. Nothing may be taken from the reserve before it has all. */
function attempt(): i32 {
  keepPlace();
  const before = step;
  const status = takeStep();
  if (!isStarved) return status;
  step = before;
  returnToPlace();
  return isInputEnded() ? FAULT_TRUNCATED : NEED_INPUT;
}

function takeStep(): i32 {
  switch (step) {
    case TRANSFORM:
      return readTransform();
    case CACHE:
      return readCache();
    case TILES:
      return readTiles();
    default:
      return readGroups();
  }
}

function readTransform(): i32 {
  if (!readBits(1)) {
    step = CACHE;
    return WORKING;
  }
  const kind = <i32>readBits(2);
  if (kind == PALETTE) return readPalette();
  const bits = kind == GREEN ? 0 : readBits(3) + 2;
  if (isStarved) return NEED_INPUT;
  if (!addTransform(kind, bits, codedWidth)) return FAULT_CORRUPT;
  if (kind == GREEN) return WORKING;
  return startTiles(kind, bits);
}

function readPalette(): i32 {
  const colours = readBits(8) + 1;
  if (isStarved) return NEED_INPUT;
  const packing = colours > 16 ? 0 : colours > 4 ? 1 : colours > 2 ? 2 : 3;
  if (!addTransform(PALETTE, packing, codedWidth)) return FAULT_CORRUPT;
  codedWidth = (codedWidth + (1 << packing) - 1) >> packing;
  return startImage(PALETTE, colours, 1);
}

/** Begins an image with a pixel for each tile of 2^`bits` pixels a side. */
function startTiles(kind: i32, bits: u32): i32 {
  const width = (codedWidth + (1 << bits) - 1) >> bits;
  const height = (pictureHeight + (1 << bits) - 1) >> bits;
  const bytes = kind == GROUPS ? 2 * width * height : imageBytes(kind, width * height);
  const at = takeReserve(bytes);
  if (!at) return FAULT_OUT_OF_MEMORY;
  if (kind == GROUPS) groupTiles = at;
  else placeImage(kind, at);
  return startImage(kind, width, height);
}

function startImage(kind: i32, width: u32, height: u32): i32 {
  image = kind;
  imageWidth = width;
  imageHeight = height;
  kept = 0;
  step = CACHE;
  return WORKING;
}

function readCache(): i32 {
  const hasCache = readBits(1);
  const bits = hasCache ? readBits(4) : 0;
  if (isStarved) return NEED_INPUT;
  if (hasCache && (bits < 1 || bits > CACHE_BITS_MAX)) return FAULT_CORRUPT;
  if (image == NO_IMAGE) {
    pictureCacheBits = bits;
    step = TILES;
    return WORKING;
  }
  imageCacheBits = bits;
  markReserve();
  step = CODES;
  return startOneGroup(bits) ? WORKING : FAULT_OUT_OF_MEMORY;
}

function readTiles(): i32 {
  const hasTiles = readBits(1);
  if (hasTiles) groupBits = readBits(3) + 2;
  if (isStarved) return NEED_INPUT;
  if (hasTiles) return startTiles(GROUPS, groupBits);
  step = CODES;
  return startOneGroup(pictureCacheBits) ? WORKING : FAULT_OUT_OF_MEMORY;
}

function readGroups(): i32 {
  const entries = readNextCode();
  if (isStarved) return NEED_INPUT;
  if (entries == 0) return FAULT_CORRUPT;
  if (!keepCode(entries)) return FAULT_OUT_OF_MEMORY;
  if (!areGroupsRead()) return WORKING;
  if (image == NO_IMAGE) {
    startPixels(codedWidth, pictureHeight, pictureCacheBits, groupTiles, groupBits);
    step = READY;
    return WORKING;
  }
  startPixels(imageWidth, imageHeight, imageCacheBits, 0, 0);
  step = IMAGE_PIXELS;
  if (image == GROUPS) forgetUse();
  return WORKING;
}

function decodeImage(): i32 {
  const total = imageWidth * imageHeight;
  const status = decodePixels(min(total, decoded + STEP_PIXELS));
  for (; kept < decoded; kept++) {
    const pixel = load<u32>(pixelAt(kept));
    if (image == GROUPS) keepGroup(pixel);
    else keepPixel(image, kept, pixel);
  }
  if (status < 0) return status;
  return areAllDecoded() ? endImage() : WORKING;
}

function keepGroup(pixel: u32): void {
  const group = (pixel >> 8) & 0xffff;
  noteUse(group);
  store<u16>(groupTiles + ((<usize>kept) << 1), <u16>group);
}

/** Goes on behind an image, whose codes are not needed any more. */
function endImage(): i32 {
  returnToMark();
  const isGroups = image == GROUPS;
  image = NO_IMAGE;
  step = TRANSFORM;
  if (!isGroups) return WORKING;
  step = CODES;
  if (!startGroups(pictureCacheBits)) return FAULT_OUT_OF_MEMORY;
  numberGroups(groupTiles, imageWidth * imageHeight);
  return WORKING;
}
