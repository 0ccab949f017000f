/** One meeting in one account: made or brought up to date, or taken out. */
import { sha256Hex } from '../../../core/secret.ts';
import { changed, type Em } from '../../../database/sql.ts';
import { deleteFrom } from '../../../database/statements.ts';
import { icsUid } from '../../calendars/ics-uid.rules.ts';
import type { AppAccount, ConferencingAccounts } from '../../conferencing/conferencing-accounts.ts';
import {
  type MadeMeeting,
  MeetingFailure,
  type MeetingProvider,
  type PlannedMeeting,
} from '../../conferencing/meeting-provider.ts';
import type { BookingRow } from '../booking.queries.ts';
import { timeOf } from '../locked-booking.ts';
import { BookingReference } from './booking-reference.entity.ts';
import {
  type ClaimedMeeting,
  claimMeeting,
  forgetMeeting,
  isKnownMeeting,
  keepMeeting,
  letMeetingGo,
  type MeetingKey,
  noteAsked,
} from './meeting-claim.ts';

/** An app with a connected account, and the storage of its meetings. */
export interface MeetingAccount extends AppAccount, MeetingKey {}

/** Somebody else is at it, or it has changed meanwhile: to be looked at again. */
export class MeetingBusy extends Error {
  override readonly name = 'MeetingBusy';
}

/**
 * Has the account hold the meeting of a booking, as the booking is now. A provider makes another meeting each time that it is
 * asked, so what is about to be asked is noted first, and what may have been made is looked for by its mark.
 * @throws MeetingFailure, MeetingBusy
 */
export async function holdMeeting(
  em: Em,
  account: MeetingAccount,
  booking: BookingRow,
  accounts: ConferencingAccounts,
  signal?: AbortSignal,
): Promise<MadeMeeting> {
  const planned = plannedOf(booking);
  const content = sha256Hex(JSON.stringify(planned));
  const mine = await claim(em, account);
  const state = { isUnknown: mine.askedAt !== null };
  try {
    if (mine.externalId !== null && mine.url !== null && mine.content === content) {
      await letMeetingGo(em, mine, false);
      return { id: mine.externalId, url: mine.url };
    }
    return await accounts.use(em, account, async (provider, token) => {
      const known = await knownMeeting(mine, provider, token, state, signal);
      if (known && (await provider.update(token, known.id, planned))) return keep(em, mine, known, content);
      if (!(await noteAsked(em, mine))) throw new MeetingBusy();
      state.isUnknown = true;
      const made = await provider.create(token, planned, signal);
      const isKept = await keepMeeting(em, mine, made, content);
      if (isKept || (await isKnownMeeting(em, mine, made.id))) return made;
      // It took too long, and somebody else has made one; or the app was disconnected, and nobody would take it out again.
      await provider.remove(token, made.id);
      throw new MeetingBusy();
    });
  } catch (error) {
    if (error instanceof MeetingFailure && error.isUndone && mine.askedAt === null) state.isUnknown = false;
    await letMeetingGo(em, mine, state.isUnknown);
    throw error;
  }
}

/** Takes it out of the account, as far as there is one. @throws MeetingFailure, MeetingBusy */
export async function dropMeeting(
  em: Em,
  account: MeetingAccount,
  bookingIds: readonly string[],
  accounts: ConferencingAccounts,
): Promise<void> {
  const mine = await claim(em, account);
  const state = { isUnknown: mine.askedAt !== null };
  try {
    if (mine.externalId !== null || state.isUnknown) {
      await accounts.use(em, account, async (provider, token) => {
        const known = await knownMeeting(mine, provider, token, state);
        if (known) await provider.remove(token, known.id);
      });
    }
    const { ownerId, externalId: id } = mine;
    for (const bookingId of id === null ? [] : bookingIds)
      await changed(em, deleteFrom(BookingReference, { ownerId, bookingId, id: id ?? '' }));
    await forgetMeeting(em, mine);
  } catch (error) {
    await letMeetingGo(em, mine, state.isUnknown);
    throw error;
  }
}

async function claim(em: Em, account: MeetingAccount): Promise<ClaimedMeeting> {
  const mine = await claimMeeting(em, account);
  if (!mine) throw new MeetingBusy();
  return mine;
}

/**
 * Finds the meeting of an earlier attempt. One whose answer was lost is looked for first: it was asked for when the
 * meeting that is known was not there any more.
 */
async function knownMeeting(
  { icsId, externalId, url }: ClaimedMeeting,
  provider: MeetingProvider,
  token: string,
  { isUnknown }: { readonly isUnknown: boolean },
  signal?: AbortSignal,
): Promise<MadeMeeting | undefined> {
  const known = externalId !== null && url !== null ? { id: externalId, url } : undefined;
  return (isUnknown ? await provider.find(token, markOf(icsId), signal) : undefined) ?? known;
}

async function keep(em: Em, mine: ClaimedMeeting, meeting: MadeMeeting, content: string): Promise<MadeMeeting> {
  if (await keepMeeting(em, mine, meeting, content)) return meeting;
  throw new MeetingBusy();
}

/** In accounts, meetings are told apart by what calendars know bookings by, too. */
function markOf(icsId: string): string {
  return `Booking ${icsUid(icsId)}`;
}

function plannedOf(booking: BookingRow): PlannedMeeting {
  const { icsId, title, description } = booking;
  return { mark: markOf(icsId), title, description, ...timeOf(booking) };
}
