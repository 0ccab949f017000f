/** Words the answer of a path, or of its document at GraphQL's door, as the table of rights has it. */
import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { isOwnedKind, kindTagged, newTeamId, publicId } from '../../../src/core/id.ts';
import type { RestRoute } from '../../../src/http/rest/route.ts';
import { buildSchemas } from '../../../src/schema.ts';
import type { Asked } from '../../contract/field-visibility/rights.ts';
import { ownedUuidOf, unknownId, uuidOf } from '../../support/ids.ts';
import { type Answered, addressOf, asRequest, type Given, scopesFor, searchOf } from './rest-world.ts';

const { schema } = buildSchemas().forTokens;

/** The question to the table that a path makes. */
export function askedBy(route: RestRoute): Asked {
  const isPublic = scopesFor(route).length === 0;
  if (route.shape === 'CHANGE') {
    const [, level = 'user'] = /^(team|organization)[A-Z]/.exec(route.field.name) ?? [];
    const namesOwn = Object.keys(route.bound).length > 0;
    return { level: level as Asked['level'], way: [`Mutation.${route.field.name}`], isPublic, namesOwn };
  }
  const way: string[] = [];
  let type: GraphQLObjectType | null | undefined = schema.getQueryType();
  for (const { name } of route.steps) {
    way.push(`${type?.name}.${name}`);
    const named = getNamedType(type?.getFields()[name]?.type);
    type = isObjectType(named) ? named : undefined;
  }
  const doors = route.steps.map(({ name }) => name);
  const level = doors.includes('team') ? 'team' : doors.includes('organization') ? 'organization' : 'user';
  return { level, way, isPublic, namesOwn: route.path.includes(':') };
}

const WORDS: Readonly<Record<string, string>> = {
  '401 UNAUTHENTICATED': 'out',
  '403 INSUFFICIENT_SCOPE': 'scope',
  '403 FORBIDDEN': 'no',
  '404 NOT_FOUND': '-',
};

export function outcome({ status, body }: Answered): string {
  if (status < 300) return 'yes';
  const told = `${status} ${body.error.code}`;
  return WORDS[told] ?? told;
}

export function outcomeOfTwin(route: RestRoute, { status, body }: Answered): string {
  const [error] = body.errors ?? [];
  if (error) return WORDS[`${status} ${error.extensions.code}`] ?? `${status} ${error.extensions.code}`;
  if (route.shape === 'CHANGE') {
    const [mistake] = body.data[route.field.name].userErrors;
    return mistake ? ({ FORBIDDEN: 'no', NOT_FOUND: '-' }[mistake.code as string] ?? mistake.code) : 'yes';
  }
  let found = body.data;
  for (const [place, name] of route.answeredAt.entries()) {
    found = found[name];
    if (found == null) return route.shape === 'LIST' && place > 0 && place === route.answeredAt.length - 1 ? 'no' : '-';
  }
  return route.shape === 'FIRST' && found[0] == null ? '-' : 'yes';
}

/** The content of a refusal: by a path, and by its document. */
export function said({ body, headers }: Answered): unknown {
  const { details: _, ...error } = body.error;
  return { ...error, challenge: headers.get('www-authenticate') };
}

export function saidByTwin(route: RestRoute, { body, headers }: Answered): unknown {
  const challenge = headers.get('www-authenticate');
  const [error] = body.errors ?? [];
  if (!error) return { ...body.data[route.field.name].userErrors[0], challenge };
  const { code, requiredScopes, missingScopes } = error.extensions;
  return { code, message: error.message, requiredScopes, missingScopes, challenge };
}

/** The answer of a path whose document answers this. */
// oxlint-disable-next-line typescript/no-explicit-any -- of every shape
export function enveloped(route: RestRoute, data: any): unknown {
  let shown = data;
  for (const name of route.answeredAt) shown = shown[name];
  if (route.isBare) return shown;
  if (route.shape !== 'LIST') return { data: route.shape === 'FIRST' ? shown[0] : shown };
  const { endCursor: cursor, hasNextPage: hasMore } = shown.pageInfo;
  return { data: shown.nodes, pagination: { cursor, hasMore } };
}

/** Members and parameters that name what a path is about. */
function namesIn(route: RestRoute): readonly string[] {
  return route.shape === 'CHANGE'
    ? Object.keys(route.bound)
    : [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

export function namesSomething(route: RestRoute): boolean {
  return namesIn(route).length > 0;
}

type Values = Readonly<Record<string, unknown>>;

/** The variables of a request with other values for what it is about. */
function variablesWith(route: RestRoute, variables: Values, instead: Values): Values {
  if (route.shape !== 'CHANGE') return { ...variables, ...instead };
  return { ...variables, input: { ...(variables['input'] as object), ...instead } };
}

/** The request to a path with other values for what it is about. */
export function requestWith(route: RestRoute, variables: Values, instead: Values): Pick<Given, 'path' | 'body'> {
  const values = variablesWith(route, variables, instead);
  return route.shape === 'CHANGE'
    ? asRequest(route, values['input'] as Values)
    : { path: addressOf(route, values) + searchOf(route) };
}

/** The same request about things that are not there: of the groups that are, and of groups that are not. */
export function missingIn(route: RestRoute, variables: Values): Values[] {
  const values = (route.shape === 'CHANGE' ? variables['input'] : variables) as Values;
  const named = namesIn(route).map((name) => [name, String(values[name])] as const);
  const groups = new Map(named.filter(([, id]) => /^(?:tea|org)_/.test(id)).map(([, id]) => [id, unknownLike(id)]));
  const things = named.filter(([, id]) => !groups.has(id)).map(([name, id]) => [name, unknownLike(id)]);
  // A thing of a group that is not there is not there either, wherever it is named.
  const ofGroups = Object.entries(values).flatMap(([name, id]) => {
    const group = groups.keys().find((one) => isOwnedBy(id, one));
    const unknown = groups.get(String(id)) ?? (group && unknownLike(String(id), uuidOf(groups.get(group) ?? '')));
    return unknown === undefined ? [] : [[name, unknown]];
  });
  return [things, ofGroups].flatMap((ones) =>
    ones.length === 0 ? [] : [variablesWith(route, variables, Object.fromEntries(ones))],
  );
}

function unknownLike(id: string, ownerId?: string): string {
  const kind = kindTagged(id);
  if (!kind) throw new Error(`${id} is no id.`);
  // Whether an owner is a team, its id tells.
  if (kind === 'team') return publicId(kind, newTeamId());
  return unknownId(kind, ownerId ?? (isOwnedKind(kind) ? ownedUuidOf(id).ownerId : undefined));
}

function isOwnedBy(id: unknown, groupId: string): boolean {
  const kind = typeof id === 'string' ? kindTagged(id) : undefined;
  return kind !== undefined && isOwnedKind(kind) && ownedUuidOf(String(id)).ownerId === uuidOf(groupId);
}
