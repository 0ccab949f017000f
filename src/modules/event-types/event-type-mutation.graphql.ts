import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { GraphQLContext } from '../../graphql/context.ts';
import { type MutationOptions, mutation } from '../../graphql/mutation.ts';
import { INHERIT } from '../../scopes/declare.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import { EventType } from './event-type.graphql.ts';
import type { EventTypeRow } from './event-type.queries.ts';

interface Changed {
  readonly eventTypeId: string;
  readonly eventType: EventTypeRow;
}

interface EventTypeMutation<Fields extends InputFieldMap>
  extends Omit<MutationOptions<Fields, Changed>, 'resolve' | 'payload'> {
  /** What selecting the event type itself requires, beside what calling it does. */
  readonly read: Requirement;
  readonly resolve: (input: InputShapeFromFields<Fields>, context: GraphQLContext) => Promise<EventTypeRow>;
}

/** Declares a mutation that makes or changes an event type, and answers it with its id. */
export function eventTypeMutation<Fields extends InputFieldMap>(
  name: string,
  { read, resolve, ...options }: EventTypeMutation<Fields>,
): void {
  mutation<Fields, Changed>(name, {
    ...options,
    resolve: async (input, context) => {
      const eventType = await resolve(input, context);
      return { eventTypeId: eventType.id, eventType };
    },
    payload: (t) => ({
      eventTypeId: t.exposeID('eventTypeId', { nullable: true, requires: INHERIT }),
      eventType: t.expose('eventType', { type: EventType, nullable: true, requires: read }),
    }),
  });
}
