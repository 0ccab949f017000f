import { readFile } from 'node:fs/promises';

/** Where the page says that the service is. */
export const BASE = 'http://localhost:4000';

export interface Section {
  /** Names and texts of what is to be saved. */
  readonly files: readonly (readonly [string, string])[];
  /** The commands to type. */
  readonly commands: readonly string[];
  readonly printed: readonly string[];
}

const page = await readFile('docs/client-libraries.md', 'utf8');
export const SECTIONS: ReadonlyMap<string, Section> = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), sectionOf(text)]),
);

export function section(name: string): Section {
  const found = SECTIONS.get(name);
  if (!found) throw new Error(`docs/client-libraries.md has no section ${name}.`);
  return found;
}

/** A block of code is a file where a name stands beside its language. */
function sectionOf(text: string): Section {
  const blocks = [...text.matchAll(/^```(\w+) ?(\S*)\n(.*?)^```$/gms)].map(([, language, name = '', block = '']) => ({
    language,
    name,
    block,
  }));
  const linesOf = (language: string) =>
    blocks
      .filter((one) => one.language === language && one.name === '')
      .flatMap(({ block }) => block.trimEnd().split('\n'));
  return {
    files: blocks.filter(({ name }) => name !== '').map(({ name, block }) => [name, block]),
    commands: linesOf('sh'),
    printed: linesOf('text'),
  };
}
