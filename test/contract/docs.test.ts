import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import {
  assertObjectType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { restPage } from '../../src/cli/rest-page.ts';
import { costOf } from '../../src/graphql/limits/cost.ts';
import { takes } from '../../src/http/rest/route.ts';
import { restRoutesOf } from '../../src/http/rest/table.ts';
import { buildSchemas } from '../../src/schema.ts';
import { openTestApi, type TestApi } from '../support/api.ts';

/** The blocks of one language in a page, in order. */
function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
}

test('the examples of docs/scope-engine.md print what the page says', async () => {
  const page = await readFile('docs/scope-engine.md', 'utf8');
  const program = blocks(page, 'ts').join('\n');
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  expect(stderr).toBe('');
  expect(stdout).toBe(blocks(page, 'text').join(''));
});

test('the tests that docs/scope-engine.md names exist', async () => {
  const page = await readFile('docs/scope-engine.md', 'utf8');
  const named = new Set([...page.matchAll(/`((?:test|src)\/[\w/.-]+\.ts)`/g)].map(([, path = '']) => path));
  expect(named.size).toBeGreaterThan(10);
  for (const path of named) await expect(readFile(path, 'utf8')).resolves.not.toBe('');
});

test.each(['graphql', 'limits'])('docs/%s.md shows what operations cost', async (name) => {
  const page = await readFile(`docs/${name}.md`, 'utf8');
  const { schema } = buildSchemas().forTokens;
  const shown = page.matchAll(
    /(?:"query":"((?:[^"\\]|\\.)*)"|`(\{ me \{[^`]+\})`)(?:(?!```json|"query":).)*```json\n(\{"data":[^\n]*"requested"[^\n]*)/gs,
  );
  const costs = [...shown].map(([, escaped = '', plain, answer = '']) => {
    const document = parse(plain ?? (JSON.parse(`"${escaped}"`) as string));
    const cost = costOf(schema, document, document.definitions[0] as OperationDefinitionNode, {});
    return [cost, (JSON.parse(answer) as { extensions: { cost: { requested: number } } }).extensions.cost.requested];
  });
  expect(costs.length).toBeGreaterThan(0);
  for (const [cost, said] of costs) expect(said).toBe(cost);
});

/** The names in a text that stand in backquotes. */
function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

test('docs/graphql.md says which lists can be looked up by several ids, and which cannot', async () => {
  const page = await readFile('docs/graphql.md', 'utf8');
  const section = page.slice(page.indexOf('### Look up several ids'), page.indexOf('### Follow an id'));
  const { schema } = buildSchemas().forSessions;
  const without = new Set<string>();
  for (const [door, type] of Object.entries({ me: 'Viewer', team: 'Team', organization: 'Organization' })) {
    const object = assertObjectType(schema.getType(type)).getFields();
    const isList = ({ type: output }: (typeof object)[string]) => getNamedType(output).name.endsWith('Connection');
    const lists = Object.values(object).filter(isList);
    const [, row = ''] = new RegExp(`^\\| \`${door}\` \\| (.*) \\|$`, 'm').exec(section) ?? [];
    const withIds = lists.filter(({ name }) => `${name}ById` in object).map(({ name }) => name);
    expect(quoted(row)).toEqual(withIds.toSorted());
    for (const { name } of lists) if (!withIds.includes(name)) without.add(name);
  }
  const [, rows = ''] = /^\| lists without .*?\n\|---\|---\|\n(.*?)\n\n/ms.exec(section) ?? [];
  expect(
    rows
      .split('\n')
      .flatMap((row) => quoted(row.split(' | ', 1).join('')))
      .toSorted(),
  ).toEqual([...without].toSorted());
});

test('docs/graphql.md names the inputs whose SDL has a default value', async () => {
  const page = await readFile('docs/graphql.md', 'utf8');
  const [, said = ''] = /^\| default values in the SDL \| (.*?) \|/m.exec(page) ?? [];
  const types = Object.values(buildSchemas().forSessions.schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__'),
  );
  const inputs = types
    .filter(isInputObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((one) => ({ of: type.name, ...one })));
  const args = types
    .filter((type) => isObjectType(type))
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) =>
        field.args.map((one) => ({ of: `${type.name}.${field.name}`, ...one })),
      ),
    );
  const defaults = [...inputs, ...args].filter(({ defaultValue }) => defaultValue !== undefined);
  expect(quoted(said)).toEqual(defaults.map(({ of, name }) => `${of}.${name}`).toSorted());
});

test('docs/rest.md names every path, and a resource that its table lacks gets a row', async () => {
  const page = await readFile('docs/rest.md', 'utf8');
  const routes = restRoutesOf(buildSchemas().forTokens.rules);
  const segments = new Set(routes.flatMap(({ path }) => path.split('/').filter((part) => !/^(?::.*|v2|)$/.test(part))));
  expect([...segments].filter((segment) => !page.includes(segment))).toEqual([]);
  const row = '| `out-of-office`, `out-of-office/:outOfOfficeId` | the list, one | creates, updates, deletes |\n';
  expect(page).toContain(row);
  const again = restPage(page.replace(row, ''), routes);
  expect(again.split('\n').toSorted()).toEqual(page.split('\n').toSorted());
  expect(restPage(again, routes)).toBe(again);
});

test('docs/rest.md names the paths that make something and take no Idempotency-Key', async () => {
  const page = await readFile('docs/rest.md', 'utf8');
  const [, list = ''] = /^- `Idempotency-Key`.*?, except\sthose to\s(.*?)\./ms.exec(page) ?? [];
  const named = quoted(list);
  const posts = restRoutesOf(buildSchemas().forTokens.rules).filter(({ method }) => method === 'POST');
  const nameOf = (path: string): string => named.find((name) => path.split('/').includes(name)) ?? path;
  const unkeyed = posts.filter((route) => route.status === 201 && !takes(route, 'idempotencyKey'));
  expect(new Set(unkeyed.map(({ path }) => nameOf(path)))).toEqual(new Set(named));
  const keyed = posts.filter((route) => takes(route, 'idempotencyKey'));
  expect(keyed.map(({ path }) => nameOf(path)).filter((name) => named.includes(name))).toEqual([]);
  expect(keyed.flatMap(({ path, status }) => (status === 201 ? [] : path))).toEqual([
    '/v2/public-routing-forms/:routingFormId/responses',
  ]);
  expect(keyed.map(({ path }) => path)).toContain('/v2/organizations/:orgId/users');
});

test('docs/rest.md names the paths that make something which has no address of its own', async () => {
  const page = await readFile('docs/rest.md', 'utf8');
  const [, list = ''] = /`Location` is its address, if it has one: (.*?) has none/.exec(page) ?? [];
  const named = quoted(list);
  const making = restRoutesOf(buildSchemas().forTokens.rules).filter(({ status }) => status === 201);
  const isNamed = ({ path }: { readonly path: string }) => named.some((name) => path.split('/').includes(name));
  expect(making.filter((route) => isNamed(route) === (route.location !== undefined)).map(({ path }) => path)).toEqual(
    [],
  );
  expect(named.filter((name) => !making.some(({ path }) => path.split('/').includes(name)))).toEqual([]);
});

test('docs/rest.md says at which levels each resource is, and whether it can be read there', async () => {
  const page = await readFile('docs/rest.md', 'utf8');
  const routes = restRoutesOf(buildSchemas().forTokens.rules);
  const doors = { yours: '/v2/', teams: '/v2/teams/:teamId/', organizations: '/v2/organizations/:orgId/' };
  const rows = [...page.matchAll(/^\| `([\w-]+)`, `\1\/:\w+`(?: \((.*?)\))? \| (.*?)\| /gm)];
  expect(rows.length).toBeGreaterThan(15);
  const isThere = (path: string, method?: string) =>
    routes.some((route) => `${route.path}/`.startsWith(`${path}/`) && (method ?? route.method) === route.method);
  const wrong = rows.flatMap(([, name = '', levels = 'yours, groups', read = '']) => {
    const said = levels.replace('groups', 'teams, organizations').replace("an organization's", 'organizations');
    return Object.entries(doors).flatMap(([level, prefix]) => {
      const isSaid = said.includes(level);
      const isReadSaid =
        isSaid && read.includes('the list') && (!/^\w+: the list/.test(read) || read.startsWith(level));
      const isRight = isThere(`${prefix}${name}`) === isSaid && isThere(`${prefix}${name}`, 'GET') === isReadSaid;
      return isRight ? [] : `${name}: ${level}`;
    });
  });
  expect(wrong).toEqual([]);
});

test('the examples of docs/routing-forms.md run twice, on the form of the demo data and on the one they make', async () => {
  const api = await openTestApi();
  const before = await shownToDemoUsers(api);
  const [lead = '', make = '', submit = '', responses = '', ...more] = blocks(
    await readFile('docs/routing-forms.md', 'utf8'),
    'graphql',
  );
  expect(more).toEqual([]);
  const ada = api.signedIn('ada');
  const { data } = await ada.ask(
    '{ me { teams { nodes { id routingForms { nodes { id } } eventTypes { nodes { id } } } } } }',
  );
  const team = data.me.teams.nodes.find(({ routingForms }: typeof data) => routingForms.nodes.length > 0);
  const [form, eventType] = [team.routingForms.nodes[0].id, team.eventTypes.nodes[0].id];
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const days = { from: new Date().toISOString(), to: new Date(Date.now() + 7 * 86_400_000).toISOString() };

  for (const time of ['first', 'second']) {
    const made = await ada.ask(make.replace('evt_…', eventType), { team: team.id });
    expect(made).toMatchObject({ errors: [], data: { routingFormCreate: { userErrors: [] } } });
    for (const each of [form, made.data.routingFormCreate.routingFormId]) {
      const led = await api.nobody.ask(lead, { form: each, ...days });
      expect(led).toMatchObject({ errors: [], data: { routingFormOutcome: { type: 'EVENT_TYPE' } } });
      const key = `${time}, ${each}`;
      const sent = await api.nobody.ask(submit.replace(/idempotencyKey: ".*?"/, `idempotencyKey: "${key}"`), {
        form: each,
        ...days,
      });
      const outcome = { type: 'EVENT_TYPE' };
      expect(sent).toMatchObject({ errors: [], data: { routingFormSubmit: { outcome, userErrors: [] } } });
      const { nodes } = (await ada.ask(responses, { team: team.id, form: each, since })).data.team.routingForm
        .responses;
      expect(nodes.at(-1).answers).toMatchObject({ company: 'ACME' });
    }
  }
  expect(await shownToDemoUsers(api)).toEqual(before);
  await api.close();
});

function shownToDemoUsers(api: TestApi): Promise<unknown[]> {
  const document = '{ me { name username email bio timeZone eventTypes { nodes { slug title durationInMinutes } } } }';
  return Promise.all(api.everybody().map(async (user) => (await user.ask(document)).data));
}
