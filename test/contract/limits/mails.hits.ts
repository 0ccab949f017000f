/** Mails: codes and invitations, where one too many is refused, and those about bookings, which are made all the same and say what became of their mails. */
import { type OwnedId, publicId, publicOwnedId } from '../../../src/core/id.ts';
import { changed, row, sql } from '../../../src/database/sql.ts';
import { counterKey } from '../../../src/limits/counters.ts';
import { MAIL_LIMITS } from '../../../src/limits/mail-limit.ts';
import { networkOf } from '../../../src/limits/network.ts';
import { hourCounter, lineOf, type MailSender } from '../../../src/limits/news-limit.ts';
import { DEMO_PASSWORD } from '../../support/app.ts';
import { hostOf, type Offered } from '../../support/booking-visitor.ts';
import { jobsSettled } from '../../support/mails-settled.ts';
import { tokenMint } from '../../support/minted-tokens.ts';
import { APP } from '../../support/oauth-requests.ts';
import { type As, type Hits, type Outcome, oneByOne, type Reached, type Visit } from './limit-hit.ts';
import type { Limit } from './limit-table.ts';

/** An event type of a demo user, which is booked with a code. */
async function eventTypeWithCodes({ app }: Visit, username: string): Promise<string> {
  const em = app.database.em.fork();
  const found = await row(
    em,
    sql<OwnedId>`select e.owner_id as "ownerId", e.id from event_types e join users u on u.id = e.user_id
      where u.username = ${username} and not e.is_hidden order by e.id limit 1`,
  );
  if (!found) throw new Error(`${username} offers nothing.`);
  await changed(em, sql`update event_types set requires_booker_email_verification = true where id = ${found.id}`);
  return publicOwnedId('eventType', found);
}

const ask = (visit: Visit, eventTypeId: string, email: string) =>
  visit.mutation('bookerEmailVerificationRequest', { eventTypeId, email });

const BOB = 'bob@acme.test';
const CYD = 'cyd@acme.test';
const DAN = 'dan@solo.test';
const MANY_SEATS = { seats: { perSlot: 1_000, showsAttendees: false } };
const TOLD = 'booking { uid } mails { email status }';

const offered = async ({ app }: Visit, host: string): Promise<Offered> =>
  (await hostOf(app, host, host.split('@', 1)[0] ?? '')).offer(MANY_SEATS);

function book(visit: Visit, { eventTypeId, starts }: Offered, email: string, as: As = {}) {
  const attendee = { name: 'Eve', email, timeZone: 'UTC' };
  return visit.mutation('bookingCreate', { eventTypeId, start: starts[0], attendee }, as, TOLD);
}

/** The answer's word about the mail to the booker. */
function outcomeIn({ text }: Outcome): string | undefined {
  return /"status":"(\w+)"/.exec(text)?.[1];
}

/** So many mails about bookings are sent at once, and with one more something else happens; all bookings are made. */
async function mailed(
  { amount }: Pick<Limit, 'amount'>,
  instead: string,
  act: (index: number) => Promise<Outcome>,
): Promise<Reached> {
  let within = await act(0);
  for (let index = 1; index < amount; index += 1) within = await act(index);
  const beyond = await act(amount);
  const outcomes = [outcomeIn(within), outcomeIn(beyond)];
  if (outcomes.join() !== `SENT,${instead}`)
    throw new Error(`The mails within and beyond the limit: ${outcomes.join()}.`);
  return { within, beyond };
}

/** As if this had been counted before, in a window that is as long as there is any. */
async function countBefore({ app }: Visit, key: string, counted: number): Promise<void> {
  await changed(
    app.database.em.fork(),
    sql`insert into counters (key, counted, refused, ends_at) values (${key}, ${counted}, 0, now() + interval '1 hour')
        on conflict (key) do update set counted = excluded.counted`,
  );
}

/** Mails new receivers; all but one of them are counted before. */
async function reached(
  visit: Visit,
  { amount }: Limit,
  sender: MailSender,
  act: (index: number) => Promise<Outcome>,
): Promise<Reached> {
  await countBefore(visit, lineOf(sender), amount - 1);
  return mailed({ amount: 1 }, 'WAITING', act);
}

/** Invites people into a team of Ada's. */
async function inviting(visit: Visit): Promise<(email: string) => Promise<Outcome>> {
  const ada = await visit.sessionOf('ada@acme.test');
  const { text } = await visit.graphql('{ me { teams { nodes { id } } } }', {}, ada);
  const teamId = /tea_[\w-]+/.exec(text)?.[0];
  return (email) => visit.mutation('teamInvitationCreate', { teamId, email, role: 'MEMBER' }, ada);
}

async function idOf({ app }: Visit, email: string): Promise<string> {
  const found = await row(app.database.em.fork(), sql<{ id: string }>`select id from users where email = ${email}`);
  return found?.id ?? '';
}

async function refusedMails({ app }: Visit): Promise<number> {
  const found = await row(
    app.database.em.fork(),
    sql<{ refused: number }>`select coalesce(sum(refused), 0)::int as refused from counters`,
  );
  return found?.refused ?? -1;
}

export const hits: Hits = {
  'mails-of-group-to-receiver': async (visit, limit) => {
    const ada = await visit.sessionOf('ada@acme.test');
    const { text } = await visit.graphql('{ me { teams { nodes { id } } } }', {}, ada);
    const teamId = /tea_[\w-]+/.exec(text)?.[0];
    const invited = { teamId, email: 'often@example.test', role: 'MEMBER' };
    const first = await visit.mutation('teamInvitationCreate', invited, ada, 'invitationId');
    const invitationId = /inv_[\w-]+/.exec(first.text)?.[0];
    const again = { ...limit, amount: limit.amount - 1 };
    return oneByOne(again, () => visit.mutation('teamInvitationResend', { teamId, invitationId }, ada));
  },
  'mails-of-own-account': async (visit, limit) => {
    const admin = await visit.sessionOf('admin@gatehouse.test');
    const change = (times: number): Promise<Outcome> => {
      const passwords = [DEMO_PASSWORD, 'another one for a while'];
      const [currentPassword, newPassword] = times % 2 === 0 ? passwords : passwords.toReversed();
      return visit.mutation('passwordChange', { currentPassword, newPassword, endsOtherSessions: false }, admin);
    };
    const before = await refusedMails(visit);
    let within = await change(0);
    for (let times = 1; times < limit.amount; times += 1) within = await change(times);
    const sent = (await refusedMails(visit)) - before;
    const beyond = await change(limit.amount);
    const unsent = (await refusedMails(visit)) - before;
    // As it was, for other tests.
    await change(limit.amount + 1);
    if (sent !== 0 || unsent !== 1)
      throw new Error(`Within the limit ${sent} mails were not sent, beyond it ${unsent}.`);
    return { within, beyond };
  },
  'notices-in-summary': async (visit, { amount }) => {
    const email = 'admin@gatehouse.test';
    const admin = await visit.sessionOf(email);
    const em = visit.app.database.em.fork();
    await countBefore(visit, counterKey('mail', 'ownAccount', email, 'PASSWORD_CHANGED'), MAIL_LIMITS.ownAccount);
    // A user with another name gets another text.
    const change = async (username: string): Promise<Outcome> => {
      await changed(em, sql`update users set username = ${username} where email = ${email}`);
      const input = { currentPassword: DEMO_PASSWORD, newPassword: DEMO_PASSWORD, endsOtherSessions: false };
      return visit.mutation('passwordChange', input, admin);
    };
    await changed(em, sql`delete from held_notices`);
    await change('first-name');
    await changed(
      em,
      sql`insert into held_notices select (jsonb_populate_record(h, jsonb_build_object('digest', n))).*
          from held_notices h, generate_series(1, ${amount - 2}::int) as n`,
    );
    const inFull = async (): Promise<number | undefined> =>
      (await row(em, sql<{ count: number }>`select count(mail)::int as count from held_notices`))?.count;
    const [within, told] = [await change('second-name'), await inFull()];
    const [beyond, toldBeyond] = [await change('third-name'), await inFull()];
    await change('admin');
    await changed(em, sql`delete from held_notices`);
    if (told !== amount || toldBeyond !== amount)
      throw new Error(`Within the limit ${told} notices are told in full, beyond it ${toldBeyond}.`);
    return { within, beyond };
  },
  'mails-to-receiver': async (visit, limit) => {
    const offer = await offered(visit, BOB);
    return mailed(limit, 'IN_SUMMARY', (index) =>
      book(visit.elsewhere(3_000 + index), offer, `news+${index}@example.test`),
    );
  },
  'mails-to-receiver-in-a-day': async (visit, { amount }) => {
    const [offer, email] = [await offered(visit, BOB), 'all-day@example.test'];
    return mailed({ amount }, 'IN_SUMMARY', async (index) => {
      // In the first minute of another hour.
      await countBefore(visit, hourCounter(email), 0);
      return book(visit.elsewhere(2_000 + index), offer, email);
    });
  },
  'mails-of-accounts-to-receiver': async (visit, limit) => {
    const offer = await offered(visit, BOB);
    const sessions = [await visit.sessionOf(CYD), await visit.sessionOf('ada@acme.test')];
    return mailed(limit, 'IN_SUMMARY', (index) =>
      book(visit, offer, `known+${index}@example.test`, sessions[index % 2]),
    );
  },
  'mails-to-host': async (visit, { amount }) => {
    const offer = await offered(visit, DAN);
    const toHost = async (index: number): Promise<Outcome> => {
      const outcome = await book(visit, offer, `of-dan-${index}@example.test`);
      await jobsSettled(visit.app);
      const told = await row(
        visit.app.database.em.fork(),
        sql<{
          outcome: string;
        }>`select outcome from booking_mails where role = 'HOST' order by created_at desc limit 1`,
      );
      return { ...outcome, text: JSON.stringify({ status: told?.outcome }) };
    };
    return mailed({ amount }, 'SUMMARY', toHost);
  },
  'new-receivers-of-network': async (visit, limit) => {
    const offer = await offered(visit, BOB);
    const sender = { kind: 'network', network: networkOf(visit.address) } as const;
    return reached(visit, limit, sender, (index) => book(visit, offer, `of-network-${index}@example.test`));
  },
  'new-receivers-of-client': async (visit, limit) => {
    const offer = await offered(visit, BOB);
    const mint = await tokenMint(visit.app);
    const token = await mint(publicId('user', await idOf(visit, CYD)), ['BOOKING_WRITE']);
    const sender = { kind: 'client', clientId: APP.client_id } as const;
    return reached(visit, limit, sender, (index) => book(visit, offer, `of-client-${index}@example.test`, { token }));
  },
  'new-receivers-of-account': async (visit, limit) => {
    const [offer, as] = [await offered(visit, BOB), await visit.sessionOf(CYD)];
    const sender = { kind: 'account', userId: await idOf(visit, CYD) } as const;
    return reached(visit, limit, sender, (index) => book(visit, offer, `of-account-${index}@example.test`, as));
  },
  'mails-in-line': async (visit, { amount }) => {
    const offer = await offered(visit, BOB);
    const line = lineOf({ kind: 'network', network: networkOf(visit.address) });
    await countBefore(visit, line, MAIL_LIMITS.network);
    const first = await book(visit, offer, 'in-line@example.test');
    // All but the last one, as if others had been before.
    await changed(
      visit.app.database.em.fork(),
      sql`insert into booking_mails (owner_id, booking_id, act, mailbox, role, lane, line, outcome, due_at, created_at)
          select owner_id, booking_id, gen_random_uuid(), mailbox, role, lane, line, outcome, due_at, created_at
          from booking_mails, generate_series(1, ${amount - 2}::int) where line = ${line} and outcome = 'WAITING'`,
    );
    const within = await book(visit, offer, 'last-in-line@example.test');
    const beyond = await book(visit, offer, 'not-in-line@example.test');
    const outcomes = [first, within, beyond].map(outcomeIn);
    await changed(
      visit.app.database.em.fork(),
      sql`delete from booking_mails where line = ${line} and outcome = 'WAITING'`,
    );
    if (outcomes.join() !== 'WAITING,WAITING,NOT_SENT') throw new Error(`The mails in the line: ${outcomes.join()}.`);
    return { within, beyond };
  },
  'mails-of-account': async (visit, { amount }) => {
    await countBefore(visit, counterKey('mail', 'account', await idOf(visit, 'ada@acme.test')), amount - 1);
    const invite = await inviting(visit);
    const within = await invite('of-account-1@example.test');
    return { within, beyond: await invite('of-account-2@example.test') };
  },
  'mails-of-account-to-receiver': async (visit, { amount }) => {
    const [userId, email] = [await idOf(visit, 'ada@acme.test'), 'again@example.test'];
    await countBefore(visit, counterKey('mail', 'account', userId), 0);
    await countBefore(visit, counterKey('mail', 'accountReceiver', userId, email), amount - 1);
    const invite = await inviting(visit);
    const within = await invite('Again+1@example.test');
    return { within, beyond: await invite('again+2@example.test') };
  },
  'codes-to-receiver': async (visit, limit) => {
    const eventTypeId = await eventTypeWithCodes(visit, 'ada');
    return oneByOne(limit, (index) => ask(visit.elsewhere(index), eventTypeId, `eve+${index}@example.test`));
  },
  'codes-from-network': async (visit, { amount }) => {
    const eventTypeId = await eventTypeWithCodes(visit, 'ada');
    await countBefore(visit, counterKey('mail', 'accessNetwork', networkOf(visit.address)), amount - 1);
    const within = await ask(visit, eventTypeId, 'one-of-many@example.test');
    return { within, beyond: await ask(visit, eventTypeId, 'another@example.test') };
  },
  'codes-in-a-name': async (visit, limit) => {
    const eventTypeId = await eventTypeWithCodes(visit, 'dan');
    return oneByOne(limit, (index) => ask(visit.elsewhere(1_000 + index), eventTypeId, `of-dan-${index}@example.test`));
  },
};
