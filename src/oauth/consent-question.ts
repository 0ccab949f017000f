import { type Em, row, sql } from '../database/sql.ts';
import type { StoredInteraction } from './interactions.ts';
import type { Access } from './protocol/access.ts';
import { authorizeQuery } from './protocol/authorize-again.ts';
import { newScopes } from './protocol/consent.ts';
import { splitUri } from './protocol/uri.ts';

/** What the consent page asks, as data; pages/ makes it readable. */
export interface ConsentQuestion {
  readonly interactionId: string;
  readonly csrf: string;
  readonly clientName: string;
  readonly developerName: string;
  readonly websiteUrl: string | null;
  /** Where the answer goes: host and port, or the scheme of an app. */
  readonly destination: string;
  readonly access: Access;
  /** What was not granted before; undefined when nothing was, and so nothing is to be marked. */
  readonly newScopes: readonly string[] | undefined;
  readonly userEmail: string;
  /** The query that begins the same request anew, for another account. */
  readonly restartQuery: string;
}

export async function consentQuestion(
  em: Em,
  interaction: StoredInteraction,
  asked: { readonly userId: string; readonly csrf: string; readonly granted: readonly Access[] },
): Promise<ConsentQuestion> {
  const { request, client } = interaction;
  const names = await row(
    em,
    sql<{ developerName: string; userEmail: string }>`
      select owner.name as "developerName", u.email as "userEmail"
      from oauth_clients c join users owner on owner.id = c.owner_id, users u
      where c.client_id = ${client.clientId} and u.id = ${asked.userId}`,
  );
  if (!names) throw new Error(`The client ${client.clientId} or the user ${asked.userId} is gone.`);
  return {
    interactionId: interaction.id,
    csrf: asked.csrf,
    clientName: client.name,
    websiteUrl: client.websiteUrl,
    ...names,
    destination: destinationOf(request.redirectUri),
    access: request.access,
    newScopes: asked.granted.length === 0 ? undefined : newScopes(request.access, asked.granted),
    restartQuery: authorizeQuery(request),
  };
}

function destinationOf(redirectUri: string): string {
  const { scheme = '', authority = '' } = splitUri(redirectUri) ?? {};
  return authority === '' ? `${scheme}:` : authority;
}
