/** Renders stored coefficients to samples. A progressive file is rendered only after its last scan. */
import { BLOCK_BYTES, Component, Frame, componentAt } from "./frame";
import { renderBlock } from "./render";
import { BLOCK } from "./sequential";
import { Work } from "./status";
import { Orientation, storeTransposed } from "./orient";

/** The samples of a block before they are transposed. */
const SAMPLES: usize = memory.data(64, 16);

/**
 * Renders one row of MCUs into the rings, as far as the crop needs it. `band` counts rows of the frame after it was
 * transposed, if it was.
 */
export function renderBand(band: i32): void {
  for (let i = 0; i < Frame.components; i++) {
    const component = componentAt(i);
    const firstOfBand = band * component.v - component.firstRow;
    if (firstOfBand < 0 || firstOfBand >= component.rows) {
      component.rowsDone += component.bandRows;
      continue;
    }
    for (let y = 0; y < component.v; y++) {
      const blockRow = band * component.v + y;
      const row = (blockRow * component.size) % component.ringRows;
      const out = component.samples + <usize>row * <usize>component.stride;
      renderBlockRow(component, blockRow, out);
      component.rowsDone += component.size;
    }
    Work.units += (<u64>(component.columns * component.v * component.size * component.size)) >> 1;
  }
}

function renderBlockRow(component: Component, blockRow: i32, out: usize): void {
  const size = component.size;
  const transposed = Orientation.transposed;
  const stride = <usize>component.stride;
  const quant = component.quant;
  const bytes = <usize>component.coefficientBytes;
  const columns = component.columns;
  const row = blockRow - component.firstRow;
  // Blocks are stored in rows as coded, so a row of the transposed picture is a column of blocks.
  const blockStep = transposed ? component.rows : 1;
  const step = <usize>blockStep * bytes;
  let coefficients = component.coefficients + <usize>(transposed ? row : row * columns) * bytes;
  const wide = transposed ? Frame.mcusHigh * component.v : component.paddedBlocksWide;
  const first = component.firstColumn;
  const firstBlock = <usize>(transposed ? first * wide + blockRow : blockRow * wide + first);
  const codedStep = transposed ? wide : 1;
  const historyStep = <usize>codedStep * sizeof<u64>();
  let history = component.history + firstBlock * sizeof<u64>();
  for (let x = 0; x < columns; x++, coefficients += step, history += historyStep) {
    const to = transposed ? SAMPLES : out;
    const toStride = transposed ? <usize>size : stride;
    if (size == 8) {
      renderBlock(8, coefficients, quant, to, toStride, load<u64>(history) ? BLOCK_BYTES : 0);
    } else {
      spread(size, coefficients);
      renderBlock(size, BLOCK, quant, to, toStride, size == 4 && load<u64>(history) ? 1 : 0);
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
