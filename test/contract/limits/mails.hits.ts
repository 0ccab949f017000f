/** Mails that strangers cause: here by asking for a code to book with. */
import { changed, row, sql } from '../../../src/database/sql.ts';
import { type Hits, oneByOne, type Visit } from './limit-hit.ts';

/** An event type of a demo user, which is booked with a code. */
async function eventTypeWithCodes({ app }: Visit, username: string): Promise<string> {
  const em = app.database.em.fork();
  const found = await row(
    em,
    sql<{ id: string }>`select e.id from event_types e join users u on u.id = e.user_id
      where u.username = ${username} and not e.hidden limit 1`,
  );
  const id = found?.id ?? '';
  await changed(em, sql`update event_types set requires_booker_email_verification = true where id = ${id}`);
  return id;
}

const ask = (visit: Visit, eventTypeId: string, email: string) =>
  visit.mutation('bookerEmailVerificationRequest', { eventTypeId, email });

export const hits: Hits = {
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
