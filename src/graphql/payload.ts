/** All mutations share these, so that a client handles them once: `... on MutationPayload { userErrors { … } }`. */
import { MAX_MESSAGE_LENGTH, MAX_MISTAKES, MAX_PATH, type Mistake } from '../core/problem.ts';
import { INHERIT } from '../scopes/declare.ts';
import type { Requirement } from '../scopes/requirement.ts';
import { builder, type Types } from './builder.ts';
import { SMALL } from './limits/price.ts';

type MistakeFields = PothosSchemaTypes.ObjectFieldBuilder<Types, Mistake>;

/** The fields of each mutation's own type of mistakes, besides its `code`. */
export function mistakeFields(t: MistakeFields, requires: Requirement) {
  return {
    message: t.exposeString('message', {
      requires,
      description: 'A sentence for people: what is wrong and what to do.',
      price: { characters: MAX_MESSAGE_LENGTH },
    }),
    path: t.stringList({
      requires,
      description:
        'Where in the input it is: names of fields and places in lists, from 0, such as `["guests", "1"]`. Empty when it is not about one field.',
      price: { max: MAX_PATH },
      resolve: ({ path }) => [...(path ?? [])],
    }),
  };
}

/** `userErrors` of each payload. */
export const USER_ERRORS = {
  price: { max: MAX_MISTAKES, weight: SMALL },
  description: 'Why it was refused; empty when it was done.',
} as const;

// An interface's field requires nobody's scope: it is judged by the objects that may stand there
// (scopes/schema-rules.ts).

export const UserError = builder.interfaceRef<Mistake>('UserError').implement({
  description:
    'What was wrong with the input of a mutation, or with doing it now. Each mutation has a type of its own for it, whose `code` is an enum of what this mutation can say.',
  fields: (t) => mistakeFields(t as unknown as MistakeFields, INHERIT) as never,
});

export const MutationPayload = builder
  .interfaceRef<{ readonly userErrors: readonly Mistake[] }>('MutationPayload')
  .implement({
    description: 'What every mutation answers, beside what it made or changed.',
    fields: (t) => ({
      userErrors: t.field({
        ...USER_ERRORS,
        type: [UserError],
        requires: INHERIT,
        resolve: ({ userErrors }) => userErrors,
      }),
    }),
  });
