import type { Types } from './builder.ts';

/** The input of an update by which nobody overwrites what they have not seen. */
export function ifUpdatedAtField(t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) {
  return {
    ifUpdatedAt: t.field({
      type: 'DateTime',
      description:
        'The `updatedAt` that you have read. If it was changed since, nothing is done and the code is `CONFLICT`. Without it, the last one to write wins.',
    }),
  };
}
