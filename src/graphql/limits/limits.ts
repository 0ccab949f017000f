/**
 * limits/ bounds one operation before anything of it executes: documents, aliases, depth, cost, the size of answers. Here
 * are the figures, and the errors for operations that exceed them.
 */
import { GraphQLError } from 'graphql';

/** Sizes of an operation with its fragments expanded; of several operations in a document, the largest of each. */
export interface DocumentSize {
  /** Fields inside one another */
  readonly depth: number;
  /** Fields, each as often as fragments repeat it */
  readonly selections: number;
  readonly aliases: number;
  readonly directives: number;
  readonly rootFields: number;
  /** How often one response key is selected in one place: validation compares each pair of them */
  readonly repetitions: number;
  /** Characters of the longest alias */
  readonly aliasLength: number;
  /** Lists and objects inside one another, in arguments */
  readonly valueDepth: number;
  /** Lists inside one another below `__schema` or `__type` */
  readonly introspectionLists: number;
  readonly introspectionAliases: number;
  /** Selections of those mutations of which an operation may have one */
  readonly singleMutations: number;
}

export interface Limits {
  readonly characters: number;
  readonly tokens: number;
  readonly document: Readonly<Record<keyof DocumentSize, number>>;
  /** Values in the variables, inner ones too; how deep they go is limited as in arguments */
  readonly variableValues: number;
  /** Objects that an answer may hold (cost.ts) */
  readonly cost: number;
  readonly answerBytes: number;
}

/** The full introspection query, the deepest that tools send by themselves, takes 15 fields and 3 lists. */
export const LIMITS: Limits = {
  characters: 100_000,
  tokens: 2_000,
  document: {
    depth: 16,
    selections: 5_000,
    aliases: 30,
    directives: 50,
    rootFields: 20,
    repetitions: 50,
    aliasLength: 100,
    valueDepth: 20,
    introspectionLists: 3,
    introspectionAliases: 0,
    singleMutations: 1,
  },
  variableValues: 10_000,
  cost: 50_000,
  answerBytes: 2_000_000,
};

/** One limit in words: "The operation has 31 aliases; at most 30 are allowed: split it." */
interface LimitRule {
  readonly code: string;
  readonly what: string;
  readonly remedy: string;
}

/** In the order in which they are checked; the first that is broken is answered. */
export const DOCUMENT_RULES: Readonly<Record<keyof DocumentSize, LimitRule>> = {
  depth: rule('QUERY_TOO_DEEP', 'fields inside one another', 'begin a second operation from the id of what is deeper'),
  selections: rule('QUERY_TOO_LARGE', 'fields when its fragments are expanded', 'split it'),
  aliases: rule('TOO_MANY_ALIASES', 'aliases', 'split it'),
  directives: rule('TOO_MANY_DIRECTIVES', 'directives', 'split it'),
  rootFields: rule('TOO_MANY_ROOT_FIELDS', 'root fields', 'split it'),
  repetitions: rule('TOO_MANY_REPETITIONS', 'selections of one field in one place', 'select it once'),
  aliasLength: rule('ALIAS_TOO_LONG', 'characters in its longest alias', 'choose a shorter one'),
  valueDepth: rule('VALUE_TOO_DEEP', 'lists and objects inside one another in its arguments', 'flatten the value'),
  introspectionLists: rule('INTROSPECTION_TOO_DEEP', 'lists of the schema inside one another', 'read types one by one'),
  introspectionAliases: rule(
    'TOO_MANY_ALIASES',
    'aliases below __schema or __type',
    'select fields by their own names',
  ),
  singleMutations: rule('TOO_MANY_MUTATIONS', 'mutations that are sent alone', 'send them one by one'),
};

export const CHARACTERS = rule('QUERY_TOO_LONG', 'characters', 'pass long values as variables');
export const TOKENS = rule('TOO_MANY_TOKENS', 'tokens', 'split it');
export const COST = rule(
  'COST_LIMIT_EXCEEDED',
  'objects in its answer',
  'ask for smaller pages or fewer lists inside lists',
);
export const ANSWER = rule('ANSWER_TOO_LARGE', 'bytes in its answer', 'ask for smaller pages, or fewer long texts');
export const VARIABLES = rule('VARIABLES_TOO_LARGE', 'values in its variables', 'send less at once');
export const VARIABLE_DEPTH = rule(
  'VALUE_TOO_DEEP',
  'lists and objects inside one another in its variables',
  'flatten the value',
);

/** The one error of an operation that is over a limit. `found` is left out where counting ended at the limit. */
export function limitError(
  { code, what, remedy }: LimitRule,
  allowed: number,
  found?: number,
  extensions: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  const count = found === undefined ? `more than ${allowed}` : Number.isSafeInteger(found) ? found : 'countless';
  return new GraphQLError(`The operation has ${count} ${what}; ${allowed} are allowed: ${remedy}.`, {
    extensions: {
      code,
      limit: allowed,
      ...(found !== undefined && { found: Math.min(found, Number.MAX_SAFE_INTEGER) }),
      ...extensions,
      http: { status: 400 },
    },
  });
}

function rule(code: string, what: string, remedy: string): LimitRule {
  return { code, what, remedy };
}
