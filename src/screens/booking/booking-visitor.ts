import type { Context, MiddlewareHandler } from 'hono';
import type { Em } from '../../database/sql.ts';
import type { Actor } from '../../events/record-event.ts';
import type { Verification } from '../../limits/guess-limit.ts';
import { Place } from '../../limits/large-work.ts';
import { networkOf } from '../../limits/network.ts';
import { WEEK_DAYS, type WeekDay } from '../../modules/accounts/account.rules.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import type { Uids } from '../../modules/bookings/booking-key.rules.ts';
import type { BookingForPage } from '../../modules/bookings/public/public-booking.queries.ts';
import { type AdmitSlots, bytesOfSlots } from '../../modules/bookings/slots/availability.ts';
import type { EventTypeRules } from '../../modules/event-types/settings/scheduling.rules.ts';
import type { Viewer } from '../kit/layout.ts';
import { preferredLanguage } from '../kit/page-locale.ts';
import { type AddressOf, asViewer, type Visitors } from '../kit/visitors.ts';
import { type Clock, PAGE_LOCALE } from '../kit/when.ts';
import { type PageInput, readPageInput } from './booking-address.ts';

export interface BookingPagesSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly publicUrl: string;
  readonly visitors: Visitors;
  readonly addressOf: AddressOf;
  /** Codes that show a booker's e-mail address to be theirs. */
  readonly verification: Verification;
  /** Derives the links by which bookers invite their guests, and hosts answer. */
  readonly linkKey: Uint8Array;
  readonly uids: Uids;
}

/** The variables of a request to these pages. */
export interface BookingEnv {
  readonly Variables: {
    session: FoundSession | undefined;
    /** The place in which it waits for others whose answers are large, too. */
    place: Place;
    /** Whether the address may be in a frame (`asEmbedded`). */
    isEmbedded?: boolean;
    /** The websites that may frame the answer. */
    embedOrigins?: readonly string[];
  };
}
export type BookingContext = Context<BookingEnv>;

/** Only some may know of these pages: no search engine is to keep them. */
export const UNLISTED = { 'X-Robots-Tag': 'noindex, nofollow' };

/**
 * Finds out who comes, and counts the request as the API would. A form that was typed under one account is carried out
 * under no other.
 */
export function admitVisitors({
  visitors,
  addressOf,
}: Pick<BookingPagesSettings, 'visitors' | 'addressOf'>): MiddlewareHandler<BookingEnv> {
  return async (c, next) => {
    const session = c.get('isEmbedded') ? undefined : await visitors.sessionOf(c.req.raw);
    c.set('session', session);
    if (session) visitors.bindForms(c.req.raw, session.userId, { isSignInOptional: true });
    const tooMany = await visitors.countRequest(c, session);
    if (tooMany) return tooMany;
    const place = new Place(
      session ? { kind: 'session', userId: session.userId } : { kind: 'anonymous', address: addressOf(c) },
    );
    c.set('place', place);
    try {
      await next();
    } finally {
      place.giveBack();
    }
    return undefined;
  };
}

/** The signed-in user, for the corner of a page. */
export function viewerIn(c: BookingContext): Viewer | undefined {
  const session = c.get('session');
  return session && asViewer(session);
}

/** The id of the signed-in user. */
export function callerOf(c: BookingContext): string | null {
  return c.get('session')?.userId ?? null;
}

/** The visitor as the actor, for limits on mails. */
export function actorOf(c: BookingContext, { addressOf }: BookingPagesSettings): Actor {
  return { userId: callerOf(c), network: networkOf(addressOf(c)) };
}

/** The visitor who looks at a page, and how they read times. */
export interface Reader {
  readonly viewer: Viewer | undefined;
  readonly callerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly clock: Clock;
  /** Waits until there is room for slots that the page shows. */
  readonly admit: AdmitSlots;
}

/** A requested zone goes first, then the user's own, then that of the host. */
export async function readerOf(
  em: Em,
  c: BookingContext,
  requested: string | undefined,
  { timeZone, weekStart }: Pick<EventTypeRules, 'timeZone' | 'weekStart'>,
): Promise<Reader> {
  const session = c.get('session');
  const user = session && (await findUser(em, session.userId));
  return {
    viewer: viewerIn(c),
    callerId: callerOf(c),
    name: user?.name ?? '',
    email: user?.email ?? '',
    admit: (price) => c.get('place').take(bytesOfSlots(price)),
    clock: {
      ...(user ? ownFormats(user) : formatsOf(preferredLanguage(c.req.header('accept-language')), weekStart)),
      timeZone: requested ?? user?.timeZone ?? timeZone,
    },
  };
}

type Formats = Omit<Clock, 'timeZone'>;

function ownFormats({ locale, timeFormat, weekStart }: Formats): Formats {
  return { locale, timeFormat, weekStart };
}

/** As a language has it; without one, as our pages are written. */
function formatsOf(locale: string | undefined, weekStart: WeekDay): Formats {
  if (locale === undefined) return { locale: PAGE_LOCALE, timeFormat: 24, weekStart };
  const { firstDay } = new Intl.Locale(locale).getWeekInfo();
  return { locale, timeFormat: null, weekStart: WEEK_DAYS[firstDay - 1] ?? weekStart };
}

/** The reader of an existing booking, whose booker has said in which zone they are. */
export async function readerOfBooking(
  em: Em,
  c: BookingContext,
  { confirmation, eventType }: BookingForPage,
): Promise<Reader & Pick<PageInput, 'unknownZone'>> {
  const { timeZone: requested, unknownZone } = readPageInput({ timeZone: c.req.query('timeZone') });
  const timeZone = confirmation.attendee?.timeZone ?? eventType?.rules.timeZone ?? 'UTC';
  const rules = { timeZone, weekStart: eventType?.rules.weekStart ?? 'MONDAY' };
  return { ...(await readerOf(em, c, requested, rules)), unknownZone };
}
