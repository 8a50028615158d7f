/** The distributions of the tile that is being coded. */
import { CDF_BYTES, MODE_BYTES } from "../tables/cdf-layout";
import {
  DEFAULT_COEFFICIENTS_0,
  DEFAULT_COEFFICIENTS_1,
  DEFAULT_COEFFICIENTS_2,
  DEFAULT_COEFFICIENTS_3,
  DEFAULT_MODES,
} from "../tables/default-cdfs";

/** Where the tables of cdf-layout.ts are. */
export const cdfs = memory.data(10060, 16);

/** Starts a tile (AV1 specification sections 7.20 and 8.2.2). @param baseIndex the frame's quantiser index */
export function resetCdfs(baseIndex: i32): void {
  let coefficients = DEFAULT_COEFFICIENTS_3;
  if (baseIndex <= 20) coefficients = DEFAULT_COEFFICIENTS_0;
  else if (baseIndex <= 60) coefficients = DEFAULT_COEFFICIENTS_1;
  else if (baseIndex <= 120) coefficients = DEFAULT_COEFFICIENTS_2;
  memory.copy(cdfs, DEFAULT_MODES, MODE_BYTES);
  memory.copy(cdfs + MODE_BYTES, coefficients, CDF_BYTES - MODE_BYTES);
}
