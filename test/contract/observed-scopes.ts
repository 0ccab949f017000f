import {
  type DocumentNode,
  executeSync,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Manifest } from '../../src/scopes/manifest.ts';

/** A resolver hands this down: the object that it stands for, and the level at which its path stands. */
interface Standing {
  readonly __typename: string;
  readonly level: string;
}

const LEAVES: Readonly<Record<string, unknown>> = { Int: 1, Float: 1, Boolean: true };

/**
 * Executes an operation with resolvers that return every object a field may return, and writes down what each field that
 * is really resolved requires: what the manifest lists for it at its level. The engine has no part in it.
 */
export function observedScopes(schema: GraphQLSchema, manifest: Manifest, document: DocumentNode): Set<string> {
  const observed = new Set<string>();
  const fieldResolver: GraphQLFieldResolver<Partial<Standing>, unknown> = (source, _args, _context, info) => {
    const rule = manifest.fields[`${info.parentType.name}.${info.fieldName}`];
    const level = rule?.enters ?? source.level ?? 'OUTSIDE';
    const scopes = rule?.scopes?.[level as keyof typeof rule.scopes];
    if (!rule || (rule.access === 'SCOPED' && !scopes)) observed.add('NOBODY');
    if (rule?.access === 'FIRST_PARTY') observed.add('FIRST_PARTY');
    for (const scope of scopes ?? []) observed.add(scope);
    return valueOf(info.returnType, level, schema);
  };
  const { errors } = executeSync({ schema, document, operationName: 'Chosen', rootValue: {}, fieldResolver });
  if (errors) throw errors[0] ?? new Error('The operation was not executed.');
  return observed;
}

function valueOf(type: GraphQLOutputType, level: string, schema: GraphQLSchema): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType, level, schema);
  if (isListType(type)) {
    const inner = getNamedType(type);
    return isAbstractType(inner)
      ? schema.getPossibleTypes(inner).map(({ name }) => ({ __typename: name, level }))
      : [valueOf(type.ofType, level, schema)];
  }
  if (isEnumType(type)) return type.getValues()[0]?.value;
  if (isLeafType(type)) return LEAVES[type.name] ?? 'x';
  const [object] = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  return { __typename: object?.name, level };
}
