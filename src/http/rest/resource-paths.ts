import { type GraphQLField, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { followed, type Step } from './chain.ts';
import { changing, type RestRoute, reading } from './route.ts';

/**
 * Where resources are reached: below which path, through which fields, and how the mutations there are called. A mutation whose
 * input lacks a member that is bound here has no path.
 */
export interface Door {
  readonly path: string;
  readonly steps: readonly Step[];
  readonly prefix: string;
  /** Members of every input there, by the parameter of the path. */
  readonly bound: Readonly<Record<string, string>>;
}

/** A resource: its name in the schema, in lists and in paths. */
export interface Resource {
  readonly noun: string;
  readonly list: string;
  readonly path: string;
  /** The argument that names one of its things; `eventTypeId`, unless it is said. */
  readonly key?: string;
  /** Fields that would make a list too expensive, and are shown of one thing alone. */
  readonly onlyAlone?: readonly string[];
  /** The name of the mutation that makes one, unless it is `eventTypeCreate`. */
  readonly made?: string;
  /** Where one that was made is read, unless at its own path: by that path. */
  readonly readAt?: Readonly<Record<string, string>>;
  /** Where one is made, if not in the list of all: the list it is put into, and the parameter that names it. */
  readonly madeIn?: { readonly path: string; readonly parameter: string };
  /** Lists that hang on one of its things, by their paths. */
  readonly below?: Readonly<Record<string, string>>;
  /** The other mutations of one of its things: the rest of the mutation's name, by method and path. */
  readonly actions?: Readonly<Record<string, string>>;
}

/** The paths of what the schema offers of a resource at a door. */
export function pathsOf(rules: SchemaRules, door: Door, resource: Resource, doors: readonly Door[]): RestRoute[] {
  return [...readsOf(rules, door, resource), ...changesOf(rules, door, resource, doors)];
}

/** The path of one thing of a resource, and the parameter in it that names the thing. */
function oneOf(door: Door, { noun, key, path }: Resource) {
  const parameter = key ?? `${noun}Id`;
  return { parameter, one: `${door.path}/${path}/:${parameter}` };
}

function readsOf(rules: SchemaRules, door: Door, resource: Resource): RestRoute[] {
  const { noun, list, key, path, below = {}, onlyAlone } = resource;
  const fields = followed(rules, 'query', door.steps).object?.type.getFields() ?? {};
  const { parameter, one } = oneOf(door, resource);
  const all = { name: list, bound: {} };
  const routes =
    list in fields ? [reading(rules, `${door.path}/${path}`, [...door.steps, all], { without: onlyAlone })] : [];
  const lookUp = [
    { name: noun, bound: { [key ?? 'id']: parameter } },
    { name: `${list}ById`, bound: { ids: parameter } },
  ].find(({ name, bound }) => fields[name]?.args.some((argument) => argument.name in bound));
  if (!lookUp) return routes;
  const steps = [...door.steps, lookUp];
  const under = Object.entries(below).map(([name, field]) =>
    reading(rules, `${one}/${name}`, [...steps, { name: field, bound: {} }]),
  );
  return [...routes, reading(rules, one, steps), ...under];
}

/** A change of a resource: its mutation, how it is reached, and the parameters that name what it is about. */
interface Change extends Omit<Parameters<typeof changing>[1], 'bound'> {
  readonly named: readonly string[];
}

function changesOf(rules: SchemaRules, door: Door, resource: Resource, doors: readonly Door[]): RestRoute[] {
  const { noun, path, madeIn, actions = {} } = resource;
  const { parameter, one } = oneOf(door, resource);
  const mutations = rules.schema.getMutationType()?.getFields() ?? {};
  // A thing that is a door itself is changed by the mutations behind it: one team of an organization by a team's
  // (specification §2.4).
  const behind = doors.find((other) => other.path === one);
  const nameOf = (verb: string) => (behind ? `${behind.prefix}${verb}` : mutationName(door, noun, verb));
  const creation =
    resource.made === undefined ? mutationName(door, noun, 'Create') : mutationName(door, resource.made, '');
  const payload = getNamedType(mutations[creation]?.type);
  const at = idInPayload(resource, isObjectType(payload) ? Object.keys(payload.getFields()) : []);
  const changes: Change[] = [
    {
      mutation: creation,
      path: `${door.path}/${madeIn?.path ?? path}`,
      named: madeIn ? [madeIn.parameter] : [],
      status: 201,
      // An invited person is no user yet, and has no address.
      ...(at && { location: { path: resource.readAt?.[one] ?? one, parameter, at } }),
    },
    { mutation: nameOf('Update'), method: 'PATCH', path: one, named: [parameter] },
    {
      mutation: nameOf('Delete'),
      method: 'DELETE',
      path: one,
      named: [parameter],
      status: statusOf(mutations[nameOf('Delete')]),
    },
    ...Object.entries(actions).map(([action, verb]) => {
      const [method, under] = action.split(' ') as ['POST' | 'PATCH', string];
      return { mutation: nameOf(verb), method, path: `${one}/${under}`, named: [parameter] };
    }),
  ];
  return changes.flatMap(({ named, ...change }) => {
    const at = change.path === one && behind ? behind.bound : door.bound;
    const bound = { ...at, ...Object.fromEntries(named.map((name) => [name, name])) };
    const input = getNamedType(mutations[change.mutation]?.args[0]?.type);
    const members = isInputObjectType(input) ? input.getFields() : undefined;
    const isThere = members && Object.keys(bound).every((member) => member in members);
    return isThere ? [changing(rules, { ...change, bound })] : [];
  });
}

/** A deletion has nothing to answer, but for what else has become of the thing. */
function statusOf(deletion: GraphQLField<unknown, unknown> | undefined): 200 | 204 {
  const payload = getNamedType(deletion?.type);
  return isObjectType(payload) && Object.keys(payload.getFields()).length > 2 ? 200 : 204;
}

/** The name of a mutation, such as `teamEventTypeCreate`. */
function mutationName({ prefix }: Door, noun: string, verb: string): string {
  return prefix === '' ? `${noun}${verb}` : `${prefix}${noun.charAt(0).toUpperCase()}${noun.slice(1)}${verb}`;
}

/** Where a payload has the id of what was made, if it has that. */
function idInPayload({ noun, key }: Resource, members: readonly string[]): readonly string[] | undefined {
  const named = [`${noun}Id`, `${noun}Uid`].find((name) => members.includes(name));
  if (named !== undefined) return [named];
  return members.includes(noun) ? [noun, key ?? 'id'] : undefined;
}
