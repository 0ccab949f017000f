/** input/ owns what the inputs of mutations on event types say, a file for each subject, and puts them together. */
import { SLUG_IN_WORDS, URL_IN_WORDS } from '../../../core/text.ts';
import type { InputBuilder } from '../../../graphql/builder.ts';
import type { LevelName } from '../../levels/reach.ts';
import { MAX_TEXT } from '../event-type.rules.ts';
import { MAX_EMBED_ORIGINS, ORIGIN_IN_WORDS } from '../settings/embed-origin.rules.ts';
import { MAX_LOCATIONS } from '../settings/location.rules.ts';
import { bookingFieldPatchFields, newBookingFields } from './booking-field-input.graphql.ts';
import { bookingRuleInputs } from './booking-rule-input.graphql.ts';
import { hostPatchFields, newHostFields } from './host-input.graphql.ts';
import { LocationInput } from './location-input.graphql.ts';
import { MINUTES, timeFields } from './time-input.graphql.ts';

const SLUG = `Its name in addresses: ${SLUG_IN_WORDS}. Unique for its owner.`;
const TITLE = `What it is called, to bookers and in calendars: at most ${MAX_TEXT.title} characters in one line.`;
const LENGTH = `How long a booking takes: ${MINUTES}.`;

/** The input of a new event type at each level. */
export function newEventTypeFieldsAt(t: InputBuilder, level: LevelName) {
  return at(level, newEventTypeFields(t), newHostFields(t), scheduleField(t));
}

/** The input of a change of an event type at each level. */
export function eventTypePatchFieldsAt(t: InputBuilder, level: LevelName) {
  return at(level, eventTypePatchFields(t), hostPatchFields(t), scheduleField(t));
}

/** A user's own has a schedule; a team's has hosts, who are booked by schedules of their own; in an organization it may be either's. */
function at<Common extends object, Hosts extends object, Schedule extends object>(
  level: LevelName,
  common: Common,
  hosts: Hosts,
  schedule: Schedule,
) {
  const fields = {
    user: { ...common, ...schedule },
    team: { ...common, ...hosts },
    organization: { ...common, ...hosts, ...schedule },
  };
  return fields[level] as Common & Hosts & Schedule;
}

function newEventTypeFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    ...newBookingFields(t),
    metadata: t.field({ type: 'Metadata', description: 'Keys and values of your own.' }),
    slug: t.string({ required: true, description: SLUG }),
    title: t.string({ required: true, description: TITLE }),
    lengthInMinutes: t.int({ required: true, description: LENGTH }),
  };
}

function eventTypePatchFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    ...bookingFieldPatchFields(t),
    metadata: t.field({
      type: 'MetadataPatch',
      description: 'Keys to set or, with null, to take away; all others stay.',
    }),
    slug: t.string({ description: SLUG }),
    title: t.string({ description: TITLE }),
    lengthInMinutes: t.int({ description: LENGTH }),
  };
}

function commonFields(t: InputBuilder) {
  return {
    ...timeFields(t),
    ...bookingRuleInputs(t),
    description: t.string({
      description: `What bookers should know of it: at most ${MAX_TEXT.description} characters. Null empties it.`,
    }),
    hidden: t.boolean({
      description: 'Whether the public lists leave it out; its private links lead to it. False at first.',
    }),
    color: t.string({ description: 'As `#rrggbb`, such as `#1a7f37`. Null: none.' }),
    locations: t.field({
      type: [LocationInput],
      description: `From which the attendee chooses, at most ${MAX_LOCATIONS}; the first is the default. Replaces all.`,
    }),
    successRedirectUrl: t.field({
      type: 'URL',
      description: `Where the booker is sent afterwards: ${URL_IN_WORDS}. Null: nowhere.`,
    }),
    embedOrigins: t.stringList({
      description: `The websites whose pages may show the booking page in a frame, at most ${MAX_EMBED_ORIGINS}: each ${ORIGIN_IN_WORDS}; \`http\` for \`localhost\` and \`127.0.0.1\` only. Replaces all; none at first.`,
    }),
  };
}

function scheduleField(t: InputBuilder) {
  return {
    scheduleId: t.id({
      description: 'One of the user’s own schedules, by its id (`sch_…`); null is their default.',
    }),
  };
}
