/**
 * The elements, attributes and CSS that a stored drawing may contain (RULES 6.4). Everything else is left out: scripts,
 * foreignObject, animation and fonts are not refused by name, they are just not listed.
 */

export const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
export const XLINK_NAMESPACE = "http://www.w3.org/1999/xlink";
export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** feImage is missing on purpose: its only function is to refer to something. */
export const FILTER_PRIMITIVES: ReadonlySet<string> = new Set(
  words(`feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
    feDisplacementMap feDropShadow feFlood feGaussianBlur feMerge feMorphology feOffset feSpecularLighting
    feTile feTurbulence`),
);

export const ELEMENTS: ReadonlySet<string> = new Set([
  ...words(`svg g defs symbol use a switch title desc style
    path rect circle ellipse line polyline polygon text tspan textPath image
    linearGradient radialGradient stop pattern clipPath mask marker filter
    feDistantLight fePointLight feSpotLight feFuncA feFuncB feFuncG feFuncR feMergeNode`),
  ...FILTER_PRIMITIVES,
]);

/** Elements whose text is drawn, and elements whose text is read out. In all others, text is left out. */
export const DRAWN_TEXT: ReadonlySet<string> = new Set(["text", "tspan", "textPath"]);
export const READ_TEXT: ReadonlySet<string> = new Set(["title", "desc"]);

/** Elements that may refer to another one by `href`. On all others, the attribute is left out. */
export const REFERRING: ReadonlySet<string> = new Set(
  words("use image textPath linearGradient radialGradient pattern"),
);
/** The referring elements that draw nothing without their target. */
export const EMPTY_WITHOUT_REFERENCE: ReadonlySet<string> = new Set(["use", "image"]);

/** Properties that may also be attributes (SVG 1.1 and 2, "presentation attributes"). Their values are CSS. */
export const PRESENTATION: ReadonlySet<string> = new Set(
  words(`alignment-baseline baseline-shift clip-path clip-rule color color-interpolation
    color-interpolation-filters color-rendering direction display dominant-baseline fill fill-opacity fill-rule
    filter flood-color flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant
    font-weight glyph-orientation-horizontal glyph-orientation-vertical image-rendering letter-spacing
    lighting-color marker-end marker-mid marker-start mask mask-type opacity overflow paint-order pointer-events
    shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
    stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-overflow
    text-rendering transform transform-origin unicode-bidi vector-effect visibility white-space word-spacing
    writing-mode`),
);

/** Further properties for style sheets and style attributes. None of them moves anything or covers the page. */
export const STYLE_ONLY: ReadonlySet<string> = new Set(
  words(`background background-color clip color-scheme cx cy d fill-color font font-feature-settings font-kerning
    font-variant-caps font-variant-ligatures font-variant-numeric font-variation-settings height isolation
    line-height marker mix-blend-mode r rotate rx ry scale shape-inside text-align text-decoration-color
    text-decoration-line text-decoration-style text-decoration-thickness text-indent text-orientation
    text-transform transform-box translate width x y`),
);

/** Attributes that are neither CSS nor a reference. Their values are numbers, names and keywords. */
export const PLAIN: ReadonlySet<string> = new Set(
  words(`amplitude azimuth baseFrequency bias class clipPathUnits cx cy d dx dy diffuseConstant divisor edgeMode
    elevation exponent filterRes filterUnits fr fx fy gradientTransform gradientUnits height id in in2 intercept
    k1 k2 k3 k4 kernelMatrix kernelUnitLength lang lengthAdjust limitingConeAngle markerHeight markerUnits
    markerWidth maskContentUnits maskUnits media method mode numOctaves offset operator order orient pathLength
    patternContentUnits patternTransform patternUnits points pointsAtX pointsAtY pointsAtZ preserveAlpha
    preserveAspectRatio primitiveUnits r radius refX refY requiredExtensions requiredFeatures result role rotate
    rx ry scale seed side slope spacing specularConstant specularExponent spreadMethod startOffset stdDeviation
    stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength type values version viewBox
    width x x1 x2 xChannelSelector y y1 y2 yChannelSelector z zoomAndPan`),
);

/** Returns whether screen readers use the attribute when the drawing is part of a page. */
export const isAria = (name: string): boolean => /^aria-[a-z]+$/.test(name);

/**
 * Returns whether the attribute means nothing but what a style sheet of the drawing makes of it: `[data-state="on"]`.
 */
export const isData = (name: string): boolean => /^data-[\w.-]+$/.test(name);

/** CSS functions that compute a value and load nothing. `url` is not listed, because it is checked separately. */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  words(`rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var
    matrix matrix3d translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d
    rotate rotatex rotatey rotatez rotate3d skew skewx skewy perspective
    blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
    circle ellipse inset polygon path rect xywh`),
);

/** Pseudo-classes that depend only on the document, not on the visitor. */
export const PSEUDO_CLASSES: ReadonlySet<string> = new Set(
  words(`root empty first-child last-child only-child first-of-type last-of-type only-of-type nth-child
    nth-last-child nth-of-type nth-last-of-type not is where lang`),
);
