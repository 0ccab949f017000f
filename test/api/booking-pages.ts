import type { TestApi, TestCaller } from '../support/api.ts';

/** The input of a booker, for a slot. */
export interface BookingInput {
  readonly eventTypeId: string;
  readonly start: string;
  readonly attendee: { readonly name: string; readonly email: string; readonly timeZone: string };
}

/** A user with an event type of half an hour, in UTC. */
export interface BookingPage {
  readonly username: string;
  readonly host: TestCaller;
  readonly eventTypeId: string;
  /** Its slots in the two weeks from the day after tomorrow, so that notice and clock never matter. */
  slots(arguments_?: string): Promise<string[]>;
  /** The input that books a slot. */
  request(start: string, more?: Record<string, unknown>): BookingInput & Record<string, unknown>;
  /** Books a slot as nobody in particular, and answers the uid. */
  book(start: string, more?: Record<string, unknown>): Promise<string>;
}

const DAY_IN_MS = 86_400_000;
export const FROM = new Date(Math.floor(Date.now() / DAY_IN_MS + 2) * DAY_IN_MS).toISOString();
export const TO = new Date(Math.floor(Date.now() / DAY_IN_MS + 16) * DAY_IN_MS).toISOString();

let count = 0;

export async function openBookingPage(api: TestApi): Promise<BookingPage> {
  count += 1;
  const username = `host-${count}`;
  const host = await api.newUser(username);
  const input = { slug: 'talk', title: 'Talk', durationInMinutes: 30 };
  const { data } = await host.change('eventTypeCreate', input, 'eventTypeId');
  return bookingPage(api, { username, host, eventTypeId: data.eventTypeId });
}

function bookingPage(
  api: TestApi,
  { username, host, eventTypeId }: Pick<BookingPage, 'username' | 'host' | 'eventTypeId'>,
): BookingPage {
  const request: BookingPage['request'] = (start, more = {}) => ({
    eventTypeId,
    start,
    attendee: { name: 'Grace', email: 'grace@example.test', timeZone: 'Europe/Paris' },
    ...more,
  });
  return {
    username,
    host,
    eventTypeId,
    request,
    slots: async (arguments_ = '') => {
      const document = `query($id: ID!, $from: DateTime!, $to: DateTime!) {
        slots(eventType: { id: $id }, start: $from, end: $to ${arguments_}) { start } }`;
      const { data, codes } = await api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
      if (codes.length > 0) throw new Error(`No slots: ${codes.join(' ')}`);
      return data.slots.map(({ start }: { start: string }) => start);
    },
    book: async (start, more) => {
      const { data, mistakes } = await api.nobody.change('bookingCreate', request(start, more), 'booking { uid }');
      if (mistakes.length > 0) throw new Error(`Not booked: ${mistakes.join(' ')}`);
      return data.booking.uid;
    },
  };
}
