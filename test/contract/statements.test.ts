import { expect, test } from 'vitest';
import { columnOf } from '../../src/database/changes.ts';
import { columnsOf } from '../../src/database/columns.ts';
import { ENTITIES } from '../../src/persistence/entities.ts';
import { readSources } from './import-graph.ts';

const ALIAS = /\b([a-z]\w*) as "(\w+)"/g;
const COLUMNS = new Set(ENTITIES.flatMap((entity) => [...columnsOf(entity).keys()]));

/** Columns of entities that a template names as in code by hand: `time_zone as "timeZone"`. */
function namedByHand(text: string): string[] {
  return [...text.matchAll(ALIAS)]
    .filter(([, column, name = '']) => COLUMNS.has(name) && column === columnOf(name))
    .map(([alias]) => alias);
}

test('columns are named as in code by the builder or `selectColumns`, never by hand', async () => {
  expect(namedByHand('select u.time_zone as "timeZone", u.name as "ownerName"')).toEqual(['time_zone as "timeZone"']);
  const sources = await readSources('src');
  const found = [...sources].flatMap(([path, text]) => namedByHand(text).map((alias) => `${path}: ${alias}`));
  expect([sources.has('src/main.ts'), found]).toEqual([true, []]);
});
