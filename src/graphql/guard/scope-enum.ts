import { CATALOG } from '../../scopes/catalog.ts';
import { builder } from '../builder.ts';

/** The scopes as a type of the schema, for fields that list them; the directive uses the same one. */
export const Scope = builder.enumType('Scope', {
  description: 'A scope that an access token may carry.',
  values: Object.fromEntries(CATALOG.definitions.map(({ name, words }) => [name, { description: words }])),
});
