import type { LocationType } from './settings/location.rules.ts';

/** Describes each type of location, to those who offer it and to bookers. */
export const LOCATIONS_IN_WORDS: Readonly<Record<LocationType, string>> = {
  ADDRESS: 'At a postal address that the host names.',
  LINK: 'Behind an https link that the host names; shown to the booker once it is booked.',
  PHONE: 'The attendee calls a number that the host names; shown to the booker once it is booked.',
  CONFERENCING: 'In a meeting that a conferencing app makes; the value is the slug of the app.',
  ATTENDEE_ADDRESS: 'At a postal address that the attendee says.',
  ATTENDEE_PHONE: 'The host calls a number that the attendee says.',
  ATTENDEE_CHOICE: 'Wherever the attendee says, in words of their own.',
};
