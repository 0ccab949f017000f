import type { Em } from '../../../src/database/sql.ts';
import type { OpenAuthorizationServer } from '../../../src/oauth/open-authorization-server.ts';
import { answerIntrospectionRequest } from '../../../src/oauth/tokens/introspect.ts';
import type { Scope } from '../../../src/scopes/catalog.ts';
import { asForm, tokenRequest } from '../../oauth/support/flow.ts';
import { addClient, addUser, SECRET, type TestServer } from '../../oauth/support/test-server.ts';
import type { Model } from './model.ts';

/** The real thing, with the model beside it: two servers on one database, a client and a user of their own. */
export interface World {
  readonly serving: TestServer;
  readonly servers: readonly [OpenAuthorizationServer, OpenAuthorizationServer];
  readonly userId: string;
  readonly clientId: string;
  readonly model: Model;
  requests: number;
}

export async function createWorld(
  serving: TestServer,
  second: OpenAuthorizationServer,
  scopes: readonly Scope[],
): Promise<World> {
  const userId = await addUser(serving.em, { isAdministrator: true });
  const clientId = await addClient(serving.em, userId, { scopes });
  const model = { now: 0, enabled: scopes, isSuspended: false, chains: [] };
  return { serving, servers: [serving.server, second], userId, clientId, model, requests: 0 };
}

/** Each of the two servers in turn. */
export function next(world: World): { readonly em: Em; readonly server: OpenAuthorizationServer } {
  world.requests += 1;
  return { em: world.serving.em, server: world.servers[world.requests % 2 === 0 ? 0 : 1] };
}

/** Another network each time: what is counted against guessing is not meant here. */
export function address(world: World): string {
  world.requests += 1;
  return `10.${(world.requests >> 8) & 255}.${world.requests & 255}.1`;
}

/** Asks for tokens as the client. */
export function ask(world: World, fields: Readonly<Record<string, string>>) {
  const credentials = { client_id: world.clientId, client_secret: SECRET };
  return tokenRequest(next(world), { ...credentials, ...fields }, address(world));
}

/** Whether a token is alive, without the question leaving a trace on it. */
export async function isActive(world: World, token: string): Promise<boolean> {
  const { em, server } = next(world);
  const fields = asForm({ client_id: world.clientId, client_secret: SECRET, token });
  const answer = await answerIntrospectionRequest(em, server, fields, address(world));
  return 'active' in answer && answer.active;
}

/** Both servers know of everything that was committed until now. */
export async function catchUp({ servers }: World): Promise<void> {
  await Promise.all(servers.map(({ revocations }) => revocations.catchUp()));
}
