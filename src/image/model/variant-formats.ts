/** The formats that the variants of a master can have (RULES 5.5, 6.1). */
import {
  FORMATS,
  isVariantFormat,
  NEGOTIATED_FORMATS,
  type NegotiatedFormat,
  type VariantFormat,
  variantTraits,
} from "../formats/registry.ts";
import type { MasterFacts } from "./facts.ts";

type Kind = Pick<MasterFacts, "format" | "animated">;

/** Returns whether a variant in `format` keeps all frames of the master, if it is an animation. */
export const keepsFrames = ({ animated }: Kind, format: VariantFormat): boolean =>
  !animated || variantTraits(format).holdsFrames;

/** Returns whether the master is an animation whose frames are not read, so that it has no variants. */
export const isAnsweredItself = ({ animated, format }: Kind): boolean =>
  animated && !FORMATS[format].master.readsFrames;

/** Returns the formats to which `auto=format` can lead for the master, beside its own, in the order in which they are tried. */
export const negotiatedFormats = (master: Kind): NegotiatedFormat[] =>
  isAnsweredItself(master) ? [] : NEGOTIATED_FORMATS.filter((format) => keepsFrames(master, format));

/** Returns the master's own format as a list, which is empty if its variants cannot have that format. */
export const ownFormat = (master: Kind): VariantFormat[] =>
  !isAnsweredItself(master) && isVariantFormat(master.format) && keepsFrames(master, master.format)
    ? [master.format]
    : [];
