/** The space with the pictures: 12 megapixels each, with their presets built. */
import { ENCODER_VERSION, masterKey, variantFile, variantKey } from "../../../src/image/model/variant.ts";
import { PRESET_WIDTH_PIXELS } from "../../../src/limits.ts";
import { jpegFacts } from "../../samples/facts.ts";
import type { D1Storage } from "./simulated-d1.ts";
import { SimulatedR2 } from "./simulated-r2.ts";

export const ROOT_TOKEN = "root-of-the-simulation-of-views-01";
/** The query that the site's pages use. */
export const WIDTH = PRESET_WIDTH_PIXELS.large;

const ULID_LENGTH = 26;
/** The alphabet of ULIDs: digits and letters without I, L, O and U. */
const ulidOf = (start: string, number: number): string =>
  start + String(number).padStart(ULID_LENGTH - start.length, "0");

export const SITE_ID = ulidOf("0S", 1);
export const idOf = (number: number): string => ulidOf("0M", number);

const PRESETS = Object.values(PRESET_WIDTH_PIXELS).flatMap((width) =>
  (["avif", "webp"] as const).map((format) => variantFile({ width, format, quality: 80 })),
);

const addressOf = (mediaId: string) => ({ spaceId: SITE_ID, mediaId, version: 1 });

/** The size of the AVIF variant that most visitors get. */
export const keyOfVariant = (id: string): string =>
  variantKey(addressOf(id), variantFile({ width: WIDTH, format: "avif", quality: 80 }));

export interface SitePicture {
  id: string;
  /** Milliseconds. */
  trashedAt: number | null;
}

const YEAR_MS = 365 * 86_400_000;

export class Site {
  static readonly spaceName = "site";
  readonly #storage: D1Storage;
  readonly #bucket: SimulatedR2;
  /** Ordered by their number of views. */
  readonly #byRank: SitePicture[] = [];
  #made = 0;

  constructor(storage: D1Storage, bucket: SimulatedR2, pictures: number, now: number) {
    this.#storage = storage;
    this.#bucket = bucket;
    this.#insert("spaces", { id: SITE_ID, name: Site.spaceName, trash_retention_days: 30, created_at: now });
    this.#insert("space_names", { name: Site.spaceName, space_id: SITE_ID });
    for (let rank = 0; rank < pictures; rank++) this.#byRank.push(this.#make(now));
  }

  at(rank: number): SitePicture {
    return this.#byRank[rank] as SitePicture;
  }

  /** Adds a picture with its presets. It replaces another picture, which gets no more views. */
  upload(rank: number, now: number): void {
    this.#byRank[rank] = this.#make(now);
  }

  #make(now: number): SitePicture {
    const id = idOf(++this.#made);
    const file = "master.jpg";
    const size_bytes = SimulatedR2.sizeBytes;
    this.#insert("media", {
      ...{ id, space_id: SITE_ID, filename: "photo.jpg", master_version: 1, last_version: 1 },
      ...{ created_at: now, updated_at: now, mime: "image/jpeg", width: 4000, height: 3000, animated: 0 },
      // As an upload writes it. Otherwise the sweep would write it.
      folded: '["photo.jpg",""]',
      words: '["photo jpg",""]',
    });
    this.#insert("masters", {
      ...{ media_id: id, version: 1, space_id: SITE_ID, file, size_bytes, sha256: "", created_at: now },
      facts: JSON.stringify(jpegFacts(4000, 3000)),
      placeholder_tries: null,
    });
    this.#bucket.hold(masterKey(addressOf(id), file));
    for (const variant of PRESETS) {
      this.#insert("variants", {
        ...{ media_id: id, version: 1, file: variant, space_id: SITE_ID, encoder_version: ENCODER_VERSION },
        ...{ size_bytes, created_at: now, expires_at: now + YEAR_MS },
      });
      this.#bucket.hold(variantKey(addressOf(id), variant));
    }
    return { id, trashedAt: null };
  }

  #insert(table: string, row: Record<string, string | number | null>): void {
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`;
    for (const store of [this.#storage.primary, this.#storage.replica])
      store.run({ sql, values: Object.values(row) });
  }
}
