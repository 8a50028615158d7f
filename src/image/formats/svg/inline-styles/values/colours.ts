/** Converts colours of CSS Color 4 to `rgba(r, g, b, a)`, clipped to the gamut of sRGB as browsers do. */

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** From XYZ (D65) to linear sRGB: CSS Color 4, section 18, "Sample code for Color Conversions". */
const XYZ_TO_SRGB: Matrix = [
  [12831 / 3959, -329 / 214, -1974 / 3959],
  [-851781 / 878810, 1648619 / 878810, 36519 / 878810],
  [705 / 12673, -2585 / 12673, 705 / 667],
];
const D50_TO_D65: Matrix = [
  [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
  [-0.0283697093338637, 1.0099953980813041, 0.021041441191917323],
  [0.012314014864481998, -0.020507649298898964, 1.330365926242124],
];
const OKLAB_TO_LMS: Matrix = [
  [1, 0.3963377773761749, 0.2158037573099136],
  [1, -0.1055613458156586, -0.0638541728258133],
  [1, -0.0894841775298119, -1.2914855480194092],
];
const LMS_TO_XYZ: Matrix = [
  [1.2268798758459243, -0.5578149944602171, 0.2813910456659647],
  [-0.0405757452148008, 1.112286803280317, -0.0717110580655164],
  [-0.0763729366746601, -0.4214933324022432, 1.5869240198367816],
];
const D50: Triple = [0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585];

interface Space {
  /** Converts a sample to linear light. */
  decode: (sample: number) => number;
  toXyz: Matrix;
  isD50?: boolean;
}

const srgbDecode = (v: number): number =>
  Math.abs(v) <= 0.04045 ? v / 12.92 : Math.sign(v) * ((Math.abs(v) + 0.055) / 1.055) ** 2.4;
const srgbEncode = (v: number): number =>
  Math.abs(v) > 0.0031308 ? Math.sign(v) * (1.055 * Math.abs(v) ** (1 / 2.4) - 0.055) : 12.92 * v;
const power = (exponent: number) => (v: number) => Math.sign(v) * Math.abs(v) ** exponent;
const linear = (v: number): number => v;
const rec2020Decode = (v: number): number => {
  const [alpha, beta] = [1.09929682680944, 0.018053968510807];
  return Math.abs(v) < beta * 4.5
    ? v / 4.5
    : Math.sign(v) * ((Math.abs(v) + alpha - 1) / alpha) ** (1 / 0.45);
};
const SRGB_TO_XYZ: Matrix = [
  [506752 / 1228815, 87881 / 245763, 12673 / 70218],
  [87098 / 409605, 175762 / 245763, 12673 / 175545],
  [7918 / 409605, 87881 / 737289, 1001167 / 1053270],
];
const IDENTITY: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const SPACES: Record<string, Space> = {
  srgb: { decode: srgbDecode, toXyz: SRGB_TO_XYZ },
  "srgb-linear": { decode: linear, toXyz: SRGB_TO_XYZ },
  "display-p3": {
    decode: srgbDecode,
    toXyz: [
      [608311 / 1250200, 189793 / 714400, 198249 / 1000160],
      [35783 / 156275, 247089 / 357200, 198249 / 2500400],
      [0, 32229 / 714400, 5220557 / 5000800],
    ],
  },
  "a98-rgb": {
    decode: power(563 / 256),
    toXyz: [
      [573536 / 994567, 263643 / 1420810, 187206 / 994567],
      [591459 / 1989134, 6239551 / 9945670, 374412 / 4972835],
      [53769 / 1989134, 351524 / 4972835, 4929758 / 4972835],
    ],
  },
  "prophoto-rgb": {
    decode: (v) => (Math.abs(v) <= 16 / 512 ? v / 16 : Math.sign(v) * Math.abs(v) ** 1.8),
    toXyz: [
      [0.7977666449006423, 0.13518129740053308, 0.0313477341283922],
      [0.2880748288194013, 0.711835234241873, 0.00008993693872564],
      [0, 0, 0.8251046025104602],
    ],
    isD50: true,
  },
  rec2020: {
    decode: rec2020Decode,
    toXyz: [
      [63426534 / 99577255, 20160776 / 139408157, 47086771 / 278816314],
      [26158966 / 99577255, 472592308 / 697040785, 8267143 / 139408157],
      [0, 19567812 / 697040785, 295819943 / 278816314],
    ],
  },
  xyz: { decode: linear, toXyz: IDENTITY },
  "xyz-d65": { decode: linear, toXyz: IDENTITY },
  "xyz-d50": { decode: linear, toXyz: IDENTITY, isD50: true },
};

export const COLOUR_FUNCTIONS = "rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch|color";

/** Returns a colour function as `rgba(...)`; null if it is unknown or invalid. Its arguments contain no functions. */
export function legacyColour(name: string, text: string): string | null {
  const [list = "", afterSlash, more] = text.split("/");
  const isOld = list.includes(",");
  const parts = list.trim().split(isOld ? /\s*,\s*/ : /\s+/);
  if (more !== undefined || (isOld && afterSlash !== undefined)) return null;
  const space = name === "color" ? parts.shift() : undefined;
  const alphaText = afterSlash?.trim() ?? (isOld ? parts[3] : undefined);
  if (parts.length !== (isOld && alphaText !== undefined ? 4 : 3)) return null;
  const alpha = alphaText === undefined ? 1 : number(alphaText, 1);
  const rgb = convert(name.replace(/a$/, ""), parts, space?.toLowerCase());
  if (!rgb || Number.isNaN(alpha) || rgb.some(Number.isNaN)) return null;
  const [r, g, b] = rgb.map((sample) => Math.round(clamp(sample) * 255));
  return `rgba(${r}, ${g}, ${b}, ${Number(clamp(alpha).toFixed(4))})`;
}

function convert(name: string, parts: readonly string[], space: string | undefined): Triple | null {
  const [a = "", b = "", c = ""] = parts;
  switch (name) {
    case "rgb":
      return [number(a, 255) / 255, number(b, 255) / 255, number(c, 255) / 255];
    case "hsl":
      return fromHsl(angle(a), clamp(number(b, 100) / 100), clamp(number(c, 100) / 100));
    case "hwb":
      return fromHwb(angle(a), number(b, 100) / 100, number(c, 100) / 100);
    case "lab":
      return fromLab(number(a, 100), number(b, 125), number(c, 125));
    case "lch":
      return fromLab(number(a, 100), ...polar(number(b, 150), angle(c)));
    case "oklab":
      return fromOklab(number(a, 1), number(b, 0.4), number(c, 0.4));
    case "oklch":
      return fromOklab(number(a, 1), ...polar(number(b, 0.4), angle(c)));
    default: {
      const known = space !== undefined && Object.hasOwn(SPACES, space) ? SPACES[space] : undefined;
      if (!known) return null;
      const light = [number(a, 1), number(b, 1), number(c, 1)].map(known.decode) as unknown as Triple;
      return fromXyz(times(known.toXyz, light), known.isD50 ?? false);
    }
  }
}

const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%?)$/i;
const ANGLE = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(deg|grad|rad|turn)?$/i;
const DEGREES: Record<string, number> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/** Reads a number, or a percentage of `whole`; NaN for anything else. `none` is 0, because nothing is mixed here. */
function number(text: string, whole: number): number {
  if (text.toLowerCase() === "none") return 0;
  const [, value, percent] = NUMBER.exec(text) ?? [];
  if (value === undefined) return NaN;
  return percent ? (Number(value) * whole) / 100 : Number(value);
}

/** Reads an angle, in degrees. */
function angle(text: string): number {
  if (text.toLowerCase() === "none") return 0;
  const [, value, unit = "deg"] = ANGLE.exec(text) ?? [];
  return value === undefined ? NaN : Number(value) * (DEGREES[unit.toLowerCase()] ?? NaN);
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

function polar(chroma: number, degrees: number): [number, number] {
  const radians = (degrees * Math.PI) / 180;
  return [chroma * Math.cos(radians), chroma * Math.sin(radians)];
}

function fromHsl(hue: number, saturation: number, lightness: number): Triple {
  const channel = (n: number): number => {
    const k = (n + (((hue % 360) + 360) % 360) / 30) % 12;
    return (
      lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    );
  };
  return [channel(0), channel(8), channel(4)];
}

function fromHwb(hue: number, white: number, black: number): Triple {
  if (white + black >= 1) {
    const gray = white / (white + black);
    return [gray, gray, gray];
  }
  return fromHsl(hue, 1, 0.5).map((v) => v * (1 - white - black) + white) as unknown as Triple;
}

function fromLab(lightness: number, a: number, b: number): Triple {
  const [kappa, epsilon] = [24389 / 27, 216 / 24389];
  const l = Math.min(100, Math.max(0, lightness));
  const y = (l + 16) / 116;
  const [fx, fz] = [a / 500 + y, y - b / 200];
  const cube = (f: number): number => (f ** 3 > epsilon ? f ** 3 : (116 * f - 16) / kappa);
  const luminance = l > kappa * epsilon ? y ** 3 : l / kappa;
  return fromXyz([cube(fx) * D50[0], luminance, cube(fz) * D50[2]], true);
}

function fromOklab(lightness: number, a: number, b: number): Triple {
  const lms = times(OKLAB_TO_LMS, [clamp(lightness), a, b]).map((v) => v ** 3) as unknown as Triple;
  return fromXyz(times(LMS_TO_XYZ, lms), false);
}

function fromXyz(xyz: Triple, isD50: boolean): Triple {
  return times(XYZ_TO_SRGB, isD50 ? times(D50_TO_D65, xyz) : xyz).map(srgbEncode) as unknown as Triple;
}

const times = (matrix: Matrix, [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple;
