/**
 * No regular expression of ours takes time that grows faster than the text: a stranger chooses the text, and a process does
 * nothing else meanwhile. Each literal of src/ is tried with texts made from itself, at doubling lengths.
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { type Attack, attacksOn } from './attack-strings.ts';

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

const SRC = join(import.meta.dirname, '../../src');
const files = (await Array.fromAsync(glob('**/*.{ts,js}', { cwd: SRC }))).toSorted();
const patterns = files.map((file) => [file, patternsIn(file, readFileSync(join(SRC, file), 'utf8'))] as const);

test('there are patterns, and each that is put together can be read', () => {
  expect(patterns.flatMap(([, found]) => found).length).toBeGreaterThan(200);
});

describe('takes no more time than its text is long, whatever that is: each pattern of', () => {
  test.each(patterns.filter(([, found]) => found.length > 0))('%s', (_file, found) => {
    expect(found.flatMap((pattern) => slowFor(pattern) ?? [])).toEqual([]);
  });
});

describe('a pattern that takes longer is found:', () => {
  test.each([
    ['spaces at the end of a header', / +$/],
    ['a number with a dot or without', /^[+-]?(?:\d+\.?\d*|\.\d+)$/],
    ['the variables of a text', /\{(\s*)(\w+|answer\s*:[^{}\n]*?)(\s*)\}/giu],
    ['a credential in a text', /gh_(?:secret|code|refresh)_[\w-]+|eyJ[\w-]+\.[\w-.]*/g],
    ['a message with two types in it', /^Field ".+" of required type ".+" was not provided\.$/],
    ['strings of JSON that do not end', /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/g],
    ['tags that do not end', /<style[\s\S]*?<\/style>|<[^>]+>/g],
    ['an attribute beside another', /value="([^"]+)"[^>]*name="csrf"/],
    // Patterns of others: OWASP's, StackOverflow's of 2016, Cloudflare's of 2019, ua-parser-js (CVE-2020-7733),
    // validator's e-mail, marked.
    ['repetitions in a repetition', /^(a+)+$/],
    ['alternatives that overlap', /^(a|aa)+$/],
    ['OWASP: names of classes', /^(([a-z])+.)+[A-Z]([a-z])+$/],
    ['StackOverflow 2016', /^[\s\u200c]+|[\s\u200c]+$/g],
    [
      'Cloudflare 2019',
      /(?:(?:"|'|\]|\}|\\|\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`|-|\+)+[)]*;?((?:\s|-|~|!|\{\}|\|\||\+)*.*(?:.*=.*)))/,
    ],
    ['moment: months (CVE-2016-4055)', /D[oD]?(\[[^[\]]*\]|\s+)+MMMM?/],
    [
      'an e-mail address (CVE-2021-3765)',
      /^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$/,
    ],
    ['trim (CVE-2020-7753)', /^\s*|\s*$/g],
    ['words with spaces', /^(\w+\s?)*$/],
  ])('%s', (_what, { source, flags }) => {
    expect(slowFor({ source, flags })).toBeDefined();
  });

  test('where it is made of constants, too; and one that cannot be read is reported', () => {
    expect(read("const A = 'x+'; new RegExp(`^${A}$`, 'u'); RegExp(String.raw`\\d`)")).toEqual(['^x+$', '\\d']);
    expect(read('const f = (kind) => new RegExp(`^${kind}_a+$`)')).toEqual(['^x_a+$']);
    expect(() => read('(text) => new RegExp(text)')).toThrow('a.ts');
  });
});

const read = (code: string) => patternsIn('a.ts', code).map(({ source }) => source);

/** Milliseconds, far above what a pattern of linear time needs for the longest text, and far below what any other does. */
const SUSPICIOUS_MS = 2;
const LONGEST = 32_768;
/** Beyond, a pattern of exponential time has long been found. */
const CAREFUL_UNTIL = 512;

/** The first text, of those made from it, for which its time grows faster than the text. */
function slowFor({ source, flags }: Pattern): { readonly pattern: string; readonly text: string } | undefined {
  // All matches of a text are found: where one is found early, the rest is read too.
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const attack = attacksOn(source, flags).find((one) => growsFaster(pattern, one));
  return attack && { pattern: `/${source}/${flags}`, text: JSON.stringify(attack) };
}

function growsFaster(pattern: RegExp, attack: Attack): boolean {
  for (let length = 24; length <= LONGEST; length = Math.ceil(length * (length < CAREFUL_UNTIL ? 1.4 : 2))) {
    if (timeOf(pattern, textOf(attack, length), 1) < SUSPICIOUS_MS) continue;
    if ([1, 2, 3].every(() => growsAt(pattern, attack, length))) return true;
  }
  return false;
}

/** Four times the time for four times the text would be linear, sixteen times quadratic. */
function growsAt(pattern: RegExp, attack: Attack, length: number): boolean {
  const quarter = timeOf(pattern, textOf(attack, length / 4), 5);
  const whole = timeOf(pattern, textOf(attack, length), 5);
  return whole >= SUSPICIOUS_MS && whole > quarter * 9;
}

function textOf({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
}

/** The least of several: the machine is busy with other things, too. */
function timeOf(pattern: RegExp, text: string, times: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < times; n += 1) {
    const begun = performance.now();
    text.replace(pattern, '');
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** Every literal, and what `RegExp` is called with. @throws Error for one that is put together of more than constants of the file */
function patternsIn(file: string, code: string): readonly Pattern[] {
  const found: Pattern[] = [];
  const constants = new Map<string, Node>();
  const { program } = parseSync(file, code);
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.id?.name !== undefined && node.init)
      constants.set(node.id.name, node.init);
  });
  const textOfNode = (node: Node | undefined, isPart = false): string => {
    if (node?.type === 'Literal' && ['string', 'number'].includes(typeof node.value)) return String(node.value);
    const isRaw =
      node?.type === 'TaggedTemplateExpression' && code.slice(node.tag?.start, node.tag?.end) === 'String.raw';
    const template = isRaw ? node.quasi : node;
    if (template?.type === 'TemplateLiteral') {
      const texts = template.quasis ?? [];
      return texts
        .map(
          ({ value }, index) =>
            (isRaw ? value.raw : value.cooked) +
            (index < texts.length - 1 ? textOfNode(template.expressions?.[index], true) : ''),
        )
        .join('');
    }
    if (node?.type === 'Identifier' && node.name !== undefined && constants.has(node.name))
      return textOfNode(constants.get(node.name), isPart);
    // A name or a number that is filled in.
    if (isPart) return 'x';
    throw new Error(`${file}: a pattern that is put together cannot be checked; write it as a literal.`);
  };
  walk(program, (node) => {
    if (node.regex) found.push({ source: node.regex.pattern, flags: node.regex.flags });
    if ((node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee?.name === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      found.push({ source: textOfNode(source), flags: flags ? textOfNode(flags) : '' });
    }
  });
  return found;
}

interface Node {
  readonly type?: string;
  readonly start?: number;
  readonly end?: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly id?: Node;
  readonly init?: Node;
  readonly callee?: Node;
  readonly tag?: Node;
  readonly quasi?: Node;
  readonly arguments?: readonly Node[];
  readonly expressions?: readonly Node[];
  readonly quasis?: readonly { readonly value: { readonly raw: string; readonly cooked: string } }[];
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of Object.values(node)) {
    for (const one of [child].flat()) if (typeof one === 'object' && one !== null) walk(one as Node, visit);
  }
}
