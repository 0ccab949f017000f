import { type GraphQLSchema, isEnumType } from 'graphql';

/** More are read in the schema. */
const MOST_VALUES = 12;

/** Says what to write instead, by the message in which graphql-js names a value and what it is not. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^Int cannot represent /, 'give a whole number without quotes, from -2147483648 to 2147483647'],
  [/^Boolean cannot represent /, 'give true or false, without quotes'],
  [/^(?:String|ID) cannot represent /, 'give a text in quotes'],
  [/^Enum "\w+" cannot represent non-enum value: /, 'write the name of one of its values, without quotes'],
  [/^Enum "\w+" cannot represent non-string value: /, 'give the name of one of its values as a text'],
  [/^Expected (?:non-nullable )?(?:value of )?type "/, 'give a value of that type'],
  [/^Variable "\$\w+" of required type "[^"]+" was not provided\.$/, 'send it in `variables`'],
  [/^Field "[^"]+" of required type "[^"]+" was not provided\.$/, 'give it a value'],
];
const NO_VALUE = /^Value .* does not exist in "(\w+)" enum\.$/s;
const SUGGESTS = /\?$/;

/** A message of graphql-js about a value, with what to write instead, unless it suggests something itself. */
export function withAdvice(message: string, schema: GraphQLSchema): string {
  const advice = SUGGESTS.test(message) ? undefined : adviceOn(message, schema);
  return advice === undefined ? message : `${message.replace(/\.$/, '')}; ${advice}.`;
}

function adviceOn(message: string, schema: GraphQLSchema): string | undefined {
  const name = NO_VALUE.exec(message)?.[1];
  if (name === undefined) return ADVICE.find(([pattern]) => pattern.test(message))?.[1];
  const type = schema.getType(name);
  const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
  return values.length <= MOST_VALUES ? `its values are ${values.join(', ')}` : 'the schema has its values';
}
