/** The words for what can be booked with a user: the list, the page of one and its parts, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_SLUG_LENGTH } from '../../../core/text.ts';
import { MAX_TEXT } from '../../../modules/event-types/event-type.rules.ts';
import type { BookingFieldType } from '../../../modules/event-types/settings/booking-field.rules.ts';
import type { BookingWindow } from '../../../modules/event-types/settings/booking-window.rules.ts';
import { MAX_EMBED_ORIGINS } from '../../../modules/event-types/settings/embed-origin.rules.ts';
import type { LocationType } from '../../../modules/event-types/settings/location.rules.ts';
import {
  type Confirmation,
  MAX_SEATS,
  type SchedulingType,
} from '../../../modules/event-types/settings/scheduling.rules.ts';
import type { Html } from '../../kit/layout.ts';
import type { FormWords } from '../../kit/problem-words.ts';

const plural = pluralIn('en');

/** Whether bookings wait for an answer of the host. */
const CONFIRMATIONS: Readonly<Record<Confirmation['type'], string>> = {
  NEVER: 'Never: bookings are confirmed automatically',
  ALWAYS: 'Always',
  SHORT_NOTICE: 'Only at short notice, as before',
};

/** Says which of a team's hosts take part. */
const SCHEDULING: Readonly<Record<SchedulingType, string>> = {
  ROUND_ROBIN: 'One host in turn (round-robin)',
  COLLECTIVE: 'All hosts together (collective)',
  MANAGED: 'Each host has their own copy (managed)',
};

const HOURS = { USUAL: 'Default schedule', OWN: 'Its own schedule', HOSTS: 'Schedules of its hosts' };

/** How far ahead it can be booked; of no type, without end. */
const WINDOWS: Readonly<Record<BookingWindow['type'] | 'ANY', string>> = {
  ANY: 'No limit',
  ROLLING_DAYS: 'A number of days ahead',
  BUSINESS_DAYS: 'A number of weekdays ahead, Monday to Friday',
  DATE_RANGE: 'Between two dates',
};

/** Each kind of place; a conferencing app goes by its own name. */
const PLACES: Readonly<Record<Exclude<LocationType, 'CONFERENCING'>, string>> = {
  ADDRESS: 'In person, at your address',
  LINK: 'Online, at your link',
  PHONE: 'By phone: they call you',
  ATTENDEE_PHONE: 'By phone: you call them',
  ATTENDEE_ADDRESS: 'In person, at their address',
  ATTENDEE_CHOICE: 'Wherever they choose',
};

const ANSWERS: Readonly<Record<BookingFieldType, string>> = {
  TEXT: 'One line of text',
  TEXTAREA: 'Several lines of text',
  NUMBER: 'A number',
  PHONE: 'A phone number',
  EMAIL: 'An e-mail address',
  MULTI_EMAIL: 'Several e-mail addresses',
  SELECT: 'One choice from a list',
  MULTI_SELECT: 'Several choices from a list',
  RADIO: 'One choice, all options shown',
  CHECKBOX: 'Several choices, all options shown',
  BOOLEAN: 'Yes or no',
  URL: 'A link',
  ADDRESS: 'A postal address',
};

/** The words for mistakes that this page says better than all pages do; after the name of the command's field. */
const MISTAKES: NonNullable<FormWords['texts']> = {
  'FORBIDDEN schedulingType':
    'Each host gets their own copy of a managed event type, and one of the members has a higher role than you. Leave “All members” unticked and choose hosts without them, or ask them to add it.',
};

export const EVENT_TYPE_EN = {
  list: {
    title: 'Your event types',
    titleOfTeam: (team: string) => `Event types of ${team}`,
    intro: (url: Html) => html`Your booking page shows all event types that aren’t hidden: ${url}`,
    introOfTeam: (url: Html) => html`The team’s booking page shows all event types that aren’t hidden: ${url}`,
    empty: 'You have no event types yet. Add one so that people can book you.',
    emptyOfTeam: 'The team has no event types yet. Add one so that people can book the team.',
    isHidden: 'hidden',
    bookingPage: (title: string) => html`Booking page<span class="unseen"> of <bdi>${title}</bdi></span>`,
    add: 'Add an event type',
    slugHint: 'Leave it empty to make it from the title.',
    addButton: 'Add',
    chooseScheduling: 'Choose who hosts it.',
  },
  page: {
    ofHosts: 'Each host has their own copy of this event type, which stays in sync with it. People book the copies.',
    ofTeam:
      'Your team manages this event type. You decide when you can be booked and whether it’s hidden; the team decides everything else.',
    confirmationOfTeam: 'A host has to confirm bookings',
    save: 'Save',
    webhooks: 'Webhooks of this event type',
    remove: 'Delete this event type',
  },
  question: {
    title: (name: string) => `Delete ${name}?`,
    /** Says what else ends with it. */
    explanations: {
      OWN: 'No one will be able to book it. Existing bookings stay in your list.',
      TEAM: 'No one will be able to book it. Existing bookings stay in the lists of their hosts.',
      MANAGED:
        'The hosts’ copies are deleted as well, and no one will be able to book them. Existing bookings stay in the lists of their hosts.',
    },
    button: 'Delete',
  },
  none: {
    title: 'Event type not found',
    message: 'You have no event type at this address.',
    advice: 'Your event types are at /settings/event-types.',
  },
  done: {
    added: 'Event type added. People can book it now. You can change its details here.',
    saved: 'Saved.',
    deleted: 'Event type deleted.',
  },
  /** The labels of the form's fields, by their names; those of rows stand with them. */
  fields: {
    title: 'Title',
    description: 'Description',
    durationInMinutes: 'Length in minutes',
    slug: 'Link name',
    confirmation: 'I have to confirm bookings',
    isHidden: 'Hidden: it can only be booked with a private link',
    scheduleId: 'Schedule',
    minimumBookingNoticeInMinutes: 'Minimum notice, in minutes',
    bufferBeforeInMinutes: 'Buffer before, in minutes',
    bufferAfterInMinutes: 'Buffer after, in minutes',
    slotIntervalInMinutes: 'Minutes between start times',
    bookingWindow: 'How far ahead people can book',
    windowDays: 'How many days',
    windowFrom: 'First date',
    windowTo: 'Last date',
    seats: 'Seats per time',
    showsAttendees: 'Attendees can see each other’s names',
    embedOrigins: 'Your websites',
    schedulingType: 'Who hosts it',
  },
  hints: {
    title: 'What people book, such as “Introductory call”.',
    description: `Shown on its booking page. Up to ${MAX_TEXT.description} characters.`,
    slug: `The end of its link. Use lower-case letters, digits and single hyphens between them, up to ${MAX_SLUG_LENGTH} characters, such as ada-lovelace. If you change it, links you’ve shared stop working.`,
    minimumBookingNoticeInMinutes: 'How long before the start people have to book.',
    slotIntervalInMinutes: 'Leave it empty to offer times back to back.',
    windowDays: 'For a number of days or weekdays ahead, not counting today.',
    windowFrom: 'For two dates; both can be booked.',
    seats: `1 to ${MAX_SEATS}, if several people can book the same time. Leave it empty if each time can be booked once.`,
    embedOrigins: `One per line, such as https://www.example.com, without a path; up to ${MAX_EMBED_ORIGINS}. Other websites can’t show it.`,
  },
  confirmations: CONFIRMATIONS,
  scheduling: SCHEDULING,
  /** The parts of the page, by their ids; `gist` says how one stands, in a few words. */
  times: {
    title: 'When it can be booked',
    /** `notice`: a length of time, if there is one. */
    gist: (hours: keyof typeof HOURS, notice: string | undefined) =>
      `${HOURS[hours]}, ${notice === undefined ? 'no minimum notice' : `${notice} minimum notice`}`,
    ofHosts: 'Hosts are booked during their own default schedules.',
    usual: 'Default schedule',
    usualNamed: (name: string) => `Default schedule: ${name}`,
    windows: WINDOWS,
    elsewhere: html`Change your default schedule under <a href="/settings/hours">Hours</a>. For different hours, <a href="/settings/schedules">add a schedule</a>.`,
  },
  where: {
    title: 'Location',
    gist: (count: number) => (count === 0 ? 'None' : plural(count, { one: '1 location', other: `${count} locations` })),
    intro: (
      apps: string,
    ) => html`Where you meet. If you add several locations, people choose when they book. To give each booking its own link,
          <a href="${apps}">connect a video app</a>.`,
    kinds: PLACES,
    app: (name: string) => `Online, with ${name}`,
    noKind: 'None',
    rows: 'Locations',
    row: (number: number) => `Location ${number}`,
    newRow: 'New location',
    kind: 'Type',
    value: 'Address, link or phone number',
    valueHint:
      'Links and numbers are only shown after booking. Leave it empty for a video app, or if people give the location when they book.',
    label: 'Name everyone sees',
    remove: 'Remove this location',
    choose: 'Choose the type of location, or clear its other fields.',
  },
  questions: {
    title: 'Questions',
    gist: (count: number) =>
      count === 0
        ? 'Name and e-mail address'
        : `Name, e-mail address, ${plural(count, { one: '1 question', other: `${count} questions` })}`,
    intro: 'People who book are asked for their name and e-mail address, and the questions you add here.',
    types: ANSWERS,
    noType: 'None',
    rows: 'Questions',
    row: (number: number) => `Question ${number}`,
    newRow: 'New question',
    label: 'Question',
    type: 'Type of answer',
    options: 'Options',
    optionsHint: 'For questions with choices; one per line.',
    isRequired: 'Required',
    remove: 'Remove this question',
    choose: 'Choose a type of answer, or clear the question.',
  },
  places: {
    title: 'Seats',
    gist: (count: number) => plural(count, { one: '1 seat', other: `${count} seats` }),
    none: 'One booking per time',
  },
  websites: {
    title: 'On your website',
    gist: (count: number) =>
      count === 0 ? 'Not embedded yet' : plural(count, { one: 'On 1 website', other: `On ${count} websites` }),
    intro: 'Let people book without leaving your website, by embedding this booking page in it.',
    isHidden: 'While it’s hidden, no website can show it.',
    ofHosts: 'Each host finds the code to embed on the page of their own event type.',
    link: 'Save your websites, then put this code where people should book:',
    putThere: 'Put this code where people should book:',
    linkName: 'the link with its script',
    frame:
      'The link turns into a frame that adjusts its height. If your website doesn’t allow scripts, use a plain frame instead:',
    frameName: 'the plain frame',
    /** The text on the host’s website. */
    bookTime: 'Book a time',
  },
  noNumber: (field: string) => `${field}: enter a whole number, such as 30.`,
  mistakes: MISTAKES,
};
