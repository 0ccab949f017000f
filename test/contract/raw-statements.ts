import { parseSync, Visitor } from 'oxc-parser';
import { tableNameOf } from '../../src/database/columns.ts';
import { ENTITIES } from '../../src/persistence/entities.ts';
import type { Sources } from './import-graph.ts';

/** A statement that a `sql` template writes whole: it is sent as it stands, or has a name of its own. */
export interface RawStatement {
  readonly path: string;
  readonly text: string;
}

/** The functions that send a statement which they are given. */
const SENDERS = new Set(['changed', 'read', 'readOne', 'row', 'rows', 'write']);
const TABLES = new Set(ENTITIES.map(tableNameOf));
/** `from users`, `update users`, `insert into users`; also `from ${tableOf(entity)}`. */
const TABLE = /\b(?:from|into|update)\s+(\$\{tableOf\(|\w+)/gi;
/** The builder does not say these, or not well. An author who needs one of them writes the whole statement by hand. */
const BEYOND = [
  /^\s*with\b/i,
  /\b(?:join|lateral|union|unnest|using|over|conflict)\b/i,
  /\bfor (?:no key update|update|key share|share)\b/i,
  /\(\s*select\b/i,
  // An insertion of a condition's rows, or of another row's values.
  /^\s*insert\b[^]*\bselect\b/i,
  // A row with parts, or one of which the caller says what is selected.
  /\bselect\b(?:(?!\bfrom\b)[^])*\$\{(?!selectColumns\()/i,
  /\breturning\b[^]*\$\{(?!selectColumns\()/i,
];

export function rawStatements(sources: Sources): RawStatement[] {
  return [...sources].flatMap(([path, code]) => templatesIn(path, code).map((text) => ({ path, text })));
}

/** Whether the builder of `database/statements.ts` would say it as well: one table of an entity, plain columns and conditions. */
export function isPlain({ text }: Pick<RawStatement, 'text'>): boolean {
  const tables = [...text.matchAll(TABLE)].map(([, table = '']) => table);
  const [table = ''] = tables;
  return tables.length === 1 && (TABLES.has(table) || table.startsWith('$')) && !BEYOND.some((one) => one.test(text));
}

function templatesIn(path: string, code: string): string[] {
  if (!code.includes('sql')) return [];
  const { program } = parseSync(path, code);
  const found: string[] = [];
  const add = (node: { readonly type: string } | null | undefined) => {
    if (node?.type !== 'TaggedTemplateExpression') return;
    const { tag, quasi } = node as unknown as Template;
    if (tag.name !== 'sql') return;
    const text = code.slice(quasi.start + 1, quasi.end - 1);
    if (/^\s*(?:with|select|insert into|update|delete from)\b/i.test(text)) found.push(text);
  };
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier' && SENDERS.has(callee.name)) given.forEach(add);
    },
    VariableDeclarator: ({ init }) => add(init),
  }).visit(program);
  return found;
}

interface Template {
  readonly tag: { readonly name?: string };
  readonly quasi: { readonly start: number; readonly end: number };
}
