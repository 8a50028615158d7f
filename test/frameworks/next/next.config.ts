import type { NextConfig } from "next";
import { images } from "silverprint/next";

const config: NextConfig = { images };
export default config;
