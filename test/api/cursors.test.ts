/**
 * A cursor is a place in a list that was narrowed and sorted in one way. Sent with another filter or order, it is refused: a page
 * that begins there would leave out entries without a word. Fields come from the schema, so that a new list is tried at once.
 */
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, newUserId, publicId } from '../../src/core/id.ts';
import { encodeCursor } from '../../src/core/page.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { newRoutingForm } from '../support/routing-forms.ts';
import { validInputs } from '../world/valid-inputs.ts';
import { askedFields } from './every-value/field-arguments.ts';
import { groupId, thingsThere } from './every-value/things-there.ts';

const PAGE = ['first', 'after', 'last', 'before'];
const TIME = '2031-01-06T00:00:00Z';
/** Cursors of lists that are neither narrowed nor sorted, of every key that a list has. */
const KEYS = [[newId()], [newId(), newId()], [TIME, newId()], ['slug'], [TIME, 'text']];

/** No look-up leads to a form that is there, so that it is tried by the list of forms. */
const BELOW_A_LIST = 'RoutingForm.responses';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi({ guesses: 1_000_000 });
  const owners = [
    { teamId: await groupId(api, 'team', 'sales') },
    { organizationId: await groupId(api, 'organization', 'acme') },
  ];
  for (const owner of owners) await newRoutingForm(api.signedIn('ada'), owner, { name: 'Contact' });
});
afterAll(() => api.close());

/** A value of a type. */
function someOf(type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [someOf(nullable.ofType)];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (isInputObjectType(nullable)) {
    // An id that names nothing here would be refused before.
    const fields = Object.values(nullable.getFields()).filter(({ type: of }) => getNamedType(of).name !== 'ID');
    return Object.fromEntries(fields.map(({ name, type: of }) => [name, someOf(of)]));
  }
  const values: Readonly<Record<string, unknown>> = {
    Boolean: true,
    DateTime: TIME,
    EmailAddress: 'ada@example.test',
    ID: publicId('user', newUserId()),
    Int: 1,
    String: 'text',
  };
  return values[getNamedType(type).name];
}

/** The same, with periods that end after their beginning. */
function valueOf(type: GraphQLInputType): unknown {
  return JSON.parse(JSON.stringify(someOf(type)).replaceAll(`"to":"${TIME}"`, '"to":"2031-02-06T00:00:00Z"'));
}

test('a cursor of a list is refused with any other argument of the list, by a reason that names both', async () => {
  const silent: string[] = [];
  const named: string[] = [];
  for (const field of askedFields(await thingsThere(api, validInputs(api)))) {
    const args = field.arguments.getFields();
    if (!args['after'] || field.coordinate === BELOW_A_LIST) continue;
    for (const { name, type } of Object.values(args).filter((one) => !PAGE.includes(one.name))) {
      const given = { [name]: valueOf(type) };
      const others = Object.values(args).filter((one) => ![...PAGE, ...Object.keys(field.given)].includes(one.name));
      // Some arguments are taken with others alone.
      const ways = [
        { ...given, ...field.given },
        { ...Object.fromEntries(others.map((one) => [one.name, valueOf(one.type)])), ...given },
      ];
      const reasons: string[] = [];
      for (const cursor of KEYS.map((key) => encodeCursor(key))) {
        for (const values of ways.flatMap((way) => [
          { ...way, after: cursor },
          { ...way, before: cursor },
        ])) {
          const { codes, errors } = await api.as('ada').ask(field.document(values), values);
          const isRefused = codes.length > 0 && codes.every((code) => code === 'BAD_INPUT');
          if (!isRefused) silent.push(`${field.coordinate}: ${JSON.stringify(values)} ${codes.join()}`);
          reasons.push(errors[0]?.message ?? '');
        }
      }
      for (const argument of ['after', 'before']) {
        const isNamed = reasons.some(
          (reason) =>
            reason.startsWith(`${argument} is`) &&
            new RegExp(`made with another (?:\\w+ and )*${name}\\b`, 'v').test(reason) &&
            reason.includes('send it with what it was made with'),
        );
        if (isNamed) named.push(`${field.coordinate}.${name}`);
        else silent.push(`${field.coordinate}(${name}, ${argument}): ${reasons.join(' | ')}`);
      }
    }
  }
  expect(silent).toEqual([]);
  expect(named.length).toBeGreaterThan(40);
});

test.each(['after', 'before'])('so is one of the responses to a form: %s', async (argument) => {
  const cursor = encodeCursor([TIME, newId()]);
  const document = `query($at: String, $period: TimeRangeInput) { organization(id: "${await groupId(api, 'organization', 'acme')}") {
    routingForms { nodes { responses(filter: { createdAt: $period }, ${argument}: $at) { nodes { id } } } } } }`;
  const read = (period: object | null) => api.as('ada').ask(document, { at: cursor, period });
  expect((await read(null)).codes).toEqual([]);
  const { codes, errors } = await read({ from: TIME });
  expect(new Set(codes)).toEqual(new Set(['BAD_INPUT']));
  expect(errors[0]?.message).toMatch(new RegExp(`^${argument} is .*made with another filter; send it with`, 'v'));
});
