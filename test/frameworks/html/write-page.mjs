/** A generator of static sites, as small as can be: writes dist/index.html. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { imgAttributes, pictureSources } from "silverprint/html";

const { landscape, portrait, small, drawing } = JSON.parse(readFileSync("media.json", "utf8"));

const ENTITIES = { "&": "&amp;", '"': "&quot;", "<": "&lt;" };
const escaped = (value) => String(value).replaceAll(/[&"<]/g, (character) => ENTITIES[character]);
const tag = (name, attributes) =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escaped(value)}"`)
    .join(" ")}>`;
const img = (name, attributes, extra = {}) => tag("img", { ...attributes, ...extra, "data-name": name });

const wide = { class: "wide" };
const directed = { ratio: { "(max-width: 640px)": "4:5", "(min-width: 641px)": "21:9" } };
const sources = pictureSources(landscape, directed);

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Pictures</title>
<style>
  body { margin: 0 }
  img { display: block; max-width: 100%; height: auto }
  .wide { width: 100% }
  .directed { aspect-ratio: 21/9; object-fit: cover }
  @media (max-width: 640px) { .directed { aspect-ratio: 4/5 } }
</style>
${img("hero", imgAttributes(landscape), wide)}
${img("card", imgAttributes(portrait, { ratio: "16:9", width: 320 }))}
${img("small", imgAttributes(small), wide)}
${img("drawing", imgAttributes(drawing, { width: 150 }))}
<picture>
${sources.map((source) => tag("source", source)).join("\n")}
${img("directed", imgAttributes(landscape, directed), { class: "wide directed" })}
</picture>
<p>What is behind the pictures stays where it is.</p>
</html>
`;
mkdirSync("dist", { recursive: true });
writeFileSync("dist/index.html", page);
