import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import type { ColumnOf, RowOf, Selection } from '../../database/columns.ts';
import { changed, type Em, LATER, row, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { recordEvent } from '../../events/record-event.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
import { deleteOwned, lockOwned, updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import { OutOfOffice as Entity } from './out-of-office.entity.ts';
import { canRedirect, notAColleague, OUT_OF_OFFICE, redirectOf } from './out-of-office.queries.ts';
import {
  MAX_ABSENCES,
  OUT_OF_OFFICE_CODES,
  OUT_OF_OFFICE_FIELDS,
  type OutOfOffice,
  outOfOfficeMistakes,
  type TimeAway,
  timelessMistakes,
} from './out-of-office.rules.ts';

export const CREATE_OUT_OF_OFFICE_CODES = [
  ...OUT_OF_OFFICE_CODES,
  'OUT_OF_RANGE',
  'NOT_A_COLLEAGUE',
  'TOO_MANY',
] as const;

export const UPDATE_OUT_OF_OFFICE_CODES = [...OUT_OF_OFFICE_CODES, 'OUT_OF_RANGE', 'NOT_A_COLLEAGUE'] as const;

const KEPT: KeptRows = { what: 'out-of-office entries', most: MAX_ABSENCES };

type NewOutOfOffice = PatchOf<OutOfOffice> & Pick<OutOfOffice, 'start' | 'end'>;

/** Takes somebody out of office. @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, NOT_A_COLLEAGUE, TOO_MANY, and every mistake of the input at once */
export async function createOutOfOffice(em: Em, owner: Owner, input: NewOutOfOffice): Promise<string> {
  const given = checkedFields<OutOfOffice, NewOutOfOffice>(input, OUT_OF_OFFICE_FIELDS);
  const absence: OutOfOffice = { reason: null, notes: null, redirectToUserId: null, ...given };
  Problem.throwIfAny(outOfOfficeMistakes(absence));
  const { start, end, reason, notes, redirectToUserId } = absence;
  const { ownerId: userId } = owner;
  const redirectToId = redirectOf(userId, redirectToUserId);
  return em.transactional(async (inner) => {
    // One at a time for each user, so that they are counted right.
    await lockOwnerAlone(inner, owner);
    const isColleague = canRedirect(owner, redirectToId);
    const isRoom = hasRoom(KEPT, sql`out_of_office where user_id = ${userId}`);
    const created = await row(
      inner,
      sql<{ id: string }>`
      insert into out_of_office
        (user_id, id, starts_at, ends_at, reason, notes, redirect_to_id, created_at, updated_at)
      select u.id, ${newId()}, ${start.toString()}::timestamptz,
        ${end.toString()}::timestamptz, ${reason}, ${notes}, ${redirectToId}, now(), now()
      from users u
      where u.id = ${userId} and ${owner.isInCharge} and ${isColleague} and ${isRoom}
      returning id`,
    );
    if (!created) {
      await owner.refuse(inner);
      const judged = await row(inner, sql<{ isColleague: boolean }>`select ${isColleague} as "isColleague"`);
      throw judged?.isColleague ? tooManyKept(KEPT) : notAColleague(redirectToUserId ?? '');
    }
    await recordEvent(inner, userId, {
      type: 'OUT_OF_OFFICE_CREATED',
      outOfOfficeId: created.id,
      start: start.toString(),
      end: end.toString(),
    });
    return created.id;
  });
}

/** Changes what the patch names. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, NOT_A_COLLEAGUE, and every mistake of the patch at once */
export async function updateOutOfOffice(
  em: Em,
  owner: Owner,
  outOfOfficeId: string,
  patch: PatchOf<OutOfOffice>,
  shown: Selection<typeof Entity>,
): Promise<RowOf<typeof Entity> | undefined> {
  const given = checkedFields<OutOfOffice, PatchOf<OutOfOffice>>(patch, OUT_OF_OFFICE_FIELDS);
  const { start, end, redirectToUserId, ...texts } = given;
  if (start === undefined && end === undefined && redirectToUserId == null && timelessMistakes(texts).length === 0) {
    const values = { ...texts, redirectToId: redirectToUserId };
    return updateOwned(em, OUT_OF_OFFICE, owner, outOfOfficeId, values, shown);
  }
  await em.transactional(async (inner) => {
    // Locked, because a new end is measured by the stored start: two changes at once could cross each other.
    const found = await lockOutOfOffice(inner, owner, outOfOfficeId);
    Problem.throwIfAny(outOfOfficeMistakes({ ...found, ...given }));
    const redirectToId = redirectToUserId === undefined ? undefined : redirectOf(owner.ownerId, redirectToUserId);
    const stored = {
      startsAt: start?.toString(),
      endsAt: end?.toString(),
      ...texts,
      redirectToId,
      updatedAt: LATER,
    };
    const updated = await changed(
      inner,
      updateTable(Entity, { userId: owner.ownerId, id: outOfOfficeId })
        .set(stored)
        .where(owner.isInCharge)
        .where(canRedirect(owner, redirectToId ?? null)),
    );
    if (updated > 0) return;
    await owner.refuse(inner);
    throw notAColleague(redirectToUserId ?? '');
  });
  return undefined;
}

/** Lets somebody be booked again. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteOutOfOffice(em: Em, owner: Owner, outOfOfficeId: string): Promise<void> {
  await deleteOwned(em, OUT_OF_OFFICE, owner, outOfOfficeId);
}

const CHECKED = ['startsAt', 'endsAt', 'reason', 'notes'] as const satisfies ColumnOf<typeof Entity>[];

async function lockOutOfOffice(em: Em, owner: Owner, outOfOfficeId: string): Promise<TimeAway> {
  const { startsAt, endsAt, ...texts } = await lockOwned(em, OUT_OF_OFFICE, owner, outOfOfficeId, CHECKED);
  return { start: instantOf(startsAt), end: instantOf(endsAt), ...texts };
}
