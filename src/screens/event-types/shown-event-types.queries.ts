import { ownedIdOf, publicOwnedId } from '../../core/id.ts';
import { MAX_PAGE_SIZE, pageRequest } from '../../core/page.ts';
import { Selection } from '../../database/columns.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import { ConferencingApp } from '../../modules/conferencing/conferencing-app.entity.ts';
import { CONFERENCING_APPS } from '../../modules/conferencing/conferencing-app.queries.ts';
import { bookingUrl } from '../../modules/event-types/booking-url.rules.ts';
import { EVENT_TYPES } from '../../modules/event-types/event-type.queries.ts';
import { findBookingPlaces } from '../../modules/event-types/public/public-event-type.queries.ts';
import { EVERYBODYS_OWN, findOwned, ownedPage } from '../../modules/levels/owned.queries.ts';
import { Schedule } from '../../modules/schedules/schedule.entity.ts';
import { findSchedules, SCHEDULES } from '../../modules/schedules/schedule.queries.ts';
import { findPageLevel, type PageLevel } from '../teams/page-level.ts';
import { EVENT_TYPES_NAME } from './event-types-page.ts';
import { type Choices, isOfTeam, SHOWN, type ShownEventType } from './form-part.ts';
import { eventTypeWords } from './words/event-type-words.ts';

const APPS = new Selection(ConferencingApp, ['app']);
const NAMED = new Selection(Schedule, ['id', 'name', 'isDefault']);
const REQUEST = pageRequest({ first: MAX_PAGE_SIZE });

export interface FoundEventType {
  readonly level: PageLevel;
  readonly eventType: ShownEventType;
}

/** An event type by its public id, before its user or an administrator of its team. */
export async function findEventType(em: Em, session: FoundSession, text: string): Promise<FoundEventType | undefined> {
  const named = ownedIdOf('eventType', text);
  const level = named && (await findPageLevel(em, session, EVENT_TYPES_NAME, { ownerId: named.ownerId, kind: 'team' }));
  if (!level) return undefined;
  const lookUp = { ...named, parentId: named.ownerId };
  const [eventType] = await findOwned(em, EVENT_TYPES, EVERYBODYS_OWN, [lookUp], SHOWN);
  return eventType && { level, eventType };
}

/** Where an owner is booked, as it stands in addresses. */
export async function findPlaceOf(em: Em, ownerId: string): Promise<string> {
  return (await findBookingPlaces(em, [ownerId])).get(ownerId) ?? '';
}

/** Finds what the form of an event type shows beside its own values. */
export async function findChoices(em: Em, publicUrl: string, { level, eventType }: FoundEventType): Promise<Choices> {
  const { ownerId, slug, schedulingType } = eventType;
  const apps = await ownedPage(em, CONFERENCING_APPS, ownerId, REQUEST, APPS);
  return {
    isOfTeam: isOfTeam(eventType),
    apps: apps.rows.map(({ app }) => app),
    appsPath: `${level.place?.path ?? '/settings'}/conferencing`,
    bookingUrl: schedulingType === 'MANAGED' ? undefined : bookingUrl(publicUrl, await findPlaceOf(em, ownerId), slug),
    schedules: isOfTeam(eventType) ? [] : await findScheduleChoices(em, eventType, level.session.userLocale),
  };
}

async function findScheduleChoices(
  em: Em,
  { ownerId, scheduleId }: ShownEventType,
  locale: string,
): Promise<Choices['schedules']> {
  const { rows } = await ownedPage(em, SCHEDULES, ownerId, REQUEST, NAMED);
  const usual = rows.find(({ isDefault }) => isDefault);
  const isListed = scheduleId === null || rows.some(({ id }) => id === scheduleId);
  const [further] = isListed ? [] : await findSchedules(em, [{ ownerId, id: scheduleId }], NAMED);
  const named = [...rows, ...(further ? [further] : [])].map(
    ({ id, name }) => [publicOwnedId('schedule', { ownerId, id }), name] as const,
  );
  const { times } = eventTypeWords(locale);
  return [['', usual ? times.usualNamed(usual.name) : times.usual], ...named];
}
