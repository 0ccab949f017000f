/** The mutations of a resource: one shape, and what differs between making, changing and deleting is a table. */
import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { type OwnedId, type OwnedKind, publicOwnedId } from '../../core/id.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import type { Entity, Selection } from '../../database/columns.ts';
import type { Em } from '../../database/sql.ts';
import type { LastSeen } from '../../database/updates.ts';
import type { InputBuilder, Types } from '../../graphql/builder.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { ifUpdatedAtField, mutation, type Repetition } from '../../graphql/mutation.ts';
import type { RowRef } from '../../graphql/row.ts';
import { INHERIT } from '../../scopes/declare.ts';
import type { ScopeLists } from '../../scopes/requirement.ts';
import { type Descriptions, enteringAt, LEVELS, levelsOf } from './level.graphql.ts';
import type { OwnedTable } from './owned.queries.ts';
import {
  type Given,
  type Input,
  idField,
  type Named,
  ownedStore,
  pathFields,
  type Row,
  type RowType,
  type Store,
  type Whose,
  withinOrganization,
} from './owned-store.graphql.ts';
import type { Belonging, LevelName, Owner } from './reach.ts';

interface Operation {
  readonly describes: Descriptions;
  /** The codes of its `userErrors`, beside NOT_FOUND, and FORBIDDEN in groups. */
  readonly errors?: readonly ProblemCode[];
  /** Further codes at one level. */
  readonly errorsAt?: Readonly<Partial<Record<LevelName, readonly ProblemCode[]>>>;
}

/** The fields of an answer beside the thing and its id. */
export type PayloadFields = (
  t: PayloadBuilder,
  level: LevelName,
) => Record<string, ReturnType<PayloadBuilder['field']>>;

export interface Create<Fields extends InputFieldMap, Holder extends Whose = Owner> extends Operation {
  readonly input: (t: InputBuilder, level: LevelName) => Fields;
  /** @returns the id of what was made */
  readonly run: (
    em: Em,
    owner: Holder,
    input: InputShapeFromFields<Fields>,
    context: GraphQLContext,
  ) => Promise<string>;
  /** Further fields, about the thing that this request has made. */
  readonly payload?: PayloadFields;
}

export interface Update<Fields extends InputFieldMap, Holder extends Whose = Owner> extends Operation {
  readonly input: (t: InputBuilder, level: LevelName) => Fields;
  /** @returns what is shown of the thing, where the statement that changed it has told; otherwise it is read */
  readonly run: (
    em: Em,
    owner: Holder,
    id: string,
    patch: InputShapeFromFields<Fields>,
    shown: Selection<never>,
    context: GraphQLContext,
  ) => Promise<object | undefined>;
  /** Further fields, about the thing that this request has changed: its `row` is the one that `run` has returned. */
  readonly payload?: PayloadFields;
}

export interface Deletion<Holder extends Whose = Owner> extends Operation {
  /** For rows of one table it may be left out: `deleteOwned`. */
  readonly run?: (em: Em, owner: Holder, id: string) => Promise<unknown>;
}

/** The same of things that are not rows of one table, or with the command filled in. */
export type Delete<Holder extends Whose = Owner> = Deletion<Holder> & Required<Pick<Deletion<Holder>, 'run'>>;

/** A resource, as far as its mutations are concerned, whatever its things are. */
export interface Options {
  readonly type: RowType;
  readonly store: Store;
  readonly reads: ScopeLists;
  readonly writes: ScopeLists;
  readonly create?: Create<InputFieldMap, Whose>;
  readonly update?: Update<InputFieldMap, Whose>;
  readonly delete?: Delete<Whose>;
}

interface Shape<Found extends Given> {
  readonly verb: 'Create' | 'Update' | 'Delete';
  /** The fields that say whose the thing is, or which one. */
  readonly names: (t: InputBuilder, level: LevelName) => InputFieldMap;
  readonly fields: (t: InputBuilder, level: LevelName) => InputFieldMap;
  readonly given: (level: LevelName, input: Input, context: GraphQLContext) => Found;
  readonly carryOut: (context: GraphQLContext, given: Found, shown: Selection | undefined) => Promise<Done>;
  readonly payload?: PayloadFields | undefined;
}

/** The thing that was made, changed or deleted, and its row where that is known. */
interface Done {
  readonly id: string;
  readonly row?: object | undefined;
}

export function declareMutations(options: Options): void {
  const { store, create, update, delete: remove } = options;
  const names = (t: InputBuilder) => idField(t, store.kind);
  if (create) {
    declare<Given>(options, create, {
      verb: 'Create',
      names: store.ownerFields,
      fields: create.input,
      given: store.newOwner,
      carryOut: async (context, { owner, rest }) => ({ id: await create.run(context.em, owner, rest, context) }),
      payload: create.payload,
    });
  }
  if (update) {
    declare<Named>(
      options,
      { ...update, errors: [...(update.errors ?? []), 'CONFLICT'] },
      {
        verb: 'Update',
        names: (t) => ({ ...names(t), ...ifUpdatedAtField(t) }),
        fields: update.input,
        given: thingToUpdate(store),
        carryOut: async (context, { owner, id, rest }, shown) => ({
          id,
          row: await update.run(context.em, owner, id, rest, shown as Selection<never>, context),
        }),
        payload: update.payload,
      },
    );
  }
  if (remove) {
    declare<Named>(options, remove, {
      verb: 'Delete',
      names,
      fields: () => ({}),
      given: store.namedOwner,
      carryOut: async ({ em }, { owner, id }) => {
        await remove.run(em, owner, id);
        return { id };
      },
    });
  }
}

function declare<Found extends Given>(
  options: Options,
  operation: Operation,
  { verb, names, fields, given, carryOut, payload }: Shape<Found>,
): void {
  const { store, writes } = options;
  const noun = store.kind;
  for (const [level, description] of levelsOf(operation.describes)) {
    mutation(mutationName(level, noun, verb), {
      description,
      requires: enteringAt(level, writes),
      errors: errorsOf(level, operation),
      ...(verb === 'Create' && { onceByKey: true }),
      input: (t) => ({ ...pathFields(t, level), ...names(t, level), ...fields(t, level) }),
      resolve: async (input, context, info) => {
        const whose = given(level, await withinOrganization(level, input, context), context);
        const { id, row } = await carryOut(context, whose, store.selected(info));
        const done = { ownerId: whose.owner.ownerId, id };
        return { [`${noun}Id`]: store.publicId(done), done, row };
      },
      payload: (t) => ({
        ...payloadFields(t as never, level, options, verb !== 'Delete'),
        ...payload?.(t as never, level),
      }),
    });
  }
}

/** Reads from an update the thing that it names, and the state of it that the caller has seen. */
function thingToUpdate(store: Store) {
  return (level: LevelName, input: Input, context: GraphQLContext): Named => {
    const { ifUpdatedAt, ...others } = input as Input & { readonly ifUpdatedAt?: LastSeen };
    const named = store.namedOwner(level, others, context);
    return { ...named, owner: { ...named.owner, lastSeen: ifUpdatedAt } };
  };
}

/** `scheduleCreate`, `teamScheduleCreate` */
export function mutationName(level: LevelName, noun: string, verb: string): string {
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
function payloadFields(
  t: PayloadBuilder,
  level: LevelName,
  { type, store, reads }: Pick<Options, 'type' | 'store' | 'reads'>,
  isThere: boolean,
) {
  const noun = store.kind;
  const id = t.id({ nullable: true, requires: INHERIT, resolve: (payload) => payload[`${noun}Id`] });
  if (!isThere) return { [`${noun}Id`]: id };
  const scopes = reads[level];
  const readAgain = store.readAgainAt(level);
  /** The caller may have lost the right since, and somebody may have changed or deleted it. */
  const readRepeated = (payload: Payload, input: Input, context: GraphQLContext, info: GraphQLResolveInfo) => {
    const { owner } = store.newOwner(level, input, context);
    const made = store.idOf(String(payload[`${noun}Id`]), owner.ownerId);
    return made && store.readInCharge(context, owner, made, info);
  };
  return {
    [`${noun}Id`]: id,
    [noun]: t.field({
      type,
      nullable: true,
      requires: scopes ? { [level]: scopes } : INHERIT,
      resolve: (payload, _args, context, info) => {
        if (payload.row) return payload.row;
        if (payload.done) return readAgain(context, payload.done, info);
        return payload.repeats && readRepeated(payload, payload.repeats, context, info);
      },
    }),
  };
}

/** A resource of a table, as far as it is shown. */
export interface Shown<E extends Entity> {
  readonly type: RowRef<E>;
  readonly owned: OwnedTable<E>;
  readonly belongsTo: Belonging;
  readonly reads: ScopeLists;
}

/**
 * The payload of an action on a thing that `doneTo` has named: its id and, unless the action has ended it, the thing as it is
 * afterwards.
 */
export function actionPayload<E extends Entity>(level: LevelName, shown: Shown<E>, isThere = true) {
  const { type, owned, belongsTo, reads } = shown as unknown as Shown<Entity>;
  const store = ownedStore(owned, belongsTo) as unknown as Store;
  return (t: unknown) => payloadFields(t as PayloadBuilder, level, { type: type as RowType, store, reads }, isThere);
}

/** Names the thing that an action was done to, for `actionPayload`. */
export function doneTo(kind: OwnedKind, { ownerId }: Owner, id: string) {
  const done = { ownerId, id };
  return { [`${kind}Id`]: publicOwnedId(kind, done), done };
}

type PayloadBuilder = PothosSchemaTypes.ObjectFieldBuilder<Types, Payload>;

interface Payload extends Repetition {
  readonly done?: OwnedId;
  readonly row?: Row;
  readonly [id: `${string}Id`]: string | undefined;
}

/** Finds the owner of the thing that a mutation is about, from what its input has at each level. */
