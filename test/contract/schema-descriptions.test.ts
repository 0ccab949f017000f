/** Everything in both schemas is described, in words of its own: what it holds, not only what it costs to read. */
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { ID_TAGS } from '../../src/core/id.ts';
import { buildSchemas } from '../../src/schema.ts';

interface Element {
  readonly coordinate: string;
  readonly name: string;
  readonly description: string;
  /** The type of a value that callers write: an argument or an input field. */
  readonly given?: GraphQLInputType;
  readonly isScalar?: boolean;
}

const { forSessions, forTokens } = buildSchemas();

/** Texts that are written in one way only. */
const HAS_FORMAT = /(?:timeZone|locale|phone|slug|color|date|url|uri|email|username|from|to|start|end)s?$/i;

/** The consent page has the words for what a scope allows. */
const isScope = ({ coordinate }: Element) => coordinate.startsWith('Scope.');
const given = (type: string) => (element: Element) => element.given && getNamedType(element.given).name === type;

describe.each([
  ['signed-in sessions', forSessions.schema],
  ['access tokens', forTokens.schema],
])('the schema of %s', (_, schema) => {
  const elements = [...elementsOf(schema)];
  const without = (isWrong: (element: Element) => boolean) =>
    elements.filter(isWrong).map(({ coordinate }) => coordinate);

  test('describes each type, field, argument, input field and enum value', () => {
    expect(elements.length).toBeGreaterThan(2_000);
    expect(without(({ description }) => description === '')).toEqual([]);
  });

  test('does so in sentences that say more than the name', () => {
    expect(without((element) => !isScope(element) && !/^[\p{Lu}`\d][^]*\.$/u.test(element.description))).toEqual([]);
    expect(without(({ name, description }) => essence(description) === essence(name))).toEqual([]);
  });

  test('shows how a text with a format is written, and which ids are taken', () => {
    const tags = new RegExp(`\`(?:${Object.values(ID_TAGS).join('|')})_`);
    const isText = given('String');
    const isId = given('ID');
    expect(elements.filter(isText).length).toBeGreaterThan(50);
    expect(without(({ isScalar, description }) => isScalar === true && !/`.+`/.test(description))).toEqual([]);
    expect(without((one) => Boolean(isText(one)) && HAS_FORMAT.test(one.name) && !/`/.test(one.description))).toEqual(
      [],
    );
    expect(without((one) => Boolean(isId(one)) && !tags.test(one.description))).toEqual([]);
  });

  test('says of each number that is given what it may be', () => {
    const isNumber = given('Int');
    expect(without((one) => Boolean(isNumber(one)) && !/\d|`/.test(one.description))).toEqual([]);
  });
});

/** Each element by its schema coordinate, with what it says of itself. */
function* elementsOf(schema: GraphQLSchema): Generator<Element> {
  for (const directive of schema.getDirectives().filter(({ name }) => name === 'requiresScope')) {
    yield elementAt(`@${directive.name}`, directive);
    for (const argument of directive.args) yield elementAt(`@${directive.name}(${argument.name}:)`, argument);
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    yield { ...elementAt(type.name, type), isScalar: isScalarType(type) };
    yield* membersOf(type);
  }
}

function* membersOf(type: GraphQLNamedType): Generator<Element> {
  if (isEnumType(type)) for (const value of type.getValues()) yield elementAt(`${type.name}.${value.name}`, value);
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      yield { ...elementAt(`${type.name}.${field.name}`, field), given: field.type };
    }
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  for (const field of Object.values(type.getFields())) {
    yield elementAt(`${type.name}.${field.name}`, field);
    for (const argument of field.args) {
      yield { ...elementAt(`${type.name}.${field.name}(${argument.name}:)`, argument), given: argument.type };
    }
  }
}

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
}

/** Scopes are said of every field, in a paragraph that the scope engine adds, and do not count. */
function elementAt(coordinate: string, { name, description }: Described): Element {
  const words = (description ?? '').replace(/(?:^|\n\n)(?:Scopes: .*|Signed-in sessions only\.)$/, '').trim();
  return { coordinate, name, description: words };
}

/** `userName` and “The name of the user.” come to `name user`. */
function essence(text: string): string {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return words
    .filter((word) => !['the', 'a', 'an', 'its', 'of'].includes(word))
    .toSorted()
    .join(' ');
}
