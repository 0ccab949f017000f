import type { InputFieldMap, InputShapeFromFields, ObjectFieldsShape } from '@pothos/core';
import { GraphQLError, type GraphQLField, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import { IDEMPOTENCY_KEY_CODES } from '../core/idempotency-key.ts';
import {
  MAX_MESSAGES_LENGTH,
  MAX_MISTAKES,
  MAX_PATH,
  MAX_PATHS_LENGTH,
  type Mistake,
  Problem,
} from '../core/problem.ts';
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

/** Codes of `userErrors`, in the extensions of a mutation. */
const CODES = 'gatehouse.codes';

/** The codes that the `userErrors` of a mutation can carry. */
export function codesOf({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): readonly ProblemCode[] {
  return (extensions[CODES] as readonly ProblemCode[] | undefined) ?? [];
}

/** Those of all mutations that have been declared. */
const GIVEN = new Set<string>();

// A refusal concerns the caller’s own input: wherever a payload may be read, its errors may.
const UserError = builder.objectRef<Mistake>('UserError').implement({
  description: 'What was wrong with the input of a mutation, or with doing it now.',
  fields: (t) => ({
    code: t.expose('code', {
      // Once every mutation is declared: the builder asks for fields last.
      type: builder.enumType('UserErrorCode', {
        description:
          'What is wrong, for programs: each code says what to do about it. A mutation’s description lists those that it gives.',
        values: describedValues(
          Object.keys(PROBLEM_CODES).filter((code) => GIVEN.has(code)),
          PROBLEM_CODES,
        ),
      }),
      requires: PUBLIC,
      description: 'What is wrong, for programs.',
    }),
    message: t.exposeString('message', {
      requires: PUBLIC,
      description: 'A sentence for people: what is wrong and what to do.',
      price: { characters: MAX_MESSAGES_LENGTH / MAX_MISTAKES },
    }),
    path: t.stringList({
      requires: PUBLIC,
      description:
        'Where in the input it is: names of fields and places in lists, from 0, such as `["guests", "1"]`. Empty when it is not about one field.',
      price: { max: MAX_PATH, together: MAX_PATHS_LENGTH / MAX_MISTAKES },
      resolve: ({ path }) => [...(path ?? [])],
    }),
  }),
});

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
  /** For what is done in parts, of which some stay where it is stopped: the sentence that says so. */
  readonly inParts?: string;
}

/**
 * Declares `name(input: NameInput!): NamePayload` with `userErrors { code message path }`. What a command refuses (a
 * Problem) with one of the mutation's codes becomes user errors; anything else is our bug and is masked.
 */
export function mutation<Fields extends InputFieldMap, Result extends object>(
  name: string,
  options: MutationOptions<Fields, Result>,
): void {
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const codes = [...new Set([...options.errors, ...(options.onceByKey ? IDEMPOTENCY_KEY_CODES : [])])] as const;
  for (const code of codes) GIVEN.add(code);
  const Payload = builder.objectRef<Payload<Result>>(`${typeName}Payload`).implement({
    description: `The result of \`${name}\`. If it was refused, \`userErrors\` says why${options.inParts ? '.' : ' and nothing has changed.'}`,
    fields: (t) => ({
      ...options.payload(t),
      userErrors: t.field({
        type: [UserError],
        // Below a public field everything is public.
        requires: 'access' in options.requires && options.requires.access === 'PUBLIC' ? PUBLIC : INHERIT,
        price: { max: MAX_MISTAKES, weight: SMALL },
        description: 'Why it was refused; empty when it was done.',
        resolve: ({ userErrors }) => userErrors,
      }),
    }),
  });
  const Input = builder.inputType(`${typeName}Input`, {
    description: `The input of the mutation \`${name}\`.`,
    fields: (t) => ({ ...options.input(t), ...(options.onceByKey && { idempotencyKey: keyField(t) }) }),
  });
  const carryOut = options.onceByKey ? onceByKey(name, options.resolve) : options.resolve;
  const resolve: typeof carryOut = (input, context, info) =>
    onBehalfOf(standingOf(context), () => carryOut(input, context, info));
  builder.mutationField(name, (t) =>
    t.field({
      type: Payload,
      // Where one of several mutations fails, the answers of the others stay (GraphQL, "Handling Execution Errors").
      nullable: true,
      description: `${[options.description, options.inParts].filter(Boolean).join(' ')}\n\nCodes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      requires: options.requires,
      extensions: { [CODES]: codes, ...(options.single && { [SINGLE]: true }) },
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
