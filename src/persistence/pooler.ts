import { type Em, rows, sql } from '../database/sql.ts';

interface Setting {
  readonly name: string;
  readonly setting: string;
}

/** Connections without a pooler set these (postgres-dialect.ts); behind one, the role can have them instead. */
const NEEDED: readonly {
  readonly name: string;
  readonly to: string;
  readonly isEnough: (setting: string) => boolean;
}[] = [
  { name: 'jit', to: 'off', isEnough: (setting) => setting === 'off' },
  { name: 'max_parallel_workers_per_gather', to: '0', isEnough: (setting) => setting === '0' },
  { name: 'statement_timeout', to: "'40s'", isEnough: isLimit },
  { name: 'idle_in_transaction_session_timeout', to: "'40s'", isEnough: isLimit },
];

/** For an operator who has put a pooler between: what nobody can say to the server but they. */
export async function poolerAdvice(em: Em, hasDirectUrl: boolean): Promise<readonly string[]> {
  const found = await rows(
    em,
    sql<Setting & { role: string }>`select name, setting, quote_ident(current_user) as role from pg_settings
      where name = any(${NEEDED.map(({ name }) => name)}::text[])`,
  );
  const role = found[0]?.role ?? 'gatehouse';
  const missing = NEEDED.filter(
    ({ name, isEnough }) => !isEnough(found.find((one) => one.name === name)?.setting ?? ''),
  );
  const statements = missing.map(({ name, to }) => `alter role ${role} set ${name} = ${to};`);
  const advice: string[] = [];
  if (statements.length > 0)
    advice.push(
      `DATABASE_URL leads through a pooler, on which a process cannot have settings of its own. Say this to PostgreSQL, then RECONNECT to the pooler: ${statements.join(' ')}`,
    );
  if (!hasDirectUrl)
    advice.push(
      'DATABASE_URL leads through a pooler, by which no NOTIFY may come: what other processes change is seen up to a second later. Set DATABASE_DIRECT_URL, the address of PostgreSQL itself, for the one connection that listens.',
    );
  return advice;
}

function isLimit(setting: string): boolean {
  return Number(setting) > 0;
}
