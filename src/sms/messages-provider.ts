import type { Outbound } from '../outbound/outbound.ts';
import type { Answer } from '../outbound/outcome.ts';
import { type SmsProvider, SmsRefused } from './sms.ts';

const MAX_ANSWER_BYTES = 65_536;
const MAX_SHOWN = 200;
/** These codes say that the message is wrong, and not the sender, nor the time. */
const REFUSED_FOR_GOOD = [400, 422];

/**
 * A provider of Twilio's Messages API, which others speak as well: `To` and `Body` are posted as a form, with what the address
 * has as its query (`From` or `MessagingServiceSid`, `StatusCallback`, …), signed in by its user name and password.
 * `Idempotency-Key` is for those who know it (draft-ietf-httpapi-idempotency-key-header).
 */
export function messagesProvider(smsUrl: string, outbound: Outbound): SmsProvider {
  const { username, password, searchParams, origin, pathname } = new URL(smsUrl);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = {
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  return {
    async hand({ to, text, messageId }) {
      const form = new URLSearchParams([...searchParams, ['To', to], ['Body', text]]);
      const answer = await outbound.ask(
        {
          kind: 'SMS',
          method: 'POST',
          url: `${origin}${pathname}`,
          headers: { ...headers, 'idempotency-key': messageId },
          body: form.toString(),
        },
        { maxAnswerBytes: MAX_ANSWER_BYTES },
      );
      if (answer.error !== undefined) throw new Error(`The SMS provider gave no answer. ${answer.error}`);
      const { sid, code, message } = saidBy(answer);
      if (answer.status >= 200 && answer.status < 300) return { ...(sid !== undefined && { providerId: sid }) };
      const why = `The SMS provider answered ${answer.status}${code === undefined ? '' : ` (${code})`}${message === undefined ? '.' : `: ${message}`}`;
      throw REFUSED_FOR_GOOD.includes(answer.status) ? new SmsRefused(why) : new Error(why);
    },
  };
}

interface Said {
  readonly sid?: string;
  readonly code?: string;
  readonly message?: string;
}

/** Keeps the parts of the answer that are of use for the log, whatever else it is. */
function saidBy({ body }: Answer): Said {
  try {
    const { sid, code, message } = Object(JSON.parse(body.toString())) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof sid === 'string' && { sid: sid.slice(0, MAX_SHOWN) }),
      ...(['string', 'number'].includes(typeof code) && { code: String(code).slice(0, MAX_SHOWN) }),
      ...(typeof message === 'string' && { message: message.slice(0, MAX_SHOWN) }),
    };
  } catch {
    return {};
  }
}
