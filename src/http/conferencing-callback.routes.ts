import { Hono } from 'hono';
import { Problem } from '../core/problem.ts';
import { databaseNow } from '../database/database-clock.ts';
import { statusOf } from '../database/failure.ts';
import type { Em } from '../database/sql.ts';
import { isRecent, isSigned } from '../modules/bookings/conferencing/callback-signature.rules.ts';
import { recordConferencing } from '../modules/bookings/conferencing/record-conferencing.ts';
import { readText } from '../screens/kit/request.ts';

const CONFERENCING_CALLBACK_PATH = '/callbacks/conferencing';

/** The challenge says what was missing (RFC 9110 §15.5.2); the scheme is not a registered one of HTTP. */
const CHALLENGE = 'StandardWebhooks realm="Gatehouse"';

export interface CallbackSettings {
  readonly em: Em;
  /** The key that the provider signs with. */
  readonly key: Uint8Array;
}

/** Where a conferencing provider tells what became of meetings: signed messages of the Standard Webhooks scheme. */
export function conferencingCallbackRoutes({ em, key }: CallbackSettings): Hono {
  const routes = new Hono();
  routes.post(CONFERENCING_CALLBACK_PATH, async (c) => {
    const message = {
      id: c.req.header('webhook-id') ?? '',
      timestamp: c.req.header('webhook-timestamp') ?? '',
      signatures: c.req.header('webhook-signature') ?? '',
      body: await readText(c.req.raw),
    };
    if (!isSigned(message, key)) throw notSigned();
    const fork = em.fork();
    // Only what is signed is worth asking the database for the time.
    if (!isRecent(message, await databaseNow(fork))) throw notRecent();
    // Loaded here, as it brings the library of schemas, which most services never need.
    const { conferencingMessage } = await import('../modules/bookings/conferencing/conferencing-message.ts');
    const isNews = await recordConferencing(fork, conferencingMessage(message.body));
    return c.json({ recorded: isNews }, 200, { 'Cache-Control': 'no-store' });
  });
  routes.onError((error, c) => {
    if (!(error instanceof Problem)) throw error;
    const { code, message } = error;
    const status = statusOf(error);
    const challenge = status === 401 ? { 'WWW-Authenticate': CHALLENGE } : {};
    return c.json({ error: { code, message } }, status, { 'Cache-Control': 'no-store', ...challenge });
  });
  return routes;
}

function notSigned(): Problem {
  const message =
    'No webhook-signature fits: sign webhook-id, webhook-timestamp and the body, joined by full stops, by HMAC-SHA256 with the shared secret.';
  return new Problem('WRONG_CREDENTIALS', message);
}

function notRecent(): Problem {
  return new Problem(
    'WRONG_CREDENTIALS',
    'The webhook-timestamp is more than five minutes off; send the message anew.',
  );
}
