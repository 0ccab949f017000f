import type { RecordedEvent } from '../events/record-event.ts';
import { giveRoom } from '../modules/bookings/conferencing/give-room.ts';
import type { Rooms } from '../modules/conferencing/conferencing-app.rules.ts';
import type { JobKind } from './job-kind.ts';

export interface MeetingSettings {
  /** The service's own video links; undefined: it has none. */
  readonly rooms: Rooms | undefined;
}

type AppEvent = Extract<RecordedEvent, { readonly booking: object }>;

/**
 * Gives a booking that meets in a conferencing app its link, before anybody else is told what has happened to it. So mails,
 * webhooks and calendars have the link, and hear of the events of a booking in their order.
 */
export function meetingsKind({ rooms }: MeetingSettings, others: readonly JobKind[]): JobKind {
  return {
    queue: 'meetings',
    hears: [...new Set(others.flatMap(({ hears }) => hears))],
    goesFirst: true,
    atOnce: 8,
    // It only asks the database: what fails longer than this is a mistake of ours, and the others wait for it.
    pausesInSeconds: [5, 30, 120],
    run: async (em, data) => {
      const { ownerId, booking, type } = data as AppEvent;
      if (rooms) await giveRoom(em, { ownerId, id: booking.id }, rooms);
      const told = others.filter(({ hears }) => hears.includes(type));
      return told.map(({ queue }) => ({ queue, data: data as AppEvent, orderKey: booking.thread }));
    },
  };
}
