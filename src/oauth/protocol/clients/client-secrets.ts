import { type Client, MAX_ACTIVE_SECRETS } from '../client.ts';

export type SecretMistakeCode = 'PUBLIC_CLIENT' | 'TOO_MANY_SECRETS' | 'LAST_SECRET';

export interface SecretMistake {
  readonly code: SecretMistakeCode;
  readonly message: string;
}

/**
 * Why a client may not get another secret; undefined when it may. A first look for a good message: two calls at once are
 * decided by the database.
 */
export function secretCreateMistake(client: Pick<Client, 'type'>, activeSecrets: number): SecretMistake | undefined {
  if (client.type === 'PUBLIC') {
    return {
      code: 'PUBLIC_CLIENT',
      message: 'A public client has no secrets, because it could not keep one; it uses PKCE.',
    };
  }
  if (activeSecrets < MAX_ACTIVE_SECRETS) return undefined;
  const advice = 'delete the one that is no longer in use, then create the new one';
  return {
    code: 'TOO_MANY_SECRETS',
    message: `The client has ${activeSecrets} secrets, which is the limit; ${advice}.`,
  };
}

/** Why a secret of a client may not be deleted; undefined when it may (specification §3). */
export function secretDeleteMistake(client: Pick<Client, 'type'>, activeSecrets: number): SecretMistake | undefined {
  if (client.type === 'PUBLIC' || activeSecrets > 1) return undefined;
  const advice = 'create a new one, switch the app to it, then delete this one';
  return { code: 'LAST_SECRET', message: `This is the last secret of the client; ${advice}.` };
}
