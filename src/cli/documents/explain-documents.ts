/** documents/ finds GraphQL documents in the files of an app, and says which scopes each needs: `gatehouse scopes`. */
import { SCOPES } from '../../scopes/catalog.ts';
import type { Explanation, Unexplained } from '../../scopes/explain.ts';
import { alternativesTo, type ClientAdvice, compareScopes } from '../../scopes/scope-advice.ts';
import type { Explain } from './explainer.ts';
import type { Extracted } from './extract.ts';
import { type FoundOperation, findOperations } from './operations.ts';
import type { ExplainedOperation, Report } from './report.ts';
import type { Fault } from './source-text.ts';

export interface Wish {
  /** Scopes that an app requests */
  readonly check?: readonly string[] | undefined;
  readonly clientId?: string | undefined;
}

/** Explains every operation in what was found in some files, and all of them together. */
export async function explainDocuments(files: readonly Extracted[], explain: Explain, wish: Wish): Promise<Report> {
  const { operations, faults } = findOperations(files.flatMap(({ sources }) => sources));
  const answers = await Promise.all(
    operations.map(async (operation) => ({ operation, answer: await explain(operation.query) })),
  );
  const explained = answers.flatMap(({ operation, answer }) => ('errors' in answer ? [] : [{ operation, answer }]));
  const required = new Set(explained.flatMap(({ answer }) => answer.scopes));
  const scopes = SCOPES.filter((scope) => required.has(scope));
  return {
    operations: explained.map(({ operation, answer }) => explainedOperation(operation, answer)),
    faults: [
      ...files.flatMap((file) => file.faults),
      ...faults,
      ...answers.flatMap(({ operation, answer }) => ('errors' in answer ? faultsOf(operation, answer) : [])),
    ],
    scopes,
    alternatives: alternativesTo(scopes),
    ...(wish.check && { check: compareScopes(scopes, wish.check) }),
    ...(wish.clientId !== undefined && {
      client: { clientId: wish.clientId, ...adviceOnAll(explained.flatMap(({ answer }) => answer.client ?? [])) },
    }),
  };
}

function explainedOperation(
  { file, line, column, title, origin }: FoundOperation,
  answer: Explanation,
): ExplainedOperation {
  return {
    file,
    line,
    column,
    title,
    scopes: answer.scopes,
    fields: answer.fields.map(({ path, level, requires, conditional, location }) => ({
      ...(location ? origin(location) : { file, line, column }),
      path,
      level,
      requires,
      conditional,
    })),
  };
}

function faultsOf({ file, line, column, origin }: FoundOperation, { errors }: Unexplained): Fault[] {
  return errors.map(({ message, locations }) => ({
    message,
    ...(locations?.[0] ? origin(locations[0]) : { file, line, column }),
  }));
}

/** One URL that requests the scopes of all operations. */
function adviceOnAll(advice: readonly ClientAdvice[]): ClientAdvice {
  const notEnabled = [...new Set(advice.flatMap((one) => one.notEnabled))];
  const urls = advice.flatMap(({ authorizeUrl }) => (authorizeUrl === undefined ? [] : [new URL(authorizeUrl)]));
  const [url] = urls;
  if (!url || notEnabled.length > 0) return { notEnabled };
  const requested = new Set(urls.flatMap(({ searchParams }) => searchParams.get('scope')?.split(' ') ?? []));
  url.searchParams.set('scope', SCOPES.filter((scope) => requested.has(scope)).join(' '));
  return { notEnabled, authorizeUrl: url.href };
}
