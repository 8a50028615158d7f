/**
 * The Huffman tables that a JPEG without its own is read with, as a DHT segment: ITU T.81 annex K.3, tables K.3 to K.6.
 * Frames of Motion JPEG leave them out, and every decoder knows them.
 */

const DC_SYMBOLS = Array.from({ length: 12 }, (_, bits) => bits);

/** Parses a row of hexadecimal bytes. */
const hex = (text: string): number[] => (text.match(/[0-9a-f]{2}/g) ?? []).map((byte) => parseInt(byte, 16));

/** The tables of luma, whose slot is 0, and of chroma, whose slot is 1; class 0 is DC and class 1 is AC. */
const TABLES = [
  0x00,
  ...hex("00010501010101010100000000000000"),
  ...DC_SYMBOLS,
  0x10,
  ...hex("0002010303020403050504040000017d"),
  ...hex("01020300041105122131410613516107227114328191a1082342b1c11552d1f0"),
  ...hex("2433627282090a161718191a25262728292a3435363738393a43444546474849"),
  ...hex("4a535455565758595a636465666768696a737475767778797a83848586878889"),
  ...hex("8a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5"),
  ...hex("c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8"),
  ...hex("f9fa"),
  0x01,
  ...hex("00030101010101010101010000000000"),
  ...DC_SYMBOLS,
  0x11,
  ...hex("00020102040403040705040400010277"),
  ...hex("000102031104052131061241510761711322328108144291a1b1c109233352f0"),
  ...hex("156272d10a162434e125f11718191a262728292a35363738393a434445464748"),
  ...hex("494a535455565758595a636465666768696a737475767778797a828384858687"),
  ...hex("88898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3"),
  ...hex("c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8"),
  ...hex("f9fa"),
];

/** The content of the segment, after its length. */
export const STANDARD_TABLES = Uint8Array.from(TABLES);
