import { type Em, rows, sql } from '../../../src/database/sql.ts';
import type { JobKind } from '../../../src/jobs/job-kind.ts';
import { jobKinds } from '../../../src/jobs/job-kinds.ts';
import { MailLimit } from '../../../src/limits/mail-limit.ts';
import { SmsLimit } from '../../../src/limits/sms-limit.ts';
import { createMailer } from '../../../src/mail/mailer.ts';
import type { ConferencingAccounts } from '../../../src/modules/conferencing/conferencing-accounts.ts';
import { isLetIn } from '../../../src/oauth/grants/authorized-apps.ts';
import type { SmsProvider } from '../../../src/sms/sms.ts';
import { newHosts } from '../../modules/bookings/support/booked-hosts.ts';
import { testCalendarAccounts } from '../../support/calendar-accounts.ts';
import { ROOMS_ALONE } from '../../support/conferencing-apps.ts';
import { TEST_FEEDS } from '../../support/feeds.ts';
import type { MailServer, ReceivedMail } from '../../support/mail-server.ts';
import { UIDS } from '../../support/uids.ts';
import { testDoor, WEBHOOKS_KEY } from './webhooks.ts';

export const PUBLIC_URL = 'https://gatehouse.example';
const FROM = 'Gatehouse <no-reply@gatehouse.example>';

const LINK_KEY = new Uint8Array(32);
const ROOMS = { baseUrl: 'https://meet.example/rooms', key: new Uint8Array(32) };
const NO_LIMIT = new MailLimit(undefined, console);
const NO_SMS_LIMIT = new SmsLimit(undefined, console);

interface TestSettings {
  readonly sendVerification?: (em: Em, userId: string) => Promise<void>;
  readonly calendarAccounts?: ReturnType<typeof testCalendarAccounts>;
  readonly smsProvider?: SmsProvider | undefined;
  readonly smsLimit?: SmsLimit;
  readonly conferencingAccounts?: ConferencingAccounts;
  readonly meetingTimeoutMs?: number;
}

/** Everything that the service does in the background, with a mail server of the test; nobody is limited unless said. */
export function kindsWith(
  mailServer: MailServer,
  mailLimit = NO_LIMIT,
  {
    calendarAccounts = testCalendarAccounts(),
    smsProvider,
    smsLimit = NO_SMS_LIMIT,
    sendVerification = async () => undefined,
    conferencingAccounts = ROOMS_ALONE.conferencingAccounts,
    ...others
  }: TestSettings = {},
): readonly JobKind[] {
  const log = { info: () => undefined, error: () => undefined };
  const mailer = createMailer({ smtpUrl: mailServer.url, from: FROM, publicUrl: PUBLIC_URL, folder: undefined, log });
  const webhooks = { ...TEST_FEEDS, outbound: testDoor(), webhooksKey: WEBHOOKS_KEY, isLetIn };
  return jobKinds({
    calendarAccounts,
    sms: { smsProvider, codeKey: LINK_KEY },
    smsLimit,
    sendVerification,
    mailer,
    mailLimit,
    linkKey: LINK_KEY,
    uids: UIDS,
    publicUrl: PUBLIC_URL,
    mailFrom: FROM,
    ...webhooks,
    rooms: ROOMS,
    conferencingAccounts,
    ...others,
    connections: ROOMS_ALONE.connections,
  });
}

/** Users with names, addresses and clocks of their own: `Ada`, `ada@acme.example`, in Berlin. */
export async function namedHosts(em: Em, ...names: readonly string[]): Promise<string[]> {
  const ids = await newHosts(em.fork(), names.length);
  for (const [index, id] of ids.entries()) {
    const name = names[index] ?? '';
    await rows(
      em.fork(),
      sql`update users set name = ${name}, email = ${`${name.toLowerCase()}.${id}@acme.example`},
            time_zone = 'Europe/Berlin', locale = 'en-GB' where id = ${id}`,
    );
  }
  return ids;
}

/** A mail by its receiver's first name: `ada.usr_1@acme.example` is `ada`. */
export function receiverOf({ mailbox }: ReceivedMail): string {
  return /^[^.@]+/.exec(mailbox)?.[0] ?? mailbox;
}

/** The mails that were sent, in words: `ada: New booking`. */
export function headings(mails: readonly ReceivedMail[]): string[] {
  return mails.map((mail) => `${receiverOf(mail)}: ${mail.email.subject?.split(':')[0]}`).toSorted();
}
