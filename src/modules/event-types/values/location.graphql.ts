import { builder } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { PUBLIC, reads } from '../../../scopes/declare.ts';
import { LOCATIONS_IN_WORDS } from '../location-words.ts';
import { LOCATION_TYPES, type OfferedLocation } from '../settings/location.rules.ts';

const data = reads('EVENT_TYPE');

export const LocationType = builder.enumType('LocationType', {
  description: 'Where a meeting takes place: said by the host, by the attendee, or made by a conferencing app.',
  values: describedValues(LOCATION_TYPES, LOCATIONS_IN_WORDS),
});

export const Location = builder.objectRef<OfferedLocation>('Location').implement({
  description: 'Where an event type can take place, as who manages it sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data, description: 'The id with which a booker chooses it. It never changes.' }),
    label: t.exposeString('label', { nullable: true, requires: data, description: 'What everybody sees of it.' }),
    type: t.expose('type', { type: LocationType, requires: data, description: 'Who says where it is.' }),
    value: t.exposeString('value', {
      nullable: true,
      requires: data,
      description: 'The address, link, phone number or slug of the app; null where the attendee says it.',
    }),
  }),
});

export const PublicLocation = builder.objectRef<OfferedLocation>('PublicLocation').implement({
  description: 'Where it can take place. A link and a phone number are shown with the booking, to the booker.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: PUBLIC, description: 'What `bookingCreate` takes as the choice of this one.' }),
    label: t.exposeString('label', { nullable: true, requires: PUBLIC, description: 'What the host calls it.' }),
    type: t.expose('type', { type: LocationType, requires: PUBLIC, description: 'Who says where it is.' }),
    value: t.string({
      nullable: true,
      requires: PUBLIC,
      description: 'The address or the slug of the app; otherwise null.',
      resolve: ({ type, value }) => (type === 'ADDRESS' || type === 'CONFERENCING' ? value : null),
    }),
  }),
});
