/** The demo: a space with one picture, so that the first start shows something. */
import { drawDemoPicture } from "./demo-picture.ts";

const SPACE = "demo";

interface Media {
  id: string;
}

/** Makes the demo space and its picture unless they are there. The URL of the picture, 1000 pixels wide. */
export async function ensureDemo(base: string, rootToken: string): Promise<string> {
  const headers = { Authorization: `Bearer ${rootToken}` };
  const call = async <T>(method: string, path: string, body?: BodyInit, type?: string): Promise<T | null> => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(type && { "Content-Type": type }) },
      ...(body !== undefined && { body }),
    });
    if (response.ok) return ((await response.json()) as { data: T }).data;
    const text = await response.text();
    if (response.status === 409) return null;
    throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  };
  await call("POST", "/spaces", JSON.stringify({ name: SPACE }), "application/json");
  const [known] = (await call<Media[]>("GET", `/${SPACE}/media?limit=1`)) ?? [];
  const media =
    known ?? (await call<Media>("POST", `/${SPACE}/media`, await drawDemoPicture(), "image/jpeg"));
  return `${base}/api/v1/${SPACE}/pictures/${media?.id}?w=1000&auto=format`;
}
