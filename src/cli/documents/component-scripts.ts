import { partOf, type SourceText } from './source-text.ts';

/** What stands in a single-file component: comments, and the blocks whose content is no markup. */
const PARTS = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)(?:<\/\1\s*>|$)/gi;
const LANG = /(?:^|\s)lang\s*=\s*["']?([\w-]+)/i;

/** What stands between the lines of dashes at the beginning of an Astro component. */
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
  return [...component.text.matchAll(PARTS)].flatMap(({ index, 0: whole, 1: tag, 2: attributes = '', 3: content }) => {
    if (tag?.toLowerCase() !== 'script' || content === undefined) return [];
    const start = index + whole.indexOf('>', 1 + tag.length + attributes.length) + 1;
    const lang = LANG.exec(attributes)?.[1]?.toLowerCase() ?? byDefault;
    return [{ source: partOf(component, start, start + content.length), lang }];
  });
}
