import { ownerOf } from '../../../core/id.ts';
import { type PageArguments, pageRequest } from '../../../core/page.ts';
import { batched } from '../../../graphql/batch.ts';
import { builder } from '../../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../../graphql/connection.ts';
import { URL_TEXT } from '../../../graphql/limits/price.ts';
import { addRowFields } from '../../../graphql/row.ts';
import { reads } from '../../../scopes/declare.ts';
import { bookingUrl } from '../booking-url.rules.ts';
import { EventType as EventTypeEntity } from '../event-type.entity.ts';
import { type ChildEventTypeRow, childEventTypePages } from '../managed/child-event-type.queries.ts';
import { EventType, EventTypeUser } from './event-type.graphql.ts';

const data = reads('EVENT_TYPE');

const loadChildren = batched(({ em }, eventTypeIds, args: PageArguments) =>
  childEventTypePages(em, eventTypeIds, pageRequest(args)),
);

/** What a child shows of its parent: the owner of a child need not administer the team. */
const ParentEventType = builder
  .objectRef<{ readonly id: string; readonly title: string; readonly teamId: string }>('ParentEventType')
  .implement({
    description: 'A managed event type of a team, which its members have copies of.',
    fields: (t) => ({
      id: t.exposeID('id', { requires: data }),
      title: t.exposeString('title', { requires: data }),
      teamId: t.exposeID('teamId', { requires: data }),
    }),
  });

const ChildEventType = builder.objectRef<ChildEventTypeRow>('ChildEventType').implement({
  description: 'What a host of a managed event type has of their own, and is booked with.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: data }),
    user: t.field({ type: EventTypeUser, requires: data, resolve: (child) => child }),
    hidden: t.exposeBoolean('hidden', { requires: data, description: 'Which the host may decide.' }),
    bookingUrl: t.string({
      price: URL_TEXT,
      requires: data,
      description: 'Where it is booked.',
      resolve: ({ username, slug }, _args, { publicUrl }) => bookingUrl(publicUrl, username, slug),
    }),
  }),
});

addRowFields(EventType, EventTypeEntity, (t) => ({
  parent: t.from(['parentId', 'title'], {
    type: ParentEventType,
    nullable: true,
    requires: data,
    description:
      'The managed event type of a team that this one follows: its owner decides `hidden` and `scheduleId`, the team everything else. Null: nobody manages it.',
    resolve: ({ parentId, title }) => {
      const teamId = parentId === null ? undefined : ownerOf('eventType', parentId);
      // The title is the parent's: the team decides it.
      return parentId === null || teamId === undefined ? null : { id: parentId, title, teamId };
    },
  }),
  children: t.from(['id', 'schedulingType'], {
    type: connectionOf(ChildEventType),
    nullable: true,
    requires: data,
    description: 'What the hosts of a MANAGED event type have of their own, by host; empty for all others.',
    args: pageArguments(),
    resolve: async ({ id }, args, context) => {
      const page = await loadChildren(context, id, args);
      return page && connection(page, ({ userId }) => [userId]);
    },
  }),
}));
