/** docs/rest.md: `npm run schema` writes a row for each resource of the REST paths that its table does not name yet. */
import type { RestRoute } from '../http/rest/route.ts';

const HEAD = '| path | by GET | by POST, PATCH, DELETE |\n|---|---|---|\n';
/** Where a path stands: yours, a team's (also below its organization), an organization's. */
const PREFIX = /^\/v2(?:\/organizations\/:orgId)?(?:\/teams\/:teamId)?\//;
const VERBS = { POST: 'creates', PATCH: 'updates', DELETE: 'deletes' } as const;

export function restPage(page: string, routes: readonly RestRoute[]): string {
  const [above, below = ''] = page.split(HEAD);
  const end = below.indexOf('\n\n') + 1;
  const [table, rest] = [below.slice(0, end), below.slice(end)];
  const lists = routes.filter(({ path, shape }) => shape === 'LIST' && !behindPrefix(path).includes('/'));
  const names = [...new Set(lists.map(({ path }) => behindPrefix(path)))];
  const missing = names.filter((name) => !page.includes(`\`${name}\``) && !page.includes(`/${name}\``));
  return `${above}${HEAD}${table}${missing.map((name) => rowOf(name, routes)).join('')}${rest}`;
}

function rowOf(name: string, routes: readonly RestRoute[]): string {
  const at = (behind: RegExp) => routes.filter(({ path }) => behind.test(behindPrefix(path)));
  const [all, one] = [at(new RegExp(`^${name}$`)), at(new RegExp(`^${name}/:\\w+$`))];
  const address = one[0] && `, \`${behindPrefix(one[0].path)}\``;
  const reads = ['the list', ...(one.some(({ method }) => method === 'GET') ? ['one'] : [])];
  const changes = (['POST', 'PATCH', 'DELETE'] as const).filter((verb) =>
    [...all, ...one].some(({ method }) => method === verb),
  );
  const levels = levelsOf(all.map(({ path }) => path));
  return `| \`${name}\`${address ?? ''}${levels} | ${reads.join(', ')} | ${changes.map((verb) => VERBS[verb]).join(', ')} |\n`;
}

/** The levels that have a list, unless all have. */
function levelsOf(paths: readonly string[]): string {
  const has = (prefix: string) => paths.some((path) => path.replace(/\/[^/]+$/, '') === prefix);
  const levels = [
    ...(has('/v2') ? ['yours'] : []),
    ...(has('/v2/teams/:teamId') ? ["teams'"] : []),
    ...(has('/v2/organizations/:orgId') ? ["organizations'"] : []),
  ];
  return levels.length === 3 ? '' : ` (${levels.join(', ')})`;
}

function behindPrefix(path: string): string {
  return path.replace(PREFIX, '');
}
