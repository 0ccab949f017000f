/** sms/ sends one text message through a provider, or keeps it in a folder while none is configured. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outbound } from '../outbound/outbound.ts';
import type { Answer } from '../outbound/outcome.ts';

export interface Sms {
  /** In E.164, such as `+4930123456`. */
  readonly to: string;
  readonly text: string;
  /** The same each time that the same message is sent, so that a provider who gets it twice can tell. */
  readonly messageId: string;
}

/** The service that sends messages for us. Only the service knows what becomes of one after it was taken. */
export interface SmsProvider {
  /** Resolves when the message was taken, with what the log is to say of it. @throws SmsRefused, Error where trying again may help */
  hand(sms: Sms): Promise<object>;
}

/** The provider will never take this message. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused';
}

declare const COUNTED: unique symbol;

/** Shows that a message was counted towards the limits. Only `SmsLimit` makes one, so nothing is sent past them. */
export interface SmsAdmission {
  readonly [COUNTED]: true;
  readonly limit?: undefined;
}

interface SmsSettings {
  /** Where the provider takes messages (`messagesProvider`); undefined: there is none. */
  readonly smsUrl: string | undefined;
  readonly outbound: Outbound;
  /** For development, without a provider: each message becomes a file here. Undefined keeps none. */
  readonly folder: string | undefined;
  readonly log: { info(detail: object, message: string): void };
}

/** Where messages are kept that no provider gets: nowhere, beside data in memory. */
export function smsFolderIn(dataDir: string): string | undefined {
  return dataDir === 'memory:' ? undefined : join(dataDir, 'sms');
}

/** The log names the message by its id, never the receiver or the text, which may hold a code. */
export function createSmsProvider({ smsUrl, outbound, folder, log }: SmsSettings): SmsProvider {
  const provider = smsUrl === undefined ? keptIn(folder) : messagesProvider(smsUrl, outbound);
  return {
    async hand(sms) {
      const detail = await provider.hand(sms);
      log.info({ messageId: sms.messageId, ...detail }, 'An SMS was sent.');
      return detail;
    },
  };
}

function keptIn(folder: string | undefined): SmsProvider {
  return {
    async hand({ to, text, messageId }) {
      if (folder === undefined) return {};
      await mkdir(folder, { recursive: true });
      // The time first: in the folder's listing the newest message is the last one.
      const path = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.txt`);
      await writeFile(path, `To: ${to}\nMessage-ID: ${messageId}\n\n${text}\n`);
      return { file: path };
    },
  };
}

const MAX_ANSWER_BYTES = 65_536;
const MAX_SHOWN = 200;
/** These codes say that the message is wrong, and not the sender, nor the time. */
const REFUSED_FOR_GOOD = [400, 422];

/**
 * A provider of Twilio's Messages API, which others speak as well: `To` and `Body` are posted as a form, with what the address
 * has as its query (`From` or `MessagingServiceSid`, `StatusCallback`, …), signed in by its user name and password.
 * `Idempotency-Key` is for those who know it (draft-ietf-httpapi-idempotency-key-header).
 */
function messagesProvider(smsUrl: string, outbound: Outbound): SmsProvider {
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
