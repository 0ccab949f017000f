import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** Something of a schema that is deprecated. */
export interface DeprecatedPart {
  /** `Type.field`, `Type.field(argument:)`, `Input.field`, `Enum.VALUE`, `@directive(argument:)` */
  readonly coordinate: string;
  readonly reason: string;
}

interface Deprecable {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

/** All deprecated parts of a schema, in its order. */
export function deprecatedParts(schema: GraphQLSchema): DeprecatedPart[] {
  const found: DeprecatedPart[] = [];
  const look = ({ deprecationReason: reason }: Deprecable, coordinate: string): void => {
    if (reason != null) found.push({ coordinate, reason });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) for (const value of type.getValues()) look(value, `${type.name}.${value.name}`);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) look(field, `${type.name}.${field.name}`);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      look(field, `${type.name}.${field.name}`);
      for (const argument of field.args) look(argument, `${type.name}.${field.name}(${argument.name}:)`);
    }
  }
  for (const { name, args } of schema.getDirectives()) {
    for (const argument of args) look(argument, `@${name}(${argument.name}:)`);
  }
  return found;
}

/** Whether a value of this type may hold something that is deprecated. */
export function mayHoldDeprecated(type: GraphQLInputType, seen = new Set<unknown>()): boolean {
  const named = getNamedType(type);
  if (seen.has(named)) return false;
  seen.add(named);
  if (isEnumType(named)) return named.getValues().some(({ deprecationReason }) => deprecationReason != null);
  if (!isInputObjectType(named)) return false;
  return Object.values(named.getFields()).some(
    (field) => field.deprecationReason != null || mayHoldDeprecated(field.type, seen),
  );
}

/** Collects the deprecated parts in a value of a variable, as it was sent. It need not be valid. */
export function collectFromValue(type: GraphQLInputType, value: unknown, into: Map<string, string>): void {
  if (value == null) return;
  if (isNonNullType(type)) return collectFromValue(type.ofType, value, into);
  if (isListType(type)) {
    for (const item of Array.isArray(value) ? value : [value]) collectFromValue(type.ofType, item, into);
    return;
  }
  if (isEnumType(type) && typeof value === 'string') {
    const reason = type.getValue(value)?.deprecationReason;
    if (reason != null) into.set(`${type.name}.${value}`, reason);
  }
  if (!isInputObjectType(type) || typeof value !== 'object') return;
  const fields = type.getFields();
  for (const [name, given] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) continue;
    if (field.deprecationReason != null) into.set(`${type.name}.${name}`, field.deprecationReason);
    collectFromValue(field.type, given, into);
  }
}
