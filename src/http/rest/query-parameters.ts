import { type GraphQLInputType, getNamedType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { PAGING, parameterNamed } from './chain.ts';
import { isRequired, type RestRoute } from './route.ts';

/** A parameter of the address, and where in the variables of the document its value belongs. */
export interface QueryParameter {
  readonly name: string;
  readonly at: readonly string[];
  readonly type: GraphQLInputType;
  readonly isRequired: boolean;
  readonly description: string;
}

/** The one argument whose members are parameters without its name before them. */
const FILTER = 'filter';

const KNOWN = new WeakMap<RestRoute, readonly QueryParameter[]>();

/** The query parameters of a path: its field's arguments, members of objects as `start.from`. */
export function queryParameters(route: RestRoute): readonly QueryParameter[] {
  return KNOWN.getOrInsertComputed(route, parametersOfQuery);
}

function parametersOfQuery({ query }: RestRoute): readonly QueryParameter[] {
  return query.flatMap((argument) => {
    const { name, type, description } = argument;
    return parametersOf(
      name === FILTER ? '' : parameterNamed(name),
      [name],
      type,
      isRequired(argument),
      description ?? '',
    );
  });
}

function parametersOf(
  name: string,
  at: readonly string[],
  type: GraphQLInputType,
  required: boolean,
  description: string,
): QueryParameter[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [{ name, at, type, isRequired: required, description }];
  return Object.values(named.getFields()).flatMap((member) =>
    parametersOf(
      name === '' ? member.name : `${name}.${member.name}`,
      [...at, member.name],
      member.type,
      required && isRequired(member),
      member.description ?? '',
    ),
  );
}

/** A token there counts as none, which GraphQL's door says (RFC 6750 §2.3). */
const CREDENTIALS = 'access_token';

/** The variables that an address gives. @throws Problem BAD_REQUEST naming the parameter that is wrong */
export function variablesOfQuery(route: RestRoute, search: URLSearchParams): Record<string, unknown> {
  const known = queryParameters(route);
  const variables: Record<string, unknown> = {};
  for (const name of new Set(search.keys())) {
    if (name === CREDENTIALS) continue;
    const parameter = known.find((one) => one.name === name);
    if (!parameter) throw unknownParameter(name, known);
    const [text = '', ...more] = search.getAll(name);
    if (more.length > 0) {
      const advice = isMany(parameter.type) ? 'separate its values by commas' : 'give it once';
      throw new Problem('BAD_REQUEST', `The query parameter ${shown(name)} is there several times; ${advice}.`, [name]);
    }
    put(variables, parameter.at, valueOf(parameter, text));
  }
  const most = route.mostOnPage();
  if (most !== undefined) variables[PAGING.limit] = pageSize(variables[PAGING.limit], most);
  return variables;
}

/** How many a page has where nobody says: as in GraphQL, or all that is possible. */
export const USUAL_PAGE = 25;

function pageSize(asked: unknown, most: number): number {
  if (asked === undefined) return Math.min(USUAL_PAGE, most);
  if (typeof asked === 'number' && asked >= 1 && asked <= most) return asked;
  throw new Problem(
    'BAD_REQUEST',
    `limit is ${typeof asked === 'number' ? asked : shown(asked as string)}; give a whole number from 1 to ${most}.`,
    ['limit'],
  );
}

function unknownParameter(name: string, known: readonly QueryParameter[]): Problem {
  const names = known.map((one) => one.name).join(', ');
  const advice = names === '' ? 'there are none here' : `there are ${names}`;
  return new Problem('BAD_REQUEST', `There is no query parameter ${shown(name)}: ${advice}.`, [name]);
}

function isMany(type: GraphQLInputType): boolean {
  return isListType(getNullableType(type));
}

function valueOf({ type }: QueryParameter, text: string): unknown {
  if (isMany(type)) return text.split(',').map((one) => scalarOf(getNamedType(type).name, one));
  return scalarOf(getNamedType(type).name, text);
}

/** Reads a value by its type. A text that does not fit stays a text, which the document's type then refuses. */
function scalarOf(type: string, text: string): unknown {
  if (type === 'Int' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[name] = value;
  else put((into[name] ??= {}) as Record<string, unknown>, rest, value);
}
