import type { Connections } from '../modules/connections/connections.ts';
import type { EndedConnection } from '../modules/connections/end-connection.ts';
import type { JobKind } from './job-kind.ts';

const QUEUE = 'connection-revocations';
/** The provider's own failures are waited out below; these are for a database that does not do what it should. */
const PAUSES_IN_SECONDS = [5, 30, 120];
/** Over a day. After that the tokens are forgotten: they end at the provider by themselves. */
const WAITS_IN_SECONDS = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];

export interface ConnectionJobSettings {
  readonly connections: Connections;
}

/** Has providers revoke the tokens of connections that were ended. */
export function connectionsKind({ connections }: ConnectionJobSettings): JobKind {
  return {
    queue: QUEUE,
    hears: ['CONNECTION_ENDED'],
    atOnce: 4,
    pausesInSeconds: PAUSES_IN_SECONDS,
    run: async (_em, data) => {
      const { ownerId, connectionId, provider, credentials, failures = 0 } = data as Revocation;
      const ended = { ownerId, connectionId, provider, credentials };
      if (await connections.revoke(ended)) return [];
      const delayInSeconds = WAITS_IN_SECONDS[failures];
      return delayInSeconds === undefined
        ? []
        : [{ queue: QUEUE, data: { ...ended, failures: failures + 1 }, delayInSeconds }];
    },
  };
}

type Revocation = EndedConnection & { readonly failures?: number };
