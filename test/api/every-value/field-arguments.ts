import { GraphQLInputObjectType, getNamedType, isCompositeType, isObjectType, isRequiredArgument } from 'graphql';
import { buildSchemas } from '../../../src/schema.ts';

const { schema } = buildSchemas().forTokens;

/** A field that takes arguments, by a shortest way from the root. */
export interface AskedField {
  /** `Viewer.bookings` */
  readonly coordinate: string;
  /** Its arguments as if they were one input. */
  readonly arguments: GraphQLInputObjectType;
  /** The arguments that it must be given, and is. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Asks for nothing of what the field hangs on. */
  readonly parent: string;
  /** The document that gives it arguments by variables. */
  document(values: Readonly<Record<string, unknown>>): string;
}

interface Way {
  readonly typeName: string;
  readonly open: string;
  readonly close: string;
}

/** Every field of a query that takes arguments. `real` are the ids of things that are there, by coordinate of the argument. */
export function askedFields(real: Readonly<Record<string, unknown>>): AskedField[] {
  const found: AskedField[] = [];
  const ways: Way[] = [{ typeName: schema.getQueryType()?.name ?? '', open: '', close: '' }];
  const seen = new Set<string>();
  for (const { typeName, open, close } of ways) {
    const type = schema.getType(typeName);
    if (!isObjectType(type) || seen.has(typeName)) continue;
    seen.add(typeName);
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${typeName}.${field.name}`;
      const needed = field.args.filter((one) => isRequiredArgument(one) || `${coordinate}.${one.name}` in real);
      const given = Object.fromEntries(needed.map(({ name }) => [name, realValue(real, `${coordinate}.${name}`)]));
      const below = getNamedType(field.type);
      const literals = Object.entries(given).map(([name, value]) => `${name}: ${literalOf(value)}`);
      const call = `${field.name}${literals.length > 0 ? `(${literals.join(', ')})` : ''}`;
      if (isObjectType(below)) ways.push({ typeName: below.name, open: `${open} { ${call}`, close: `} ${close}` });
      if (field.args.length === 0) continue;
      found.push({
        coordinate,
        given,
        parent: `query ${open} { __typename } ${close}`,
        arguments: new GraphQLInputObjectType({
          name: coordinate.replace('.', '_'),
          fields: Object.fromEntries(
            field.args.map(({ name, type: of, defaultValue }) => [name, { type: of, defaultValue }]),
          ),
        }),
        document: (values) => {
          const args = field.args.filter(({ name }) => name in values);
          const declared = args.map((one) => `$${one.name}: ${String(one.type)}`).join(', ');
          const passed = args.map((one) => `${one.name}: $${one.name}`).join(', ');
          const inner = isCompositeType(below) ? '{ __typename }' : '';
          return `query(${declared}) ${open} { ${field.name}(${passed}) ${inner} } ${close}`;
        },
      });
    }
  }
  return found;
}

/** As a document has it: names of members without quotes. */
function literalOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"(\w+)":/g, '$1:');
}

function realValue(real: Readonly<Record<string, unknown>>, coordinate: string): unknown {
  if (coordinate in real) return real[coordinate];
  throw new Error(`What is ${coordinate} to be? Name something that is there in test/api/every-value/things-there.ts.`);
}
