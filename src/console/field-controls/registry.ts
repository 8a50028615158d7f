/** The registry of controls: one entry for each field type that the service has. */
import type { FieldType } from "../api/models.ts";
import { BOOLEAN } from "./boolean.tsx";
import { DATETIME } from "./datetime.tsx";
import { ENUM } from "./enum.tsx";
import type { FieldControls } from "./field-control.tsx";
import { JSON_CONTROLS } from "./json.tsx";
import { MEDIA } from "./media.tsx";
import { BLOCKS } from "./nested/blocks.tsx";
import { COMPONENT } from "./nested/component.tsx";
import { NUMBER } from "./number.tsx";
import { RELATION } from "./relation.tsx";
import { RICHTEXT } from "./rich-text/richtext.tsx";
import { STRING } from "./string.tsx";
import { TEXT } from "./text.tsx";

export const FIELD_CONTROLS: Record<FieldType, FieldControls> = {
  string: STRING,
  text: TEXT,
  number: NUMBER,
  boolean: BOOLEAN,
  datetime: DATETIME,
  enum: ENUM,
  json: JSON_CONTROLS,
  media: MEDIA,
  relation: RELATION,
  component: COMPONENT,
  blocks: BLOCKS,
  richtext: RICHTEXT,
};
