/** Languages in the console: the attributes of texts in them. */
import { expect, it } from "vitest";
import { languageAttributes } from "../../../src/console/lib/languages.ts";

it("names the language of a text and its direction", () => {
  expect(languageAttributes("de-AT")).toEqual({ lang: "de-AT", dir: "ltr" });
  for (const code of ["ar", "he", "fa-IR", "ur", "az-Arab"])
    expect(languageAttributes(code)).toEqual({ lang: code, dir: "rtl" });
  expect(languageAttributes(null)).toEqual({});
});
