import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { collectFromValue, deprecatedParts, mayHoldDeprecated } from './deprecated-parts.ts';

/** By its coordinate, the reason of each deprecated part that is used. */
export type Uses = ReadonlyMap<string, string>;

/** The deprecated parts that a valid operation uses, whatever its variables are, and those that these may add. */
export interface OperationUses {
  readonly written: Uses;
  /** Undefined: nothing, whatever they hold. */
  readonly ofVariables: ((sent: Readonly<Record<string, unknown>>) => Uses) | undefined;
}

const NOTHING = new Map<string, string>();
const HAS_ANY = new WeakMap<GraphQLSchema, boolean>();

/** Finds the deprecated parts that a document uses; undefined where there are none. A schema without deprecations costs nothing. */
export function usesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationUses | undefined {
  const hasAny = HAS_ANY.getOrInsertComputed(schema, () => deprecatedParts(schema).length > 0);
  if (!hasAny) return undefined;
  const written = writtenUses(schema, document, operation);
  const variables = (operation.variableDefinitions ?? []).flatMap(({ variable, type: node }) => {
    const type = typeFromAST(schema, node as never) as GraphQLInputType | undefined;
    return isInputType(type) && mayHoldDeprecated(type) ? [{ name: variable.name.value, type }] : [];
  });
  if (written.size === 0 && variables.length === 0) return undefined;
  if (variables.length === 0) return { written, ofVariables: undefined };
  const ofVariables = (sent: Readonly<Record<string, unknown>>): Uses => {
    const found = new Map<string, string>();
    for (const { name, type } of variables) {
      if (Object.hasOwn(sent, name)) collectFromValue(type, sent[name], found);
    }
    return found.size > 0 ? found : NOTHING;
  };
  return { written, ofVariables };
}

function writtenUses(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Uses {
  const found = new Map<string, string>();
  const use = (coordinate: string, reason: string | null | undefined): void => {
    if (reason != null) found.set(coordinate, reason);
  };
  const types = new TypeInfo(schema);
  const fieldCoordinate = (): string => `${types.getParentType()?.name}.${types.getFieldDef()?.name}`;
  const visitor = visitWithTypeInfo(types, {
    Field: () => use(fieldCoordinate(), types.getFieldDef()?.deprecationReason),
    Argument(): void {
      const argument = types.getArgument();
      const directive = types.getDirective();
      const owner = directive ? `@${directive.name}` : fieldCoordinate();
      use(`${owner}(${argument?.name}:)`, argument?.deprecationReason);
    },
    ObjectField({ name }): void {
      const input = getNamedType(types.getParentInputType());
      if (!isInputObjectType(input)) return;
      use(`${input.name}.${name.value}`, input.getFields()[name.value]?.deprecationReason);
    },
    EnumValue(): void {
      const value = types.getEnumValue();
      use(`${getNamedType(types.getInputType())?.name}.${value?.name}`, value?.deprecationReason);
    },
  });
  // Walks a selection, the fragments that it spreads, and those that these spread.
  const alone = separateOperations(document)[operation.name?.value ?? ''];
  if (alone) visit(alone, visitor);
  return found;
}
