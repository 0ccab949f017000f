/**
 * Counts what introspection costs: the schema is known, so the objects of the answer can be counted before it is made.
 * A field of one type is counted once, however often the document leads there.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLDirective,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  type GraphQLType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Something that introspection shows: by its fields that are objects, what they lead to. */
type Shown = Readonly<Record<string, () => readonly Element[]>>;
type Element =
  | { readonly kind: 'schema'; readonly of: GraphQLSchema }
  | { readonly kind: 'type'; readonly of: GraphQLType }
  | { readonly kind: 'field'; readonly of: GraphQLField<unknown, unknown> }
  | { readonly kind: 'input'; readonly of: GraphQLArgument | GraphQLInputField }
  | { readonly kind: 'directive'; readonly of: GraphQLDirective }
  | { readonly kind: 'value'; readonly of: object };

/** They are small, but none waits for a database: an answer of them is made in one go. */
const WEIGHT = 3;

/** The cost of a root field of introspection, and of what it leads to; 0 for any other field. */
export function introspectionCost(schema: GraphQLSchema, field: FieldNode, fragments: Fragments): number {
  const counter = new Counter(schema, fragments);
  if (field.name.value === '__schema') return counter.costOf(field, [{ kind: 'schema', of: schema }]);
  if (field.name.value !== '__type') return 0;
  const name = field.arguments?.find((argument) => argument.name.value === 'name')?.value;
  if (name?.kind === Kind.STRING) return counter.costOf(field, typesOf([schema.getType(name.value)]));
  // Which one a variable names is not known here: as if it were all.
  return counter.costOf(field, typesOf(Object.values(schema.getTypeMap())));
}

class Counter {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #known = new Map<SelectionSetNode, Map<object, number>>();

  constructor(schema: GraphQLSchema, fragments: Fragments) {
    this.#schema = schema;
    this.#fragments = fragments;
  }

  costOf({ selectionSet }: FieldNode, elements: readonly Element[]): number {
    let cost = elements.length * WEIGHT;
    for (const element of elements) if (selectionSet) cost += this.#below(selectionSet, element);
    return cost;
  }

  #below(selectionSet: SelectionSetNode, element: Element): number {
    const costs = this.#known.get(selectionSet) ?? new Map<object, number>();
    this.#known.set(selectionSet, costs);
    const known = costs.get(element.of);
    if (known !== undefined) return known;
    // Only the first round of a circle counts; validation refuses it.
    costs.set(element.of, 0);
    const shown = shownOf(element, this.#schema);
    let cost = 0;
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        const next = Object.hasOwn(shown, selection.name.value) ? shown[selection.name.value] : undefined;
        if (next) cost += this.costOf(selection, next());
      } else {
        const inner = selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection;
        if (inner) cost += this.#below(inner.selectionSet, element);
      }
    }
    costs.set(element.of, cost);
    return cost;
  }
}

function shownOf(element: Element, schema: GraphQLSchema): Shown {
  switch (element.kind) {
    case 'schema':
      return {
        types: () => typesOf(Object.values(schema.getTypeMap())),
        queryType: () => typesOf([schema.getQueryType()]),
        mutationType: () => typesOf([schema.getMutationType()]),
        subscriptionType: () => typesOf([schema.getSubscriptionType()]),
        directives: () => schema.getDirectives().map((of) => ({ kind: 'directive', of })),
      };
    case 'type':
      return shownOfType(element.of, schema);
    case 'field':
      return { args: () => inputsOf(element.of.args), type: () => typesOf([element.of.type]) };
    case 'input':
      return { type: () => typesOf([element.of.type]) };
    case 'directive':
      return { args: () => inputsOf(element.of.args) };
    case 'value':
      return {};
  }
}

function shownOfType(type: GraphQLType, schema: GraphQLSchema): Shown {
  if (isListType(type) || isNonNullType(type)) return { ofType: () => typesOf([type.ofType]) };
  if (isObjectType(type) || isInterfaceType(type)) {
    return {
      fields: () => Object.values(type.getFields()).map((of) => ({ kind: 'field', of })),
      interfaces: () => typesOf(type.getInterfaces()),
      possibleTypes: () => (isAbstractType(type) ? typesOf(schema.getPossibleTypes(type)) : []),
    };
  }
  if (isInputObjectType(type)) return { inputFields: () => inputsOf(Object.values(type.getFields())) };
  if (isEnumType(type)) return { enumValues: () => type.getValues().map((of) => ({ kind: 'value', of })) };
  return { possibleTypes: () => (isAbstractType(type) ? typesOf(schema.getPossibleTypes(type)) : []) };
}

function typesOf(types: readonly (GraphQLType | null | undefined)[]): Element[] {
  return types.filter((type) => type != null).map((of) => ({ kind: 'type', of }));
}

function inputsOf(inputs: readonly (GraphQLArgument | GraphQLInputField)[]): Element[] {
  return inputs.map((of) => ({ kind: 'input', of }));
}
