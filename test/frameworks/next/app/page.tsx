import Image, { type ImageLoader } from "next/image";
import loader, { imageProps } from "silverprint/next";
import { Unpic } from "./unpic";
import { drawing, landscape, portrait, small } from "../media";

/** It is what Next calls a loader. */
loader satisfies ImageLoader;

export default function Page() {
  return (
    <main>
      <Image {...imageProps(landscape)} className="wide" sizes="100vw" data-name="hero" />
      <Image {...imageProps(portrait, { ratio: "16:9", width: 320 })} data-name="card" />
      <Image {...imageProps(small)} className="wide" sizes="100vw" data-name="small" />
      <Image {...imageProps(drawing, { width: 150 })} data-name="drawing" />
      <Unpic media={portrait} />
      <p>What is behind the pictures stays where it is.</p>
    </main>
  );
}
