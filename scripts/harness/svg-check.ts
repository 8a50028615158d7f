/**
 * Checks documents of the sanitizer without using its code. It lists everything in a document that could run, move, or
 * refer to the outside. It knows what is forbidden, whereas the sanitizer knows what is allowed.
 */
import { SaxesParser } from "saxes";

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const FORBIDDEN_ELEMENTS =
  /^(?:script|handler|listener|foreignobject|iframe|embed|object|audio|video|canvas|feimage|tref|animate.*|set|discard|mpath|font.*|glyph.*|cursor|metadata|meta|link|base|html|body|img|.*:.*)$/i;
const RASTER = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Returns the faults of a document; none if it is safe. */
export function faultsOf(document: string): string[] {
  const faults: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  let sheet = "";
  parser.on("error", (error) => faults.push(`not well-formed: ${error.message}`));
  parser.on("doctype", () => faults.push("a DOCTYPE"));
  parser.on("processinginstruction", ({ target }) => faults.push(`an instruction ${target}`));
  parser.on("comment", () => faults.push("a comment"));
  parser.on("cdata", () => faults.push("a CDATA section"));
  parser.on("text", (text) => {
    if (path.at(-1) === "style") sheet += text;
  });
  parser.on("opentag", ({ name, uri, local, attributes }) => {
    if (uri !== SVG || FORBIDDEN_ELEMENTS.test(name)) faults.push(`an element ${name}`);
    const parent = path.at(-1);
    if (parent === "title" || parent === "desc" || parent === "style") faults.push(`an element in ${parent}`);
    path.push(local);
    for (const attribute of Object.values(attributes)) {
      const what = `${name} ${attribute.name}="${attribute.value.slice(0, 60)}"`;
      if (
        /^on|^(?:xml:base|target|formaction|action|src|srcdoc|ping|from|to|by|begin|attributename|event|observer)$/i.test(
          attribute.name,
        )
      ) {
        faults.push(what);
      }
      if (attribute.prefix === "xmlns" || attribute.name === "xmlns") {
        if (attribute.value !== SVG && attribute.value !== XLINK) faults.push(what);
      } else if (attribute.local === "href") {
        const isRaster = local === "image" && RASTER.test(attribute.value);
        if (!isRaster && !/^#[^\s]/.test(attribute.value)) faults.push(what);
      } else if (!["id", "class"].includes(attribute.name) && !attribute.name.startsWith("aria-")) {
        const find = attribute.name === "style" ? cssFaults : urlFaults;
        faults.push(...find(attribute.value).map((fault) => `${fault} in ${what}`));
      }
    }
  });
  parser.on("closetag", () => {
    if (path.pop() === "style") faults.push(...cssFaults(sheet));
    sheet = "";
  });
  parser.write(document).close();
  return faults;
}

/** Returns the CSS as a browser decodes it: without escapes and comments, in lower case. */
function decodedCss(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) =>
      String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)),
    )
    .replace(/\\/g, "")
    .toLowerCase();
}

/** Returns the faults of references by `url()` in a value that could be read as CSS. */
function urlFaults(value: string): string[] {
  const urls = [...decodedCss(value).matchAll(/url\(\s*(?:"|')?\s*([^)]*)/g)].map(([, url = ""]) => url);
  return urls.filter((url) => !url.startsWith("#")).map((url) => `url(${url})`);
}

function cssFaults(css: string): string[] {
  const text = decodedCss(css);
  const faults = urlFaults(css);
  for (const word of [
    "@import",
    "@font-face",
    "@keyframes",
    "@namespace",
    "image-set(",
    "image(",
    "src(",
    "expression(",
    "javascript:",
    "-moz-binding",
    "behavior:",
    "paint(",
    "element(",
    "attr(",
  ]) {
    if (text.includes(word)) faults.push(`css ${word}`);
  }
  // Only as properties, because exporters also write these words into names of classes.
  if (/(?<![\w.#-])(?:-[a-z]+-)?(?:animation|transition)(?:-[a-z]+)*\s*:/.test(text)) {
    faults.push("css that moves");
  }
  return faults;
}
