import { publicId } from '../../../core/id.ts';
import { builder } from '../../../graphql/builder.ts';
import { describedId } from '../../../graphql/descriptions.ts';
import { reads } from '../../../scopes/declare.ts';
import type { HostRow } from '../event-type-host.queries.ts';
import { MAX_PRIORITY, MAX_WEIGHT } from '../event-type-host.rules.ts';

const data = reads('EVENT_TYPE');

/** Somebody who is booked with an event type of their team's. */
export const EventTypeUser = builder
  .objectRef<Pick<HostRow, 'userId' | 'name' | 'username'>>('EventTypeHostUser')
  .implement({
    description: 'Somebody who is booked with an event type of their team’s.',
    fields: (t) => ({
      id: t.id({
        requires: data,
        description: describedId('user'),
        resolve: ({ userId }) => publicId('user', userId),
      }),
      name: t.exposeString('name', { requires: data, description: 'What people call them.' }),
      username: t.exposeString('username', { requires: data, description: 'In the addresses of their booking pages.' }),
    }),
  });

export const EventTypeHost = builder.objectRef<HostRow>('EventTypeHost').implement({
  description: 'A member of the team who is booked with its event type.',
  fields: (t) => ({
    user: t.field({ type: EventTypeUser, requires: data, description: 'Who it is.', resolve: (host) => host }),
    isMandatory: t.exposeBoolean('isMandatory', {
      requires: data,
      description: 'Attends every booking of a round-robin event type.',
    }),
    priority: t.exposeInt('priority', { requires: data, description: `0 to ${MAX_PRIORITY}; the highest goes first.` }),
    weight: t.exposeInt('weight', {
      requires: data,
      description: `The host’s share of bookings among hosts of the same priority, relative to theirs: 1 to ${MAX_WEIGHT}. Bookings count since the host was added or changed, within the current month.`,
    }),
  }),
});
