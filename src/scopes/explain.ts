/** The question an app developer asks before shipping: what is the least my document needs, and because of what? */
import {
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  GraphQLError,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
  NoFragmentCyclesRule,
  type OperationDefinitionNode,
  PossibleFragmentSpreadsRule,
  parse,
  ScalarLeafsRule,
  type SourceLocation,
  UniqueFragmentNamesRule,
  UniqueOperationNamesRule,
  validate,
} from 'graphql';
import { type CompiledOperation, compileOperation, operationsOf } from './compile.ts';
import { scopeNamesIn } from './create-catalog.ts';
import { type FieldNeed, fieldsLacking } from './field-needs.ts';
import type { SchemaRules } from './schema-rules.ts';
import { adviseClient, alternativesTo, type ClientAdvice, type ClientScopes } from './scope-advice.ts';
import { covers, isEmpty, NO_SCOPES, union } from './scope-set.ts';
import { walk } from './walk.ts';

export interface Question {
  readonly query: string;
  readonly operationName?: string | null;
  readonly client?: ClientScopes;
}

export interface Explanation {
  /** The minimal set, in catalogue order; there is only one, because scopes are never alternatives within a field */
  readonly scopes: readonly string[];
  /** Whether no token is needed at all */
  readonly public: boolean;
  /** The outermost fields that need scopes, shallowest first, at most 200: where each scope is first needed */
  readonly fields: readonly FieldNeed[];
  /** For a scope of a team: the scopes of organizations that grant it too */
  readonly alternatives: Readonly<Record<string, readonly string[]>>;
  /** Those of `fields` that stand under `@skip` or `@include` only. They count as if they were always selected. */
  readonly conditional: readonly FieldNeed[];
  readonly client?: ClientAdvice;
}

/** Says what is wrong with the document itself, with positions in it. */
export interface Unexplained {
  readonly errors: readonly { readonly message: string; readonly locations?: readonly SourceLocation[] }[];
}

/** The rules that decide what the operations of a document select. Arguments and variables never change what they require. */
const SELECTION_RULES = [
  UniqueFragmentNamesRule,
  KnownTypeNamesRule,
  FragmentsOnCompositeTypesRule,
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  PossibleFragmentSpreadsRule,
  FieldsOnCorrectTypeRule,
  ScalarLeafsRule,
];
/** One operation is chosen by its name. */
const RULES_OF_ONE = [LoneAnonymousOperationRule, UniqueOperationNamesRule, ...SELECTION_RULES];
const MAX_ERRORS = 20;
const MAX_FIELDS = 200;
const MAX_TOKENS = 15_000;

/**
 * Explains what an operation requires, without executing it. Give it the rules of the schema that tokens see: then the
 * fields they do not see are as unknown here, in errors and suggestions, as any name that does not exist. Never throws
 * for a document, whatever is in it.
 */
export function explain(rules: SchemaRules, question: Question): Explanation | Unexplained {
  const document = readDocument(rules, question.query);
  if ('errors' in document) return document;
  const compiled = compileOperation(rules, document, question.operationName);
  if (compiled === undefined) return unexplained(missingOperation(document, question.operationName));
  if (!covers(rules.catalog.all, compiled.required))
    return unexplained('No scope opens this operation to an access token.');
  return explanation(compiled, question.client);
}

/**
 * Lists what all operations of a document require together: what an app that sends them has to enable. Several may have
 * one name, or none. Never throws for a document, as `explain`.
 */
export function scopesOfAll(rules: SchemaRules, query: string): Pick<Explanation, 'scopes'> | Unexplained {
  const document = readDocument(rules, query, SELECTION_RULES);
  if ('errors' in document) return document;
  const operations = operationsOf(document);
  if (operations.length === 0) return unexplained(missingOperation(document, null));
  // As one operation of each kind: a fragment that many share is visited once.
  const kinds = Map.groupBy(operations, ({ operation }) => operation).values();
  const required = [...kinds].map((alike) => walk(rules, document, asOne(alike)).required).reduce(union, NO_SCOPES);
  if (!covers(rules.catalog.all, required))
    return unexplained('No scope opens one of these operations to an access token.');
  return { scopes: scopeNamesIn(required, rules.catalog) };
}

function asOne([first, ...others]: readonly OperationDefinitionNode[]): OperationDefinitionNode {
  if (!first) throw new RangeError('There is no operation of this kind.');
  const selections = [first, ...others].flatMap(({ selectionSet }) => selectionSet.selections);
  return { ...first, selectionSet: { ...first.selectionSet, selections } };
}

function explanation({ rules, document, operation, required }: CompiledOperation, client?: ClientScopes): Explanation {
  const scopes = scopeNamesIn(required, rules.catalog);
  const fields = fieldsLacking(walk(rules, document, operation), NO_SCOPES, rules.catalog, MAX_FIELDS);
  return {
    scopes,
    public: isEmpty(required),
    fields,
    alternatives: alternativesTo(scopes, rules.catalog),
    conditional: fields.filter(({ conditional }) => conditional),
    ...(client && { client: adviseClient(scopes, client, rules.catalog) }),
  };
}

function readDocument(rules: SchemaRules, query: string, validated = RULES_OF_ONE): DocumentNode | Unexplained {
  try {
    const document = parse(query, { maxTokens: MAX_TOKENS });
    const errors = validate(rules.schema, document, validated, { maxErrors: MAX_ERRORS });
    return errors.length > 0 ? { errors: errors.map(positioned) } : document;
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [positioned(error)] };
    // The parser recurses, and so does the search for circles of fragments.
    if (error instanceof RangeError) return unexplained('The document is nested too deeply to be read: flatten it.');
    throw error;
  }
}

function positioned({ message, locations }: GraphQLError): Unexplained['errors'][number] {
  return locations === undefined ? { message } : { message, locations };
}

/** Why no operation of a document is chosen. */
export function missingOperation(document: DocumentNode, operationName: string | null | undefined): string {
  const operations = operationsOf(document);
  if (operations.length === 0) return 'The document has no operation: a fragment alone requires nothing.';
  const names = operations.map(({ name }) => name?.value ?? '(without a name)').join(', ');
  return operationName == null
    ? `The document has several operations: choose one by operationName, of ${names}.`
    : `The document has no operation named ${JSON.stringify(operationName)}, but ${names}.`;
}

function unexplained(message: string): Unexplained {
  return { errors: [{ message }] };
}
