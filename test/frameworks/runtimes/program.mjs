/** Imports every entry point, and prints what each makes of one media object. */
import { readFileSync } from "node:fs";
import astro, { imageProps as astroProps } from "silverprint/astro";
import { createClient } from "silverprint/client";
import { imgAttributes, pictureSources, pictureUrl, srcset } from "silverprint/html";
import next, { imageProps as nextProps } from "silverprint/next";
import nuxt, { imageProps as nuxtProps } from "silverprint/nuxt";
import { extract, generate, imageProps as unpicProps, transform } from "silverprint/unpic";

const { portrait } = JSON.parse(readFileSync("media.json", "utf8"));
const options = { width: 300, ratio: "16:9" };
const client = createClient({
  ...{ baseUrl: "https://content.example.com", space: "s", key: "k" },
  fetch: (request) => Promise.resolve(Response.json({ data: { url: request.url } })),
});
const { src } = nextProps(portrait, options);
const made = {
  html: [imgAttributes, pictureSources, pictureUrl, srcset].map((make) => make(portrait, options)),
  next: [nextProps(portrait, options), next({ src, width: 600 })],
  nuxt: [nuxtProps(portrait, options), nuxt().getImage(src, { modifiers: { width: 600 } })],
  astro: [astroProps(portrait, options), astro.getURL({ src, width: 600 })],
  unpic: [
    unpicProps(portrait, options),
    extract(src),
    generate(src, { width: 600 }),
    transform(src, { width: 600 }),
  ],
  client: await client.collection("posts").get("1"),
};
console.log(JSON.stringify(made));
