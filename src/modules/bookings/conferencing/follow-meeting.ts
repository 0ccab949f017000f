import { selectColumns } from '../../../database/columns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { type Em, row, rows, sql } from '../../../database/sql.ts';
import type { Actor } from '../../../events/record-event.ts';
import { noteBroken, noteWorking } from '../../conferencing/app-health.ts';
import type { ConferencingAccounts } from '../../conferencing/conferencing-accounts.ts';
import { ConferencingApp } from '../../conferencing/conferencing-app.entity.ts';
import {
  type AppSlug,
  isOAuthApp,
  OAUTH_APPS,
  type OAuthApp,
  type Rooms,
  roomOf,
} from '../../conferencing/conferencing-app.rules.ts';
import { MeetingFailure } from '../../conferencing/meeting-provider.ts';
import { Booking } from '../booking.entity.ts';
import { type BookingRow, findAsItIsNow } from '../booking.queries.ts';
import { isOver, timeOf } from '../booking-transitions.rules.ts';
import { dropMeeting, holdMeeting, type MeetingAccount, MeetingBusy } from './hold-meeting.ts';
import { chosenApp, type MeetingToFollow, setLink } from './meeting-link.ts';

/** The apps in which bookings meet here. */
export interface MeetingSettings {
  /** The service's own video links; undefined: it has none. */
  readonly rooms: Rooms | undefined;
  readonly conferencingAccounts: ConferencingAccounts;
}

interface FollowOptions {
  /** Ends calls before their time. */
  readonly signal: AbortSignal;
  /** Whether others have heard of the booking, and are to be told of a link that comes now. */
  readonly isToNotify: boolean;
}

/** BUSY: to be looked at again. FAILED: `account` is that of the app which did it, and the link is of use for so many seconds. */
export type Followed =
  | { readonly kind: 'FOLLOWS' }
  | { readonly kind: 'BUSY' }
  | {
      readonly kind: 'FAILED';
      readonly failure: MeetingFailure;
      readonly account: MeetingAccount;
      readonly usefulForSeconds: number;
    };

/** An app, as far as it is connected for a booking or has a meeting of it. */
interface CandidateApp<App extends AppSlug = AppSlug> {
  readonly ownerId: string;
  readonly id: string;
  readonly app: App;
  readonly connectionId: string | null;
  /** The link of its meeting. */
  readonly url: string | null;
  /** Whether its owner was told that it is broken. */
  readonly isNotified: boolean;
}

const APP_COLUMNS = selectColumns(ConferencingApp, ['ownerId', 'id', 'app', 'connectionId'], 'a');

type AppWithAccount = CandidateApp<OAuthApp>;

function hasAccount(candidate: CandidateApp): candidate is AppWithAccount {
  return isOAuthApp(candidate.app);
}

/** The slugs of all apps that can be used here. */
export function offeredApps({ rooms, conferencingAccounts }: MeetingSettings): readonly AppSlug[] {
  return [...(rooms ? (['video'] as const) : []), ...conferencingAccounts.apps];
}

/**
 * Makes the accounts of conferencing apps follow a booking: as it is now, whatever has happened to it since this was asked for. What is
 * accepted has one meeting, in the account that its link leads to or the chosen one, and its link is there before another
 * meeting goes; what is off has none; what waits to be confirmed stays as it is. Done twice, the second changes nothing.
 */
export async function followMeeting(
  em: Em,
  asked: MeetingToFollow,
  settings: MeetingSettings,
  options: FollowOptions,
): Promise<Followed> {
  // The meetings first: a link that is given meanwhile is then newer than they are, and never taken for one from elsewhere.
  const held = await findHeld(em, asked);
  const booking = await findAsItIsNow(em, asked);
  if (booking?.status === 'PENDING') return { kind: 'FOLLOWS' };
  const wanted = booking && (await findWanted(em, booking, held, settings));
  const bookingIds = [...new Set([asked.id, booking?.id ?? asked.id])];
  let current = wanted;
  try {
    if (booking && wanted) await link(em, { booking, wanted, by: asked.by }, settings, options);
    if (wanted?.isNotified && hasAccount(wanted)) await noteWorking(em, accountOf(asked, wanted));
    for (const other of held.filter(({ id }) => id !== wanted?.id)) {
      current = other;
      await dropMeeting(em, accountOf(asked, other), bookingIds, settings.conferencingAccounts);
    }
    return { kind: 'FOLLOWS' };
  } catch (error) {
    if (error instanceof MeetingBusy) return { kind: 'BUSY' };
    if (!(error instanceof MeetingFailure) || !current || !hasAccount(current)) throw error;
    const account = accountOf(asked, current);
    if (error.kind === 'REFUSED') await noteBroken(em, account);
    const usefulForSeconds = booking && current === wanted ? await secondsLeft(em, booking) : Number.POSITIVE_INFINITY;
    return { kind: 'FAILED', failure: error, account, usefulForSeconds };
  }
}

/** An hour before it begins, those who come should know that there is no link. */
const SPARE_SECONDS = 3_600;

async function secondsLeft(em: Em, booking: BookingRow): Promise<number> {
  return (timeOf(booking).start - (await databaseNow(em))) / 1_000 - SPARE_SECONDS;
}

interface Wanted {
  readonly booking: BookingRow;
  readonly wanted: CandidateApp;
  readonly by: Actor;
}

/** @throws MeetingBusy if the booking has changed meanwhile */
async function link(
  em: Em,
  { booking, wanted, by }: Wanted,
  { rooms, conferencingAccounts }: MeetingSettings,
  { signal, isToNotify }: FollowOptions,
): Promise<void> {
  const { app } = wanted;
  const meeting = hasAccount(wanted)
    ? await holdMeeting(em, accountOf(booking, wanted), booking, conferencingAccounts, signal)
    : rooms && roomOf(rooms, booking.icsId);
  const url = booking.location?.url;
  if (!meeting || url === meeting.url) return;
  const replaces = url === undefined ? [] : [url];
  if (!(await setLink(em, booking, { app, ...meeting }, { replaces, ...(isToNotify && { notifyBy: by }) })))
    throw new MeetingBusy();
}

/** Undefined: it is not to have a meeting, or has its link from elsewhere. */
async function findWanted(
  em: Em,
  booking: BookingRow,
  held: readonly AppWithAccount[],
  settings: MeetingSettings,
): Promise<CandidateApp | undefined> {
  const { ownerId, id, hostIds, location, status } = booking;
  if (status !== 'ACCEPTED' || location?.type !== 'CONFERENCING') return undefined;
  const linked = location.url === undefined ? undefined : await findLinked(em, booking, location.url, held);
  if (isOver(booking, await databaseNow(em)) || (location.url !== undefined && !linked)) return linked;
  const isTheirs = linked && [ownerId, hostIds[0]].includes(linked.ownerId);
  if (isTheirs) return linked;
  const columns = sql`${APP_COLUMNS}, null as url, a.notified_at is not null as "isNotified"`;
  const chosen = await row(
    em,
    sql<CandidateApp>`select app.* from bookings b cross join lateral (${chosenApp(offeredApps(settings), columns)}) as app
      where b.owner_id = ${ownerId} and b.id = ${id}`,
  );
  // The only one there may belong to a host who has handed the booking over to one without an app: that is better than
  // none.
  return chosen ?? linked;
}

/**
 * The account whose meeting the link leads to; or whose meeting has taken the place of that one, by a process that died before
 * it could set the new link. Undefined: the link is from elsewhere.
 */
async function findLinked(
  em: Em,
  { ownerId, id }: BookingRow,
  link: string,
  held: readonly AppWithAccount[],
): Promise<AppWithAccount | undefined> {
  const linked = held.find(({ url }) => url === link);
  const remade = held.find(({ url }) => url !== null);
  if (linked || !remade) return linked;
  // A booking that has changed meanwhile is no proof: its link will not be set, and it is looked at again.
  const elsewhere = await row(
    em,
    sql`select 1 from bookings b
        where b.owner_id = ${ownerId} and b.id = ${id} and b.status = 'ACCEPTED' and b.location->>'url' = ${link}
          and not exists (select from booking_references r where r.owner_id = b.owner_id and r.booking_id = b.id
            and r.url = ${link} and r.app = any(${OAUTH_APPS}::text[]))`,
  );
  return elsewhere ? undefined : remade;
}

/** The accounts that have a meeting of it, or may have. */
function findHeld(em: Em, { ownerId, icsId }: MeetingToFollow): Promise<AppWithAccount[]> {
  return rows(
    em,
    sql<AppWithAccount>`
      select ${APP_COLUMNS}, m.url, a.notified_at is not null as "isNotified"
      from conferencing_meetings m join conferencing_apps a on a.owner_id = m.holder_id and a.id = m.app_id
      where m.owner_id = ${ownerId} and m.ics_id = ${icsId}`,
  );
}

function accountOf(
  { ownerId, icsId }: Pick<MeetingToFollow, 'ownerId' | 'icsId'>,
  candidate: AppWithAccount,
): MeetingAccount {
  const { ownerId: holderId, id: appId, app, connectionId } = candidate;
  const connection = { ownerId: holderId, id: connectionId ?? appId };
  return { ownerId, icsId, holderId, appId, app, connection };
}

export interface PlannedFollowing extends Omit<MeetingToFollow, 'by'> {
  /** Whether a link is to come of it, for which others wait. */
  readonly isWaiting: boolean;
  /** The app that makes the meeting. */
  readonly app: OAuthApp;
}

/**
 * Chooses from these bookings those whose meetings in accounts have to follow: they have one, or may get one. `apps`:
 * those with accounts.
 */
export async function planMeetings(
  em: Em,
  ownerId: string,
  bookingIds: readonly string[],
  apps: readonly OAuthApp[],
): Promise<PlannedFollowing[]> {
  if (apps.length === 0) return [];
  const owners = sql`b.owner_id, coalesce(b.host_ids[1], b.owner_id)`;
  return rows(
    em,
    sql<PlannedFollowing>`
      select ${selectColumns(Booking, ['ownerId', 'id', 'icsId'], 'b')}, (need.link or need.other_link) as "isWaiting",
        coalesce((${chosenApp(apps, sql`a.app`)}), ${apps[0]}::text) as app
      from bookings b
      cross join lateral (
        select meets and b.location->>'url' is null as link, meets and exists (
            select 1 from conferencing_meetings m where m.owner_id = b.owner_id and m.ics_id = b.ics_id
              and m.url = b.location->>'url' and m.holder_id not in (${owners})) as other_link
        from (select b.status = 'ACCEPTED' and b.location->>'type' = 'CONFERENCING' and b.ends_at > now() as meets) as is_on
      ) as need
      where b.owner_id = ${ownerId}
        and b.id = any(${bookingIds}::uuid[])
        and (exists (select 1 from conferencing_meetings m where m.owner_id = b.owner_id and m.ics_id = b.ics_id)
          or (need.link and exists (
            select 1 from conferencing_apps a where a.owner_id in (${owners}) and a.app = any(${apps}::text[]))))
      order by b.starts_at, b.id`,
  );
}
