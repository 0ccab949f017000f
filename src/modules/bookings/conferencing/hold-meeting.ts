/** One meeting in one account: made or brought up to date, or taken out. */

import { newId } from '../../../core/id.ts';
import { sha256Hex } from '../../../core/secret.ts';
import { selectColumns } from '../../../database/columns.ts';
import { changed, type Em, fromNow, NOW, row, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../../database/statements.ts';
import { icsUid } from '../../calendars/ics-uid.rules.ts';
import type { AppAccount, ConferencingAccounts } from '../../conferencing/conferencing-accounts.ts';
import {
  type MadeMeeting,
  MeetingFailure,
  type MeetingProvider,
  type PlannedMeeting,
} from '../../conferencing/meeting-provider.ts';
import type { BookingRow } from '../booking.queries.ts';
import { timeOf } from '../booking-transitions.rules.ts';
import { BookingReference, ConferencingMeeting } from './conferencing.entity.ts';

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

/**
 * Which meeting: of a booking, in the account of an app. One process is at its row at a time, until it lets it go, or has had the time
 * to.
 */
interface MeetingKey {
  readonly ownerId: string;
  readonly icsId: string;
  readonly holderId: string;
  readonly appId: string;
}

/** A meeting that this process is at, as it was. */
interface ClaimedMeeting extends MeetingKey {
  readonly claim: string;
  readonly externalId: string | null;
  readonly url: string | null;
  readonly content: string | null;
  readonly askedAt: string | null;
}

const CLAIMED = selectColumns(
  ConferencingMeeting,
  ['ownerId', 'icsId', 'holderId', 'appId', 'claim', 'externalId', 'url', 'content', 'askedAt'],
  'm',
);

/** Longer than all calls for a meeting can take: after that, the process that began it has died. */
const CLAIM_SECONDS = 75;

/** Takes a meeting, of which there may be nothing yet; undefined: somebody else is at it, or the app is connected no more. */
export function claimMeeting(em: Em, key: MeetingKey): Promise<ClaimedMeeting | undefined> {
  const claim = newId();
  return row(
    em,
    sql<ClaimedMeeting>`
      insert into conferencing_meetings as m (owner_id, ics_id, holder_id, app_id, claim, claimed_until, created_at)
      select ${key.ownerId}::uuid, ${key.icsId}::uuid, a.owner_id, a.id, ${claim}::uuid, ${fromNow(CLAIM_SECONDS, 'secs')}, now()
      from conferencing_apps a where a.owner_id = ${key.holderId} and a.id = ${key.appId}
      for key share of a
      on conflict (owner_id, ics_id, app_id) do update set claim = excluded.claim, claimed_until = excluded.claimed_until
      where m.claimed_until is null or m.claimed_until < now()
      returning ${CLAIMED}`,
  );
}

/** Notes that the provider is about to be asked, before it is. @returns whether the meeting is still this process's */
async function noteAsked(em: Em, mine: ClaimedMeeting): Promise<boolean> {
  return (await changed(em, asClaimed(mine).set({ askedAt: NOW }))) > 0;
}

/** Keeps what the provider has made, and lets it go. @returns whether it was still this process's */
async function keepMeeting(
  em: Em,
  mine: ClaimedMeeting,
  { id: externalId, url }: MadeMeeting,
  content: string,
): Promise<boolean> {
  return (await changed(em, asClaimed(mine).set({ externalId, url, content, askedAt: null, ...LET_GO }))) > 0;
}

/** Lets it go. `isUnknown`: whether the provider may have made it nevertheless. */
async function letMeetingGo(em: Em, mine: ClaimedMeeting, isUnknown: boolean): Promise<void> {
  await changed(em, asClaimed(mine).set({ ...LET_GO, ...(!isUnknown && { askedAt: null }) }));
}

/** It is there no more. */
async function forgetMeeting(em: Em, { ownerId, icsId, appId, claim }: ClaimedMeeting): Promise<void> {
  await changed(em, deleteFrom(ConferencingMeeting, { ownerId, icsId, appId, claim }));
}

/** Whether this one is known to be the meeting: somebody else may have found it. */
async function isKnownMeeting(em: Em, { ownerId, icsId, appId }: MeetingKey, externalId: string): Promise<boolean> {
  const found = selectFrom(ConferencingMeeting, { ownerId, icsId, appId, externalId }).select('appId');
  return (await row(em, found)) !== undefined;
}

const LET_GO = { claim: null, claimedUntil: null } as const;

function asClaimed({ ownerId, icsId, appId, claim }: ClaimedMeeting) {
  return updateTable(ConferencingMeeting, { ownerId, icsId, appId, claim });
}
