import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import { ID_TAGS, type IdKind, kindInWords } from '../core/id.ts';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes, T extends object = object> {
      descriptions: DescriptionsPlugin<Types, T>;
    }
  }
}

/** Fields of these names have these descriptions, wherever they have no other. */
const OF_NAME: Readonly<Record<string, string>> = {
  createdAt: 'When it was created.',
  updatedAt: 'When it was last changed, or when it was created if it has not changed.',
};

/** Describes what is alike everywhere from its name: ids by what they name, and times of change. */
class DescriptionsPlugin<Types extends SchemaTypes, T extends object = object> extends BasePlugin<Types, T> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (field.description) return field;
    if (field.parentType.endsWith('Payload')) return { ...field, description: ofPayload(field.name) };
    const kind = field.name === 'id' ? kindNamed(lowerFirst(field.parentType)) : undefined;
    const said = kind ? describedId(kind) : OF_NAME[field.name];
    return said === undefined ? field : { ...field, description: said };
  }

  override onInputFieldConfig(field: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    const kind = field.description ? undefined : kindNamed(/^(.+)Id$/.exec(field.name)?.[1] ?? '');
    return kind
      ? { ...field, description: `The id of the ${kindInWords(kind)}, which begins with \`${ID_TAGS[kind]}_\`.` }
      : field;
  }
}

/** Describes an `id`: how ids of this kind can be told from others. */
export function describedId(kind: IdKind): string {
  return `Its id, which never changes. It begins with \`${ID_TAGS[kind]}_\`.`;
}

/** Describes the answer of a mutation: the thing itself, or its id. */
function ofPayload(name: string): string {
  const [, noun, id] = /^(.+?)(Id|Uid)?$/.exec(name) ?? [];
  const thing = kindInWords(noun ?? name);
  return id
    ? `The ${id.toLowerCase()} of the ${thing}. Null if it was refused.`
    : `The ${thing} in its present state. Null if it was refused.`;
}

/** The values of an enum, each with what it means: for each name of a rule, in its order. */
export function describedValues<const Name extends string>(
  names: readonly Name[],
  descriptions: Readonly<Record<NoInfer<Name>, string>>,
): Record<Name, { readonly value: Name; readonly description: string }> {
  const values = names.map((value) => [value, { value, description: descriptions[value] }]);
  return Object.fromEntries(values) as Record<Name, { readonly value: Name; readonly description: string }>;
}

function kindNamed(name: string): IdKind | undefined {
  return Object.hasOwn(ID_TAGS, name) ? (name as IdKind) : undefined;
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

SchemaBuilder.registerPlugin('descriptions', DescriptionsPlugin);
