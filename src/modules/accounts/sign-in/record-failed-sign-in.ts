import { newId } from '../../../core/id.ts';
import { sha256Hex } from '../../../core/secret.ts';
import { changed, type Em, sql } from '../../../database/sql.ts';
import { sweepOf } from '../../../database/sweep.ts';
import type { AuditRecord } from '../../../events/record-audit.ts';
import { networkOf } from '../../../limits/network.ts';
import { FailedSignIn as FailedSignInHour } from './failed-sign-in.entity.ts';

export interface FailedSignIn {
  /** Null for an address that nobody has. */
  readonly userId: string | null;
  readonly address: string;
  readonly reason: 'WRONG_CREDENTIALS' | 'ACCOUNT_SUSPENDED';
}

const TYPE: AuditRecord['type'] = 'USER_SIGN_IN_FAILED';

/**
 * Tells the audit log. Anybody can fail any number of times, so the failures of one account from one network in one hour
 * are one event with their number, and so are all those for addresses that nobody has. For these too, and by one
 * statement each time, or the time would tell; without what was typed, which may be a password in the wrong field.
 */
export async function recordFailedSignIn(em: Em, { userId, address, reason }: FailedSignIn): Promise<void> {
  const key = sha256Hex(JSON.stringify([userId, networkOf(address), reason]));
  const detail = JSON.stringify({ reason, failures: 1 });
  await changed(
    em,
    sql`with this_hour as (
          insert into failed_sign_ins as known (key, event_at, event_id, ends_at)
          values (${key}, clock_timestamp(), ${newId()}, clock_timestamp() + interval '1 hour')
          on conflict (key) do update set
            event_at = case when known.ends_at <= now() then excluded.event_at else known.event_at end,
            event_id = case when known.ends_at <= now() then excluded.event_id else known.event_id end,
            ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end
          returning event_at, event_id
        )
        insert into audit_events as event (occurred_at, id, type, user_id, address, detail)
        select event_at, event_id, ${TYPE}::text, ${userId}::uuid, ${address}::text, ${detail}::jsonb from this_hour
        on conflict (occurred_at, id) do update set
          address = excluded.address,
          detail = event.detail || jsonb_build_object('failures', (event.detail->>'failures')::int + 1)`,
  );
}

/** Sweeps away hours that are over; their events stay. */
export const removeOldFailedSignIns = sweepOf(FailedSignInHour, 'endsAt');
