/**
 * Every list of the schema that can be narrowed or sorted, asked for with each field of its filter and in each of its orders, as
 * a client asks. The questions come from the schema: a new filter is asked by itself.
 */
import {
  type GraphQLInputType,
  getNamedType,
  graphql,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { publicId, publicOwnedId } from '../../src/core/id.ts';
import type { Em } from '../../src/database/sql.ts';
import type { GraphQLContext } from '../../src/graphql/context.ts';
import { CostBudget } from '../../src/graphql/limits/cost-budget.ts';
import { isLetIn } from '../../src/oauth/grants/authorized-apps.ts';
import { buildSchemas } from '../../src/schema.ts';
import type { ManyRows } from './fixture.ts';

/** Bookings have a test and a benchmark of their own. */
const ELSEWHERE = 'BookingFilterInput';

/** At most so many of an owner, by the rows of docs/limits.md, whatever they are narrowed by. */
export const LIMITED: Readonly<Record<string, string>> = {
  webhooks: 'webhooks',
  workflows: 'workflows',
  routingForms: 'routing-forms',
};

export interface NarrowedList {
  /** `Webhook.deliveries(filter: { statuses: ["FAILED"] })`. */
  readonly name: string;
  /** `Webhook.deliveries.statuses`, or `.orderBy` for an order. */
  readonly by: string;
  readonly ask: (em: Em, many: ManyRows, page: object) => Promise<unknown>;
}

const { schema } = buildSchemas().forSessions;

/** The first of `uuidNumbered('b')`, which webhooks of event types have. */
const ONE_OF_EVENT_TYPE = 'b0000000-0000-0000-0000-000000000003';

/** The fields that lead to each type with lists, from the root on. */
const DOORS: Readonly<Record<string, (many: ManyRows) => readonly string[]>> = {
  Query: () => [],
  Viewer: () => ['me'],
  Team: ({ teamId }) => [`team(id: "${publicId('team', teamId)}")`],
  Organization: ({ organizationId }) => [`organization(id: "${publicId('organization', organizationId)}")`],
  EventType: (many) => ['me', `eventType(id: "${eventTypeOf(many)}")`],
  Webhook: ({ userId: ownerId, webhookId: id }) => [
    'me',
    `webhook(id: "${publicOwnedId('webhook', { ownerId, id })}")`,
  ],
  EventTypeWebhook: ({ userId: ownerId }) => [
    'me',
    `eventTypeWebhook(id: "${publicOwnedId('eventTypeWebhook', { ownerId, id: ONE_OF_EVENT_TYPE })}")`,
  ],
  RoutingForm: ({ teamId: ownerId, routingFormId: id }) => [
    `team(id: "${publicId('team', ownerId)}")`,
    `routingForm(id: "${publicOwnedId('routingForm', { ownerId, id })}")`,
  ],
};

function eventTypeOf({ userId: ownerId, eventTypeId: id }: ManyRows): string {
  return publicOwnedId('eventType', { ownerId, id });
}

/** Each that has what the list is long of, and what it does not have. */
const IDS: Readonly<Record<string, (many: ManyRows) => readonly unknown[]>> = {
  eventTypeIds: (many) => [
    [eventTypeOf(many)],
    [publicOwnedId('eventType', { ownerId: many.teamId, id: many.eventTypeId })],
    [publicOwnedId('eventType', { ownerId: many.userId, id: many.managedId })],
  ],
  userId: ({ userId, quietUserId }) => [userId, quietUserId].map((id) => publicId('user', id)),
  clientId: () => ['client-0', 'client-1'],
};

const PERIODS = [
  { from: '2001-01-01T00:00:00Z' },
  { from: '2999-01-01T00:00:00Z' },
  { to: '2001-01-01T00:00:00Z' },
  { from: '2001-01-01T00:00:00Z', to: '2002-01-01T00:00:00Z' },
];

/** Values that many rows have, one row, or none. */
function valuesOf(name: string, type: GraphQLInputType): readonly unknown[] | ((many: ManyRows) => readonly unknown[]) {
  if (isNonNullType(type)) return valuesOf(name, type.ofType);
  const ids = IDS[name];
  if (ids) return ids;
  if (isListType(type)) return (valuesOf(name, type.ofType) as readonly unknown[]).map((value) => [value]);
  if (isEnumType(type)) return type.getValues().map((value) => value.name);
  const byType: Readonly<Record<string, readonly unknown[]>> = {
    Boolean: [true, false],
    String: ['nobody has this'],
    EmailAddress: ['nobody@example.test'],
    TimeRangeInput: PERIODS,
  };
  const values = byType[String(type)];
  if (!values) throw new Error(`With what would one ask for ${name}, which is ${String(type)}?`);
  return values;
}

/** All but those that are limited. */
export function narrowedLists(many: ManyRows): readonly NarrowedList[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((door) =>
      Object.values(door.getFields()).flatMap(({ name, args }) => {
        if (name in LIMITED) return [];
        const given = ['filter', 'orderBy'].flatMap((argument) => {
          const type = args.find((one) => one.name === argument)?.type;
          return type ? questionsOf(argument, getNamedType(type).name, many) : [];
        });
        return given.map(({ argument, type, value }) => ({
          name: `${door.name}.${name}(${argument}: ${JSON.stringify(value)})`,
          by: `${door.name}.${name}.${argument === 'filter' ? Object.keys(value).join() : argument}`,
          ask: async (em: Em, what: ManyRows, page: object) => {
            const way = here(DOORS[door.name], door.name)(what);
            const list = `${name}(${argument}: $given, ${Object.entries(page)
              .map((one) => one.join(': '))
              .join()})`;
            const source = `query($given: ${type}) { ${way.map((field) => `${field} {`).join(' ')} ${list} { nodes { __typename } } ${way.map(() => '}').join('')} }`;
            return execute(em, what, source, { given: value });
          },
        }));
      }),
    );
}

function questionsOf(argument: string, typeName: string, many: ManyRows) {
  const type = schema.getType(typeName);
  if (!isInputObjectType(type) || typeName === ELSEWHERE || typeName === 'BookingOrderInput') return [];
  const fields = Object.values(type.getFields());
  const options = fields.map((field) => {
    const values = valuesOf(field.name, field.type);
    return { name: field.name, values: typeof values === 'function' ? values(many) : values };
  });
  const found =
    argument === 'filter'
      ? options.flatMap(({ name, values }) => values.map((value) => ({ [name]: value })))
      : (options.find(({ name }) => name === 'field')?.values ?? []).flatMap((field) =>
          ['ASC', 'DESC'].map((direction) => ({ field, direction })),
        );
  return found.map((value) => ({ argument, type: typeName, value }));
}

async function execute(
  em: Em,
  { userId, administratorId }: ManyRows,
  source: string,
  variableValues: Record<string, unknown>,
) {
  const isOfAdministrators = source.includes('auditEvents');
  const contextValue = {
    em,
    sharedEm: em,
    caller: {
      kind: 'session',
      userId: isOfAdministrators ? administratorId : userId,
      sessionId: userId,
      isAdministrator: isOfAdministrators,
    },
    budget: new CostBudget(50_000),
    address: '192.0.2.1',
    publicUrl: 'https://gatehouse.test',
    isLetIn,
  } as unknown as GraphQLContext;
  const { data, errors } = await graphql({ schema, source, variableValues, contextValue });
  if (errors)
    throw new Error(
      `${source}: ${errors.map(({ message, originalError }) => originalError?.stack ?? message).join('; ')}`,
    );
  return data;
}

function here<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`${name}: how does one get there?`);
  return value;
}
