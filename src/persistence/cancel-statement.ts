import { Connection } from 'pg';
import { inTime } from '../core/in-time.ts';

/** The client of `pg` whose statement it is. */
export interface CancelTarget {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly processID: number;
  readonly secretKey: number;
}

/** `pg` has these methods, though its types do not say so. */
type WireConnection = Connection & {
  connect(port: number, host: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
};

/**
 * Sends PostgreSQL's own request to cancel, over a connection of its own. It needs no place among the server's
 * connections, and a pooler between passes it on. @throws Error when it was not taken in time
 */
export async function cancelStatement(target: CancelTarget, milliseconds: number): Promise<void> {
  const { host, port, ssl, processID, secretKey } = target;
  const connection = new Connection({ ssl }) as WireConnection;
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  const send = (): void => connection.cancel(processID, secretKey);
  connection.on('connect', () => (ssl ? connection.requestSsl() : send()));
  connection.on('sslconnect', send);
  connection.on('error', reject);
  // The server closes it once it has told the process at work.
  connection.on('end', () => resolve());
  connection.connect(port, host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : host);
  try {
    await inTime(closed, milliseconds, () => new Error('The request to cancel was not taken.'));
  } finally {
    connection.stream.destroy();
  }
}
