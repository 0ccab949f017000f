/**
 * Operations that must be refused to anybody who holds nothing. If one of them passes at boot, the engine does not
 * see what it guards (a second copy of it, a schema rebuilt by a tool that drops extensions), and nothing may listen.
 */
import { parse } from 'graphql';
import { authorize, tokenCaller } from './authorize.ts';
import { compileOperation } from './compile.ts';
import type { FieldRule, SchemaRules } from './schema-rules.ts';
import { NO_SCOPES } from './scope-set.ts';

/** One operation for each root field that is not public, selecting as little as it can. */
export function canaryOperations({ roots }: SchemaRules): string[] {
  return Object.entries(roots).flatMap(([operation, type]) =>
    [...(type?.fields.values() ?? [])].flatMap((field) =>
      field.access === 'PUBLIC' ? [] : [`${operation} { ${smallestSelection(field)} }`],
    ),
  );
}

/**
 * Throws if a token without scopes may run any of these operations; also if there is none to try, because then nothing
 * was proved.
 */
export function assertEmptyGrantIsRefused(rules: SchemaRules, operations = canaryOperations(rules)): void {
  if (operations.length === 0) throw new Error('Nothing in the schema needs a token: its requirements were lost.');
  for (const source of operations) {
    const compiled = compileOperation(rules, parse(source, { noLocation: true }));
    if (compiled === undefined) throw new Error(`The canary "${source}" is not one operation: give it exactly one.`);
    if (authorize(compiled, tokenCaller(NO_SCOPES)) === undefined) {
      throw new Error(`"${source}" is open to callers who hold no scope.`);
    }
  }
}

function smallestSelection({ name, output }: FieldRule): string {
  return output.length === 0 ? name : `${name} { __typename }`;
}
