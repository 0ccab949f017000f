import { type Em, row, sql } from '../../database/sql.ts';
import type { Access } from '../protocol/access.ts';
import { hasPrivateUseScheme, leadsToLoopback, splitUri } from '../protocol/redirect-uri.ts';
import { newScopes } from './interaction.rules.ts';
import type { StoredInteraction } from './interactions.ts';

/** The question of the consent page, as data; `screens/consent/` makes it readable. */
export interface ConsentQuestion {
  readonly interactionId: string;
  readonly clientName: string;
  /** As the reviewer saw it, whatever they call themselves by now. */
  readonly developerName: string;
  /** They have shown to read mail at their address. */
  readonly isDeveloperConfirmed: boolean;
  /** An administrator has approved all that is shown of the client here; clients from before reviews existed were never looked at. */
  readonly isReviewed: boolean;
  readonly websiteUrl: string | null;
  /** Where the answer goes: host and port, or the scheme of an app. */
  readonly destination: string;
  /** The answer goes to a program on the user's own device, and anybody can write one that takes it. */
  readonly isOnDevice: boolean;
  readonly access: Access;
  /** The scopes that were not granted before; undefined when none were, and so nothing is to be marked. */
  readonly newScopes: readonly string[] | undefined;
}

export async function consentQuestion(
  em: Em,
  interaction: StoredInteraction,
  granted: readonly Access[],
): Promise<ConsentQuestion> {
  const { request, client } = interaction;
  const developer = await row(
    em,
    sql<{ name: string; isConfirmed: boolean; isReviewed: boolean }>`
      select coalesce(c.developer_name, u.name) as name, u.email_verified_at is not null as "isConfirmed", c.reviewed_at is not null and c.developer_name is not null as "isReviewed"
      from oauth_clients c join users u on u.id = c.owner_id where c.client_id = ${client.clientId}`,
  );
  const { redirectUri } = request;
  return {
    interactionId: interaction.id,
    clientName: client.name,
    websiteUrl: client.websiteUrl,
    developerName: developer?.name ?? '',
    isDeveloperConfirmed: developer?.isConfirmed ?? false,
    isReviewed: developer?.isReviewed ?? false,
    destination: destinationOf(redirectUri),
    isOnDevice: leadsToLoopback(redirectUri) || hasPrivateUseScheme(redirectUri),
    access: request.access,
    newScopes: granted.length === 0 ? undefined : newScopes(request.access, granted),
  };
}

function destinationOf(redirectUri: string): string {
  const { scheme = '', authority = '' } = splitUri(redirectUri) ?? {};
  return authority === '' ? `${scheme}:` : authority;
}
