/** Where a booking takes place: as it is said, and as it is shown. */

import { builder } from '../../graphql/builder.ts';
import { PUBLIC } from '../../scopes/declare.ts';
import { LocationType } from '../event-types/event-type-values.graphql.ts';
import {
  type LocationType as LocationTypeName,
  MAX_ADDRESS_LENGTH,
  type Place,
} from '../event-types/settings/location.rules.ts';
import { type BookedLocation, bookedPlace, placeText } from './booking-location.rules.ts';
import type { LocationChoice } from './booking-request.rules.ts';

export const LocationInput = builder.inputType('BookingLocationInput', {
  description:
    'One of the event type’s locations: by its id, or by its type and, where several have that, its place. Where the attendee says it, what they say.',
  fields: (t) => ({
    id: t.id({
      description: 'The id of one of the `locations` of the event type (`loc_…`). What else is given must fit it.',
    }),
    type: t.field({ type: LocationType, description: 'The type of the location. Required without an `id`.' }),
    address: t.string({
      description: `Of types ADDRESS and ATTENDEE_ADDRESS: the postal address. Of type ATTENDEE_CHOICE: where the attendee says. At most ${MAX_ADDRESS_LENGTH} characters.`,
    }),
    url: t.field({ type: 'URL', description: 'Of type LINK: the https link.' }),
    phone: t.string({ description: 'Of types PHONE and ATTENDEE_PHONE: the number to call, such as `+4930123456`.' }),
    app: t.string({ description: 'Of type CONFERENCING: the slug of the app, such as `zoom`.' }),
  }),
});

/** A value of a booking, which everybody may read of one that they were shown. */
export const BookingLocation = builder.objectRef<BookedLocation>('BookingLocation').implement({
  description: 'Where a booking takes place. `type` says which of the other fields it has.',
  fields: (t) => ({
    type: t.expose('type', {
      type: LocationType,
      requires: PUBLIC,
      description: 'The type of the location, and who has named the place.',
    }),
    text: t.string({
      nullable: true,
      requires: PUBLIC,
      description:
        'The place in a line, for people: the address, the link or the number, or the slug of a conferencing app that has not made its link yet.',
      resolve: placeText,
    }),
    address: t.string({
      nullable: true,
      requires: PUBLIC,
      description: 'A postal address; of type ATTENDEE_CHOICE, where the attendee has said.',
      resolve: (location) => bookedPlace(location).address,
    }),
    url: t.field({
      type: 'URL',
      nullable: true,
      requires: PUBLIC,
      description: 'The link by which people join: that of the host, or the one that the conferencing app has made.',
      resolve: (location) => bookedPlace(location).url,
    }),
    phone: t.string({
      nullable: true,
      requires: PUBLIC,
      description: 'The number that one of them calls, such as `+4930123456`.',
      resolve: (location) => bookedPlace(location).phone,
    }),
    app: t.string({
      nullable: true,
      requires: PUBLIC,
      description: 'The slug of the conferencing app that makes the meeting, such as `zoom`.',
      resolve: (location) => bookedPlace(location).app,
    }),
  }),
});

interface LocationFields extends Place {
  readonly id?: string | null | undefined;
  readonly type?: LocationTypeName | null | undefined;
}

/** The location as the rules take it. */
export function locationFrom({ id, type, ...place }: LocationFields): LocationChoice {
  return { ...place, type: type ?? null, ...(id != null && { id }) };
}
