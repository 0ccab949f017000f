/** Writes the contract into schema/, docs/errors.md, and the rows that docs/rest.md lacks; or with --check says which file is stale. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { MapperKind, mapSchema, printSchemaWithDirectives } from '@graphql-tools/utils';
import { lexicographicSortSchema } from 'graphql';
import type { GuardedSchema } from '../graphql/operation.ts';
import { restRoutesOf } from '../http/rest/table.ts';
import { WEBHOOK_TRIGGERS } from '../modules/webhooks/webhook.rules.ts';
import { webhookSchema } from '../modules/webhooks/webhook-messages.ts';
import { buildSchemas } from '../schema.ts';
import { describedAlone } from '../scopes/directive.ts';
import { manifestOf } from '../scopes/manifest.ts';
import { errorPage } from './error-page.ts';
import { restPage } from './rest-page.ts';

const ROOT = join(import.meta.dirname, '../..');

/** By file name: the text that belongs there. */
export function contractFiles(): Record<string, string> {
  const { forTokens, forSessions } = buildSchemas();
  return {
    'schema.graphql': sdlOf(forTokens),
    'first-party.graphql': sdlOf(forSessions),
    'scopes.json': jsonOf(manifestOf(forSessions.rules)),
    ...Object.fromEntries(
      WEBHOOK_TRIGGERS.map((trigger) => [`webhooks/${trigger}.json`, jsonOf(webhookSchema(trigger))]),
    ),
  };
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sdlOf({ schema }: GuardedSchema): string {
  const printed = mapSchema(lexicographicSortSchema(schema), {
    [MapperKind.OBJECT_FIELD]: (field) => ({ ...field, description: describedAlone(field) ?? null }),
    [MapperKind.INTERFACE_FIELD]: (field) => ({ ...field, description: describedAlone(field) ?? null }),
  });
  return `${printSchemaWithDirectives(printed)}\n`;
}

async function staleFiles(files: Record<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const written = await readFile(join(ROOT, name), 'utf8').catch(() => undefined);
    if (written !== text) stale.push(name);
  }
  return stale;
}

if (import.meta.main) {
  const contract = Object.entries(contractFiles()).map(([name, text]) => [`schema/${name}`, text]);
  const files = {
    ...(Object.fromEntries(contract) as Record<string, string>),
    'docs/errors.md': errorPage(buildSchemas().forSessions.schema),
    'docs/rest.md': restPage(
      await readFile(join(ROOT, 'docs/rest.md'), 'utf8'),
      restRoutesOf(buildSchemas().forTokens.rules),
    ),
  };
  if (process.argv.includes('--check')) {
    const stale = await staleFiles(files);
    if (stale.length > 0) {
      console.error(`Stale: ${stale.join(', ')}. Run "npm run schema", read the difference, and commit it.`);
      process.exitCode = 1;
    }
  } else {
    await mkdir(join(ROOT, 'schema/webhooks'), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(ROOT, name), text);
  }
}
