/** The deployment's figures, as a scrape sees them. */
import { bindings } from "../rows.ts";
import { request } from "../http.ts";

export type Figures = Map<string, number>;

/** Reads the figures, by the name and labels of each line. */
export async function scrape(key: string = bindings.ROOT_TOKEN): Promise<Figures> {
  const response = await request("/api/v1/metrics", { headers: { Authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Returns how much each figure has grown, for those alone that have. */
export function grown(before: Figures, after: Figures): Record<string, number> {
  const growths = [...after].map(([name, value]): [string, number] => [
    name,
    value - (before.get(name) ?? 0),
  ]);
  return Object.fromEntries(growths.filter(([, growth]) => growth !== 0));
}
