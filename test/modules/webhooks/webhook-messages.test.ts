/** Messages are as schema/webhooks says, and so are the examples of docs/webhooks.md. */
import { readdir, readFile } from 'node:fs/promises';
import { getNamedType, isEnumType, isNonNullType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { newId, newTeamId, newUserId, publicOwnedId } from '../../../src/core/id.ts';
import type { AttendeeRow, BookingRow } from '../../../src/modules/bookings/booking.queries.ts';
import { WEBHOOK_TRIGGERS, type WebhookTrigger } from '../../../src/modules/webhooks/webhook.rules.ts';
import { webhookSchema } from '../../../src/modules/webhooks/webhook-messages.ts';
import {
  detailsOf,
  payloadOf,
  type ResponseRow,
  testPayload,
  type WebhookEvent,
} from '../../../src/modules/webhooks/webhook-payload.ts';
import { buildSchemas } from '../../../src/schema.ts';
import { messageMistake } from '../../support/webhook-schemas.ts';

const { schema } = buildSchemas().forSessions;
type Definitions = Readonly<
  Record<
    string,
    {
      readonly properties: Readonly<
        Record<
          string,
          {
            readonly anyOf?: readonly { readonly type?: string }[];
            readonly enum?: readonly string[];
            readonly $ref?: string;
          }
        >
      >;
    }
  >
>;

const NOW = '2026-12-01T09:00:00.123456+00:00';
const ownerId = newUserId();
const ENVELOPE = { id: publicOwnedId('webhookDelivery', { ownerId, id: newId() }), subject: 'wT0qXvB2mHk3zq1nL9sR4A' };
const seatId = newId();

const sparse: AttendeeRow = {
  id: newId(),
  name: 'Grace',
  email: 'grace@example.test',
  verified: false,
  bookedFrom: null,
  timeZone: 'UTC',
  locale: null,
  phone: null,
  notes: null,
  absent: false,
  seatId: null,
  uidVersion: 0,
  responses: {},
};
const full: AttendeeRow = {
  ...sparse,
  locale: 'de',
  phone: '+493012345678',
  notes: 'Second floor.',
  seatId,
  responses: { company: 'Acme', size: 40, isNew: true, topics: ['price', 'terms'] },
};
const times = { start: '2026-12-07T09:00:00+00:00', end: '2026-12-07T09:30:00+00:00' };

const plain: BookingRow = {
  ...times,
  ownerId,
  id: newId(),
  uidVersion: 0,
  eventTypeId: newId(),
  title: 'Intro',
  description: null,
  managedBy: null,
  status: 'ACCEPTED',
  location: null,
  seats: null,
  cancellationReason: null,
  rejectionReason: null,
  reschedulingReason: null,
  rescheduleRequested: false,
  moves: 0,
  rescheduledFromId: null,
  rescheduledToId: null,
  recurringId: null,
  icsId: newId(),
  icsSequence: 0,
  unsentMails: 0,
  createdAt: NOW,
  updatedAt: NOW,
  hostIds: [ownerId],
  hosts: [{ id: ownerId, name: 'Ada', username: 'ada', avatarUrl: null, absent: false }],
  attendees: [sparse],
  guestEmails: [],
  heldGuestEmails: [],
  metadata: {},
};
/** With everything that it can have, without the seat that it is about, and gone. */
const BOOKINGS: readonly (BookingRow | undefined)[] = [
  plain,
  {
    ...plain,
    description: 'How we work.',
    location: { type: 'CONFERENCING', value: 'zoom', saidBy: ownerId, url: 'https://meet.example/1' },
    cancellationReason: 'Ill',
    rejectionReason: 'Ill',
    reschedulingReason: 'Ill',
    rescheduleRequested: true,
    rescheduledFromId: newId(),
    rescheduledToId: newId(),
    recurringId: newId(),
    attendees: [full, sparse],
    guestEmails: ['guest@example.test'],
    metadata: { crm: '7' },
  },
  { ...plain, attendees: [] },
  undefined,
];

const { name, email, timeZone, locale, verified } = full;
const facts = { id: plain.id, thread: plain.id, eventTypeId: plain.eventTypeId, hostIds: [ownerId], ...times };
const ofAll = { booking: facts, by: { userId: null, network: null } };
const ofSeat = { ...ofAll, booking: { ...facts, seatId } };
const cancelled = { ...ofAll, reason: null, rescheduleRequested: false };
const moved = { previousId: newId(), reason: null };
const meeting = { booking: facts, sessionId: '4711', at: NOW };

/** Together they have each member that a message can have. */
const EVENTS: Readonly<Record<WebhookTrigger, readonly object[]>> = {
  BOOKING_CREATED: [ofAll, ofSeat],
  BOOKING_REQUESTED: [ofAll, ofSeat],
  BOOKING_CONFIRMED: [ofAll],
  BOOKING_REJECTED: [{ ...ofAll, reason: 'Ill' }],
  BOOKING_CANCELLED: [
    cancelled,
    { ...cancelled, ...ofSeat, leaving: null },
    { ...cancelled, ...ofSeat, leaving: { name, email, timeZone, locale, verified } },
  ],
  BOOKING_RESCHEDULED: [
    { ...moved, ...ofAll },
    { ...moved, ...ofSeat },
  ],
  BOOKING_ABSENCE_MARKED: [{ booking: facts, absentHostIds: [ownerId], absentEmails: [email] }],
  MEETING_STARTED: [meeting],
  MEETING_ENDED: [meeting],
  RECORDING_READY: [{ booking: facts, recordingId: 'rec-1' }],
  TRANSCRIPT_READY: [{ booking: facts, transcriptId: 'tra-1' }],
  OUT_OF_OFFICE_CREATED: [{ outOfOfficeId: newId(), ...times }],
  ROUTING_FORM_SUBMITTED: [{ routingFormId: newId(), responseId: newId(), by: { userId: null, network: null } }],
};
const RESPONSE: ResponseRow = {
  ownerId: newTeamId(),
  teamId: newTeamId(),
  id: newId(),
  formId: newId(),
  formVersion: 2,
  fields: [
    { slug: 'size', type: 'NUMBER', label: 'How many are you?', isRequired: false, options: [], placeholder: null },
    {
      slug: 'topics',
      type: 'MULTI_SELECT',
      label: 'Topics',
      isRequired: false,
      options: ['Prices'],
      placeholder: null,
    },
  ],
  answers: { size: 120, topics: ['Prices'] },
  routeId: newId(),
  target: { type: 'EVENT_TYPE', ownerId: newTeamId(), id: newId() },
  createdAt: NOW,
};
const eventOf = (type: WebhookTrigger, told: object | undefined): WebhookEvent =>
  ({ id: newId(), ownerId, occurredAt: NOW, type, ...told }) as WebhookEvent;

test.each(WEBHOOK_TRIGGERS)('%s is as its schema says: full, thin, and as a test', (trigger) => {
  for (const told of EVENTS[trigger]) {
    const event = eventOf(trigger, told);
    for (const booking of BOOKINGS) {
      expect(
        messageMistake(payloadOf(event, ENVELOPE, detailsOf(event, { booking, response: RESPONSE }))),
      ).toBeUndefined();
    }
    expect(messageMistake(payloadOf(event, ENVELOPE, null))).toBeUndefined();
  }
  expect(messageMistake(testPayload(trigger, ENVELOPE, Date.parse(NOW)))).toBeUndefined();
});

test('a message with a field more or less would be found', () => {
  const event = eventOf('BOOKING_CREATED', ofAll);
  const written = JSON.parse(payloadOf(event, ENVELOPE, detailsOf(event, { booking: plain })));
  const { id: _, ...withoutId } = written.data.booking;
  const wrong = (change: object) => messageMistake(JSON.stringify({ ...written, ...change }));
  expect(wrong({})).toBeUndefined();
  expect(wrong({ more: 1 })).toContain('must NOT have additional properties');
  expect(wrong({ occurredAt: '2026-12-01' })).toContain('must match format "date-time"');
  expect(wrong({ id: ownerId })).toContain('must match pattern');
  expect(wrong({ data: { booking: withoutId } })).toContain("must have required property 'id'");
  expect(wrong({ data: { booking: { ...written.data.booking, ownerId } } })).toContain('additional properties');
});

/** By the name of the definition, without what says in which of its states the object is. */
const typeOf = (definition: string) => schema.getType(definition.replace(/^(Leaving|Started|Ended)/, ''));

test('an object is the GraphQL type of its name, with fields that may be null where they may be', () => {
  const definitions = WEBHOOK_TRIGGERS.flatMap((trigger) =>
    Object.entries((webhookSchema(trigger) as { readonly $defs?: Definitions }).$defs ?? {}),
  );
  const mistakes = definitions.flatMap(([name, { properties }]) => {
    const type = typeOf(name);
    if (!isObjectType(type)) return [name];
    const fields = type.getFields();
    return Object.entries(properties).flatMap(([member, { anyOf, enum: values, $ref }]) => {
      const field = fields[member];
      const leads = $ref === undefined || (field && typeOf($ref.replace('#/$defs/', '')) === getNamedType(field.type));
      const canBeNull = anyOf?.some((one) => one.type === 'null') ?? false;
      const named = field && getNamedType(field.type);
      const isSame = !values || (isEnumType(named) && values.every((one) => named.getValue(one)));
      return field && leads && isSame && !(canBeNull && isNonNullType(field.type)) ? [] : [`${name}.${member}`];
    });
  });
  expect(mistakes).toEqual([]);
  expect(new Set(definitions.map(([name]) => name)).size).toBeGreaterThan(9);
});

test('docs/webhooks.md has an example of each, as its schema says', async () => {
  const [, examples = ''] = (await readFile('docs/webhooks.md', 'utf8')).split('\n## Examples\n');
  const found = [...examples.matchAll(/^### (\w+)\n.*?^```json\n(.*?)^```$/gms)];
  expect(found.map(([, trigger = '']) => trigger).toSorted()).toEqual(WEBHOOK_TRIGGERS.toSorted());
  for (const [, trigger, body = ''] of found) {
    expect(JSON.parse(body).type).toBe(trigger);
    expect(messageMistake(body)).toBeUndefined();
    expect(JSON.parse(body).data).not.toBeNull();
  }
});

test('schema/webhooks has those of all triggers, and no others', async () => {
  expect((await readdir('schema/webhooks')).toSorted()).toEqual(
    WEBHOOK_TRIGGERS.map((trigger) => `${trigger}.json`).toSorted(),
  );
});
