import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core';
import { withBaseScopes, withRequirement } from '../scopes/directive.ts';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes, T extends object = object> {
      scopes: ScopesPlugin<Types, T>;
    }
  }
}

/** Hands what each field says it requires to the scope engine: one value is enforced, printed and described. */
class ScopesPlugin<Types extends SchemaTypes, T extends object = object> extends BasePlugin<Types, T> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    // A selection on an interface is judged by the objects that may stand there.
    if (field.graphqlKind === 'Interface') return field;
    return withRequirement(field, field.pothosOptions.requires, `${field.parentType}.${field.name}`);
  }

  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    if (type.kind !== 'Object') return type;
    const { baseScopes } = type.pothosOptions;
    return baseScopes ? withBaseScopes(type, baseScopes, type.name) : type;
  }
}

SchemaBuilder.registerPlugin('scopes', ScopesPlugin);
