/** The mutations of a resource: one shape, and what differs between making, changing and deleting is a table. */
import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core';
import { type OwnedId, type OwnedKind, ownedIdOf, publicOwnedId } from '../../core/id.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import type { Entity } from '../../database/columns.ts';
import type { Selection } from '../../database/selection.ts';
import type { Em } from '../../database/sql.ts';
import type { Types } from '../../graphql/builder.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { selectionOf } from '../../graphql/selection.ts';
import { entering, INHERIT } from '../../scopes/declare.ts';
import type { ScopeLists } from '../../scopes/requirement.ts';
import { type Descriptions, EVERYBODYS_OWN, findRows, LEVELS, levelsOf, type Row } from './level.graphql.ts';
import type { OwnedTable } from './owned.queries.ts';
import {
  type Given,
  type Input,
  type InputBuilder,
  idField,
  namedOwner,
  newOwner,
  newOwnerFields,
  pathFields,
} from './owner-of-input.graphql.ts';
import type { Belonging, LevelName, Owner } from './reach.ts';

interface Operation {
  readonly describes: Descriptions;
  /** The codes of its `userErrors`, beside NOT_FOUND, and FORBIDDEN in groups. */
  readonly errors?: readonly ProblemCode[];
  /** Further codes at one level. */
  readonly errorsAt?: Readonly<Partial<Record<LevelName, readonly ProblemCode[]>>>;
}

export interface Create<Fields extends InputFieldMap> extends Operation {
  readonly input: (t: InputBuilder, level: LevelName) => Fields;
  /** @returns the id of what was made */
  readonly run: (em: Em, owner: Owner, input: InputShapeFromFields<Fields>) => Promise<string>;
}

export interface Update<Fields extends InputFieldMap> extends Operation {
  readonly input: (t: InputBuilder, level: LevelName) => Fields;
  /** @returns what is shown of the thing, where the statement that changed it has told; otherwise it is read */
  readonly run: (
    em: Em,
    owner: Owner,
    id: string,
    patch: InputShapeFromFields<Fields>,
    shown: Selection<never>,
  ) => Promise<object | undefined>;
}

export interface Delete extends Operation {
  readonly run: (em: Em, owner: Owner, id: string) => Promise<unknown>;
}

/** A resource, as far as its mutations are concerned. */
export interface Options {
  readonly type: ObjectRef<Types, Row>;
  readonly owned: OwnedTable<Entity>;
  readonly belongsTo: Belonging;
  readonly reads: ScopeLists;
  readonly writes: ScopeLists;
  readonly create?: Create<InputFieldMap>;
  readonly update?: Update<InputFieldMap>;
  readonly delete?: Delete;
}

interface Shape<Found extends Given> {
  readonly verb: 'Create' | 'Update' | 'Delete';
  /** The fields that say whose the thing is, or which one. */
  readonly names: (t: InputBuilder, level: LevelName, options: Options) => InputFieldMap;
  readonly fields: (t: InputBuilder, level: LevelName) => InputFieldMap;
  readonly given: (level: LevelName, options: Options, input: Input, context: GraphQLContext) => Found;
  readonly carryOut: (em: Em, given: Found, shown: Selection) => Promise<Done>;
}

/** What was made, changed or deleted, and what is shown of it where that is known. */
interface Done {
  readonly id: string;
  readonly row?: object | undefined;
}

export function declareMutations(options: Options): void {
  const { create, update, delete: remove } = options;
  if (create) {
    declare(options, create, {
      verb: 'Create',
      names: (t, level) => newOwnerFields(t, level, options.belongsTo),
      fields: create.input,
      given: newOwner,
      carryOut: async (em, { owner, rest }) => ({ id: await create.run(em, owner, rest) }),
    });
  }
  if (update) {
    declare(options, update, {
      verb: 'Update',
      names: idField,
      fields: update.input,
      given: namedOwner,
      carryOut: async (em, { owner, id, rest }, shown) => ({
        id,
        row: await update.run(em, owner, id, rest, shown as Selection<never>),
      }),
    });
  }
  if (remove) {
    declare(options, remove, {
      verb: 'Delete',
      names: idField,
      fields: () => ({}),
      given: namedOwner,
      carryOut: async (em, { owner, id }) => {
        await remove.run(em, owner, id);
        return { id };
      },
    });
  }
}

function declare<Found extends Given>(
  options: Options,
  operation: Operation,
  { verb, names, fields, given, carryOut }: Shape<Found>,
): void {
  const noun = options.owned.kind;
  for (const [level, description] of levelsOf(operation.describes)) {
    mutation(mutationName(level, noun, verb), {
      description,
      requires: entering(LEVELS[level].scopeLevel, options.writes as never),
      errors: errorsOf(level, operation),
      ...(verb === 'Create' && { onceByKey: true }),
      input: (t) => ({ ...pathFields(t, level), ...names(t, level, options), ...fields(t, level) }),
      resolve: async (input, context, info) => {
        const whose = given(level, options, input, context);
        const { id, row } = await carryOut(context.em, whose, selectionOf(info, options.owned.entity));
        const done = { ownerId: whose.owner.ownerId, id };
        return { [`${noun}Id`]: publicOwnedId(noun, done), done, row };
      },
      payload: (t) => payloadFields(t as never, level, options, verb !== 'Delete'),
    });
  }
}

function mutationName(level: LevelName, noun: string, verb: string): string {
  const { prefix } = LEVELS[level];
  return prefix === '' ? `${noun}${verb}` : `${prefix}${capitalized(noun)}${verb}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function errorsOf(
  level: LevelName,
  { errors = [], errorsAt = {} }: Operation,
): readonly [ProblemCode, ...ProblemCode[]] {
  const forGroups = level === 'user' ? [] : (['FORBIDDEN'] as const);
  return ['NOT_FOUND', ...errors, ...forGroups, ...(errorsAt[level] ?? [])];
}

/** The id of what was made or changed and, where it is selected, the thing itself, as it was left or read as it is by then. */
function payloadFields(t: PayloadBuilder, level: LevelName, { type, owned, reads }: Options, isThere: boolean) {
  const noun = owned.kind;
  const id = t.id({ nullable: true, requires: INHERIT, resolve: (payload) => payload[`${noun}Id`] });
  if (!isThere) return { [`${noun}Id`]: id };
  const scopes = reads[level];
  return {
    [`${noun}Id`]: id,
    [noun]: t.field({
      type,
      nullable: true,
      requires: scopes ? { [level]: scopes } : INHERIT,
      resolve: async (payload, _args, context, info) => {
        if (payload.row) return payload.row;
        const done = payload.done ?? repeated(level, owned.kind, payload, context);
        if (!done) return undefined;
        const lookUp = { parentId: done.ownerId, ...done };
        const [found] = await findRows(context.em, owned, EVERYBODYS_OWN, [lookUp], selectionOf(info, owned.entity));
        return found;
      },
    }),
  };
}

/**
 * What a request made that came again under its idempotency key, where it is the caller's own still. In groups it is not shown
 * again: the caller may have lost the role since.
 */
function repeated(level: LevelName, kind: OwnedKind, payload: Payload, context: GraphQLContext): OwnedId | undefined {
  const id = payload[`${kind}Id`];
  const named = level === 'user' && id !== undefined ? ownedIdOf(kind, id) : undefined;
  return named?.ownerId === requireUserId(context) ? named : undefined;
}

type PayloadBuilder = PothosSchemaTypes.ObjectFieldBuilder<Types, Payload>;

interface Payload {
  /** Not there when an idempotency key is repeated: nothing was done. */
  readonly done?: OwnedId;
  readonly row?: Row;
  readonly [id: `${string}Id`]: string | undefined;
}
