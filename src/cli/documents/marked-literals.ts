import type * as Oxc from 'oxc-parser';
import type {
  CallExpression,
  Comment,
  Expression,
  Node,
  ParseResult,
  StringLiteral,
  TaggedTemplateExpression,
  TemplateLiteral,
} from 'oxc-parser';
import type { Span } from './literal-text.ts';

const TAGS: readonly string[] = ['gql', 'graphql'];
const TAG_PACKAGES = /^graphql-tag(?:$|[./])/;
const MAGIC_COMMENT = /^\s*GraphQL\s*$/i;

/** A literal, by the parts of it that are written, or an expression that cannot be read. */
export type Marked = { readonly spans: readonly Span[] } | { readonly unreadable: Span };

/**
 * Finds the texts that are marked as GraphQL: tagged `gql` or `graphql` (by whatever name it was imported), given to a
 * function of that name, or after a comment.
 */
export function markedLiterals(text: string, parsed: ParseResult, { Visitor }: Pick<typeof Oxc, 'Visitor'>): Marked[] {
  const names = namesOfTags(parsed);
  const afterComment = placesAfterComments(text, parsed.comments);
  const found = new Map<number, Marked>();
  const add = (literal: TemplateLiteral | StringLiteral): void => void found.set(literal.start, markedOf(literal));
  const isTag = (expression: Node): boolean => {
    const named = bare(expression);
    if (named.type === 'Identifier') return names.has(named.name);
    return named.type === 'MemberExpression' && !named.computed && TAGS.includes(propertyOf(named.property));
  };
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }: TaggedTemplateExpression) {
      if (isTag(tag)) add(quasi);
    },
    CallExpression({ callee, arguments: [argument] }: CallExpression) {
      if (!argument || argument.type === 'SpreadElement' || !isTag(callee)) return;
      for (const given of possibilities(argument)) {
        if (isLiteral(given)) add(given);
        else if (given.type === 'BinaryExpression') found.set(given.start, { unreadable: given });
      }
    },
    TemplateLiteral(literal: TemplateLiteral) {
      if (afterComment.has(literal.start)) add(literal);
    },
    Literal(literal: Node) {
      if (afterComment.has(literal.start) && isLiteral(literal)) add(literal);
    },
  }).visit(parsed.program);
  return [...found].toSorted(([a], [b]) => a - b).map(([, marked]) => marked);
}

function namesOfTags({ module }: ParseResult): ReadonlySet<string> {
  const imported = module.staticImports.flatMap(({ entries, moduleRequest }) =>
    // An import without a name imports the whole package.
    entries.filter(({ importName: { name } }) =>
      name === null ? TAG_PACKAGES.test(moduleRequest.value) : TAGS.includes(name),
    ),
  );
  return new Set([...TAGS, ...imported.map(({ localName }) => localName.value)]);
}

/** The offsets at which something stands directly after one of these comments. */
function placesAfterComments(text: string, comments: readonly Comment[]): ReadonlySet<number> {
  const marks = comments.filter(({ type, value }) => type === 'Block' && MAGIC_COMMENT.test(value));
  return new Set(marks.map(({ end }) => end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0)));
}

/** Takes the types around an expression, and its brackets, away. */
function bare(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
      return bare(node.expression);
    default:
      return node;
  }
}

/**
 * Lists the expressions that an argument may be, as far as they are written where it is given; variables are found
 * where they are set.
 */
function possibilities(argument: Expression | Node): Node[] {
  const node = bare(argument);
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(possibilities);
  if (node.type === 'LogicalExpression') return [node.left, node.right].flatMap(possibilities);
  return [node];
}

function isLiteral(node: Node): node is TemplateLiteral | StringLiteral {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

function propertyOf(property: Node): string {
  return property.type === 'Identifier' ? property.name : '';
}

function markedOf(literal: TemplateLiteral | StringLiteral): Marked {
  if (literal.type === 'Literal') return { spans: [{ start: literal.start + 1, end: literal.end - 1 }] };
  // As TypeScript's parser counts, from the backtick or brace before to the backtick or `${` after.
  return { spans: literal.quasis.map(({ start, end, tail }) => ({ start: start + 1, end: end - (tail ? 1 : 2) })) };
}
