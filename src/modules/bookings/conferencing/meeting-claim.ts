/** The row of a meeting, at which one process is at a time: until it lets it go, or has had the time to. */
import { newId } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { fromNow, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../../database/statements.ts';
import type { MadeMeeting } from '../../conferencing/meeting-provider.ts';
import { ConferencingMeeting } from './conferencing-meeting.entity.ts';

/** Which meeting: of a booking, in the account of an app. */
export interface MeetingKey {
  readonly ownerId: string;
  readonly icsId: string;
  readonly holderId: string;
  readonly appId: string;
}

/** A meeting that this process is at, as it was. */
export interface ClaimedMeeting extends MeetingKey {
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
export async function noteAsked(em: Em, mine: ClaimedMeeting): Promise<boolean> {
  return (await changed(em, asClaimed(mine).set({ askedAt: NOW }))) > 0;
}

/** Keeps what the provider has made, and lets it go. @returns whether it was still this process's */
export async function keepMeeting(
  em: Em,
  mine: ClaimedMeeting,
  { id: externalId, url }: MadeMeeting,
  content: string,
): Promise<boolean> {
  return (await changed(em, asClaimed(mine).set({ externalId, url, content, askedAt: null, ...LET_GO }))) > 0;
}

/** Lets it go. `isUnknown`: whether the provider may have made it nevertheless. */
export async function letMeetingGo(em: Em, mine: ClaimedMeeting, isUnknown: boolean): Promise<void> {
  await changed(em, asClaimed(mine).set({ ...LET_GO, ...(!isUnknown && { askedAt: null }) }));
}

/** It is there no more. */
export async function forgetMeeting(em: Em, { ownerId, icsId, appId, claim }: ClaimedMeeting): Promise<void> {
  await changed(em, deleteFrom(ConferencingMeeting, { ownerId, icsId, appId, claim }));
}

/** Whether this one is known to be the meeting: somebody else may have found it. */
export async function isKnownMeeting(
  em: Em,
  { ownerId, icsId, appId }: MeetingKey,
  externalId: string,
): Promise<boolean> {
  const found = selectFrom(ConferencingMeeting, { ownerId, icsId, appId, externalId }).select('appId');
  return (await row(em, found)) !== undefined;
}

const LET_GO = { claim: null, claimedUntil: null } as const;

function asClaimed({ ownerId, icsId, appId, claim }: ClaimedMeeting) {
  return updateTable(ConferencingMeeting, { ownerId, icsId, appId, claim });
}
