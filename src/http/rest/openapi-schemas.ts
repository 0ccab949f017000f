import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { ID_TAGS, isOwnedKind, type PlainKind, publicId, publicOwnedId } from '../../core/id.ts';
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
  BookingResponses: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'array'], items: { type: 'string' } },
  },
};

/** Parts that many operations of a document have: each is kept once, under a name of its own, and referred to. */
export class Components {
  readonly kept: Record<string, Record<string, object>> = {};
  readonly #names = new Map<string, string>();

  /** `known`: the part is the same as any that was kept by this. */
  keep(place: string, name: string, part: object, known = JSON.stringify(part)): { readonly $ref: string } {
    const there = (this.kept[place] ??= {});
    const kept = this.#names.getOrInsertComputed(`${place} ${known}`, () => {
      let free = name;
      for (let count = 2; free in there; count += 1) free = `${name}${count}`;
      there[free] = part;
      return free;
    });
    return { $ref: `#/components/${place}/${kept}` };
  }

  found($ref: string): JsonSchema {
    const [place = '', name = ''] = $ref.split('/').slice(2);
    return (this.kept[place]?.[name] ?? {}) as JsonSchema;
  }
}

/** The schemas of a document: those of named types are kept once, and referred to. */
export class Schemas {
  readonly components = new Components();

  /** The schema of a type in an answer, as far as it is selected. */
  output(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
    if (!isNonNullType(type)) return orNull(this.#outputHere(type, selection));
    return this.#outputHere(type.ofType, selection);
  }

  /** The same for what is there: neither null nor a list around it. */
  thing(type: GraphQLOutputType, selection: SelectionSetNode | undefined): JsonSchema {
    return this.#outputHere(getNamedType(type), selection);
  }

  /** The schema of a mutation's answer; members that only `shown` has are there for tokens with the scopes to read them. */
  payload(type: GraphQLOutputType, selection: SelectionSetNode | undefined, shown = selection): JsonSchema {
    const named = getNamedType(type);
    const required = isObjectType(named) ? this.#properties(named, selection).map(([name]) => name) : [];
    const properties = isObjectType(named) ? Object.fromEntries(this.#properties(named, shown)) : {};
    return { type: 'object', ...(required.length > 0 && { required }), properties };
  }

  /** The schema of an input. Where it may be left out, null is the same as that, or empties it. */
  input(type: GraphQLInputType): JsonSchema {
    if (!isNonNullType(type)) return orNull(this.#inputHere(type));
    return this.#inputHere(type.ofType);
  }

  /** The schema of a value that is given: null is not one. */
  given(type: GraphQLInputType): JsonSchema {
    return this.#inputHere(getNullableType(type));
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
    const schema = SCALARS[named.name] ?? (isText(named.name) ? { type: 'string' } : undefined);
    if (!schema) throw new Error(`The scalar ${named.name} has no JSON Schema.`);
    return schema;
  }

  /** By name and content: one type can be shown with fewer fields in lists. */
  #kept({ name, description }: GraphQLNamedType, schema: JsonSchema): JsonSchema {
    return this.components.keep('schemas', name, described(schema, description), JSON.stringify([name, schema]));
  }

  /** A value that fits a schema: of an input what must be there, of an answer all that it can have (`isWhole`). */
  example(schema: JsonSchema, place: Place = {}): unknown {
    const { name = '', of = '', isWhole = false } = place;
    const { $ref, anyOf, type, format, items, properties = {}, required = [] } = schema as ReadableSchema;
    if ($ref !== undefined) {
      return this.example(this.components.found($ref), { ...place, of: $ref.slice($ref.lastIndexOf('/') + 1) });
    }
    if (anyOf) return this.example(anyOf[0] ?? {}, place);
    if (schema['enum']) return (schema['enum'] as string[])[0];
    const [plain = ''] = [type].flat();
    if (plain === 'array') return [this.example(items ?? {}, { ...place, name: name.replace(/s$/, '') })];
    if (plain === 'object' && schema['additionalProperties']) return { company: 'ACME' };
    if (plain === 'object') {
      const usual = USUAL.filter((member) => member in properties).slice(0, 1);
      const least = [...required, ...ownerIn(of, properties), ...(NEEDED[of] ?? [])];
      const known = isWhole ? Object.keys(properties) : least.length > 0 ? least : usual;
      return Object.fromEntries(
        known.map((member) => [member, this.example(properties[member] ?? {}, { ...place, name: member })]),
      );
    }
    const known = EXAMPLES[plain];
    if (!known) throw new Error(`There is no example of ${name}, which is ${plain}.`);
    const named = known[name] ?? (plain === 'string' ? exampleId(name, of) : undefined);
    const isOften = !isWhole || type === plain || format !== undefined;
    return named ?? (isOften ? (known[format ?? ''] ?? known['']) : null);
  }
}

/** Where a value stands: the member whose it is, and the type that this belongs to. */
interface Place {
  readonly name?: string;
  readonly of?: string;
  readonly isWhole?: boolean;
}

/** The id that a member would have: `eventTypeId`, or `id` of a type that shows an event type. */
function exampleId(name: string, of: string): string | undefined {
  const words =
    name === 'id' || name === 'uid'
      ? of.replace(/(?<!\d)\d+$/, '').replace(/Input$/, '')
      : /^(.+?)(?:Id|ID|Uid)$/.exec(name)?.[1];
  if (words === undefined) return undefined;
  const kinds = Object.keys(ID_TAGS).filter((one) => words.toLowerCase().endsWith(one.toLowerCase()));
  const [kind = 'user'] = kinds.toSorted((one, other) => other.length - one.length);
  return isOwnedKind(kind) ? publicOwnedId(kind, { ownerId: OWNER, id: SOME }) : publicId(kind as PlainKind, SOME);
}

const OWNER = '0193679f-0c1f-7dea-9f00-7a239c575a42';
const SOME = '0193679f-0c20-7b3e-8c1d-5f0e6a9b2c44';

interface ReadableSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Members that somebody would set first, where none must be there. */
const USUAL = [
  'title',
  'name',
  'role',
  'id',
  'answers',
  'maxUsageCount',
  'isHostAbsent',
  'active',
  'isActive',
  'reason',
  'start',
];

/** Things that are made in an organization belong to a team or a user in it, one of the two. */
function ownerIn(of: string, properties: object): readonly string[] {
  return of.startsWith('Organization') && of.endsWith('CreateBody') && 'userId' in properties && 'teamId' in properties
    ? ['teamId']
    : [];
}

/** Members that a rule asks for, though the schema does not: one of two, or one that depends on another. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  WorkflowStepInput: ['subject'],
  TeamBookingAbsenceMarkBody: ['hosts'],
  OrganizationBookingAbsenceMarkBody: ['hosts'],
  OrganizationUserUpdateBody: ['timeZone'],
};

/** Values of each type by the name of the member, else by its format, else any. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  string: {
    '': 'text',
    'date-time': '2030-12-03T09:00:00.000Z',
    date: '2030-12-24',
    uri: 'https://example.com/path',
    email: 'ada@example.com',
    account: 'ada@example.com',
    app: 'zoom',
    appPassword: 'abcd-efgh-ijkl-mnop',
    body: 'See you soon.',
    brandColor: '#0a7a5a',
    code: '123456',
    color: '#0a7a5a',
    company: 'ACME',
    cursor: 'WyIyMDI2LTEyLTAxVDA5OjAwOjAwLjAwMFoiXQ',
    description: 'Half an hour to get to know each other.',
    embedOrigin: 'https://example.com',
    end: '2030-12-03T09:30:00.000Z',
    ending: 'ics',
    field: 'company',
    groupName: 'ACME',
    host: 'example.com',
    icsUid: '0193679f-0c20-7b3e-8c1d-5f0e6a9b2c44@gatehouse',
    label: 'Company',
    language: 'en',
    locale: 'en',
    location: 'https://meet.example.com/intro',
    message: 'Thank you, we will call you.',
    name: 'Ada Lovelace',
    option: 'Sales',
    otherAttendeeName: 'Grace Hopper',
    phone: '+4930123456',
    placeholder: 'ACME',
    reason: 'I am away on that day.',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    senderName: 'Ada Lovelace',
    server: 'https://caldav.example.com/',
    slug: 'intro',
    start: '2030-12-03T09:00:00.000Z',
    subject: 'Your meeting',
    timeZone: 'Europe/Berlin',
    title: 'Intro',
    uid: 'uid_…',
    url: 'https://example.com/path',
    username: 'ada',
    value: 'https://meet.example.com/intro',
  },
  integer: {
    '': 30,
    latencyInMilliseconds: 120,
    maxUsageCount: 1,
    occurrences: 4,
    perSlot: 2,
    priority: 2,
    status: 200,
    timeFormat: 24,
  },
  number: { '': 30 },
  boolean: { '': true },
};

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description == null ? schema : { description: plainTextOf({ description }), ...schema };
}

/** The description of a field without its lines for GraphQL: OpenAPI has places of its own for scopes and codes. */
export function plainTextOf({ description }: { readonly description?: string | null | undefined }): string {
  return (description ?? '').split(/(?<!\n)\n+(?:Scopes|Codes): /)[0] ?? '';
}
