/** Renders stored coefficients to samples. A progressive file is rendered only after its last scan. */
import { BLOCK_BYTES, Component, Frame, componentAt } from "./frame";
import { renderBlock } from "./render";
import { BLOCK } from "./sequential";
import { Work } from "./status";
import { Orientation, storeTransposed } from "./orient";

/** The samples of a block before they are transposed. */
const SAMPLES: usize = memory.data(64, 16);

/** Renders one row of MCUs into the rings. `band` counts rows of the frame after it was transposed, if it was. */
export function renderBand(band: i32): void {
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    for (let y = 0; y < component.v; y++) {
      const blockRow = band * component.v + y;
      const row = (blockRow * component.size) % component.ringRows;
      const out = component.samples + <usize>row * <usize>component.stride;
      renderBlockRow(component, blockRow, out);
      component.rowsDone += component.size;
    }
    Work.units += (<u64>(component.paddedBlocksWide * component.v * component.size * component.size)) >> 1;
  }
}

function renderBlockRow(component: Component, blockRow: i32, out: usize): void {
  const size = component.size;
  const transposed = Orientation.transposed;
  const stride = <usize>component.stride;
  const quant = component.quant;
  const bytes = <usize>component.coefficientBytes;
  const blocks = component.paddedBlocksWide;
  // Blocks are stored in rows as coded, so a row of the transposed picture is a column of blocks.
  const firstBlock = <usize>(transposed ? blockRow : blockRow * blocks);
  const step: usize = transposed ? <usize>(Frame.mcusHigh * component.v) : 1;
  let coefficients = component.coefficients + firstBlock * bytes;
  let history = component.history + firstBlock * sizeof<u64>();
  for (let x = 0; x < blocks; x++, coefficients += step * bytes, history += step * sizeof<u64>()) {
    const to = transposed ? SAMPLES : out;
    const toStride = transposed ? <usize>size : stride;
    if (size == 8) {
      renderBlock(8, coefficients, quant, to, toStride, load<u64>(history) ? BLOCK_BYTES : 0);
    } else {
      spread(size, coefficients);
      renderBlock(size, BLOCK, quant, to, toStride, 0);
    }
    if (transposed) storeTransposed(SAMPLES, size, out, stride);
    out += size;
  }
}

/** Copies the stored coefficients of a block to the top left of BLOCK, whose other coefficients are zeros. */
@inline
function spread(size: i32, coefficients: usize): void {
  if (size == 4) {
    for (let row: usize = 0; row < 4; row++)
      store<u64>(BLOCK + (row << 4), load<u64>(coefficients + (row << 3)));
  } else if (size == 2) {
    store<u32>(BLOCK, load<u32>(coefficients));
    store<u32>(BLOCK, load<u32>(coefficients, 4), 16);
  } else {
    store<i16>(BLOCK, load<i16>(coefficients));
  }
}
