import { posix } from 'node:path';
import { findCycle, type Import, importsOf, reachableFrom, type Sources } from './import-graph.ts';

/** Inside `oauth/` and `modules/`, the suffix names the floor; a file without one is a command or a query. Their routes stand in `http/` and `screens/`. */
const FLOOR_BY_SUFFIX = { '.rules.ts': 2, '.entity.ts': 3, '.graphql.ts': 6 };
const COMMANDS_AND_QUERIES = 4;
const COMPOSITION = 7;

/** Everywhere else, the folder does. The command line composes an application of its own, as `main.ts` does. */
const FLOOR_BY_FOLDER: Readonly<Record<string, number>> = {
  core: 0,
  scopes: 1,
  database: 3,
  events: 3,
  limits: 3,
  mail: 3,
  sms: 3,
  outbound: 3,
  graphql: 5,
  http: 6,
  jobs: 6,
  screens: 6,
  cli: COMPOSITION,
  persistence: COMPOSITION,
};
/** Below the pages, and below `http/`. */
const KIT = 'src/screens/kit/';
const COMPOSITION_FILES = [
  'app',
  'config',
  'config-fields',
  'drain',
  'memory',
  'log',
  'main',
  'parts',
  'routes',
  'schema',
  'start',
  'supervise',
].map((name) => `src/${name}.ts`);

/** Every feature stands on these, whatever the floor of its imports. */
const FOUNDATIONS = ['core', 'scopes', 'database', 'events', 'limits', 'mail', 'sms', 'outbound', 'graphql'];

/** The floors that decide without doing: no clock, no file, no network, so that a test needs none either. */
const PACKAGES_OF_PURE_FLOORS = [
  ['node:crypto', 'node:zlib', 'awesome-phonenumber', 'lru-cache'],
  ['node:crypto', 'graphql'],
  ['node:crypto'],
] as const;

const ENTRIES = [
  'src/main.ts',
  'src/cli/gatehouse.js',
  'src/cli/main.ts',
  'src/persistence/embedded/new-database.worker.ts',
  'src/modules/calendars/feeds/ics.worker.ts',
  'src/cli/print-migration.ts',
  'src/cli/print-schema.ts',
  'src/cli/demo.ts',
  'src/screens/console/console.js',
  'src/screens/booking/own-zone.js',
  'src/screens/booking/embed.js',
  'src/screens/booking/embedded.js',
  'src/screens/kit/scripts/browser-zone.js',
  'src/screens/developer/check-uris.js',
  'src/screens/hosting/paint-week.js',
  'src/screens/kit/scripts/copy.js',
  'src/screens/kit/scripts/send-once.js',
];

type Rule = (one: Import, sources: Sources) => string | undefined;

const RULES: readonly Rule[] = [
  targetIsSource,
  importGoesDown,
  moduleDoesNotKnowOAuth,
  pageDoesNotKnowHttp,
  foundationKnowsNoFeature,
  pureFloorImportsNoPackage,
];

/** Lists the violations of the floors of `src`, one sentence each; empty when all is well. */
export function layerViolations(sources: Sources): string[] {
  const imports = importsOf(sources);
  const cycle = findCycle(imports);
  return [
    ...filesWithoutFloor(sources),
    ...imports.flatMap((one) => RULES.map((rule) => rule(one, sources)).filter((violation) => violation !== undefined)),
    ...foldersThatImportEachOther(imports),
    ...modulesInACircle(imports),
    ...(cycle ? [`These files import each other in a circle: ${cycle.join(' → ')}.`] : []),
    ...orphans(sources, imports),
  ];
}

function filesWithoutFloor(sources: Sources): string[] {
  return [...sources.keys()]
    .filter((path) => floorOf(path) === undefined)
    .map((path) => `${path} stands on no floor: move it, or give its folder a floor.`);
}

function orphans(sources: Sources, imports: readonly Import[]): string[] {
  const reached = reachableFrom(ENTRIES, imports);
  return [...sources.keys()]
    .filter((path) => !reached.has(path))
    .map((path) => {
      const remedy = path.endsWith('.graphql.ts') ? ' Name it in src/schema.ts.' : '';
      return `${path} is an orphan: nothing that runs imports it.${remedy}`;
    });
}

function targetIsSource({ from, to, isPackage }: Import, sources: Sources): string | undefined {
  if (isPackage || sources.has(to) || to.endsWith('.json')) return undefined;
  return `${from} imports ${to}, which is no file of src.`;
}

function importGoesDown({ from, to }: Import): string | undefined {
  const [lower, upper] = [floorOf(from), floorOf(to)];
  if (lower === undefined || upper === undefined || upper <= lower) return undefined;
  return `${from} (floor ${lower}) imports ${to} (floor ${upper}): imports go down only.`;
}

/** Modules stand on one another in one direction, so that each can be read without those that stand on it. */
function modulesInACircle(imports: readonly Import[]): string[] {
  const between = imports.flatMap((one) => {
    const [from, to] = [moduleOf(one.from), moduleOf(one.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ ...one, from, to }];
  });
  const cycle = findCycle(between);
  return cycle ? [`These modules import each other in a circle: ${cycle.join(' → ')}.`] : [];
}

/** A module sees a caller and a grant; how they came to be is not its business. */
function moduleDoesNotKnowOAuth({ from, to }: Import): string | undefined {
  if (moduleOf(from) === undefined || !to.startsWith('src/oauth/')) return undefined;
  return `${from} imports ${to}: modules never import oauth.`;
}

/** Pages stand on their kit, and so does http/: neither knows the other. */
function pageDoesNotKnowHttp({ from, to }: Import): string | undefined {
  const pair = [from, to].map((path) => (path.startsWith(KIT) ? 'kit' : path.split('/')[1])).join();
  if (pair !== 'screens,http' && pair !== 'http,screens') return undefined;
  return `${from} imports ${to}: http/ and pages meet in ${KIT} alone.`;
}

/** The schema builder and the guards serve any feature: each adds what it needs to the context itself. */
function foundationKnowsNoFeature({ from, to }: Import): string | undefined {
  const [, folder = ''] = from.split('/');
  if (!FOUNDATIONS.includes(folder) || !/^src\/(oauth|modules)\//.test(to)) return undefined;
  return `${from} imports ${to}: ${folder}/ knows no feature.`;
}

/** Two folders that need each other are one; a folder and the rooms in it are. */
function foldersThatImportEachOther(imports: readonly Import[]): string[] {
  const firstImport = new Map<string, Import>();
  for (const one of imports.filter(({ isPackage }) => !isPackage)) {
    const [from, to] = [posix.dirname(one.from), posix.dirname(one.to)];
    if (!isWithin(from, to) && !isWithin(to, from)) firstImport.getOrInsert(`${from} ${to}`, one);
  }
  return [...firstImport].flatMap(([folders, one]) => {
    const [from = '', to = ''] = folders.split(' ');
    const back = from < to ? firstImport.get(`${to} ${from}`) : undefined;
    return back
      ? [`${one.from} imports ${one.to}, and ${back.from} imports ${back.to}: folders do not import each other.`]
      : [];
  });
}

function isWithin(folder: string, other: string): boolean {
  return `${folder}/`.startsWith(`${other}/`);
}

function pureFloorImportsNoPackage({ from, to, isPackage }: Import): string | undefined {
  const allowed: readonly string[] | undefined = PACKAGES_OF_PURE_FLOORS[floorOf(from) ?? COMPOSITION];
  if (!isPackage || !allowed || allowed.includes(to)) return undefined;
  return `${from} imports ${to}: its floor is pure and may import only ${allowed.join(' and ')}.`;
}

function floorOf(path: string): number | undefined {
  if (COMPOSITION_FILES.includes(path)) return COMPOSITION;
  const [root, folder = '', subfolder = ''] = path.split('/');
  if (root !== 'src') return undefined;
  if (folder === 'oauth' && subfolder === 'protocol') return FLOOR_BY_SUFFIX['.rules.ts'];
  if (path.startsWith(KIT)) return FLOOR_BY_FOLDER['graphql'];
  if (folder !== 'oauth' && moduleOf(path) === undefined) return FLOOR_BY_FOLDER[folder];
  const suffix = Object.entries(FLOOR_BY_SUFFIX).find(([ending]) => path.endsWith(ending));
  return suffix?.[1] ?? COMMANDS_AND_QUERIES;
}

function moduleOf(path: string): string | undefined {
  return /^src\/modules\/([^/]+)\//.exec(path)?.[1];
}
