import { databaseNow } from '../../database/database-clock.ts';
import type { Em } from '../../database/sql.ts';
import { type Actor, type DomainEventType, NOBODY } from '../../events/record-event.ts';
import { OwnerTurns } from '../../limits/owner-turns.ts';
import { Silence } from '../../limits/silence.ts';
import { type BookingEvent, bookingIdsOf } from '../../modules/bookings/booking.queries.ts';
import {
  type Followed,
  followMeeting,
  type MeetingSettings,
  offeredApps,
  type PlannedFollowing,
  planMeetings,
} from '../../modules/bookings/conferencing/follow-meeting.ts';
import {
  awaitLink,
  giveRooms,
  giveUpLink,
  type MeetingToFollow,
} from '../../modules/bookings/conferencing/meeting-link.ts';
import { type BrokenApp, brokenMails } from '../../modules/conferencing/app-health.ts';
import { APPS } from '../../modules/conferencing/conferencing-app.rules.ts';
import type { ResponsibleMailSettings } from '../../modules/levels/responsible-mails.ts';
import { waitOf } from '../../outbound/retry-after.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';
import { mailJob } from './mail.job.ts';
import { type Attempted, Persistence } from './until-done.ts';

export interface MeetingJobSettings extends MeetingSettings, ResponsibleMailSettings {
  /** How long other listeners wait for the links of an event, in milliseconds; 8,000 when left out. */
  readonly meetingTimeoutMs?: number;
}

/** The link is of use soon, so the first attempts follow quickly; then longer and longer, over a day. */
const WAITS_IN_SECONDS = [15, 30, 60, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];
const TIMEOUT_MS = 8_000;
/** One attempt behind that takes this long at most, within the claim of its meeting (hold-meeting.ts). */
const ATTEMPT_MS = 40_000;
/** Other listeners hear first that the link follows. */
const SOON_SECONDS = 5;
/** An owner whose meetings take long holds up a few of the places of each kind. */
const OF_AN_OWNER = { share: 4, waiting: 4, waitInMs: 2_000, awayInSeconds: 5 };
const OF_AN_OWNER_LATER = 3;
/** The events that meetings follow; all others only pass through here, to keep their order. */
const MOVING: ReadonlySet<DomainEventType> = new Set([
  'BOOKING_CREATED',
  'BOOKING_CONFIRMED',
  'BOOKING_REJECTED',
  'BOOKING_CANCELLED',
  'BOOKING_RESCHEDULED',
  'BOOKING_LOCATION_CHANGED',
  'BOOKING_REASSIGNED',
]);
/** After a call that had no answer, the owner's next events do not wait for one. */
const AWAY_MS = 30_000;

/**
 * Gives a booking that meets in a conferencing app its link, before anybody else is told what has happened to it: mails,
 * webhooks and calendars then have it, and hear of the events of a booking in their order. A provider that does not answer holds them up for
 * seconds only: the link is said to follow, is asked for again in the background, and told when it is there.
 */
export function meetingKinds(settings: MeetingJobSettings, others: readonly JobKind[]): readonly JobKind[] {
  const { rooms, conferencingAccounts, meetingTimeoutMs = TIMEOUT_MS } = settings;
  const turns = new OwnerTurns(OF_AN_OWNER);
  const later = new Persistence<MeetingToFollow>({
    queue: 'late-meetings',
    atOnce: 10,
    ofOwner: OF_AN_OWNER_LATER,
    waitsInSeconds: WAITS_IN_SECONDS,
    orderKeyOf: ({ icsId }) => icsId,
    ownerOf: ({ ownerId }) => ownerId,
    attempt: attemptLater,
    giveUp: giveUpLink,
  });
  const silence = new Silence(AWAY_MS);

  async function attemptLater(em: Em, asked: MeetingToFollow): Promise<Attempted> {
    const options = { signal: AbortSignal.timeout(ATTEMPT_MS), isToNotify: true };
    const attempted = await attemptedBy(em, await followMeeting(em, asked, settings, options));
    // Nobody is left to ask, once the app was disconnected.
    if (attempted.kind === 'DONE') await giveUpLink(em, asked);
    return attempted;
  }

  /** In a turn of the owner's. Where there is none, others are told that the links follow. @returns what is left to be done */
  async function inTurn(em: Em, planned: readonly PlannedFollowing[], by: Actor): Promise<NewJob[]> {
    const asking = planned.find(({ isWaiting }) => isWaiting);
    if (!asking || (await turns.take(asking.ownerId)) !== undefined)
      return atOnce(em, planned, by, AbortSignal.abort());
    try {
      return await atOnce(em, planned, by, AbortSignal.timeout(meetingTimeoutMs));
    } finally {
      turns.giveBack(asking.ownerId);
    }
  }

  /** Until the signal, which is when others have waited for long enough. @returns what is left to be done */
  async function atOnce(
    em: Em,
    planned: readonly PlannedFollowing[],
    by: Actor,
    signal: AbortSignal,
  ): Promise<NewJob[]> {
    const left: NewJob[] = [];
    let tried = 0;
    for (const { isWaiting, app, ...named } of planned) {
      const booking = { ...named, by };
      if (isWaiting && !signal.aborted && !silence.isLikelyFor(booking.ownerId)) {
        const followed = await followMeeting(em, booking, settings, { signal, isToNotify: false });
        tried += 1;
        if (followed.kind === 'FOLLOWS') continue;
        // A call that the timeout for all of them has ended says nothing of the provider, unless it was the only one.
        const isSilent = followed.kind === 'FAILED' && !followed.failure.isUndone;
        if (isSilent && (tried === 1 || !signal.aborted)) silence.note(booking.ownerId);
      }
      if (isWaiting) await awaitLink(em, booking, APPS[app]);
      left.push(later.job(booking, 0, isWaiting ? SOON_SECONDS : 0));
    }
    return left;
  }

  const first: JobKind = {
    queue: 'meetings',
    hears: [...new Set(others.flatMap(({ hears }) => hears))],
    goesFirst: true,
    atOnce: 16,
    // Later attempts deal with what a provider does wrong; the other kinds wait for these, which are for the database.
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const event = data as BookingEvent;
      const { ownerId, booking, type } = event;
      const ids = MOVING.has(type) ? await bookingIdsOf(em, event) : [];
      if (rooms && ids.length > 0) await giveRooms(em, ownerId, ids, rooms, offeredApps(settings));
      const planned = ids.length > 0 ? await planMeetings(em, ownerId, ids, conferencingAccounts.apps) : [];
      const left = await inTurn(em, planned, 'by' in event ? event.by : NOBODY);
      const listeners = others.filter(({ hears }) => hears.includes(type));
      return [...listeners.map(({ queue }) => ({ queue, data: event, orderKey: booking.thread })), ...left];
    },
  };
  const mails: JobKind = {
    queue: 'conferencing-mails',
    hears: ['CONFERENCING_APP_BROKEN'],
    atOnce: 1,
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const written = await brokenMails(em, data as BrokenApp, settings);
      return written.map(({ mail, admission }) => mailJob(mail, admission));
    },
  };
  return [first, later.kind, mails];
}

async function attemptedBy(em: Em, followed: Followed): Promise<Attempted> {
  if (followed.kind === 'FOLLOWS') return { kind: 'DONE' };
  if (followed.kind === 'BUSY') return { kind: 'BUSY' };
  const { failure, usefulForSeconds } = followed;
  const notBeforeSeconds = waitOf(failure.retryAfter, await databaseNow(em));
  return { kind: 'FAILED', notBeforeSeconds, usefulForSeconds };
}
