/** Orders lists. A list names the fields that it can be sorted by; from them comes the input of its `orderBy`. */
import type { InputRef } from '@pothos/core';
import { builder } from './builder.ts';
import { describedValues } from './descriptions.ts';

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Which end of a list comes first.',
  values: describedValues(['ASC', 'DESC'], {
    ASC: 'The lowest first: the earliest time, the first letter of the alphabet.',
    DESC: 'The highest first: the latest time, the last letter of the alphabet.',
  }),
});

/** The order that a caller gives. */
export interface GivenOrder<Field extends string> {
  readonly field: Field;
  readonly direction: 'ASC' | 'DESC';
}

/** Declares the `orderBy` of a list of `name`, by these fields. */
export function listOrder<const Field extends string>(
  name: string,
  fields: readonly Field[],
  descriptions: Readonly<Record<NoInfer<Field>, string>>,
): InputRef<GivenOrder<Field>> {
  const OrderField = builder.enumType(`${name}OrderField`, {
    description: `What a list of \`${name}\` can be sorted by.`,
    values: describedValues(fields, descriptions),
  });
  const input: InputRef = builder.inputType(`${name}OrderInput`, {
    description: `The order of a list of \`${name}\`.`,
    fields: (t) => ({
      field: t.field({ type: OrderField, required: true, description: 'What the list is sorted by.' }),
      // A default of the schema: what is left out is the same order as what is said, also to a cursor.
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue: 'ASC',
        description: 'Which end comes first.',
      }),
    }),
  });
  return input as InputRef<GivenOrder<Field>>;
}
