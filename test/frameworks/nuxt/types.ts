import type { ImageProvider } from "@nuxt/image";
import provider, { getImage, type SilverprintModifiers } from "silverprint/nuxt";

/** It is what Nuxt Image calls a provider. */
provider satisfies () => ImageProvider<SilverprintModifiers>;
getImage satisfies ImageProvider<SilverprintModifiers>["getImage"];
