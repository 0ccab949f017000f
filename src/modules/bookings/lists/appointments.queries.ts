import { NO_PAGE, type Page, type PageRequest, type TimeRange } from '../../../core/page.ts';
import type { Selection } from '../../../database/columns.ts';
import { read } from '../../../database/lanes.ts';
import { byTime, type Narrowed, NOT_NARROWED, pageLimit, pageOf, pageOrder } from '../../../database/pages.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { User } from '../../accounts/user.entity.ts';
import type { Booking } from '../booking.entity.ts';
import type { ListedBooking, ShownBooking } from './list-bookings.queries.ts';
import { attendeesOf, hasEmail, ownersOfAttendee } from './list-filter.queries.ts';

/**
 * A page of the bookings that somebody attends, earliest first, each once however many seats of it they have: by the verified address
 * of their account, as the mails about them go there. It is walked along an index of attendees with each of the owners whom they have
 * met. The request's key has two columns. @throws Problem BAD_INPUT
 */
export async function listAppointments(
  em: Em,
  userId: string,
  request: PageRequest,
  selection: Selection<typeof Booking>,
  { condition, period }: Narrowed<never, TimeRange> = NOT_NARROWED,
): Promise<Page<ShownBooking>> {
  const { within, orderAndLimit } = byTime('OLDEST_FIRST', sql`a.starts_at`, sql`a.booking_id`, request, period);
  const account = await row(
    em,
    selectFrom(User, { id: userId, suspendedAt: null }).where('emailVerifiedAt', 'is not', null).select('email'),
  );
  if (!account) return NO_PAGE;
  const isTheirs = hasEmail(account.email);
  const order = (of: string) =>
    sql`order by ${sql.ref(`${of}.sort_time`)} ${pageOrder(request)}, ${sql.ref(`${of}.booking_id`)} ${pageOrder(request)}`;
  return pageOf(
    em,
    request,
    sql<ListedBooking>`
      select ${selection.with('ownerId', 'id').from('b')}, page.sort_time as "sortTime"
      from (
        select found.* from ${ownersOfAttendee(isTheirs)} owner
        cross join lateral (
          select a.owner_id, a.booking_id, a.starts_at as sort_time from booking_attendees a
          where a.owner_id = owner.id and ${isTheirs} and ${condition} and ${within} and a.id = (
            select a.id from ${attendeesOf(sql`a.owner_id`, sql`a.booking_id`)} where ${isTheirs} order by a.id limit 1)
          ${orderAndLimit}
        ) found
        ${order('found')} limit ${pageLimit(request)}
      ) page
      cross join lateral (select * from bookings b where b.owner_id = page.owner_id and b.id = page.booking_id limit 1) b
      ${order('page')}`,
    read,
  );
}
