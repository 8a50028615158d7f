/** The named colours that resvg knows: those of SVG 1.1, in lower case. */
export const COLOUR_NAMES: ReadonlySet<string> = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
  darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
  darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
  firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
  hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
  mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
  midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
  palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red
  rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray
  slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow
  yellowgreen`.split(/\s+/),
);

/** Names of newer CSS, in colours that resvg knows. System colours are those of a page without a theme of its own. */
export const NEWER_NAMES: ReadonlyMap<string, string> = new Map([
  ["rebeccapurple", "#663399"],
  ["transparent", "rgba(0, 0, 0, 0)"],
  ["canvas", "#fff"],
  ["canvastext", "#000"],
]);

/** System colours, which depend on the browser. */
export const SYSTEM_COLOURS: ReadonlySet<string> = new Set(
  `accentcolor accentcolortext activeborder activecaption activetext appworkspace background buttonborder buttonface
  buttonhighlight buttonshadow buttontext captiontext field fieldtext graytext highlight highlighttext inactiveborder
  inactivecaption inactivecaptiontext infobackground infotext linktext mark marktext menu menutext scrollbar
  selecteditem selecteditemtext threeddarkshadow threedface threedhighlight threedlightshadow threedshadow visitedtext
  window windowframe windowtext`.split(/\s+/),
);
