/** Mails: those of strangers by asking for a code to book with, where the answer tells, and by bookings, which are made all the same. */
import { type OwnedId, publicOwnedId } from '../../../src/core/id.ts';
import { changed, row, sql } from '../../../src/database/sql.ts';
import { DEMO_PASSWORD } from '../../support/app.ts';
import { hostOf, type Offered } from '../../support/booking-visitor.ts';
import { uuidOf } from '../../support/ids.ts';
import { jobsSettled } from '../../support/mails-settled.ts';
import { type As, type Hits, type Outcome, oneByOne, type Reached, type Visit } from './limit-hit.ts';
import type { Limit } from './limit-table.ts';

/** An event type of a demo user, which is booked with a code. */
async function eventTypeWithCodes({ app }: Visit, username: string): Promise<string> {
  const em = app.database.em.fork();
  const found = await row(
    em,
    sql<OwnedId>`select e.owner_id as "ownerId", e.id from event_types e join users u on u.id = e.user_id
      where u.username = ${username} and not e.hidden order by e.id limit 1`,
  );
  if (!found) throw new Error(`${username} offers nothing.`);
  await changed(em, sql`update event_types set requires_booker_email_verification = true where id = ${found.id}`);
  return publicOwnedId('eventType', found);
}

const ask = (visit: Visit, eventTypeId: string, email: string) =>
  visit.mutation('bookerEmailVerificationRequest', { eventTypeId, email });

/** Each has time for so many bookings; a host who is the attendee as well gets one mail for both. */
const BOB = 'bob@acme.test';
const CYD = 'cyd@acme.test';
const DAN = 'dan@solo.test';
const UID = 'booking { uid }';

const offered = async ({ app }: Visit, host: string): Promise<Offered> =>
  (await hostOf(app, host, host.split('@', 1)[0] ?? '')).offer();

interface Booking {
  readonly start: number;
  readonly email: string;
  readonly guests?: readonly string[];
}

function book(visit: Visit, { eventTypeId, starts }: Offered, { start, email, guests = [] }: Booking, as: As = {}) {
  const attendee = { name: 'Eve', email, timeZone: 'UTC' };
  return visit.mutation('bookingCreate', { eventTypeId, start: starts[start], attendee, guests }, as, UID);
}

/** How many mails about a booking were not sent, once all are told. */
async function unsentOf({ app }: Visit, { text }: Outcome): Promise<number> {
  await jobsSettled(app);
  const uid = /"uid":"([\w-]+)"/.exec(text)?.[1] ?? '';
  const found = await row(
    app.database.em.fork(),
    sql<{ unsent: number }>`select unsent_mails as unsent from bookings where id = ${uuidOf(uid)}`,
  );
  return found?.unsent ?? -1;
}

/** So many mails are sent, each of something that is done, and not one more, though that is done as well. */
async function mailed(
  visit: Visit,
  limit: Limit,
  act: (index: number, before?: Outcome) => Promise<Outcome>,
): Promise<Reached> {
  let within = await act(0);
  for (let index = 1; index < limit.amount; index += 1) within = await act(index, within);
  const sent = await unsentOf(visit, within);
  const beyond = await act(limit.amount, within);
  const unsent = await unsentOf(visit, beyond);
  if (sent !== 0 || unsent !== 1) throw new Error(`Within the limit ${sent} mails were not sent, beyond it ${unsent}.`);
  return { within, beyond };
}

async function refusedMails({ app }: Visit): Promise<number> {
  const found = await row(
    app.database.em.fork(),
    sql<{ refused: number }>`select coalesce(sum(refused), 0)::int as refused from counters`,
  );
  return found?.refused ?? -1;
}

export const hits: Hits = {
  'mails-of-accounts-to-receiver': async (visit, limit) => {
    // By its place a booking is mailed again and again, to who booked and to its host.
    const bookings = await Promise.all(
      [BOB, 'ada@acme.test'].map(async (host, index) => {
        const [as, offer] = [await visit.sessionOf(host), await offered(visit, host)];
        const stranger = visit.elsewhere(4_000 + index);
        const { text } = await book(stranger, offer, { start: 0, email: 'known@example.test' });
        return { as, uid: /"uid":"([\w-]+)"/.exec(text)?.[1] };
      }),
    );
    await jobsSettled(visit.app);
    return mailed(visit, limit, (index) => {
      const { as, uid } = bookings[index % bookings.length] ?? {};
      const location = { type: 'ADDRESS', value: `Street ${index}` };
      return visit.mutation('bookingLocationUpdate', { uid, location }, as, UID);
    });
  },
  'mails-of-group-to-receiver': async (visit, limit) => {
    const ada = await visit.sessionOf('ada@acme.test');
    const { text } = await visit.graphql('{ me { teams { nodes { id } } } }', {}, ada);
    const teamId = /tea_[\w-]+/.exec(text)?.[0];
    const invited = { teamId, email: 'often@example.test', role: 'MEMBER' };
    const first = await visit.mutation('teamInvite', invited, ada, 'invitationId');
    const invitationId = /inv_[\w-]+/.exec(first.text)?.[0];
    const again = { ...limit, amount: limit.amount - 1 };
    return oneByOne(again, () => visit.mutation('teamInvitationResend', { teamId, invitationId }, ada));
  },
  'mails-of-own-account': async (visit, limit) => {
    const admin = await visit.sessionOf('admin@gatehouse.test');
    const change = (times: number): Promise<Outcome> => {
      const passwords = [DEMO_PASSWORD, 'another one for a while'];
      const [currentPassword, newPassword] = times % 2 === 0 ? passwords : passwords.toReversed();
      return visit.mutation('passwordChange', { currentPassword, newPassword, endOtherSessions: false }, admin);
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
  'mails-about-booking': async (visit, limit) => {
    const offer = await offered(visit, BOB);
    return mailed(visit, limit, async (index, before) => {
      // Each network has its own count with the host.
      const stranger = visit.elsewhere(2_000 + index);
      if (!before) return book(stranger, offer, { start: 0, email: BOB });
      const uid = /"uid":"([\w-]+)"/.exec(before.text)?.[1];
      return stranger.mutation('bookingReschedule', { uid, start: offer.starts[index % 2] }, {}, UID);
    });
  },
  'news-to-receiver': async (visit, limit) => {
    const offer = await offered(visit, BOB);
    return mailed(visit, limit, (index) =>
      book(visit.elsewhere(3_000 + index), offer, { start: index, email: 'news@example.test' }),
    );
  },
  'mails-of-account': async (visit, limit) => {
    const [offer, cyd] = [await offered(visit, DAN), await visit.sessionOf(CYD)];
    // Each is mailed to its attendee and its host beside the guests.
    const sizes = Array.from({ length: Math.ceil(limit.amount / 12) }, (_, index) =>
      Math.min(12, limit.amount - 12 * index),
    );
    let within: Outcome | undefined;
    for (const [start, size] of sizes.entries()) {
      const guests = Array.from({ length: size - 2 }, (_, index) => `guest-${start}-${index}@example.test`);
      within = await book(visit, offer, { start, email: `attendee-${start}@example.test`, guests }, cyd);
    }
    if (!within) throw new Error('There is nothing within the limit.');
    // Mails are counted when they are sent, so the next booking waits until these are.
    const sent = await unsentOf(visit, within);
    const beyond = await book(visit, offer, { start: sizes.length, email: DAN }, cyd);
    const unsent = [sent, await unsentOf(visit, beyond)];
    if (unsent.join() !== '0,1') throw new Error(`Not sent within and beyond the limit: ${unsent.join()}.`);
    return { within, beyond };
  },
  'mails-of-account-to-receiver': async (visit, limit) => {
    const [offer, ada] = [await offered(visit, CYD), await visit.sessionOf('ada@acme.test')];
    return mailed(visit, limit, (index) => book(visit, offer, { start: index, email: CYD }, ada));
  },
  'mails-to-receiver': async (visit, limit) => {
    const eventTypeId = await eventTypeWithCodes(visit, 'ada');
    return oneByOne(limit, (index) => ask(visit.elsewhere(index), eventTypeId, `eve+${index}@example.test`));
  },
  'mails-from-network': async (visit, limit) => {
    const eventTypeId = await eventTypeWithCodes(visit, 'ada');
    return oneByOne(limit, (index) => ask(visit, eventTypeId, `one-of-many-${index}@example.test`));
  },
  'mails-for-owner': async (visit, limit) => {
    const eventTypeId = await eventTypeWithCodes(visit, 'dan');
    return oneByOne(limit, (index) => ask(visit.elsewhere(1_000 + index), eventTypeId, `of-dan-${index}@example.test`));
  },
};
