import { inLanguages } from '../../core/language.ts';
import type { Em } from '../../database/sql.ts';
import { own } from '../levels/reach.ts';
import { createFirstSchedule, STANDARD_HOURS } from '../schedules/create-schedule.ts';
import { createEventType } from './change/create-event-type.ts';

/** The first event type and schedule of every new account; its user may call them anything else. */
const firstWords = inLanguages(
  { slug: 'meeting', title: 'Meeting', hours: 'Working hours' },
  { de: { slug: 'termin', title: 'Termin', hours: 'Arbeitszeiten' } },
);
const FIRST_LENGTH = 30;

/** Makes an account ready to be booked: working hours, and an event type. In the transaction that makes the account. */
export async function furnishAccount(em: Em, userId: string, locale = 'en'): Promise<void> {
  const { hours, ...words } = firstWords(locale);
  await createFirstSchedule(em, userId, STANDARD_HOURS, hours);
  await createEventType(em, own(userId), { ...words, lengthInMinutes: FIRST_LENGTH });
}
