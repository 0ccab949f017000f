import type { Em } from '../../database/sql.ts';
import { own } from '../levels/reach.ts';
import { createFirstSchedule } from '../schedules/create-schedule.ts';
import { createEventType } from './change/create-event-type.ts';

/** What every new account can be booked for. */
const FIRST_EVENT_TYPE = { slug: 'meeting', title: 'Meeting', lengthInMinutes: 30 } as const;

/** Makes an account ready to be booked: working hours, and an event type. In the transaction that makes the account. */
export async function furnishAccount(em: Em, userId: string): Promise<void> {
  await createFirstSchedule(em, userId);
  await createEventType(em, own(userId), FIRST_EVENT_TYPE);
}
