/** Finds the service, the space and the key that the caller means. */
import { Failure } from "../base/failure.ts";
import type { Output } from "../terminal/output.ts";
import type { World } from "../base/world.ts";
import { Service } from "./service.ts";

/** The options of every command. */
export interface CommonOptions {
  url?: string;
  space?: string;
  key?: string;
  json?: boolean;
}

/** A value that every request needs, and the places where it may be given. */
const NEEDED = {
  url: {
    variable: "SILVERPRINT_URL",
    question: "The address of the service",
    placeholder: "https://content.example.com",
    isSecret: false,
  },
  space: { variable: "SILVERPRINT_SPACE", question: "The space", placeholder: "my-site", isSecret: false },
  key: { variable: "SILVERPRINT_KEY", question: "A key of the space", placeholder: "", isSecret: true },
} as const;

type Name = keyof typeof NEEDED;

async function find(name: Name, common: CommonOptions, output: Output, { env }: World): Promise<string> {
  const { variable, question, isSecret, placeholder } = NEEDED[name];
  const given = (common[name] ?? env[variable] ?? "").trim();
  if (given !== "") return given;
  if (output.isInteractive)
    return output.ask(`${question} (--${name} or ${variable})`, { isSecret, placeholder });
  throw new Failure(`${question} is missing.`, { next: `Give --${name}, or set ${variable}.` });
}

/** Returns the address without what stands behind its path. @throws Failure for none of the web */
function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === "https:" || parsed?.protocol === "http:")
    return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, "");
  throw new Failure(`"${url}" is not the address of a service.`, {
    next: "Give --url as https://content.example.com, without a path of the API.",
  });
}

/** @throws Failure when a value is missing or cannot be meant */
export async function connect(common: CommonOptions, output: Output, world: World): Promise<Service> {
  const base = baseOf(await find("url", common, output, world));
  const space = await find("space", common, output, world);
  const key = await find("key", common, output, world);
  return new Service({ base, space, key }, world);
}
