import type { Connections } from '../../modules/connections/connections.ts';
import type { EndedConnection } from '../../modules/connections/end-connection.ts';
import type { JobKind } from '../job-kind.ts';
import { Persistence } from './until-done.ts';

/** Over a day. After that the tokens are forgotten: they end at the provider by themselves. */
const WAITS_IN_SECONDS = [30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];

export interface ConnectionJobSettings {
  readonly connections: Connections;
}

/** Has providers revoke the tokens of connections that were ended. */
export function connectionsKind({ connections }: ConnectionJobSettings): JobKind {
  return new Persistence<EndedConnection>({
    queue: 'connection-revocations',
    hears: ['CONNECTION_ENDED'],
    atOnce: 4,
    ofOwner: 2,
    waitsInSeconds: WAITS_IN_SECONDS,
    attempt: async (em, ended) => ({ kind: (await connections.revoke(em, ended)) ? 'DONE' : 'FAILED' }),
  }).kind;
}
