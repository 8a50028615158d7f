/** Attacks by uploads: files that are dear to sanitize, to read or to draw, and uploads that hold their places. */
import { dataOf, pause, type Answered } from "./caller.ts";
import { avifOfManyFrames, dearDocuments, dearDrawings, picture } from "./files.ts";
import { attempt, repeat, writing, type Attack, type Scene } from "./scene.ts";
import { trickle } from "./slow-upload.ts";

type File = string | Uint8Array<ArrayBuffer>;

const TRICKLING_AT_ONCE = 6;
const UPLOADS_AT_ONCE = 2;
const SMALL_UPLOADS_AT_ONCE = 8;
const AVIF_FRAMES = 2000;

const upload = (scene: Scene, name: string, file: File): Promise<Answered> =>
  attempt(scene, name, `${scene.space.api}/media`, writing(scene, "POST", file));

/** Uploads the files in turn, again and again. Of what is stored, it asks for a variant too if there is a `query`. */
function uploadInTurn(scene: Scene, files: Record<string, File>, query?: string): Promise<void> {
  const all = Object.entries(files);
  return repeat(scene, UPLOADS_AT_ONCE, async (n) => {
    const [name, file] = all[n % all.length] ?? ["", ""];
    const stored = await upload(scene, name, file);
    if (stored.status !== 201 || query === undefined) return;
    await attempt(scene, `${name}: ${query}`, `${scene.space.api}/pictures/${dataOf(stored).id}?${query}`);
  });
}

let manyFrames: Uint8Array<ArrayBuffer> = new Uint8Array();
let small: Uint8Array<ArrayBuffer> = new Uint8Array();

export const uploadAttacks: Attack[] = [
  {
    name: "1 drawings that are dear to draw",
    run: (scene) => uploadInTurn(scene, dearDrawings, "w=64&fm=png"),
  },
  {
    name: "2 frames of an AVIF's item",
    prepare: async () => void (manyFrames = await avifOfManyFrames(AVIF_FRAMES)),
    run: (scene) => uploadInTurn(scene, { "2,000 frames in one item": manyFrames }, "w=64&fm=webp"),
  },
  {
    name: "3 drawings that are dear to sanitize",
    run: (scene) => uploadInTurn(scene, dearDocuments),
  },
  {
    name: "5 uploads that trickle",
    run: async (scene) => {
      const line = async (): Promise<void> => {
        while (!scene.until.aborted) {
          await trickle(scene);
          await pause(200);
        }
      };
      await Promise.all(Array.from({ length: TRICKLING_AT_ONCE }, line));
    },
  },
  {
    name: "5 many small uploads at once",
    prepare: async () => void (small = new Uint8Array(await picture(300, 200, 1))),
    run: (scene) =>
      repeat(scene, SMALL_UPLOADS_AT_ONCE, (n) => {
        const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 ${n}h9"/></svg>`;
        return n % 2 === 0 ? upload(scene, "a JPEG", small) : upload(scene, "a drawing", drawing);
      }),
  },
];
