import type { InputFieldMap, InputShapeFromFields, ObjectFieldsShape } from '@pothos/core';
import { GraphQLError, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import { IDEMPOTENCY_KEY_CODES } from '../core/idempotency-key.ts';
import { MAX_MESSAGE_LENGTH, MAX_MISTAKES, MAX_PATH, type Mistake, Problem } from '../core/problem.ts';
import { PROBLEM_CODES, type ProblemCode } from '../core/problem-code.ts';
import { onBehalfOf, PutOut, type Standing } from '../database/on-behalf.ts';
import { once } from '../limits/at-most-once.ts';
import { INHERIT, PUBLIC } from '../scopes/declare.ts';
import type { Requirement } from '../scopes/requirement.ts';
import { builder, type InputBuilder, type Types } from './builder.ts';
import { type GraphQLContext, requireUserId } from './context.ts';
import { describedValues } from './descriptions.ts';
import { SMALL } from './limits/price.ts';

/** The key in the `extensions` of a mutation that marks it as single: an operation may have only one such mutation. */
export const SINGLE = 'gatehouse.single';

/** The mutations that say so of themselves: were aliases allowed, one request could try a thousand codes, or book as often. */
export function singleMutationsOf(schema: GraphQLSchema): readonly string[] {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  return mutations.filter(({ extensions }) => extensions[SINGLE] === true).map(({ name }) => name);
}

/** The input of an update by which nobody overwrites what they have not seen. */
export function ifUpdatedAtField(t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) {
  return {
    ifUpdatedAt: t.field({
      type: 'DateTime',
      description:
        'The `updatedAt` that you have read. If it was changed since, nothing is done and the code is `CONFLICT`. Without it, the last one to write wins.',
    }),
  };
}

/** The fields of a payload, for mutations that share them. */
export type PayloadFields<Result> = ObjectFieldsShape<Types, Payload<Result>>;

/** In the payload of a request that came again under its idempotency key: its input. Nothing was done. */
export interface Repetition {
  readonly repeats?: Readonly<Record<string, unknown>>;
}

type Payload<Result> = Partial<Result> & { readonly userErrors: readonly Mistake[] };

interface MutationOptions<Fields extends InputFieldMap, Result extends object> {
  readonly description: string;
  readonly requires: Requirement;
  /** The codes that its `userErrors` can carry: what its command throws as a Problem. */
  readonly errors: readonly [ProblemCode, ...ProblemCode[]];
  readonly input: (t: InputBuilder) => Fields;
  /** The payload's own fields; all nullable, since a refused mutation has none of them. */
  readonly payload: PayloadFields<Result>;
  /** A result with `userErrors` of its own means that the mutation was refused; its other fields show the caller why. */
  readonly resolve: (
    input: InputShapeFromFields<Fields>,
    context: GraphQLContext,
    info: GraphQLResolveInfo,
  ) => Promise<Result>;
  /**
   * For what a user makes: takes an `idempotencyKey`. Sent again, the request answers the ids of what was made; its payload
   * gets what it `repeats`, and shows what the caller may see by then.
   */
  readonly onceByKey?: true;
  /**
   * An operation may have one such mutation, once: for whatever anybody may do, and whatever checks a code or a password.
   * Limits that count requests then count what is done.
   */
  readonly single?: true;
}

/**
 * Declares `name(input: NameInput!): NamePayload!` with `userErrors { code message path }`, whose codes are an enum of
 * this mutation's own. What a command refuses (a Problem) becomes a user error; anything else is our bug and is masked.
 */
export function mutation<Fields extends InputFieldMap, Result extends object>(
  name: string,
  options: MutationOptions<Fields, Result>,
): void {
  // Below a public field everything is public.
  const requires = 'access' in options.requires && options.requires.access === 'PUBLIC' ? PUBLIC : INHERIT;
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const codes = [...new Set([...options.errors, ...(options.onceByKey ? IDEMPOTENCY_KEY_CODES : [])])] as const;
  const Code = builder.enumType(`${typeName}ErrorCode`, {
    description: `Why \`${name}\` was refused.`,
    values: describedValues(codes, PROBLEM_CODES),
  });
  const MutationError = builder.objectRef<Mistake>(`${typeName}UserError`).implement({
    description: `What was wrong with the input of \`${name}\`, or with doing this now.`,
    interfaces: [UserError],
    fields: (t) => ({
      code: t.field({
        type: Code,
        requires,
        description: 'What is wrong, for programs: each code says what to do about it.',
        resolve: ({ code }) => code,
      }),
      ...mistakeFields(t, requires),
    }),
  });
  const Payload = builder.objectRef<Payload<Result>>(`${typeName}Payload`).implement({
    description: `What \`${name}\` answers. Where it was refused, \`userErrors\` says why and nothing has changed.`,
    interfaces: [MutationPayload],
    fields: (t) => ({
      ...options.payload(t),
      userErrors: t.field({
        ...USER_ERRORS,
        type: [MutationError],
        requires,
        resolve: ({ userErrors }) => userErrors,
      }),
    }),
  });
  const Input = builder.inputType(`${typeName}Input`, {
    description: `What \`${name}\` takes.`,
    fields: (t) => ({ ...options.input(t), ...(options.onceByKey && { idempotencyKey: keyField(t) }) }),
  });
  const carryOut = options.onceByKey ? onceByKey(name, options.resolve) : options.resolve;
  const resolve: typeof carryOut = (input, context, info) =>
    onBehalfOf(standingOf(context), () => carryOut(input, context, info));
  builder.mutationField(name, (t) =>
    t.field({
      type: Payload,
      description: options.description,
      requires: options.requires,
      ...(options.single && { extensions: { [SINGLE]: true } }),
      args: { input: t.arg({ type: Input, required: true, description: 'The input of the mutation.' }) },
      resolve: (_root, args, context, info) => {
        const { input } = args as unknown as { input: InputShapeFromFields<Fields> };
        return outcomeFor(context, info, () => run(() => resolve(input, context, info), codes, context)) as never;
      },
    }),
  );
}

/** Carries a mutation out once: a plan that could not write the answer leaves its result to the executor, which can. */
function outcomeFor<Result extends object>(
  { outcomes }: GraphQLContext,
  { fieldNodes: [node] }: GraphQLResolveInfo,
  carryOut: () => Promise<Result>,
): Promise<object> {
  if (!outcomes || !node) return carryOut();
  return outcomes.getOrInsertComputed((node.alias ?? node.name).value, carryOut);
}

function keyField(t: InputBuilder) {
  return t.string({
    description:
      'At least 16 characters of your choice. The same request with the same key is done once, however often it is sent within 24 hours; again, it answers what was made, as it is by then.',
  });
}

/** Carries out a mutation with an idempotency key at most once for each user and app. */
function onceByKey<Input extends object, Result extends object>(
  name: string,
  resolve: (input: Input, context: GraphQLContext, info: GraphQLResolveInfo) => Promise<Result>,
): (input: Input, context: GraphQLContext, info: GraphQLResolveInfo) => Promise<Partial<Result>> {
  return async (args, context, info) => {
    const { idempotencyKey: key, ...input } = args as Input & { idempotencyKey?: string | null };
    if (key == null) return resolve(input as Input, context, info);
    const app = context.caller.kind === 'token' ? context.caller.clientId : '';
    const request = { ownerId: requireUserId(context), key, operation: [name, app], input };
    // Not a copy: what is loaded for a context is kept by it.
    const within = (em: GraphQLContext['em']): GraphQLContext => Object.create(context, { em: { value: em } });
    const again = (made: Partial<Result>): Partial<Result> & Repetition => ({ ...made, repeats: input });
    const work = (inner: GraphQLContext['em']) => resolve(input as Input, within(inner), info);
    return once(context.em, request, work, { keep: (result) => madeIds(result, input), again });
  };
}

/**
 * Chooses what is kept of a result: ids that the input did not have. The thing itself is read anew when it is shown
 * again, since the caller may have lost the right to see it, and it may have changed.
 */
function madeIds<Result extends object>(result: Result, input: object): Partial<Result> {
  const made = Object.entries(result).filter(([name, value]) => typeof value === 'string' && !(name in input));
  return Object.fromEntries(made) as Partial<Result>;
}

function standingOf({ caller }: GraphQLContext): Standing | undefined {
  return caller.kind === 'anonymous' ? undefined : caller.standing;
}

async function run<Result extends object>(
  resolve: () => Promise<Partial<Result>>,
  codes: readonly ProblemCode[],
  { onRefusal }: GraphQLContext,
): Promise<Payload<Result>> {
  try {
    return { userErrors: [], ...(await resolve()) };
  } catch (error) {
    if (error instanceof PutOut) throw new GraphQLError(error.message, { extensions: { code: 'UNAUTHENTICATED' } });
    if (!(error instanceof Problem) || !error.mistakes.every(({ code }) => codes.includes(code))) throw error;
    onRefusal?.(error);
    return { userErrors: error.mistakes } as unknown as Payload<Result>;
  }
}

/** All mutations share these, so that a client handles them once: `... on MutationPayload { userErrors { … } }`. */

type MistakeFields = PothosSchemaTypes.ObjectFieldBuilder<Types, Mistake>;

/** The fields of each mutation's own type of mistakes, besides its `code`. */
function mistakeFields(t: MistakeFields, requires: Requirement) {
  return {
    message: t.exposeString('message', {
      requires,
      description: 'A sentence for people: what is wrong and what to do.',
      price: { characters: MAX_MESSAGE_LENGTH },
    }),
    path: t.stringList({
      requires,
      description:
        'Where in the input it is: names of fields and places in lists, from 0, such as `["guests", "1"]`. Empty when it is not about one field.',
      price: { max: MAX_PATH },
      resolve: ({ path }) => [...(path ?? [])],
    }),
  };
}

/** `userErrors` of each payload. */
const USER_ERRORS = {
  price: { max: MAX_MISTAKES, weight: SMALL },
  description: 'Why it was refused; empty when it was done.',
} as const;

// An interface's field requires nobody's scope: it is judged by the objects that may stand there
// (scopes/schema-rules.ts).

const UserError = builder.interfaceRef<Mistake>('UserError').implement({
  description:
    'What was wrong with the input of a mutation, or with doing it now. Each mutation has a type of its own for it, whose `code` is an enum of what this mutation can say.',
  fields: (t) => mistakeFields(t as unknown as MistakeFields, INHERIT) as never,
});

const MutationPayload = builder.interfaceRef<{ readonly userErrors: readonly Mistake[] }>('MutationPayload').implement({
  description: 'What every mutation answers, beside what it made or changed.',
  fields: (t) => ({
    userErrors: t.field({
      ...USER_ERRORS,
      type: [UserError],
      requires: INHERIT,
      resolve: ({ userErrors }) => userErrors,
    }),
  }),
});
