import { partOf, type SourceText } from './source-text.ts';

/** What stands in a single-file component: comments, and the blocks whose content is no markup. */
const PARTS = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)(?:<\/\1\s*>|$)/gi;
const LANG = /(?:^|\s)lang\s*=\s*["']?([\w-]+)/i;

export interface ComponentScript {
  readonly source: SourceText;
  /** As in `<script lang="ts">` */
  readonly lang: string;
}

/** The scripts of a Vue or Svelte component: raw text up to the closing tag, as HTML has it. */
export function componentScripts(component: SourceText): ComponentScript[] {
  return [...component.text.matchAll(PARTS)].flatMap(({ index, 0: whole, 1: tag, 2: attributes = '', 3: content }) => {
    if (tag?.toLowerCase() !== 'script' || content === undefined) return [];
    const start = index + whole.indexOf('>', 1 + tag.length + attributes.length) + 1;
    const lang = LANG.exec(attributes)?.[1]?.toLowerCase() ?? 'js';
    return [{ source: partOf(component, start, start + content.length), lang }];
  });
}
