import type { Client } from 'pg';
import { MovedAway } from '../database/database-away.ts';

/** A connection's description of its server. `system` and `timeline` are null where the server does not name them; a standby has no timeline. */
interface ServerDescription {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  /** The id of the cluster, the same on its standbys. */
  readonly system: string | null;
  /** Eight hexadecimal digits, so that texts compare as numbers: each promotion begins a higher one. */
  readonly timeline: string | null;
  /** The id of the server's process. A pooler in between gives its clients another one. */
  readonly pid: number;
}

/** Sends a statement on one connection. @returns its rows */
export type Ask = (statement: string) => Promise<readonly object[]>;

const STANDING = `pg_is_in_recovery() as "isStandby",
  current_setting('default_transaction_read_only')::boolean as "isReadOnly", pg_backend_pid() as "pid"`;
const WITH_NAMES = `select ${STANDING}, (select system_identifier::text from pg_control_system()) as "system",
  case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end as "timeline"`;
const WITHOUT_NAMES = `select ${STANDING}, null as "system", null as "timeline"`;

/** SQLSTATEs of a server that refuses this role the names, or lacks the functions: servers that only speak PostgreSQL's protocol do not have them all. */
const NAMES_REFUSED = /^(?:0A000|42501|42883|55000)$/;

/** Parameters that a server reports by itself when they change (PostgreSQL §55.2.7): before it says that a statement is done. */
const SIGNS = new Set(['default_transaction_read_only', 'in_hot_standby']);

/**
 * Watches that all connections of this process lead to the server that is to be written to. After a failover the old primary
 * may stay up, read-only or frozen, and go on to answer those who are connected: half of a process would read there what the
 * other half has changed since. So a sign at any connection renews every one; a statement that is under way is not answered
 * from the old one, and a new connection is used once its server has said that it is the primary.
 */
export class ServerWatch {
  readonly #renewals: (() => void)[] = [];
  readonly #leaveListeners: ((server: string) => void)[] = [];
  #known: ServerDescription | undefined;
  #isMoving = false;
  #isSilent = false;
  #hasNames = true;

  /** `renew` closes all connections of a kind that have been admitted, whatever they are at. */
  onMove(renew: () => void): void {
    this.#renewals.push(renew);
  }

  /** `announce` says to the other processes of the service which server was left. */
  onLeave(announce: (server: string) => void): void {
    this.#leaveListeners.push(announce);
  }

  /** Another process has left a server: so does this one, if it is still there. */
  hear(server: string): void {
    if (!this.#isMoving && this.#known !== undefined && nameOf(this.#known) === server) this.#renew();
  }

  /** True from a sign of a failover until a connection leads to the server to write to. */
  get isMoving(): boolean {
    return this.#isMoving;
  }

  /**
   * True from when the server has left somebody without any answer until it answers. Whatever is sent to a frozen server waits
   * at its door, and once it is awake it begins a process for each connection there, also for those that were given up long
   * ago: so nobody asks it to cancel anything, and one of all who need a connection tries to get one.
   */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  fellSilent(): void {
    this.#isSilent = true;
  }

  answered(): void {
    this.#isSilent = false;
  }

  /** Takes a new connection, or one in use again, for one to the primary. @throws MovedAway if it is not one */
  async admit(ask: Ask): Promise<ServerDescription> {
    const description = await this.#ask(ask);
    const known = this.#known;
    if (description.isStandby || description.isReadOnly) {
      this.moved();
      throw new MovedAway(description.isStandby ? 'the database is a standby' : 'the database is read-only');
    }
    const isOther = known !== undefined && nameOf(known) !== nameOf(description);
    if (isOther && isOlder(description, known)) throw new MovedAway('the database is a server from before a failover');
    this.#known = description;
    this.#isMoving = false;
    if (isOther) this.#leave(known);
    return description;
  }

  /** Hears what the server of a connection reports of itself. */
  listenTo({ connection }: Pick<Client, 'connection'>): void {
    connection.on('parameterStatus', (message: ParameterStatus) => this.reported(message));
  }

  /** The server of a connection reports one of its parameters. */
  reported({ parameterName, parameterValue }: ParameterStatus): void {
    if (SIGNS.has(parameterName) && parameterValue === 'on') this.moved();
  }

  /** A statement has failed. */
  failed(error: unknown): void {
    if (isReadOnlyError(error)) this.moved();
  }

  /** There is a sign that a connection leads to another server than the one to write to. */
  moved(): void {
    if (this.#isMoving) return;
    this.#renew();
  }

  #renew(): void {
    this.#isMoving = true;
    this.#leave(this.#known);
  }

  #leave(server: ServerDescription | undefined): void {
    for (const renew of this.#renewals) renew();
    for (const announce of this.#leaveListeners) announce(server === undefined ? '' : nameOf(server));
  }

  async #ask(ask: Ask): Promise<ServerDescription> {
    if (this.#hasNames) {
      try {
        return await one(ask, WITH_NAMES);
      } catch (error) {
        if (!NAMES_REFUSED.test(String((error as { readonly code?: unknown }).code))) throw error;
        this.#hasNames = false;
      }
    }
    return one(ask, WITHOUT_NAMES);
  }
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** For `admit`, of a client of `pg`. */
export function asking(client: Pick<Client, 'query'>): Ask {
  return async (statement) => (await client.query(statement)).rows;
}

/** read_only_sql_transaction */
function isReadOnlyError(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === '25006' && !(error instanceof MovedAway);
}

async function one(ask: Ask, statement: string): Promise<ServerDescription> {
  const [description] = await ask(statement);
  return description as ServerDescription;
}

function nameOf({ system, timeline }: ServerDescription): string {
  return `${system}/${timeline}`;
}

/** A primary that was thawed, or fenced too late, has the timeline that was left by the promotion. */
function isOlder(description: ServerDescription, known: ServerDescription): boolean {
  if (description.system !== known.system || description.timeline === null || known.timeline === null) return false;
  return description.timeline < known.timeline;
}
