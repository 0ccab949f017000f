/** guard/ holds operations to the scopes that their fields require: declared to the builder, checked before anything runs. It may import request/ and limits/. */
import { type ExecutionArgs, GraphQLError, type GraphQLSchema, type OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { compileOperation } from '../../scopes/compile.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import type { GraphQLContext } from '../context.ts';
import type { Refusals } from '../refusals.ts';

/** A schema with what its fields require. */
export interface GuardedSchema {
  readonly schema: GraphQLSchema;
  readonly rules: SchemaRules;
}

/**
 * Compares what an operation requires with what its caller holds, before anything of it runs. In onExecute and
 * onSubscribe, never in validation, whose verdicts are cached across callers.
 */
export function useScopeGuard(rulesOf: (schema: GraphQLSchema) => SchemaRules, refusals: Refusals): Plugin {
  const refusalOf = (args: ExecutionArgs): GraphQLError | undefined => {
    const compiled = compileOperation(rulesOf(args.schema), args.document, args.operationName);
    // No such operation: the executor runs nothing either, and says which names there are.
    if (!compiled) return undefined;
    const { operation } = compiled.operation;
    // graphql-js does not validate it. It says nothing that introspection does not.
    if (!args.schema.getRootType(operation)) return unserved(operation);
    const refusal = refusals.of(compiled, (args.contextValue as GraphQLContext).caller);
    return refusal && refusals.errorOf(refusal, compiled);
  };
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const error = refusalOf(args);
      if (error) setResultAndStopExecution({ errors: [error] });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const error = refusalOf(args);
      if (error) setResultAndStopExecution({ errors: [error] });
    },
  };
}

function unserved(operation: OperationTypeNode): GraphQLError {
  const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400, spec: true } };
  return new GraphQLError(`No ${operation}s are served here; send a query or a mutation.`, { extensions });
}
