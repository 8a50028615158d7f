/** Small drawings of what resvg by itself draws otherwise than browsers: references, keywords, SVG 2, text. */
const TWO_STOPS = '<stop stop-color="red"/><stop offset="1" stop-color="blue"/>';
const gradient = (id: string, more = ""): string =>
  `<linearGradient id="${id}" ${more}>${TWO_STOPS}</linearGradient>`;
const filled = (fill: string): string => `<rect width="100" height="80" fill="${fill}"/>`;
const PIXELS =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==";
const image = (rendering: string): string =>
  `<image width="90" height="90" image-rendering="${rendering}" href="data:image/png;base64,${PIXELS}"/>`;

export const gapSamples: Record<string, string> = {
  "an id in Chinese": `${gradient("未命名的渐变_98")}${filled("url(#未命名的渐变_98)")}`,
  "an id with a space": `${gradient("my grad")}${filled("url('#my grad')")}`,
  "an id with a space, used":
    '<defs><rect id="my icon" width="60" height="60" fill="red"/></defs><use href="#my icon"/>',
  "an id that is written in percents": `${gradient("a b")}${filled("url(#a%20b)")}`,
  "an id with a bracket": `${gradient("a(b")}${filled("url('#a(b')")}`,
  "an id in a style sheet": `<style>rect{fill:url("#ä")}</style>${gradient("ä")}<rect width="90" height="90"/>`,
  "a clip with a space":
    '<clipPath id="c d"><circle cx="40" cy="40" r="30"/></clipPath><rect width="90" height="90" clip-path="url(\'#c d\')"/>',
  "a gradient of a gradient with a space": `${gradient("a b")}<linearGradient id="c" href="#a b" y2="1"/>${filled("url(#c)")}`,
  "an id twice": `<linearGradient id="a"><stop stop-color="red"/></linearGradient><linearGradient id="a"><stop stop-color="blue"/></linearGradient>${filled("url(#a)")}`,
  "an id twice, used":
    '<rect id="a" width="50" height="50" fill="red"/><rect id="a" width="9" height="9" fill="blue"/><use href="#a" x="50" y="50"/>',
  "a missing filter": '<rect width="100" height="80" fill="blue" filter="url(#missing)"/>',
  "a filter that is a gradient": `${gradient("a")}<rect width="100" height="80" fill="blue" filter="url(#a)"/>`,
  "a clip that is a gradient": `${gradient("a")}<rect width="100" height="80" fill="blue" clip-path="url(#a)"/>`,
  "a missing paint": '<rect width="90" height="80" fill="url(#missing)" stroke="red" stroke-width="9"/>',
  "a missing paint with another colour": '<rect width="90" height="80" fill="url(#missing) Green"/>',
  "currentcolor in lower case": '<g color="#0a0"><rect width="60" height="60" fill="currentcolor"/></g>',
  "keywords in any case":
    '<rect x="10" y="10" width="60" height="50" fill="None" stroke="Blue" stroke-width="8"/>',
  "more keywords in any case":
    '<path d="M20 20H70V70" fill="NONE" stroke="DarkRed" stroke-width="12" stroke-linecap="ROUND" stroke-linejoin="Bevel"/>',
  "units in any case": '<path d="M10 20H70" stroke="red" stroke-width="10PX"/>',
  "quarter millimetres": '<path d="M10 20H70" stroke="red" style="stroke-width:20q"/>',
  rebeccapurple: filled("rebeccapurple"),
  transparent: `${filled("red")}${filled("transparent")}`,
  "an alpha in percent": filled("rgba(0,127,0,50%)"),
  "an invalid declaration": '<rect width="100" height="80" style="fill:red;fill:notacolor"/>',
  "an invalid declaration in a sheet":
    '<style>rect{fill:red;fill:#12345;opacity:.5;opacity:half}</style><rect width="90" height="80"/>',
  "an invalid attribute":
    '<g fill="red" stroke-linejoin="round"><rect x="20" y="20" width="50" height="50" fill="nocolour" stroke-linejoin="arcs" stroke="#000" stroke-width="20"/></g>',
  "a negative width": '<path d="M10 20H70" stroke="red" stroke-width="-4"/>',
  "a stroke that does not scale":
    '<g transform="scale(10)"><rect x="1" y="1" width="7" height="6" fill="none" stroke="#000" stroke-width="20" vector-effect="non-scaling-stroke"/></g>',
  "dashes that do not scale":
    '<g style="stroke:#26a;stroke-width:18;stroke-dasharray:30 14"><path d="M1 5H9" transform="scale(10) rotate(20)" style="vector-effect:non-scaling-stroke"/></g>',
  "a focal radius": `<radialGradient id="c" fr=".25">${TWO_STOPS}</radialGradient>${filled("url(#c)")}`,
  "a focal radius beside the middle": `<radialGradient id="c" fr="10%" fx=".3" fy="40%">${TWO_STOPS}</radialGradient>${filled("url(#c)")}`,
  "a focal radius in units": `<radialGradient id="s">${TWO_STOPS}</radialGradient><radialGradient id="c" href="#s" gradientUnits="userSpaceOnUse" cx="50" cy="40" r="40" fr="20"/>${filled("url(#c)")}`,
  "a length of a circle":
    '<circle cx="50" cy="40" r="25" fill="none" stroke="#06c" stroke-width="16" pathLength="100" stroke-dasharray="30 70"/>',
  "a length of a path":
    '<path d="M10 70C10 10 60 0 80 40S90 90 60 90Q30 95 30 70" fill="none" stroke="#06c" stroke-width="6" pathLength="8" stroke-dasharray="1" stroke-dashoffset=".5"/>',
  "a length of lines":
    '<path d="m10 10h60v40l-50 20z" fill="none" stroke="#06c" stroke-width="6" pathLength="10" style="stroke-dasharray:1 .5"/>',
  "a symbol with a size":
    '<symbol id="s" width="40" height="40" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#26a"/></symbol><use href="#s" x="20" y="10"/>',
  "a symbol with a size, used in another":
    '<symbol id="s" width="40" height="40" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#26a"/></symbol><use href="#s" width="90" height="90"/>',
  "pixels of an image": image("pixelated"),
  "a smooth image": image("smooth"),
  "text in upper case": '<text x="5" y="50" font-size="24" style="text-transform:uppercase">aßé ab</text>',
  "text with capitals":
    '<g style="text-transform:capitalize"><text x="5" y="50" font-size="16">ab cd-ef it\'s</text></g>',
  "text with symbols": '<text x="5" y="50" font-size="20">a→★✓∑≥■</text>',
  "text with a line": '<text x="5" y="50" font-size="24" style="text-decoration-line:underline">abc</text>',
  "text of a named size": '<text x="5" y="50" font-size="xx-large">abc</text>',
  "units of an office program":
    '<g transform="scale(.00015748)"><g transform="scale(635000)"><rect width=".5" height=".6" fill="#26a"/></g></g>',
  "a clip in units of an office program":
    '<clipPath id="c"><rect width="500000" height="400000"/></clipPath><g clip-path="url(#c)" transform="matrix(.00015748 0 0 .00015748 10 0)"><circle r="500000" fill="#26a"/></g>',
};
