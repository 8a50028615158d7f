/** Codes the levels of the block that was quantised last (AV1 specification section 5.11.39). */
import { putBits, putGolomb, putSymbol } from "../coder/range-coder";
import { baseCdfsOf, classOf, GOLOMB_LEVEL, lastCdfsOf, rangeCdfsOf } from "./costs";
import { eobCdf, eobExtraCdf, eobSymbol, forgetEndCosts, lastContext } from "./end";
import { DIAGONAL, ENTRY_BYTES, fifthOf, fourthOf, LEVEL_STRIDE, levels, orderOf, thirdOf } from "./orders";
import { MOST_CODED, scanOf } from "./scans";

/** Codes `count` coefficients. @param block where their signs are @param absolute where their levels are */
export function putLevels(
  block: usize,
  absolute: usize,
  count: i32,
  wide: i32,
  high: i32,
  plane: i32,
  type: i32,
  dcSignCdf: usize,
): void {
  const kind = classOf(wide, high, plane);
  const order = orderOf(type);
  wide = min(wide, MOST_CODED);
  high = min(high, MOST_CODED);
  const log2 = wide + high;
  const symbol = eobSymbol(count);
  putSymbol(eobCdf(log2, i32(plane > 0), i32(order != DIAGONAL)), symbol, log2 + 1);
  if (symbol > 1) {
    const rest = symbol - 2;
    putSymbol(eobExtraCdf(kind, symbol), ((count - 1) >> rest) & 1, 2);
    putBits(count - 1, rest);
  }
  forgetEndCosts();
  const scan = scanOf(wide, high, order);
  const third = thirdOf(order);
  const fourth = fourthOf(order);
  const fifth = fifthOf(order);
  const first = order == DIAGONAL ? 0 : -1;
  const bases = baseCdfsOf(kind);
  const ranges = rangeCdfsOf(kind);
  for (let c = count - 1; c >= 0; c--) {
    const entry = scan + <usize>c * ENTRY_BYTES;
    const at = levels + ((<usize>load<u16>(entry, 2)) << 1);
    const level = <i32>load<u8>(at, 1);
    const near = <i32>load<u16>(at, 2) + <i32>load<u16>(at, LEVEL_STRIDE * 2) + <i32>load<u16>(at + third);
    if (c == count - 1) {
      putSymbol(lastCdfsOf(kind) + <usize>lastContext(c, 1 << log2) * 6, min(level, 3) - 1, 3);
    } else {
      const mag = (near & 0xff) + <i32>load<u8>(at + fourth) + <i32>load<u8>(at + fifth);
      const context = c == first ? 0 : min((mag + 1) >> 1, 4) + <i32>load<u16>(entry, 4);
      putSymbol(bases + ((<usize>context) << 3), min(level, 3), 4);
    }
    if (level < 3) continue;
    const range = ranges + ((<usize>(min(((near >> 8) + 1) >> 1, 6) + <i32>load<u16>(entry, 6))) << 3);
    let rest = level - 3;
    for (let i = 0; i < 4; i++) {
      const part = min(rest, 3);
      putSymbol(range, part, 4);
      if (part < 3) break;
      rest -= 3;
    }
  }
  putSigns(block, absolute, count, scan, dcSignCdf);
}

function putSigns(block: usize, absolute: usize, count: i32, scan: usize, dcSignCdf: usize): void {
  for (let c = 0; c < count; c++) {
    const place = (<usize>load<u16>(scan + <usize>c * ENTRY_BYTES)) << 1;
    const level = <i32>load<i16>(absolute + place);
    if (level == 0) continue;
    const sign = i32(load<i16>(block + place) < 0);
    if (c == 0) putSymbol(dcSignCdf, sign, 2);
    else putBits(sign, 1);
    if (level >= GOLOMB_LEVEL) putGolomb(level - GOLOMB_LEVEL);
  }
}
