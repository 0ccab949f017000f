import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Owner } from '../levels/reach.ts';
import { canRedirect, notAColleague, redirectOf } from './colleague.ts';
import { accountGone } from './lock-schedules.ts';
import { OUT_OF_OFFICE_CODES, type OutOfOffice, outOfOfficeMistakes } from './out-of-office.rules.ts';
import { OUT_OF_OFFICE_FIELDS } from './out-of-office-fields.rules.ts';

export const CREATE_OUT_OF_OFFICE_CODES = [...OUT_OF_OFFICE_CODES, 'OUT_OF_RANGE', 'NOT_A_COLLEAGUE'] as const;

export type NewOutOfOffice = PatchOf<OutOfOffice> & Pick<OutOfOffice, 'start' | 'end'>;

/** Takes somebody out of office. @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, NOT_A_COLLEAGUE, and every mistake of the input at once */
export async function createOutOfOffice(em: Em, owner: Owner, input: NewOutOfOffice): Promise<string> {
  const given = checkedFields<OutOfOffice, NewOutOfOffice>(input, OUT_OF_OFFICE_FIELDS);
  const absence: OutOfOffice = { reason: '', notes: null, redirectToUserId: null, ...given };
  Problem.throwIfAny(outOfOfficeMistakes(absence));
  const { start, end, reason, notes, redirectToUserId } = absence;
  const { ownerId: userId } = owner;
  const redirectToId = redirectOf(userId, redirectToUserId);
  return em.transactional(async (inner) => {
    const created = await row(
      inner,
      sql<{ id: string }>`
      insert into out_of_office
        (user_id, id, starts_at, ends_at, reason, notes, redirect_to_id, created_at, updated_at)
      select u.id, ${newId()}, ${start.toString()}::timestamptz,
        ${end.toString()}::timestamptz, ${reason}, ${notes}, ${redirectToId}, now(), now()
      from users u
      where u.id = ${userId} and ${owner.isInCharge} and ${canRedirect(owner, redirectToId)}
      returning id`,
    );
    if (!created) {
      await owner.refuse(inner);
      throw redirectToUserId === null ? accountGone() : notAColleague(redirectToUserId);
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
