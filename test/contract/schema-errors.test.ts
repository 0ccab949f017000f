/** docs/errors.md is made from the code (`npm run schema`); here is what it is made of. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errorPage } from '../../src/cli/error-page.ts';
import { GRAPHQL_ERRORS } from '../../src/graphql/errors.ts';
import { OAUTH_ERRORS } from '../../src/oauth/protocol/oauth-error.ts';
import { buildSchemas } from '../../src/schema.ts';
import { isScope } from '../../src/scopes/catalog.ts';
import { readSources } from './import-graph.ts';

/** Words in capitals in the GraphQL endpoint are codes, or scopes. */
const CODE = /'([A-Z]+(?:_[A-Z]+)+)'/g;

test('docs/errors.md is what the code says', async () => {
  expect(await readFile('docs/errors.md', 'utf8')).toBe(errorPage(buildSchemas().forSessions.schema));
});

test('every code that the GraphQL endpoint gives stands there', async () => {
  const sources = [...(await readSources('src'))].filter(([path]) =>
    /^src\/(?:graphql|scopes\/authorize|http\/api-caller)/.test(path),
  );
  const given = new Set(sources.flatMap(([, text]) => [...text.matchAll(CODE)].map(([, code = '']) => code)));
  const codes = [...given].filter((code) => !isScope(code));
  expect(codes.length).toBeGreaterThan(25);
  const page = await readFile('docs/errors.md', 'utf8');
  expect(codes.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
});

test('every code there is given somewhere', async () => {
  const texts = [...(await readSources('src'))];
  const missing = Object.keys(GRAPHQL_ERRORS).filter((code) => !texts.some(([, text]) => text.includes(`'${code}'`)));
  expect(missing).toEqual([]);
});

test('every code of OAuth is given somewhere, and says each status of an answer in JSON that has it', async () => {
  const sources = [...(await readSources('src'))].filter(([path]) => path !== 'src/oauth/protocol/oauth-error.ts');
  const missing = Object.keys(OAUTH_ERRORS).filter((code) => !sources.some(([, text]) => text.includes(`'${code}'`)));
  expect(missing).toEqual([]);
  const answers = sources.filter(([path]) => /^src\/(?:http\/oauth|oauth\/(?:tokens|guess-guard))/.test(path));
  const given = answers.flatMap(([, text]) => [...text.matchAll(/oauthError\('(\w+)', .*?, (\d{3})\)/g)]);
  expect(given.length).toBeGreaterThan(1);
  const page = await readFile('docs/errors.md', 'utf8');
  const untold = given.filter(([, code, status]) => !new RegExp(`\\| \`${code}\` \\| [^|]*${status}`).test(page));
  expect(untold.map(([text]) => text)).toEqual([]);
});
