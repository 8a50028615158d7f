/** Reads marker segments outside scans (ITU T.81 B.2.2, B.2.4), and the application segments that name colours. */
import { BLOCK_OFFSETS } from "./zigzag";
import { BLOCK_BYTES, BLOCK_COEFFICIENTS, Frame, MAX_COMPONENTS, defineComponent } from "./frame";
import { measureFrame } from "./frame";
import { defineHuffman } from "./huffman";
import { END_OF_FILE, Inbox, nextMarker } from "./input";
import {
  FAULT_ARITHMETIC,
  FAULT_COMPONENTS,
  FAULT_HIERARCHICAL,
  FAULT_LOSSLESS,
  FAULT_NOT_JPEG,
  FAULT_NO_HEIGHT,
  FAULT_PRECISION,
  FAULT_SEGMENT,
  FAULT_TRUNCATED,
  NEED_INPUT,
  fail,
} from "./status";

const SOI: i32 = 0xd8;
export const EOI: i32 = 0xd9;
export const SOS: i32 = 0xda;
const SOF_BASELINE: i32 = 0xc0;
const SOF_PROGRESSIVE: i32 = 0xc2;
const SOF_LOSSLESS: i32 = 0xc3;
const SOF_ARITHMETIC: i32 = 0xc9;
const SOF_ARITHMETIC_PROGRESSIVE: i32 = 0xca;
const SOF_LAST: i32 = 0xcf;
const DHT: i32 = 0xc4;
const JPG: i32 = 0xc8;
const DAC: i32 = 0xcc;
const DQT: i32 = 0xdb;
const DRI: i32 = 0xdd;
const APP0: i32 = 0xe0;
const APP14: i32 = 0xee;

/** "JFIF" and "Adob", read as little-endian words. */
const JFIF: u32 = 0x4649464a;
const ADOB: u32 = 0x626f6441;
const LETTER_E: u8 = 0x65;
const ADOBE_TRANSFORM: usize = 11;

/** Four quantisation tables of 64 i16 in rows. Bit i of `definedQuants` is set when table i is defined. */
const quants: usize = memory.data(512, 16);
let definedQuants: i32 = 0;

let started: boolean = false;
let sawJfif: boolean = false;
/** A marker whose segment has not arrived whole, and the bytes that are left to skip of a segment that is not used. */
let openMarker: i32 = 0;
let skipBytes: i32 = 0;

export function sawJfifSegment(): boolean {
  return sawJfif;
}

/** Returns the address of a quantisation table, or 0 when it was never defined. */
export function quantTable(index: i32): usize {
  return definedQuants & (1 << index) ? quants + <usize>(index * BLOCK_BYTES) : 0;
}

@inline
export function readU16(at: usize): i32 {
  return ((<i32>load<u8>(at)) << 8) | (<i32>load<u8>(at, 1));
}

/**
 * Reads segments up to one that the caller acts on.
 * @returns SOS (its length field is at Inbox.at and the whole segment has arrived), EOI, END_OF_FILE, NEED_INPUT or a
 *   fault
 */
export function readSegments(): i32 {
  if (!started) {
    if (Inbox.end - Inbox.at < 2) return Inbox.finished ? fail(FAULT_NOT_JPEG) : NEED_INPUT;
    if (readU16(Inbox.at) != (0xff00 | SOI)) return fail(FAULT_NOT_JPEG);
    Inbox.at += 2;
    started = true;
  }
  while (true) {
    if (skipBytes > 0) {
      const passed = min<i32>(skipBytes, <i32>(Inbox.end - Inbox.at));
      Inbox.at += passed;
      skipBytes -= passed;
      if (skipBytes > 0) return starved();
    }
    if (openMarker == 0) {
      openMarker = nextMarker();
      if (openMarker == 0) return NEED_INPUT;
    }
    const marker = openMarker;
    if (marker == EOI || marker == END_OF_FILE) return marker;
    if (marker == SOI) {
      openMarker = 0;
      continue;
    }
    const come = <i32>(Inbox.end - Inbox.at);
    if (come < 2) return starved();
    const length = readU16(Inbox.at);
    if (length < 2) return fail(FAULT_SEGMENT);
    if (!isInteresting(marker)) {
      skipBytes = length;
      openMarker = 0;
      continue;
    }
    if (come < length) return starved();
    openMarker = 0;
    if (marker == SOS) return SOS;
    const fault = readSegment(marker, Inbox.at + 2, length - 2);
    if (fault < 0) return fault;
    Inbox.at += length;
  }
}

function starved(): i32 {
  return Inbox.finished ? fail(FAULT_TRUNCATED) : NEED_INPUT;
}

function isFrameHeader(marker: i32): boolean {
  return marker >= SOF_BASELINE && marker <= SOF_LAST && marker != DHT && marker != JPG && marker != DAC;
}

function isInteresting(marker: i32): boolean {
  if (isFrameHeader(marker)) return true;
  return (
    marker == DHT || marker == DQT || marker == DRI || marker == SOS || marker == APP0 || marker == APP14
  );
}

/** Reads one segment. @returns 0 or a fault */
function readSegment(marker: i32, at: usize, length: i32): i32 {
  if (isFrameHeader(marker)) return readFrameHeader(marker, at, length);
  if (marker == DHT) return readHuffmanTables(at, length);
  if (marker == DQT) return readQuantTables(at, length);
  if (marker == DRI) {
    if (length < 2) return fail(FAULT_SEGMENT);
    Frame.restartInterval = readU16(at);
  } else if (marker == APP0) {
    if (length >= 14 && load<u32>(at) == JFIF && load<u8>(at, 4) == 0) sawJfif = true;
  } else if (length >= 12 && load<u32>(at) == ADOB && load<u8>(at, 4) == LETTER_E) {
    Frame.adobeTransform = load<u8>(at, ADOBE_TRANSFORM);
  }
  return 0;
}

/** Reads a frame header (B.2.2). Each process of table B.1 that is not supported has a fault of its own. */
function readFrameHeader(marker: i32, at: usize, length: i32): i32 {
  if (Frame.components != 0) return fail(FAULT_SEGMENT);
  if (marker == SOF_LOSSLESS) return fail(FAULT_LOSSLESS);
  if (marker == SOF_ARITHMETIC || marker == SOF_ARITHMETIC_PROGRESSIVE) return fail(FAULT_ARITHMETIC);
  if (marker == 0xcb) return fail(FAULT_LOSSLESS);
  if (marker > SOF_PROGRESSIVE) return fail(FAULT_HIERARCHICAL);
  if (length < 6) return fail(FAULT_SEGMENT);
  if (load<u8>(at) != 8) return fail(FAULT_PRECISION);
  Frame.height = readU16(at + 1);
  Frame.width = readU16(at + 3);
  const components = <i32>load<u8>(at, 5);
  if (Frame.height == 0) return fail(FAULT_NO_HEIGHT);
  if (Frame.width == 0 || components == 0 || length < 6 + 3 * components) return fail(FAULT_SEGMENT);
  if (components == 2 || components > MAX_COMPONENTS) return fail(FAULT_COMPONENTS);
  for (let i = 0; i < components; i++) {
    const entry = at + 6 + <usize>(3 * i);
    const id = <i32>load<u8>(entry);
    let h = (<i32>load<u8>(entry, 1)) >> 4;
    let v = (<i32>load<u8>(entry, 1)) & 15;
    const quantIndex = <i32>load<u8>(entry, 2);
    if (h < 1 || h > 4 || v < 1 || v > 4 || quantIndex > 3) return fail(FAULT_SEGMENT);
    // The sampling factors of a single component have no effect (A.2.2).
    if (components == 1) h = v = 1;
    defineComponent(i, id, h, v, quantIndex);
  }
  Frame.progressive = marker == SOF_PROGRESSIVE;
  Frame.components = components;
  measureFrame();
  return 0;
}

/** Reads a DHT segment (B.2.4.2). */
function readHuffmanTables(at: usize, length: i32): i32 {
  const end = at + <usize>length;
  while (at < end) {
    const isAC = load<u8>(at) >> 4;
    const slot = (<i32>load<u8>(at)) & 15;
    if (isAC > 1 || slot > 3) return fail(FAULT_SEGMENT);
    const used = defineHuffman(isAC == 1, slot, at + 1, <i32>(end - at) - 1);
    if (used < 0) return used;
    at += 1 + <usize>used;
  }
  return 0;
}

/** Reads a DQT segment (B.2.4.1). */
function readQuantTables(at: usize, length: i32): i32 {
  const end = at + <usize>length;
  while (at < end) {
    const bytes = load<u8>(at) >> 4 ? 2 : 1;
    const slot = (<i32>load<u8>(at)) & 15;
    at++;
    if (slot > 3 || <i32>(end - at) < bytes * BLOCK_COEFFICIENTS) return fail(FAULT_SEGMENT);
    const table = quants + <usize>(slot * BLOCK_BYTES);
    for (let k = 0; k < BLOCK_COEFFICIENTS; k++) {
      const step = bytes == 2 ? readU16(at) : <i32>load<u8>(at);
      store<i16>(table + <usize>load<u8>(BLOCK_OFFSETS + <usize>k), <i16>step);
      at += bytes;
    }
    definedQuants |= 1 << slot;
  }
  return 0;
}
