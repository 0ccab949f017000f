import { extname } from 'node:path';
import type * as Oxc from 'oxc-parser';
import type { ParseResult, ParserOptions } from 'oxc-parser';
import { astroScripts, type ComponentScript, componentScripts } from './component-scripts.ts';
import { literalText } from './literal-text.ts';
import { markedLiterals } from './marked-literals.ts';
import { type Fault, type SourceText, wholeFile } from './source-text.ts';

type Language = NonNullable<ParserOptions['lang']>;

/** How each kind of file is read. */
const KINDS: Readonly<Record<string, 'graphql' | 'astro' | 'component' | Language>> = {
  '.graphql': 'graphql',
  '.gql': 'graphql',
  '.graphqls': 'graphql',
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'jsx',
  '.mjs': 'jsx',
  '.cjs': 'jsx',
  '.jsx': 'jsx',
  '.vue': 'component',
  '.svelte': 'component',
  '.astro': 'astro',
};
export const READABLE = Object.keys(KINDS);

/** A file that marks a text as GraphQL names it. A file without needs no parser, and may be of any dialect. */
const NAMES_GRAPHQL = /gql|graphql/i;
const LANGUAGES: Readonly<Record<string, Language>> = { js: 'jsx', jsx: 'jsx', ts: 'ts', tsx: 'tsx' };
/** oxc says this of a `return` that is in no function; it goes on after it. */
const OUTSIDE_FUNCTION = /'return' statement can only be used within a function/;
const CONCATENATED = 'what is put together of texts cannot be read without running it; write one text.';

/** The documents of a file, and the faults in it that keep others from being read. */
export interface Extracted {
  readonly sources: readonly SourceText[];
  readonly faults: readonly Fault[];
}

/** The GraphQL in a file: all of a `.graphql`, and what is marked as such in scripts, and in those of components. */
export async function extractDocuments(file: string, content: string): Promise<Extracted> {
  const whole = wholeFile(file, content);
  const kind = KINDS[extname(file).toLowerCase()];
  if (kind === 'graphql') return { sources: [whole], faults: [] };
  if (kind === undefined) {
    return {
      sources: [],
      faults: [{ ...whole.at(0), message: `cannot be read: name files of ${READABLE.join(', ')}.` }],
    };
  }
  const found = await Promise.all(scriptsIn(whole, kind).map((script) => documentsOfScript(script, extname(file))));
  return { sources: found.flatMap(({ sources }) => sources), faults: found.flatMap(({ faults }) => faults) };
}

function scriptsIn(whole: SourceText, kind: 'astro' | 'component' | Language): ComponentScript[] {
  if (kind === 'astro') return astroScripts(whole);
  return kind === 'component' ? componentScripts(whole) : [{ source: whole, lang: kind }];
}

async function documentsOfScript(
  { source: script, lang, mayReturn = false }: ComponentScript,
  extension: string,
): Promise<Extracted> {
  if (!NAMES_GRAPHQL.test(script.text)) return { sources: [], faults: [] };
  const language = LANGUAGES[lang];
  if (!language)
    return { sources: [], faults: [{ ...script.at(0), message: `cannot be read: its language is ${lang}.` }] };
  // Only where there is something to parse: it is a native module.
  const oxc = await import('oxc-parser');
  const parsed = parse(oxc, script.text, language, extension === '.cjs' || extension === '.cts');
  const sources: SourceText[] = [];
  const errors = parsed.errors.filter(({ message }) => !(mayReturn && OUTSIDE_FUNCTION.test(message)));
  const faults: Fault[] = errors.slice(0, 1).map((error) => ({
    ...script.at(error.labels[0]?.start ?? 0),
    message: `cannot be parsed, so what it holds is not known: ${error.message}`,
  }));
  for (const marked of markedLiterals(script.text, parsed, oxc)) {
    const text =
      'spans' in marked
        ? literalText(script, marked.spans)
        : { ...script.at(marked.unreadable.start), message: CONCATENATED };
    if ('message' in text) faults.push(text);
    else sources.push(text);
  }
  return { sources, faults };
}

function parse(oxc: typeof Oxc, text: string, lang: Language, isCommonJs: boolean): ParseResult {
  const sourceType = isCommonJs ? 'commonjs' : 'unambiguous';
  const parsed = oxc.parseSync('', text, { lang, sourceType, astType: 'ts' });
  if (parsed.errors.length === 0 || lang !== 'jsx') return parsed;
  // Flow's annotations are mostly TypeScript's, and a .js of CommonJS may return at its top.
  const others = [
    { lang: 'jsx', sourceType: 'commonjs' },
    { lang: 'tsx', sourceType },
  ] as const;
  const readings = others.values().map((options) => oxc.parseSync('', text, { ...options, astType: 'ts' }));
  return readings.find(({ errors }) => errors.length === 0) ?? parsed;
}
