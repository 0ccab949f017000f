import type { ClientAdvice, ScopeComparison } from '../../scopes/scope-advice.ts';
import type { Fault, Position } from './source-text.ts';

/** A field that needs scopes, where it is written. */
export interface NeedingField extends Position {
  readonly path: readonly string[];
  readonly level: string;
  readonly requires: readonly string[];
  readonly conditional: boolean;
}

export interface ExplainedOperation extends Position {
  readonly title: string;
  readonly scopes: readonly string[];
  readonly fields: readonly NeedingField[];
}

/** The result of `gatehouse scopes`, for every way of showing it. */
export interface Report {
  readonly operations: readonly ExplainedOperation[];
  readonly faults: readonly Fault[];
  /** The scopes that all operations together require. */
  readonly scopes: readonly string[];
  /** For a scope of a team: what grants it too */
  readonly alternatives: Readonly<Record<string, readonly string[]>>;
  /** Against the scopes that were given to `--check` */
  readonly check?: ScopeComparison;
  readonly client?: ClientAdvice & { readonly clientId: string };
}

/** The fields that need one of these scopes, each once. */
export function fieldsNeeding(report: Report, scopes: readonly string[]): NeedingField[] {
  return report.operations.flatMap(({ fields }) =>
    fields.filter(({ requires }) => requires.some((scope) => scopes.includes(scope))),
  );
}
