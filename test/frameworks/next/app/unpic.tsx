"use client";
import { Image } from "@unpic/react/base";
import type { Picture } from "silverprint/html";
import { imageProps, transform } from "silverprint/unpic";

export const Unpic = ({ media }: { media: Picture }) => (
  <Image transformer={transform} {...imageProps(media, { ratio: "1:1", width: 320 })} data-name="unpic" />
);
