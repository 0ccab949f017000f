import { rulesFrom } from './schema.ts';

/** Interfaces, one inside another, and a union, whose types agree on nothing. */
export const POLYMORPHIC = rulesFrom(`
  type Query {
    any: Node @requiresScope(user: [PROFILE_READ], enters: USER)
    free: Node @requiresScope(access: INHERIT, enters: USER)
    either: Either @requiresScope(user: [PROFILE_READ], enters: USER)
  }
  interface Node { id: ID }
  interface Titled implements Node { id: ID title: String owner: Node }
  union Either = Booking | Webhook
  type EventType implements Node & Titled @requiresScope(user: [EVENT_TYPE_READ]) {
    id: ID @requiresScope(user: [EVENT_TYPE_READ])
    title: String @requiresScope(user: [EVENT_TYPE_READ])
    owner: Booking @requiresScope(access: INHERIT)
  }
  type Booking implements Node & Titled @requiresScope(user: [BOOKING_READ]) {
    id: ID @requiresScope(user: [BOOKING_READ])
    title: String @requiresScope(user: [BOOKING_READ, SCHEDULE_READ])
    owner: Webhook @requiresScope(user: [APPS_READ])
  }
  type Webhook implements Node @requiresScope(user: [WEBHOOK_READ]) {
    id: ID @requiresScope(user: [WEBHOOK_READ])
    url: String @requiresScope(user: [WEBHOOK_READ, APPS_READ])
  }
`);
