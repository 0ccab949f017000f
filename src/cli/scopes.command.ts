import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findClientScopes } from '../oauth/clients/oauth-client.queries.ts';
import { buildSchemas } from '../schema.ts';
import { isScope, SCOPES } from '../scopes/catalog.ts';
import { type Command, UsageError } from './command.ts';
import { explainDocuments } from './documents/explain-documents.ts';
import { type Explain, ownSchemaExplainer, remoteExplainer } from './documents/explainer.ts';
import { extractDocuments } from './documents/extract.ts';
import { findFiles } from './documents/find-files.ts';
import { migrateFiles, readRenames } from './documents/migrate.ts';
import type { Report } from './documents/report.ts';
import { githubReport } from './documents/report-github.ts';
import { textReport } from './documents/report-text.ts';
import { placeOf } from './documents/source-text.ts';
import { withDatabase } from './with-database.ts';

const HELP = `  <files>            .graphql files; TypeScript, JavaScript, Vue, Svelte and Astro with gql or graphql tags or /* GraphQL */;
                     folders and globs, of which other kinds of files are passed over
  --check "A B"      fails if these scopes are too few, and warns of those that nothing needs
  --client <id>      says what this client has not enabled, or where to send its users
  --url <address>    asks a running service instead of the schema of this version
  --migrate          rewrites the documents, which were written for an earlier version, to the names of this one, and says what is
                     left to do by hand
  --format <format>  text, json, or github (annotations); --json is short for the second

Exit codes: 0 all is well, 1 scopes are missing or something is left to do by hand, 2 something could not be read, or the arguments are wrong.`;

const WRITERS = {
  text: textReport,
  json: (report: Report): string => JSON.stringify(report, null, 2),
  github: githubReport,
} as const;

export const command: Command = {
  usage: 'scopes <files…>',
  summary: 'says what the GraphQL operations of an app require, and why',
  help: HELP,
  run: async (args) => {
    const { patterns, format, check, clientId, url, isMigration } = readArguments(args);
    const files = await findFiles(patterns);
    if (isMigration) return migrate(files);
    const found = await Promise.all(files.map(async (file) => extractDocuments(file, await readFile(file, 'utf8'))));
    const report = await explainDocuments(found, await explainer(url, clientId), { check, clientId });
    const { operations, faults, client } = report;
    // Annotations tell of faults themselves; JSON holds them.
    if (format === 'text') for (const fault of faults) console.error(`${placeOf(fault)}  ${fault.message}`);
    if (faults.length === 0 && operations.length === 0)
      throw new UsageError('No GraphQL operation was found in these files.');
    if (format !== 'text' || operations.length > 0) console.log(WRITERS[format](report));
    if (faults.length > 0) return 2;
    return (report.check?.missing.length ?? 0) > 0 || (client?.notEnabled.length ?? 0) > 0 ? 1 : 0;
  },
};

/** Rewrites the files. @returns the exit code */
async function migrate(files: readonly string[]): Promise<number> {
  const { schema } = buildSchemas().forSessions;
  const renames = await readRenames();
  const read = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file, 'utf8');
      return { file, content, ...(await extractDocuments(file, content)) };
    }),
  );
  const migrated = migrateFiles(read, schema, renames);
  let [unread, left] = [0, 0];
  for (const [index, { content, changes, faults }] of migrated.entries()) {
    const { file = '', faults: ofFile = [] } = read[index] ?? {};
    for (const fault of [...ofFile, ...faults]) console.error(`${placeOf(fault)}  ${fault.message}`);
    if (changes > 0) await writeFile(file, content);
    if (changes > 0) console.log(`${file}: ${changes} ${changes === 1 ? 'name' : 'names'}`);
    unread += ofFile.length;
    left += faults.length;
  }
  if (unread > 0) return 2;
  return left > 0 ? 1 : 0;
}

function readArguments(args: readonly string[]) {
  const { values, positionals: patterns } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      check: { type: 'string' },
      client: { type: 'string' },
      url: { type: 'string' },
      format: { type: 'string', default: 'text' },
      json: { type: 'boolean', default: false },
      migrate: { type: 'boolean', default: false },
    },
  });
  if (patterns.length === 0) throw new UsageError('Name the files to read, such as "src/**/*.graphql".');
  const format = values.json ? 'json' : values.format;
  if (!isFormat(format))
    throw new UsageError(`There is no format "${format}": choose ${Object.keys(WRITERS).join(', ')}.`);
  if (values.url !== undefined && !URL.canParse(values.url)) throw new UsageError(`"${values.url}" is no address.`);
  const { migrate: isMigration, check, client: clientId, url } = values;
  if (isMigration && [check, clientId, url].some((value) => value !== undefined))
    throw new UsageError('--migrate explains nothing: leave --check, --client and --url out.');
  return { patterns, format, check: scopesIn(check), clientId, url, isMigration };
}

/** Space- or comma-separated, as in an authorization request. */
function scopesIn(list: string | undefined): readonly string[] | undefined {
  const scopes = list?.split(/[\s,]+/).filter(Boolean);
  const unknown = scopes?.filter((name) => !isScope(name)) ?? [];
  if (unknown.length === 0) return scopes;
  throw new UsageError(`There is no scope ${unknown.join(', ')}. Scopes: ${SCOPES.join(' ')}`);
}

async function explainer(url: string | undefined, clientId: string | undefined): Promise<Explain> {
  if (url !== undefined) return remoteExplainer(url, clientId);
  if (clientId === undefined) return ownSchemaExplainer();
  const client = await withDatabase(({ em }, { publicUrl }) =>
    findClientScopes(em.fork(), clientId, publicUrl, 'OPERATOR'),
  );
  if (!client) throw new UsageError(`No client has the clientId "${clientId}".`);
  return ownSchemaExplainer(client);
}

function isFormat(name: string): name is keyof typeof WRITERS {
  return Object.hasOwn(WRITERS, name);
}
