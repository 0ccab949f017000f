/** How many slots somebody may keep, and for how long. */
import { changed, sql } from '../../../src/database/sql.ts';
import { APP, tokensFor } from '../../support/oauth-requests.ts';
import { TestBrowser } from '../../support/test-browser.ts';
import { type As, type Hits, type Outcome, oneByOne, type Visit } from './limit-hit.ts';

const HOST = 'dan@solo.test';
let made = 0;

interface Offered {
  readonly eventTypeId: string;
  /** The first time of each day, so that no day is kept by half. */
  readonly starts: readonly string[];
}

/** A new event type of dan's, of whose time nothing is kept any more. */
async function offered(visit: Visit): Promise<Offered> {
  made += 1;
  await changed(visit.app.database.em.fork(), sql`delete from occupied_times where expires_at is not null`);
  const input = { slug: `holds-${made}`, title: 'Holds', durationInMinutes: 30 };
  const { text } = await visit.mutation('eventTypeCreate', input, await visit.sessionOf(HOST), 'eventTypeId');
  const { eventTypeId } = JSON.parse(text).data.eventTypeCreate;
  const [from, to] = [2, 90].map((days) =>
    Temporal.Now.instant()
      .add({ hours: days * 24 })
      .toString(),
  );
  const slots = `{ slots(eventType: { id: "${eventTypeId}" }, start: "${from}", end: "${to}") { start } }`;
  const { data } = JSON.parse((await visit.graphql(slots)).text);
  const starts: string[] = data.slots.map(({ start }: { start: string }) => start);
  return { eventTypeId, starts: [...new Map(starts.map((start) => [start.slice(0, 10), start])).values()] };
}

/** Keeps the n-th of them. */
function keep(visit: Visit, { eventTypeId, starts }: Offered, n: number, as: As = {}): Promise<Outcome> {
  return visit.mutation('slotReservationCreate', { eventTypeId, start: starts[n] }, as, 'reservation { uid }');
}

const idIn = ({ text }: Outcome): string => /uir_[\w-]+/.exec(text)?.[0] ?? '';

export const hits: Hits = {
  holds: async (visit, limit) => {
    const offer = await offered(visit);
    return oneByOne(limit, (n) => keep(visit, offer, n));
  },
  'holds-app': async (visit, limit) => {
    const { access_token: token } = await tokensFor(await TestBrowser.signedIn(visit.app.url, 'ada@acme.test'), APP);
    const offer = await offered(visit);
    return oneByOne(limit, (n) => keep(visit, offer, n, { token }));
  },
  'holds-host': async (visit, limit) => {
    const [offer, host] = [await offered(visit), await visit.sessionOf(HOST)];
    return oneByOne(limit, (n) => keep(visit, offer, n, host));
  },
  'holds-of-host': async (visit, limit) => {
    const offers = [await offered(visit), await offered(visit), await offered(visit)];
    return oneByOne(limit, (n) => keep(visit, offers[n % 3] ?? { eventTypeId: '', starts: [] }, n));
  },
  'holds-in-time': async (visit, limit) => {
    const offer = await offered(visit);
    return oneByOne(limit, async (n) => {
      const kept = await keep(visit, offer, n);
      await visit.mutation('slotReservationDelete', { reservationUid: idIn(kept) });
      return kept;
    });
  },
  'holds-of-all': async (visit, limit) => {
    const offer = await offered(visit);
    return oneByOne(limit, (n) => keep(visit.elsewhere(n), offer, n));
  },
  'hold-time': async (visit, { amount }) => {
    const offer = await offered(visit);
    let reservationUid = idIn(await keep(visit, offer, 0));
    const renewedAfter = async (seconds: number): Promise<Outcome> => {
      const { em } = visit.app.database;
      const began = sql`now() - make_interval(secs => ${seconds}::int)`;
      await changed(em.fork(), sql`update slot_reservations set held_since = ${began} where expires_at > now()`);
      const renewed = await visit.mutation('slotReservationUpdate', { reservationUid }, {}, 'reservation { uid }');
      reservationUid = idIn(renewed);
      return renewed;
    };
    return { within: await renewedAfter(amount * 60 - 30), beyond: await renewedAfter(amount * 60) };
  },
};
