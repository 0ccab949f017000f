import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { instantOf } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import type { ColumnOf, RowOf } from '../../database/columns.ts';
import { LATER } from '../../database/expressions.ts';
import type { Selection } from '../../database/selection.ts';
import { changed, type Em } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { lockOwned, updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { canRedirect, notAColleague, redirectOf } from './colleague.ts';
import { OutOfOffice as Entity } from './out-of-office.entity.ts';
import { OUT_OF_OFFICE } from './out-of-office.queries.ts';
import {
  OUT_OF_OFFICE_CODES,
  type OutOfOffice,
  outOfOfficeMistakes,
  type TimeAway,
  timelessMistakes,
} from './out-of-office.rules.ts';
import { OUT_OF_OFFICE_FIELDS } from './out-of-office-fields.rules.ts';

export const UPDATE_OUT_OF_OFFICE_CODES = [...OUT_OF_OFFICE_CODES, 'OUT_OF_RANGE', 'NOT_A_COLLEAGUE'] as const;

const CHECKED = ['startsAt', 'endsAt', 'reason', 'notes'] as const satisfies ColumnOf<typeof Entity>[];

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

async function lockOutOfOffice(em: Em, owner: Owner, outOfOfficeId: string): Promise<TimeAway> {
  const { startsAt, endsAt, ...texts } = await lockOwned(em, OUT_OF_OFFICE, owner, outOfOfficeId, CHECKED);
  return { start: instantOf(startsAt), end: instantOf(endsAt), ...texts };
}
