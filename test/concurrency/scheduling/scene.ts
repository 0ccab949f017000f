import { newId, publicId } from '../../../src/core/id.ts';
import { type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { newHosts, slotOn } from '../../modules/bookings/support/booked-hosts.ts';
import { answerPath } from '../../support/answer-links.ts';
import { formsOf } from '../../support/html-form.ts';
import { idOfUid, uuidOf } from '../../support/ids.ts';
import { send } from '../../support/raw-http.ts';
import type { Servers } from '../../support/servers.ts';
import { aSession } from '../../support/session.ts';
import { OWN_FORM, TestBrowser } from '../../support/test-browser.ts';
import type { Answer } from './at-the-same-moment.ts';

/** Somebody with a session, who works in UTC from Monday to Friday, 09:00 to 17:00. */
export interface Person {
  readonly id: string;
  readonly cookie: string;
}

export const NINE = slotOn(0, '09:00').toString();
export const TEN = slotOn(0, '10:00').toString();

/** The n-th half-hour of a week of working days, from Monday at nine. */
export function halfHour(n: number): string {
  const start = slotOn(Math.floor(n / 16), '09:00').add({ minutes: 30 * (n % 16) });
  return start.toString();
}

/** Running processes, what callers do there, and what a race needs beforehand. */
export class Scene {
  readonly em: Em;
  readonly #servers: Servers;
  #count = 0;

  constructor(servers: Servers) {
    this.#servers = servers;
    this.em = servers.database.em.fork();
  }

  /** A mutation over HTTP. @throws Error for whatever is neither done nor a user error */
  async change(
    n: number,
    name: string,
    input: object,
    selection = '',
    who?: Person,
    address?: string,
  ): Promise<Answer> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code message } } }`;
    const { status, text } = await send(this.#servers.url(n), {
      method: 'POST',
      path: '/graphql',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...(who && { cookie: who.cookie }),
        ...(address !== undefined && { 'x-forwarded-for': address }),
      },
      body: JSON.stringify({ query, variables: { input } }),
    });
    const { data, errors } = JSON.parse(text);
    if (status !== 200 || errors) throw new Error(`${name} was answered HTTP ${status}: ${text}`);
    const payload = data[name];
    return { code: payload.userErrors[0]?.code ?? 'done', payload };
  }

  /** The same, where it must be done. */
  async do(name: string, input: object, selection: string, who: Person): Promise<Answer['payload']> {
    const { code, payload } = await this.change(0, name, input, selection, who);
    if (code === 'done') return payload;
    throw new Error(`${name} was refused: ${JSON.stringify(payload.userErrors)}`);
  }

  async people(count: number): Promise<Person[]> {
    const ids = await newHosts(this.em, count);
    return Promise.all(ids.map((id) => this.#signedIn(id)));
  }

  async person(): Promise<Person> {
    const [one] = await this.people(1);
    if (!one) throw new Error('Nobody was made.');
    return one;
  }

  async administrator(): Promise<Person> {
    const found = await row(this.em, sql<{ id: string }>`select id from users where is_administrator`);
    return this.#signedIn(found?.id ?? '');
  }

  async #signedIn(userId: string): Promise<Person> {
    const { token } = await aSession(this.em.fork(), userId);
    return { id: publicId('user', userId), cookie: `gatehouse_session=${token}` };
  }

  /** Half an hour without notice; answers its id. */
  async eventType(owner: Person, settings: object = {}): Promise<string> {
    return (await this.do('eventTypeCreate', this.#newEventType(settings), 'eventTypeId', owner)).eventTypeId;
  }

  /** Makes an event type of a new team of theirs, in the hands of the first. */
  async teamEventType(
    members: readonly [Person, ...Person[]],
    settings: object,
  ): Promise<{ id: string; teamId: string }> {
    const [owner, ...others] = members;
    const { teamId } = await this.do('teamCreate', { slug: this.#slug(), name: 'Team' }, 'teamId', owner);
    await rows(
      this.em,
      sql`insert into team_memberships (id, team_id, user_id, role, accepted, created_at)
          select id, ${uuidOf(teamId)}::uuid, user_id, 'MEMBER', true, now()
          from unnest(${others.map(() => newId())}::uuid[], ${others.map(({ id }) => uuidOf(id))}::uuid[])
            as m(id, user_id)`,
    );
    const input = { ...this.#newEventType(settings), teamId };
    const { eventTypeId } = await this.do('teamEventTypeCreate', input, 'eventTypeId', owner);
    return { id: eventTypeId, teamId };
  }

  #newEventType(settings: object) {
    return {
      slug: this.#slug(),
      title: 'Talk',
      durationInMinutes: 30,
      minimumBookingNoticeInMinutes: 0,
      ...settings,
    };
  }

  #slug(): string {
    this.#count += 1;
    return `race-${this.#count}`;
  }

  book(n: number, eventTypeId: string, start: string, input: object = {}): Promise<Answer> {
    const attendee = { name: 'Grace', email: `grace-${n}@example.test`, timeZone: 'UTC' };
    return this.change(n, 'bookingCreate', { eventTypeId, start, attendee, ...input }, 'booking { uid status }');
  }

  /** A booking that is there before the race; answers its uid. */
  async booked(eventTypeId: string, start: string, input: object = {}): Promise<string> {
    const { code, payload } = await this.book(0, eventTypeId, start, input);
    if (code === 'done') return payload.booking.uid;
    throw new Error(`The booking before the race was refused: ${JSON.stringify(payload.userErrors)}`);
  }

  /** From a network of this number, where one is given. */
  reserve(n: number, eventTypeId: string, start: string, network?: number): Promise<Answer> {
    const address = network === undefined ? undefined : `10.1.${network}.1`;
    const input = { eventTypeId, start };
    return this.change(n, 'slotReservationCreate', input, 'reservation { uid start }', undefined, address);
  }

  move(n: number, uid: string, start: string): Promise<Answer> {
    return this.change(n, 'bookingReschedule', { uid, start }, 'booking { uid }');
  }

  cancel(n: number, uid: string): Promise<Answer> {
    return this.change(n, 'bookingCancel', { uid });
  }

  confirm(n: number, uid: string, host: Person): Promise<Answer> {
    return this.change(n, 'bookingConfirm', { bookingId: idOfUid(uid) }, '', host);
  }

  /** The button of the page that a mail leads a host to. Nobody is signed in; all presses are of one form. */
  async answerForm(uid: string, action: 'confirm' | 'decline'): Promise<(n: number) => Promise<Answer>> {
    const path = await answerPath(this.em, uid);
    const browser = new TestBrowser(this.#servers.url(0));
    const form = formsOf((await browser.request(path)).text).find((form) => form.action === `${path}/${action}`);
    const body = new URLSearchParams(form?.fields).toString();
    return async (n) => {
      const { status } = await browser.at(this.#servers.url(n)).request(`${path}/${action}`, OWN_FORM, body);
      return { code: status === 303 ? 'done' : String(status), payload: undefined };
    };
  }

  reassign(n: number, uid: string, { from, to }: { from: Person; to: Person }): Promise<Answer> {
    return this.change(n, 'bookingReassign', { bookingId: idOfUid(uid), toUserId: to.id }, '', from);
  }
}

/** Each rule in words, with the race that shows it. */
export type Races = Readonly<Record<string, (scene: Scene) => Promise<void>>>;
