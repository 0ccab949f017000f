import type { Pool } from 'pg';
import { USER_CHANGES } from '../modules/accounts/user.entity.ts';
import { prepareStatements, StatementNames } from './prepared-statements.ts';

/**
 * Said once a connection, in one message.
 *
 * Compiling a statement and starting workers for it take longer than any of ours does; PostgreSQL, which cannot foresee how
 * little of a recursive or lateral part is read, would often do both.
 *
 * Each statement is cancelled from here in its time. The limits of the server are for what a process leaves behind that is
 * frozen or gone: it would hold its locks for ever. The last one is not known on every system, so nothing follows it.
 *
 * A connection hears of the changes that it makes itself before it says that they are made: so what this process remembers
 * is never older than what it has written.
 */
const SETTINGS = `set jit = off; set max_parallel_workers_per_gather = 0; set statement_timeout = '40s';
  set idle_in_transaction_session_timeout = '40s'; listen ${USER_CHANGES}; set client_connection_check_interval = '2s'`;

/** `onNotification` is told the channel. */
export function preparePool(pool: Pool, onNotification: (channel: string) => void): void {
  const names = new StatementNames();
  pool.on('connect', (client) => {
    // A lost connection is told of by the next statement.
    client.query(SETTINGS).catch(() => undefined);
    client.on('notification', ({ channel }) => onNotification(channel));
    prepareStatements(client, names);
  });
}
