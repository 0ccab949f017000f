import { readdir, readFile } from 'node:fs/promises';
import { type GraphQLNamedType, getNamedType, isAbstractType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { contractFiles } from '../../src/cli/print-schema.ts';
import { buildSchemas } from '../../src/schema.ts';
import { isFirstParty } from '../../src/scopes/requirement.ts';

test.each(Object.entries(contractFiles()))(
  'schema/%s is what the code declares (npm run schema)',
  async (name, text) => {
    expect(await readFile(`schema/${name}`, 'utf8')).toBe(text);
  },
);

test('every part of the schema is listed', async () => {
  const list = await readFile('src/schema.ts', 'utf8');
  const files = await readdir('src', { recursive: true });
  const missing = files.filter((file) => file.endsWith('.graphql.ts') && !list.includes(`'./${file}'`));
  expect(missing).toEqual([]);
});

test('no field of an object returns an interface or a union, which nothing could resolve once the builder is released', () => {
  const { schema } = buildSchemas().forSessions;
  const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
  const fields = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()));
  expect(fields.filter(({ type }) => isAbstractType(getNamedType(type))).map(({ name }) => name)).toEqual([]);
  expect(JSON.stringify(fields.map(({ extensions }) => Object.keys(extensions)))).not.toContain('pothos');
});

test('access tokens see every field that no signed-in session is needed for, as it is, and no other', () => {
  const { forSessions, forTokens } = buildSchemas();
  const [all, seen] = [forSessions, forTokens].map(({ schema }) => {
    const reached = new Set<GraphQLNamedType>(
      [schema.getQueryType(), schema.getMutationType()].filter((type) => type != null),
    );
    const found: string[] = [];
    // The set grows while it is read.
    for (const type of reached) {
      if (isAbstractType(type)) for (const possible of schema.getPossibleTypes(type)) reached.add(possible);
      if (!isObjectType(type) && !isInterfaceType(type)) continue;
      for (const field of Object.values(type.getFields()).filter((one) => !isFirstParty(one))) {
        reached.add(getNamedType(field.type));
        found.push(`${type.name}.${field.name}(${field.args.map(String).join()}): ${String(field.type)}`);
      }
    }
    return found.toSorted();
  });
  expect(seen).toEqual(all);
  expect(all?.length).toBeGreaterThan(500);
  const shown = Object.values(forTokens.schema.getTypeMap()).filter(isObjectType);
  expect(shown.flatMap((type) => Object.values(type.getFields())).filter(isFirstParty)).toEqual([]);
});
