import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { isText } from '../../graphql/text-scalars.ts';
import { isRequired } from './route.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  URL: { type: 'string', format: 'uri' },
  EmailAddress: { type: 'string', format: 'email' },
  Metadata: { type: 'object', additionalProperties: { type: 'string' } },
  MetadataPatch: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
};

/** The schemas of a document: those of named types are kept once, and referred to. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};
  /** The schemas by name and content: one type can be shown with fewer fields in lists. */
  readonly #names = new Map<string, string>();

  /** The schema of a type in an answer, as far as it is selected. */
  output(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
    if (!isNonNullType(type)) return orNull(this.#outputHere(type, selection));
    return this.#outputHere(type.ofType, selection);
  }

  /** The same for what is there: neither null nor a list around it. */
  thing(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
    return this.#outputHere(getNamedType(type), selection);
  }

  /** The schema of a mutation's answer; members that only `shown` has are there when they are asked for. */
  payload(type: GraphQLOutputType, selection: SelectionSetNode | undefined, shown = selection): JsonSchema {
    const named = getNamedType(type);
    const required = isObjectType(named) ? this.#properties(named, selection).map(([name]) => name) : [];
    const properties = isObjectType(named) ? Object.fromEntries(this.#properties(named, shown)) : {};
    return { type: 'object', required, properties };
  }

  /** The schema of an input. Where it may be left out, null is the same as that, or empties it. */
  input(type: GraphQLInputType): JsonSchema {
    if (!isNonNullType(type)) return orNull(this.#inputHere(type));
    return this.#inputHere(type.ofType);
  }

  object(fields: readonly GraphQLInputField[]): JsonSchema {
    const required = fields.filter(isRequired).map(({ name }) => name);
    const properties = fields.map((field) => [field.name, described(this.input(field.type), field.description)]);
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(properties),
      additionalProperties: false,
    };
  }

  #outputHere(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.output(type.ofType, selection) };
    const named = getNamedType(type);
    if (!isObjectType(named)) return this.#leaf(named);
    const properties = this.#properties(named, selection);
    return this.#kept(named, {
      type: 'object',
      required: properties.map(([name]) => name),
      properties: Object.fromEntries(properties),
    });
  }

  #properties(type: GraphQLObjectType, selection: SelectionSetNode | undefined): (readonly [string, JsonSchema])[] {
    const fields = type.getFields();
    return (selection?.selections ?? []).flatMap((node) => {
      const field = node.kind === Kind.FIELD ? fields[node.name.value] : undefined;
      if (!field || node.kind !== Kind.FIELD || field.name === 'userErrors') return [];
      return [[field.name, described(this.output(field.type, node.selectionSet), field.description)] as const];
    });
  }

  #inputHere(type: GraphQLInputType): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.input(type.ofType) };
    const named = getNamedType(type);
    return isInputObjectType(named)
      ? this.#kept(named, this.object(Object.values(named.getFields())))
      : this.#leaf(named);
  }

  #leaf(named: GraphQLNamedType): JsonSchema {
    if (isEnumType(named)) {
      return this.#kept(named, { type: 'string', enum: named.getValues().map(({ name }) => name) });
    }
    return SCALARS[named.name] ?? (isText(named.name) ? { type: 'string' } : {});
  }

  #kept({ name, description }: GraphQLNamedType, schema: JsonSchema): JsonSchema {
    const content = JSON.stringify([name, schema]);
    const kept = this.#names.getOrInsertComputed(content, () => {
      let free = name;
      for (let count = 2; free in this.components; count += 1) free = `${name}${count}`;
      this.components[free] = described(schema, description);
      return free;
    });
    return { $ref: `#/components/schemas/${kept}` };
  }

  /** A value that fits a schema; of an object, what must be there. */
  example(schema: JsonSchema): unknown {
    const { $ref, anyOf, type, format, items, properties = {}, required } = schema as ReadableSchema;
    if ($ref !== undefined) return this.example(this.components[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
    if (anyOf) return this.example(anyOf[0] ?? {});
    if (schema['enum']) return (schema['enum'] as string[])[0];
    if (type === 'array') return [this.example(items ?? {})];
    if (type === 'object') {
      const shown = Object.entries(properties).filter(([name]) => required?.includes(name));
      return Object.fromEntries(shown.map(([name, inner]) => [name, BY_NAME[name] ?? this.example(inner)]));
    }
    if (type === 'integer') return 30;
    return type === 'boolean' ? true : (BY_FORMAT[format ?? ''] ?? 'text');
  }
}

interface ReadableSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-12-01T09:00:00Z',
  date: '2026-12-24',
  uri: 'https://example.com/path',
  email: 'ada@example.com',
};

/** Examples of members that mean the same everywhere. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  title: 'Intro',
  name: 'Ada',
  slug: 'intro',
  timeZone: 'Europe/Berlin',
  eventTypeId: 'evt_…',
  teamId: 'tea_…',
  userId: 'usr_…',
  uid: 'bkg_…',
  days: ['MONDAY'],
};

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description == null ? schema : { description, ...schema };
}
