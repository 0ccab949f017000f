/**
 * graphql/ is the kit with which features declare their part of the schema: one builder whose fields cannot be declared
 * without saying what they require, connections, mutations with `userErrors`, scalars, and the guard before execution.
 */
import SchemaBuilder from '@pothos/core';
import type { Requirement, ScopeLists } from '../scopes/requirement.ts';
import type { GraphQLContext } from './context.ts';
import './descriptions.ts';
import './limits/price.ts';
import './scopes-plugin.ts';
import type { TextScalar } from './text-scalars.ts';

/** A scalar says what a text holds, and the rules of the command that takes it check it. */
type TextScalars = { readonly [Name in TextScalar]: { Input: string; Output: string } };

interface SchemaTypes {
  Context: GraphQLContext;
  DefaultFieldNullability: false;
  Scalars: TextScalars & {
    ID: { Input: string; Output: string };
    /** Also as the database writes it, and, in lists of thousands, as epoch milliseconds. */
    DateTime: { Input: Temporal.Instant; Output: Temporal.Instant | string | number };
    BookingResponses: { Input: Readonly<Record<string, unknown>>; Output: Readonly<Record<string, unknown>> };
    MetadataPatch: { Input: Readonly<Record<string, string | null>>; Output: Readonly<Record<string, string>> };
    Metadata: { Input: Readonly<Record<string, string>>; Output: Readonly<Record<string, string>> };
  };
}

export type Types = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

/** Declares the fields of an input. */
export type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>;

declare global {
  export namespace PothosSchemaTypes {
    interface FieldOptions {
      /** The scopes that an access token must hold to select this field. Mandatory: there is no default. */
      requires: Requirement;
    }
    interface ObjectTypeOptions {
      /** The scopes that a selection of nothing but structure needs below a field that costs nothing itself. */
      baseScopes?: ScopeLists;
    }
  }
}

// The last one is asked first: what is described is followed by the scopes.
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: ['scopes', 'price', 'descriptions'],
  defaultFieldNullability: false,
});

builder.queryType({
  description:
    'Everything that can be read. `me`, `team` and `organization` lead to data that needs an access token or a session. The other fields are open to everybody.',
});
builder.mutationType({
  description:
    'Everything that changes data. Each mutation takes an `input`, and lists mistakes in it in `userErrors`.',
});
