/** Attributes of SVG 2 that are no properties, and its elements. */
import { anyBut, exactly, length, lengths } from "./reads.ts";
import { rows, type Row } from "./row.ts";

const units = exactly("userSpaceOnUse objectBoundingBox");
const isUnitless = true;

export const ATTRIBUTES: readonly Row[] = [
  ...rows("x y dx dy", "drawn", "Units that depend on the font or the page are left to the vector.", {
    read: lengths({ isUnitless }),
  }),
  ...rows(
    "cx cy r rx ry width height x1 y1 x2 y2 fx fy markerWidth markerHeight startOffset textLength",
    "drawn",
    "As for x.",
    { read: length({ isUnitless, keywords: exactly("auto") }) },
  ),
  ...rows("refX refY", "drawn", "Keywords are left to the vector.", {
    read: anyBut(/left|right|center|top|bottom/),
  }),
  ...rows("fr", "rewritten", "The stops are moved, so that the gradient begins at a point.", {
    rewrites: /[1-9]/,
  }),
  ...rows("pathLength", "rewritten", "Dashes get the lengths that they have on the shape.", {
    rewrites: /./,
  }),
  ...rows(
    "id",
    "rewritten",
    "If several elements share an id, the first one has it. Ids of any characters are found.",
    {
      rewrites: /[^\w.:-]/,
    },
  ),
  ...rows(
    "href xlink:href",
    "drawn",
    "Targets are elements of the drawing, or embedded JPEG, PNG and GIF. WebP and AVIF are left to the vector.",
  ),
  ...rows("systemLanguage", "vector", "It depends on the visitor.", { read: anyBut(/\S/) }),
  ...rows("requiredExtensions", "rewritten", "There are none: what requires one is not drawn.", {
    rewrites: /^/,
  }),
  ...rows("style class media", "rewritten", "Style sheets with selectors of newer CSS are written out."),
  ...rows("orient", "drawn", "auto-start-reverse is written out.", { rewrites: /auto-start-reverse/ }),
  ...rows("primitiveUnits", "vector", "userSpaceOnUse is drawn.", { read: anyBut(/objectBoundingBox/) }),
  ...rows("stitchTiles", "vector", "noStitch is drawn.", { read: anyBut(/^stitch$/) }),
  ...rows("bias", "vector", "0 is drawn.", { read: anyBut(/[1-9]/) }),
  ...rows("divisor", "vector", "0 is left to the vector, anything else is drawn.", {
    read: anyBut(/^[+-]?0*\.?0*$/),
  }),
  ...rows("type", "drawn", "A saturation beyond 0 to 1 is left to the vector.", { rewrites: /saturate/ }),
  ...rows(
    "clipPathUnits filterUnits gradientUnits maskContentUnits maskUnits patternContentUnits patternUnits",
    "drawn",
    "",
    { read: units },
  ),
  ...rows("markerUnits", "drawn", "", { read: exactly("strokeWidth userSpaceOnUse") }),
  ...rows("spreadMethod", "drawn", "", { read: exactly("pad reflect repeat") }),
  ...rows("lengthAdjust", "drawn", "", { read: exactly("spacing spacingAndGlyphs") }),
  ...rows(
    `amplitude azimuth baseFrequency diffuseConstant edgeMode elevation exponent in in2 intercept k1 k2
    k3 k4 kernelMatrix limitingConeAngle mode numOctaves offset operator order pointsAtX
    pointsAtY pointsAtZ preserveAlpha preserveAspectRatio radius result rotate scale seed slope specularConstant
    specularExponent stdDeviation surfaceScale tableValues targetX targetY values viewBox xChannelSelector
    yChannelSelector z xml:space`,
    "drawn",
    "",
  ),
  ...rows(
    "gradientTransform patternTransform",
    "drawn",
    "A matrix without an inverse, or a scale below 0.001, is left to the vector.",
    {
      read: anyBut(/(?:matrix|scale)\((?:[\s0.,]*\)|\s*[+-]?(?:0?\.000|[\d.]+e-))/i),
    },
  ),
  ...rows("points", "drawn", "A list with an error is left to the vector.", {
    read: anyBut(/[^\d\s.,+\-e]/i),
  }),
  ...rows(
    "kernelUnitLength filterRes requiredFeatures version zoomAndPan method side spacing",
    "nothing",
    "Browsers ignore it.",
  ),
  ...rows("lang xml:lang role", "nothing", ""),
  ...rows("path", "removed", "Browsers do not follow it."),
  ...rows(
    "autofocus crossorigin download hreflang ping referrerpolicy rel tabindex target title xlink:title",
    "removed",
    "It acts on a page that reacts, which a picture does not.",
  ),
];

export const ELEMENTS: readonly Row[] = [
  ...rows(
    `svg g defs use a path rect circle ellipse line polyline polygon text tspan textPath image linearGradient stop
    clipPath mask marker filter`,
    "drawn",
    "",
  ),
  ...rows("radialGradient", "drawn", "With fr, written out."),
  ...rows("style", "rewritten", "Style sheets with selectors of newer CSS are written out as attributes."),
  ...rows(
    "pattern",
    "rewritten",
    "Small tiles are enlarged to hold several copies, which resvg places more exactly. Tiles below 1/120 of the view are left to the vector.",
  ),
  ...rows(
    "symbol",
    "rewritten",
    "Its width and height are written on the elements that use it. A transform, x or y of its own is left to the vector.",
  ),
  ...rows("switch", "rewritten", "The first child whose conditions hold stays."),
  ...rows("feDropShadow", "rewritten", "Written out as simpler primitives."),
  ...rows(
    `feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDisplacementMap feFlood feFuncA feFuncB
    feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile feTurbulence`,
    "drawn",
    "",
  ),
  ...rows(
    "feDiffuseLighting feSpecularLighting feDistantLight fePointLight feSpotLight",
    "vector",
    "resvg lights surfaces otherwise than browsers.",
  ),
  ...rows("title desc", "nothing", "It is read out."),
  ...rows("feImage foreignObject metadata script view", "removed", "It embeds, runs or describes."),
];
