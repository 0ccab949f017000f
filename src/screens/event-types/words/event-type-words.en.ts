/** What can be booked with a user: the list, the page of one and its parts, in English. */
import { html } from 'hono/html';
import { pluralIn } from '../../../core/language.ts';
import { MAX_SLUG_LENGTH } from '../../../core/text.ts';
import { MAX_TEXT } from '../../../modules/event-types/event-type.rules.ts';
import type { BookingFieldType } from '../../../modules/event-types/settings/booking-field.rules.ts';
import type { BookingWindow } from '../../../modules/event-types/settings/booking-window.rules.ts';
import { MAX_EMBED_ORIGINS } from '../../../modules/event-types/settings/embed-origin.rules.ts';
import type {
  Confirmation,
  SchedulingType,
} from '../../../modules/event-types/settings/event-type-scheduling.rules.ts';
import type { LocationType } from '../../../modules/event-types/settings/location.rules.ts';
import { MAX_SEATS } from '../../../modules/event-types/settings/scheduling-input.rules.ts';
import type { FormWords } from '../../kit/mistakes.ts';

const plural = pluralIn('en');

/** Whether bookings wait for an answer of the host. */
const CONFIRMATIONS: Readonly<Record<Confirmation['kind'], string>> = {
  NONE: 'Never: a booking stands at once',
  ALWAYS: 'Always',
  SHORT_NOTICE: 'Only at short notice, as set before',
};

/** Who of a team's hosts takes part. */
const SCHEDULING: Readonly<Record<SchedulingType, string>> = {
  ROUND_ROBIN: 'One host in turn (round-robin)',
  COLLECTIVE: 'All hosts together (collective)',
  MANAGED: 'Each host has their own to be booked (managed)',
};

const HOURS = { USUAL: 'Your usual hours', OWN: 'Hours of its own', HOSTS: 'Hours of its hosts' };

/** How far ahead it can be booked; of no kind, without end. */
const WINDOWS: Readonly<Record<BookingWindow['kind'] | 'ANY', string>> = {
  ANY: 'As far ahead as people like',
  ROLLING_DAYS: 'Some days ahead',
  BUSINESS_DAYS: 'Some working days ahead, Monday to Friday',
  DATE_RANGE: 'From one date to another',
};

/** Each kind of place; a conferencing app goes by its own name. */
const PLACES: Readonly<Record<Exclude<LocationType, 'CONFERENCING'>, string>> = {
  ADDRESS: 'In person, at an address of yours',
  LINK: 'Online, at a link of yours',
  PHONE: 'By phone, they call you',
  ATTENDEE_PHONE: 'By phone, you call them',
  ATTENDEE_ADDRESS: 'At an address that they say',
  ATTENDEE_CHOICE: 'Wherever they say',
};

const ANSWERS: Readonly<Record<BookingFieldType, string>> = {
  TEXT: 'One line of text',
  TEXTAREA: 'Several lines of text',
  NUMBER: 'A number',
  PHONE: 'A phone number',
  EMAIL: 'An e-mail address',
  MULTIEMAIL: 'Several e-mail addresses',
  SELECT: 'One of a list',
  MULTISELECT: 'Several of a list',
  RADIO: 'One of a few, all shown',
  CHECKBOX: 'Several of a few, all shown',
  BOOLEAN: 'Yes or no',
  URL: 'A link',
  ADDRESS: 'A postal address',
};

/** What is wrong, where it is said better than on all pages; after the name of the command's field. */
const MISTAKES: NonNullable<FormWords['texts']> = {
  'FORBIDDEN schedulingType':
    'Of a managed event type each host has their own, and the role of one of the members stands above yours. Leave “All members” unticked and choose hosts without them, or ask them to add it.',
};

export const EVENT_TYPE_EN = {
  list: {
    title: 'Your event types',
    titleOfTeam: (team: string) => `Event types of ${team}`,
    intro: (url: string) => html`Your booking page shows all that are not hidden: <a href="${url}">${url}</a>`,
    introOfTeam: (url: string) =>
      html`The team’s booking page shows all that are not hidden: <a href="${url}">${url}</a>`,
    empty: 'You have no event types yet. Add one, and people can book it.',
    emptyOfTeam: 'The team has no event types yet. Add one, and people can book it.',
    hidden: 'hidden',
    bookingPage: (title: string) => html`Booking page<span class="unseen"> of <bdi>${title}</bdi></span>`,
    add: 'Add an event type',
    slugHint: 'Made of the title where you leave it empty.',
    addButton: 'Add',
    chooseScheduling: 'Choose who takes part.',
  },
  page: {
    ofHosts: 'Each host has one of their own, which follows this one. People book those.',
    ofTeam:
      'A team manages this event type. When you can be booked and whether it is hidden is yours to say, all else the team’s.',
    confirmationOfTeam: 'Ask a host before a booking stands',
    save: 'Save',
    webhooks: 'Have a server told of its bookings',
    remove: 'Delete this event type',
  },
  question: {
    title: (name: string) => `Delete ${name}?`,
    /** What else ends with it. */
    explanations: {
      OWN: 'Nobody can book it any more. Bookings that were made stay in your list.',
      TEAM: 'Nobody can book it any more. Bookings that were made stay in the lists of their hosts.',
      MANAGED:
        'What its hosts have of it goes too, and nobody can book it any more. Bookings that were made stay in the lists of their hosts.',
    },
    button: 'Delete',
  },
  none: {
    title: 'No event type of yours',
    message: 'There is no event type of yours at this address.',
    advice: 'Your event types are at /settings/event-types.',
  },
  done: {
    added: 'Added. People can book it now; say more about it here.',
    saved: 'Saved.',
    deleted: 'The event type is deleted.',
  },
  /** What the fields of the form are called, by their names; those of rows stand with them. */
  fields: {
    title: 'Title',
    description: 'Description',
    lengthInMinutes: 'Length in minutes',
    slug: 'End of its address',
    confirmation: 'Ask me before a booking stands',
    hidden: 'Hidden: people book it by a private link alone',
    scheduleId: 'Hours',
    minimumBookingNoticeInMinutes: 'Notice in minutes',
    bufferBeforeInMinutes: 'Free time before, in minutes',
    bufferAfterInMinutes: 'Free time after, in minutes',
    slotIntervalInMinutes: 'Minutes from one start to the next',
    bookingWindow: 'How far ahead',
    windowDays: 'How many days',
    windowFrom: 'First date',
    windowTo: 'Last date',
    seats: 'Seats for each time',
    showAttendees: 'Those who book see the names of the others',
    embedOrigins: 'Your websites',
    schedulingType: 'Who takes part',
  },
  hints: {
    title: 'What people book, such as “Introductory call”.',
    description: `Shown on its booking page; at most ${MAX_TEXT.description} characters.`,
    slug: `Use lower-case letters, digits and single hyphens between them, at most ${MAX_SLUG_LENGTH} characters, such as ada-lovelace. If you change it, links that you have shared stop working.`,
    minimumBookingNoticeInMinutes: 'How long before its start it must be booked.',
    slotIntervalInMinutes: 'Left empty, one starts where another could end.',
    windowDays: 'Of days or working days ahead; today counts besides.',
    windowFrom: 'Of dates from one to another; both can be booked.',
    seats: `From 1 to ${MAX_SEATS}, for an event that several people book one by one. Left empty, who books has the time to themselves.`,
    embedOrigins: `One a line, such as https://www.example.com, without a path; at most ${MAX_EMBED_ORIGINS}. Other websites can’t show it.`,
  },
  confirmations: CONFIRMATIONS,
  scheduling: SCHEDULING,
  /** The parts of the page, by their ids; `gist` says how one stands, in a few words. */
  times: {
    title: 'When it can be booked',
    /** `notice`: a length of time, if there is one. */
    gist: (whose: keyof typeof HOURS, notice: string | undefined) =>
      `${HOURS[whose]}, ${notice === undefined ? 'up to the last minute' : `at least ${notice} ahead`}`,
    ofHosts: 'Its hosts are booked in their own usual hours.',
    usual: 'Your usual hours',
    usualNamed: (name: string) => `Your usual hours: ${name}`,
    windows: WINDOWS,
    elsewhere: html`Your usual hours are set at <a href="/settings/hours">when you can be booked</a>. For other hours, <a href="/settings/schedules">add a schedule</a>.`,
  },
  where: {
    title: 'Where it takes place',
    gist: (count: number) =>
      count === 0 ? 'Nothing is said' : plural(count, { one: 'One place', other: `${count} places` }),
    intro: (
      apps: string,
    ) => html`Where you meet. Of several places, the one who books chooses. For a link of its own to each booking,
          <a href="${apps}">connect a video app</a>.`,
    kinds: PLACES,
    app: (name: string) => `Online, by ${name}`,
    noKind: 'None',
    rows: 'Places',
    row: (number: number) => `Place ${number}`,
    newRow: 'New place',
    kind: 'Kind',
    value: 'Address, link or phone number',
    valueHint: 'Links and numbers are shown once it is booked. Leave it empty for a video app, or where they say it.',
    label: 'Name that everybody sees',
    remove: 'Remove this place',
    choose: 'Choose the kind of place, or empty its other fields.',
  },
  questions: {
    title: 'What you ask',
    gist: (count: number) =>
      count === 0
        ? 'Name and e-mail address'
        : `Name, e-mail address, ${plural(count, { one: '1 question', other: `${count} questions` })}`,
    intro: 'Who books is asked for name and e-mail address, and for what you add here.',
    types: ANSWERS,
    noType: 'None',
    rows: 'Questions',
    row: (number: number) => `Question ${number}`,
    newRow: 'New question',
    label: 'Question',
    type: 'Kind of answer',
    options: 'Answers to choose from',
    optionsHint: 'Where it is one or several of a list; one a line.',
    required: 'Must be answered',
    remove: 'Remove this question',
    choose: 'Choose a kind of answer, or empty the question.',
  },
  places: {
    title: 'Seats',
    gist: (count: number) => plural(count, { one: '1 seat', other: `${count} seats` }),
    none: 'One booking takes the time',
  },
  websites: {
    title: 'On your website',
    gist: (count: number) =>
      count === 0 ? 'On none yet' : plural(count, { one: 'On 1 website', other: `On ${count} websites` }),
    intro: 'People can book without leaving your website: its pages show this booking page in a frame.',
    hidden: 'While it is hidden, no website can show it.',
    ofHosts: 'Each host finds what to put there on the page of their own event type.',
    link: 'Save your websites, then put this where people are to book:',
    putThere: 'Put this where people are to book:',
    linkName: 'the link with its script',
    frame:
      'The link becomes a frame that is as high as it has to be. If your website takes no scripts, put a plain frame there:',
    frameName: 'the plain frame',
    /** What the host’s website says. */
    bookTime: 'Book a time',
  },
  noNumber: (field: string) => `${field}: write a whole number, such as 30.`,
  mistakes: MISTAKES,
};
