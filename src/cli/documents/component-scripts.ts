import { partOf, type SourceText } from './source-text.ts';

/** Where a comment begins, or a block whose content is no markup. */
const BEGINNING = /<!--|<(script|style)\b/gi;
const ATTRIBUTES = /(?:[^>"']|"[^"]*"|'[^']*')*/y;
const CLOSING = { script: /<\/script\s*>/gi, style: /<\/style\s*>/gi } as const;
const LANG = /(?:^|\s)lang\s*=\s*["']?([\w-]+)/i;

/** The frontmatter of an Astro component stands between lines of dashes at its beginning. */
const FRONTMATTER = /^\s*---([\s\S]*?)(?:\n---|$)/;

export interface ComponentScript {
  readonly source: SourceText;
  /** As in `<script lang="ts">` */
  readonly lang: string;
  /** Whether it is run as the body of a function. */
  readonly mayReturn?: boolean;
}

/** The script between an Astro component's dashes, and those of its markup. They are in TypeScript, unless they say otherwise. */
export function astroScripts(component: SourceText): ComponentScript[] {
  const [fenced = '', script = ''] = FRONTMATTER.exec(component.text) ?? [];
  const start = fenced.indexOf('---') + 3;
  const source = partOf(component, start, start + script.length);
  const markup = partOf(component, fenced.length, component.text.length);
  const ofMarkup = componentScripts(markup, 'ts');
  return fenced === '' ? ofMarkup : [{ source, lang: 'ts', mayReturn: true }, ...ofMarkup];
}

/** The scripts of a Vue or Svelte component: raw text up to the closing tag, as HTML has it. */
export function componentScripts(component: SourceText, byDefault = 'js'): ComponentScript[] {
  return [...blocksIn(component.text)].flatMap(({ tag, attributes, start, end }) => {
    if (tag !== 'script') return [];
    const lang = LANG.exec(attributes)?.[1]?.toLowerCase() ?? byDefault;
    return [{ source: partOf(component, start, end), lang }];
  });
}

interface Block {
  readonly tag: keyof typeof CLOSING;
  readonly attributes: string;
  readonly start: number;
  readonly end: number;
}

/** Each step goes on where the one before ended. A step without an end is the last. */
function* blocksIn(text: string): Generator<Block> {
  let at = 0;
  for (let found = next(BEGINNING, text, at); found; found = next(BEGINNING, text, at)) {
    at = found.index + found[0].length;
    if (found[1] === undefined) {
      const closing = text.indexOf('-->', at);
      if (closing === -1) return;
      at = closing + '-->'.length;
      continue;
    }
    const tag = found[1].toLowerCase() as Block['tag'];
    const attributes = next(ATTRIBUTES, text, at)?.[0] ?? '';
    const start = at + attributes.length + 1;
    if (text[start - 1] !== '>') return;
    const closing = next(CLOSING[tag], text, start);
    const end = closing?.index ?? text.length;
    yield { tag, attributes, start, end };
    at = end + (closing?.[0].length ?? 0);
  }
}

function next(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
