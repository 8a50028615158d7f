/** Shows stored values as answers have them: the values of components by the names of their fields. Pure. */
import type { AnyMeaning, Json, OwnReference, Shower } from "../field-type.ts";
import { meaningOf, type Field } from "../registry.ts";

const PLAIN: Shower = {
  value: (_component, { meaning, field }, value) => shownBy(meaning, field, value),
  reference: ({ id }: Pick<OwnReference, "id">) => id,
};

const shownBy = ({ nested }: Pick<AnyMeaning, "nested">, field: never, value: Json): unknown =>
  nested && value !== null ? nested.show(value, field, PLAIN) : value;

/** Returns a stored value as answers show it. */
export const shownValue = (field: Field, value: Json): unknown =>
  shownBy(meaningOf(field), field as never, value);
