/** The settings of a space: one entry each, from which answers, changes, new spaces and imports follow (RULES 2.2). */
import { localesIn, type Locale } from "../../content/locales/locales.ts";
import type { MetadataSetting } from "../../image/model/copyright.ts";
import type { Gamut } from "../../image/model/gamut.ts";
import type { Quality } from "../../image/model/variant.ts";
import { originsIn } from "../storage/remote/remotes.ts";
import { aspectRatiosIn, backgroundsIn, type SpaceSettingsRow } from "../storage/spaces/spaces.ts";

export interface SpaceSettings {
  adaptiveLoading: boolean;
  compression: boolean;
  quality: Quality;
  /** The ratios that crops may have, each `W:H`. */
  aspectRatios: readonly string[];
  /** The backgrounds that pictures may have, each six hexadecimal digits or `transparent`. */
  backgrounds: readonly string[];
  suggestFocalPoint: boolean;
  /** The variants that are built ahead after an upload (RULES 9.7). */
  prebuild: "presets" | "none";
  /** The addresses whose pictures are served from other servers (RULES 13.1). */
  origins: readonly string[];
  /** The statements about rights that variants keep of their master's (RULES 9.9). */
  metadata: MetadataSetting;
  /** The widest gamut of variants (RULES 9.10). */
  gamut: Gamut;
}

/** The settings as an answer has them. */
export interface SettingsView extends SpaceSettings {
  /** The first is the default. */
  locales: readonly Locale[];
}

/** The name of a setting that has a column of its own. Locales are changed apart. */
export type SettingName = keyof SpaceSettings & keyof SpaceSettingsRow;

/** A change of settings. What is absent stays. */
export type SettingsChange = { [Name in SettingName]?: SpaceSettings[Name] | undefined };

interface Setting<Name extends SettingName> {
  /** The column in a space whose setting was never changed. */
  initial: SpaceSettingsRow[Name];
  /** Whether a change makes copies at the edge wrong. */
  isAnswered: boolean;
  read: (column: SpaceSettingsRow[Name]) => SpaceSettings[Name];
  write: (value: SpaceSettings[Name]) => SpaceSettingsRow[Name];
}

type Column = string | number | boolean | null;

/** Returns an entry of a setting whose column is its value. */
const plain = <Value extends Column>(initial: Value, { isAnswered }: { isAnswered: boolean }) => ({
  ...{ initial, isAnswered },
  read: (column: Column) => column as Value,
  write: (value: Value) => value,
});

/** Returns an entry of a list, whose column is its JSON, or null for the default. */
const list = (read: (column: string | null) => readonly string[]) => ({
  ...{ initial: null, isAnswered: true, read },
  write: (values: readonly string[]) => JSON.stringify(values),
});

export const SETTINGS: { readonly [Name in SettingName]: Setting<Name> } = {
  adaptiveLoading: plain<boolean>(true, { isAnswered: false }),
  compression: plain<boolean>(true, { isAnswered: false }),
  quality: plain<Quality>(80, { isAnswered: false }),
  aspectRatios: list(aspectRatiosIn),
  backgrounds: list(backgroundsIn),
  suggestFocalPoint: plain<boolean>(false, { isAnswered: true }),
  prebuild: plain<SpaceSettings["prebuild"]>("presets", { isAnswered: false }),
  origins: list(originsIn),
  metadata: plain<MetadataSetting>("copyright", { isAnswered: true }),
  gamut: plain<Gamut>("srgb", { isAnswered: true }),
};

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** Returns an object with a member for each setting. */
const each = (member: (name: SettingName) => unknown): Record<SettingName, unknown> =>
  Object.fromEntries(NAMES.map((name) => [name, member(name)])) as Record<SettingName, unknown>;

const readColumn = <Name extends SettingName>(name: Name, row: SpaceSettingsRow): SpaceSettings[Name] =>
  SETTINGS[name].read(row[name]);

const writeColumn = <Name extends SettingName>(
  name: Name,
  row: SpaceSettingsRow,
  change: SettingsChange,
): SpaceSettingsRow[Name] => {
  const value: SpaceSettings[Name] | undefined = change[name];
  // A value that is there already, as the default too, is no change.
  const isThere = value === undefined || JSON.stringify(value) === JSON.stringify(readColumn(name, row));
  return isThere ? row[name] : SETTINGS[name].write(value);
};

/** The columns of a space whose settings were never changed. */
export const INITIAL_SETTINGS: SpaceSettingsRow & { locales: null } = {
  ...(each((name) => SETTINGS[name].initial) as SpaceSettingsRow),
  locales: null,
};

/** Returns the settings of a space in the order in which answers, exports and documents have them. */
export const settingsOf = (space: SpaceSettingsRow & { locales: string | null }): SettingsView => {
  const { origins, metadata, gamut, ...first } = each((name) =>
    readColumn(name, space),
  ) as unknown as SpaceSettings;
  return { ...first, locales: localesIn(space.locales).list, ...{ origins, metadata, gamut } };
};

/** Returns the columns after a change. */
export const columnsAfter = (space: SpaceSettingsRow, change: SettingsChange): SpaceSettingsRow =>
  each((name) => writeColumn(name, space, change)) as SpaceSettingsRow;

/** Returns the settings whose values differ between two rows. */
export const differing = (before: SpaceSettingsRow, after: SpaceSettingsRow): SettingName[] =>
  NAMES.filter((name) => before[name] !== after[name]);
