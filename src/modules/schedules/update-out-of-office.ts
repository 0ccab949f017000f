import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { ownerOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { changes } from '../../database/changes.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { canRedirect, notAColleague } from './colleague.ts';
import { OUT_OF_OFFICE_COLUMNS, type OutOfOfficeRow } from './out-of-office.queries.ts';
import { type OutOfOffice, outOfOfficeMistakes } from './out-of-office.rules.ts';
import { OUT_OF_OFFICE_FIELDS } from './out-of-office-fields.rules.ts';
import { outOfOfficeNotFound, type ScheduleOwner } from './schedule-owner.ts';

/** Changes what the patch names. @throws Problem NOT_FOUND, FORBIDDEN, NOT_A_COLLEAGUE, and every mistake of the patch at once */
export async function updateOutOfOffice(
  em: Em,
  owner: ScheduleOwner,
  outOfOfficeId: string,
  patch: PatchOf<OutOfOffice>,
): Promise<OutOfOfficeRow> {
  const given = checkedFields<OutOfOffice, PatchOf<OutOfOffice>>(patch, OUT_OF_OFFICE_FIELDS);
  if (ownerOf('outOfOffice', outOfOfficeId) !== owner.userId) throw outOfOfficeNotFound(outOfOfficeId);
  return em.transactional(async (inner) => {
    // Locked, because a new end is measured by the stored start: two changes at once could cross each other.
    const held = await holdOutOfOffice(inner, owner, outOfOfficeId);
    Problem.throwIfAny(outOfOfficeMistakes({ ...held, ...given }));
    const { start, end, reason, notes, redirectToUserId } = given;
    const stored = {
      startsAt: start?.toString(),
      endsAt: end?.toString(),
      reason,
      notes,
      redirectToId: redirectToUserId,
    };
    const updated = await row(
      inner,
      sql<OutOfOfficeRow>`
        update out_of_office item set ${changes(stored)}
        where item.user_id = ${owner.userId} and item.id = ${outOfOfficeId}
          and ${owner.isInCharge} and ${canRedirect(owner, redirectToUserId ?? null)}
        returning ${OUT_OF_OFFICE_COLUMNS}`,
    );
    if (updated) return updated;
    await owner.refuse(inner);
    throw notAColleague(redirectToUserId ?? '');
  });
}

async function holdOutOfOffice(em: Em, owner: ScheduleOwner, outOfOfficeId: string): Promise<OutOfOffice> {
  const held = await row(
    em,
    sql<OutOfOfficeRow>`
      select ${OUT_OF_OFFICE_COLUMNS} from out_of_office item
      where item.user_id = ${owner.userId} and item.id = ${outOfOfficeId} and ${owner.isInCharge}
      for update of item`,
  );
  if (held) {
    const { start, end, reason, notes, redirectTo } = held;
    return {
      start: Temporal.Instant.from(start),
      end: Temporal.Instant.from(end),
      reason,
      notes,
      redirectToUserId: redirectTo?.id ?? null,
    };
  }
  await owner.refuse(em);
  throw outOfOfficeNotFound(outOfOfficeId);
}
