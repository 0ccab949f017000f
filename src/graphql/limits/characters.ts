import { type GraphQLNamedType, isEnumType } from 'graphql';

/** Quotes, colon and comma around a name and its value. */
export const PUNCTUATION = 6;

/** A name, a title, an address; what can be longer says so in the price of its field. */
const TEXT = 100;

/** The most characters of a value that is no object: of scalars of our own, as their rules have it. */
const CHARACTERS: Readonly<Record<string, number>> = {
  Boolean: 5,
  Int: 11,
  Float: 24,
  ID: 60,
  DateTime: 24,
  String: TEXT,
  /** 50 keys of 40 characters with values of 500 each. */
  Metadata: 27_500,
  BookingResponses: 20_000,
};

export function charactersOf(type: GraphQLNamedType): number {
  if (isEnumType(type)) return Math.max(0, ...type.getValues().map(({ name }) => name.length));
  return CHARACTERS[type.name] ?? TEXT;
}
