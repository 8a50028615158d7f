/** The data of the controls for the options of a field. */
import type { Model } from "../api/models.ts";
import type { DraftField } from "./draft.ts";

export interface OptionsProps {
  field: DraftField;
  /** All models of the space. */
  models: readonly Model[];
  /** Whether the field belongs to a component, whose fields are neither unique nor localized by themselves. */
  isInComponent: boolean;
  /** Whether the space has languages. */
  hasLocales: boolean;
  faults: (option: string) => string[];
  onChange: (to: Partial<DraftField>) => void;
}
