import { equalsInConstantTime, macOf, sha256Hex } from '../core/secret.ts';
import { anyOf, changed, type Em, rows, sql } from '../database/sql.ts';
import { selectFrom } from '../database/statements.ts';
import { sweepOf } from '../database/sweep.ts';
import { MailReceiver } from './mail-receiver.entity.ts';

/** How long strangers cause a mailbox no mails once it has said so. */
export const SILENT_DAYS = 30;

/** The facts about a mailbox. */
export interface KnownReceiver {
  readonly hasAnswered: boolean;
  /** As the database writes times. Null: strangers may cause it mails. */
  readonly silentUntil: string | null;
  /** For so long; 0: they may. */
  readonly silentSeconds: number;
}

/** The key of a mailbox: hashed, however its address is written. */
export function receiverKey(address: string): string {
  return sha256Hex(JSON.stringify(['mailbox', foldedAddress(address)]));
}

/** Finds receivers by their keys; mailboxes that nothing was sent to have none. */
export async function findReceivers(em: Em, keys: readonly string[]): Promise<ReadonlyMap<string, KnownReceiver>> {
  const found = await rows(
    em,
    selectFrom(MailReceiver)
      .where('key', '=', anyOf(keys))
      .select('key')
      .select([
        sql<boolean>`answered_at is not null`.as('hasAnswered'),
        sql<string | null>`case when silent_until > now() then silent_until end`.as('silentUntil'),
        sql<number>`greatest(0, coalesce(ceil(extract(epoch from silent_until - now())), 0))::int`.as('silentSeconds'),
      ]),
  );
  return new Map(found.map(({ key, ...known }) => [key, known]));
}

/** From now on they are known to this service. */
export async function noteMailed(em: Em, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await changed(
    em,
    sql`insert into mail_receivers (key, mailed_at)
        select key, now() from unnest(${[...new Set(keys)]}::text[]) as new (key) order by key
        on conflict (key) do update set mailed_at = excluded.mailed_at`,
  );
}

/**
 * Notes that a reader of the mailbox has answered: by signing in, or by a button. `wantsMails`: whether strangers may
 * cause it some.
 */
export async function noteAnswer(em: Em, key: string, { wantsMails }: { readonly wantsMails: boolean }): Promise<void> {
  const until = wantsMails ? sql`null` : sql`now() + make_interval(days => ${SILENT_DAYS})`;
  await changed(
    em,
    sql`insert into mail_receivers as known (key, mailed_at, answered_at, silent_until) values (${key}, now(), now(), ${until})
        on conflict (key) do update set answered_at = now(), silent_until = excluded.silent_until`,
  );
}

/** Notes the answer of a user who signs in with an address that is known to be theirs. */
export async function noteSignIn(em: Em, address: string): Promise<void> {
  await noteAnswer(em, receiverKey(address), { wantsMails: true });
}

/** More of them would make an address that mail programs break. */
const MOST_ABOUT = 10;

/**
 * Where who reads a mail says that it was not them. Derived, so that nothing is stored that would let somebody else in: the
 * mail alone knows it. `about` has the ids of what the mail is about.
 */
export function answerPath(key: Uint8Array, address: string, about: readonly string[]): string {
  const receiver = receiverKey(address);
  return `/mails/${receiver}/${tokenFor(key, receiver)}/${about.slice(0, MOST_ABOUT).join('.')}`;
}

/** Whether a mail to the mailbox with this key has named it. */
export function isAnswerToken(key: Uint8Array, receiver: string, token: string): boolean {
  return equalsInConstantTime(token, tokenFor(key, receiver));
}

function tokenFor(key: Uint8Array, receiver: string): string {
  return macOf(key, 'mails', receiver).toString('base64url');
}

/** Finds the facts about the mailbox with this key. */
export async function findReceiver(em: Em, key: string): Promise<KnownReceiver> {
  const found = await findReceivers(em, [key]);
  return found.get(key) ?? { hasAnswered: false, silentUntil: null, silentSeconds: 0 };
}

/** Forgets mailboxes that nothing was sent to for a year. */
export const forgetReceivers = sweepOf(MailReceiver, 'mailedAt', sql`now() - interval '1 year'`);

/** Gmail says that it ignores dots, and that its two domains are one. */
const WITHOUT_DOTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * One spelling for the addresses that lead to one mailbox, for counting alone: never to send to, nor to tell accounts
 * apart. Lower case, without what follows a plus (RFC 5233), and at Gmail without dots. Where a provider delivers such
 * addresses to different people, these share a count.
 */
export function foldedAddress(address: string): string {
  const lower = address.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at <= 0) return lower;
  const [local, domain] = [lower.slice(0, at), lower.slice(at + 1)];
  const plus = local.indexOf('+');
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  return WITHOUT_DOTS.has(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`;
}
