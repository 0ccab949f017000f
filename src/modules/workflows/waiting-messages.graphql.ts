import { batched } from '../../graphql/batch.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { addRowFields } from '../../graphql/row.ts';
import { reads } from '../../scopes/declare.ts';
import { Booking as BookingEntity } from '../bookings/booking.entity.ts';
import { Booking } from '../bookings/lists/booking.graphql.ts';
import { RoutingFormResponse as ResponseEntity } from '../routing-forms/routing-form-response.entity.ts';
import { RoutingFormResponse } from '../routing-forms/routing-form-response.graphql.ts';
import { countWaiting } from './sendings/held-sendings.ts';

const load = batched(({ em }: GraphQLContext, ids: readonly string[]) => countWaiting(em, ids));

const resolve = async ({ id }: { readonly id: string }, _args: object, context: GraphQLContext): Promise<number> =>
  (await load(context, id, undefined)) ?? 0;

const description =
  'How many mails and SMS of workflows about it wait, because limits leave no room for them yet. They go out in order; those that make no sense any more by then are counted in `unsentMails`.';

addRowFields(Booking, BookingEntity, (t) => ({
  waitingMessages: t.from(['id'], { type: 'Int', requires: reads('BOOKING'), description, resolve }),
}));

addRowFields(RoutingFormResponse, ResponseEntity, (t) => ({
  waitingMessages: t.from(['id'], { type: 'Int', requires: reads('ROUTING_FORM'), description, resolve }),
}));
