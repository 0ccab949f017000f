/**
 * Documents as they are written in scripts, marked as such or not: texts that read as GraphQL, and what
 * `change(name, input, selection)` of the tests makes of its arguments. And those of a page: in its scripts, and by themselves.
 */
import { type CallExpression, type Node, parseSync, Visitor } from 'oxc-parser';
import { placeOf, wholeFile } from '../../../src/cli/documents/source-text.ts';

/** The test puts this in when it runs. */
export const HOLE = '__hole__';

export interface WrittenDocument {
  readonly place: string;
  /** Each is the text in one reading of its interpolations, which may bring names, selections or nothing. */
  readonly readings: readonly [string, ...string[]];
  /** Said by a comment, `/* invalid *\/`. */
  readonly isInvalidOnPurpose: boolean;
}

const LOOKS_LIKE_GRAPHQL = /^\s*(?:\{|query\b|mutation\b|subscription\b|fragment\s+\w+\s+on\b)/;
/** In front of what is invalid on purpose, or no whole document. */
const MARK = '/* invalid */';

export function documentsOfScript(file: string, text: string): WrittenDocument[] {
  const { program } = parseSync(file, text, { lang: 'ts', astType: 'ts' });
  const { at } = wholeFile(file, text);
  const found: WrittenDocument[] = [];
  const add = ({ start }: Node, readings: WrittenDocument['readings']) => {
    const isInvalidOnPurpose = text.slice(0, start).trimEnd().endsWith(MARK);
    found.push({ place: placeOf(at(start)), readings, isInvalidOnPurpose });
  };
  const addIfDocument = (literal: Node) => {
    const readings = readingsOf(literal);
    if (readings && LOOKS_LIKE_GRAPHQL.test(readings[0])) add(literal, readings);
  };
  new Visitor({
    Literal: addIfDocument,
    TemplateLiteral: addIfDocument,
    CallExpression(call: CallExpression) {
      const readings = mutationOf(call);
      if (readings) add(call, readings);
    },
  }).visit(program);
  return found;
}

/** Blocks in TypeScript and GraphQL, and quoted texts of shell scripts. What other languages send, pages.test.ts finds. */
export function documentsOfPage(file: string, page: string): WrittenDocument[] {
  const { at } = wholeFile(file, page);
  return [...page.matchAll(/^```(ts|graphql|sh)\b.*\n([\s\S]*?)^```$/gm)].flatMap(
    ({ index, 0: whole, 1: language, 2: block = '' }) => {
      if (language === 'ts') return documentsOfScript(file, atItsLines(page.slice(0, index), block));
      const texts = language === 'graphql' ? [block] : whole.matchAll(/'([^'\\]*)'/g).map(([, quoted = '']) => quoted);
      return [...texts]
        .filter((text) => LOOKS_LIKE_GRAPHQL.test(text))
        .map((text) => ({
          place: placeOf(at(page.indexOf(text, index))),
          readings: [text],
          isInvalidOnPurpose: false,
        }));
    },
  );
}

/** A block of a page, whose lines keep their numbers. */
function atItsLines(before: string, block: string): string {
  return '\n'.repeat(before.split('\n').length) + block;
}

/** `caller.change('scheduleCreate', input, 'scheduleId')`, as `test/support/api.ts` sends it. */
function mutationOf({
  callee,
  arguments: [name, , selection],
}: CallExpression): WrittenDocument['readings'] | undefined {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  if (callee.property.name !== 'change' || name?.type !== 'Literal' || typeof name.value !== 'string') return undefined;
  const { value } = name;
  const type = `${value.charAt(0).toUpperCase()}${value.slice(1)}Input`;
  const document = (selected: string) =>
    `mutation ($input: ${type}!) { ${value}(input: $input) { ${selected} userErrors { code message path } } }`;
  const [first, ...others] = (selection && readingsOf(selection)) ?? [''];
  return [document(first), ...others.map(document)];
}

function readingsOf(literal: Node): WrittenDocument['readings'] | undefined {
  if (literal.type === 'Literal') return typeof literal.value === 'string' ? [literal.value] : undefined;
  if (literal.type !== 'TemplateLiteral') return undefined;
  const filled = (hole: string) => literal.quasis.map(({ value }) => value.cooked).join(hole);
  return literal.expressions.length === 0 ? [filled('')] : [filled(HOLE), filled(`{ ${HOLE} }`), filled('')];
}
