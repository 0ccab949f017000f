import { readFile } from 'node:fs/promises';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { inject } from 'vitest';
import type { Contents } from './database.ts';

/** Deleted rows leave this much behind at most; with more, tables are read more slowly than new ones. */
const MOST_LEFT_BEHIND_IN_BYTES = 8 * 1024 * 1024;
/** The tables that a new database has rows in: which migrations have run. */
const KEPT = ['public.migrations'];

/** Open, and lent to nobody. */
const idle: LentDatabase[] = [];

/**
 * The embedded databases of one worker, whose files use them one after the other: opening one takes half a second, emptying
 * one a few milliseconds. One that is not as it was after it was emptied (a table was added, statistics were gathered) is
 * not lent again.
 */
export function lendEmbedded(contents: Contents): (options: PGliteOptions) => Promise<PGlite> {
  return async (options) => {
    const database = (await takeIdle()) ?? (await openNew(options));
    if (contents === 'demo') await database.exec(await readFile(inject('databaseTemplates').demo, 'utf8'));
    return database;
  };
}

async function takeIdle(): Promise<LentDatabase | undefined> {
  for (let database = idle.pop(); database; database = idle.pop()) {
    if (await database.empty()) return database;
    await database.end();
  }
  return undefined;
}

async function openNew(options: PGliteOptions): Promise<LentDatabase> {
  const template = await readFile(inject('databaseTemplates').empty);
  const database = new LentDatabase({ ...options, loadDataDir: new Blob([template]) });
  await database.waitReady;
  await database.remember();
  return database;
}

class LentDatabase extends PGlite {
  #schema = '';
  #bytes = 0;

  /** It is emptied when it is lent again: until then, what its last user has begun may still end. */
  override async close(): Promise<void> {
    idle.push(this);
  }

  async end(): Promise<void> {
    await super.close();
  }

  /** Remembers what a new one is like. */
  async remember(): Promise<void> {
    this.#schema = await this.#text(SCHEMA);
    this.#bytes = Number(await this.#text(BYTES));
  }

  /** @returns whether it is as it was when it was new */
  async empty(): Promise<boolean> {
    await this.exec('rollback');
    await this.exec(AS_IF_NEW);
    await this.exec(await this.#text(DELETIONS));
    const grown = Number(await this.#text(BYTES)) - this.#bytes;
    return grown < MOST_LEFT_BEHIND_IN_BYTES && (await this.#text(SCHEMA)) === this.#schema;
  }

  async #text(query: string): Promise<string> {
    const [result] = await this.exec(query);
    return String(result?.rows[0]?.['text']);
  }
}

/** As `discard all`, but what was prepared stays so for the next file; it is planned anew. */
const AS_IF_NEW = `close all; set session authorization default; reset all; unlisten *; select pg_advisory_unlock_all();
  discard plans; discard temp; discard sequences`;

const OURS = `from pg_class where oid >= 16384 and relnamespace::regnamespace::text in ('public', 'jobs')`;

/** A statement for each table, triggers and references aside, and for each sequence, to be at its beginning. */
const DELETIONS = `
  select concat('begin; set local session_replication_role = replica;',
    string_agg(format(case relkind when 'r' then 'delete from %s;' else 'select setval(%L, 1, false);' end, oid::regclass), ''),
    'commit') as text
  ${OURS} and relkind in ('r', 'S') and oid <> all ('{${KEPT.join()}}'::regclass[])`;

const BYTES = `select sum(pg_total_relation_size(oid))::text as text ${OURS} and relkind = 'r'`;

const CATALOGS =
  'pg_class pg_attribute pg_attrdef pg_constraint pg_index pg_namespace pg_trigger pg_type pg_proc pg_statistic pg_db_role_setting pg_authid'.split(
    ' ',
  );

/** Everything that tests change beside rows: the version of each row of the catalogs, and what the planner believes. */
const SCHEMA = `
  select concat_ws(' ', (select sum(reltuples) ${OURS}), ${[...CATALOGS, ...KEPT]
    .map((table) => `(select count(*) || '/' || coalesce(sum(xmin::text::bigint), 0) from ${table})`)
    .join()}) as text`;
