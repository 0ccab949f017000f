import { instantFrom } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import { shown, timeZoneNamed } from '../../core/text.ts';

/** The parameters in the address of a page on the way to a booking, so that each of its states has an address. */
export const BOOKING_PARAMETERS = [
  'timeZone',
  'durationInMinutes',
  'month',
  'date',
  'start',
  'name',
  'email',
  'embed',
] as const;
type BookingParameter = (typeof BOOKING_PARAMETERS)[number];

/** As it stands in the address; what is left out is not there. */
export type BookingQuery = { readonly [Name in BookingParameter]?: string | undefined };

/** The address of a state, with what of it is said. */
export function addressOf(path: string, query: BookingQuery, fragment = ''): string {
  const said = BOOKING_PARAMETERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
  return `${path}${said.length > 0 ? `?${new URLSearchParams(said)}` : ''}${fragment}`;
}

/** The path of a booking's own page, by its name there; as it stands in a frame, if that is where it leads from. */
export function bookingPath(name: string, isEmbedded = false): string {
  return addressOf(`/bookings/${name}`, isEmbedded ? { embed: '1' } : {});
}

/** The input of the pages that lead to a booking, from an address or a form. */
export interface PageInput {
  /** As it was said, for the links of the page. */
  readonly query: BookingQuery;
  readonly timeZone: string | undefined;
  /** The text that was given in its place and is none, for its field. */
  readonly unknownZone: string | undefined;
  readonly durationInMinutes: number | null;
  readonly month: Temporal.PlainYearMonth | null;
  readonly date: Temporal.PlainDate | undefined;
  readonly start: Temporal.Instant | undefined;
}

type Given = Readonly<Record<string, string | undefined>>;

/** A field that is filled in beforehand is only shown again. */
const MAX_PREFILL = 254;

/** Whether the page is in a frame decides who asks (`asEmbedded`). @throws Problem BAD_REQUEST for what is no length, month, date or time */
export function readPageInput(given: Given, isEmbedded = false): PageInput {
  const said = BOOKING_PARAMETERS.flatMap((name) => {
    const value = given[name]?.slice(0, MAX_PREFILL) ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const query: BookingQuery = Object.fromEntries(said);
  const date = read('date', query.date, dateIn);
  const timeZone = query.timeZone === undefined ? undefined : zoneSaid(query.timeZone);
  return {
    query: { ...query, timeZone, embed: isEmbedded ? '1' : undefined },
    timeZone,
    unknownZone: timeZone === undefined ? query.timeZone : undefined,
    durationInMinutes: read('length', query.durationInMinutes, minutesIn) ?? null,
    month: read('month', query.month, monthIn) ?? date?.toPlainYearMonth() ?? null,
    date,
    start: read('start', query.start, instantIn),
  };
}

/** The input of a form that follows the choice of a time. @throws Problem BAD_REQUEST, also where no time is chosen */
export function chosenIn(
  address: Given,
  form: URLSearchParams,
  isEmbedded = false,
): PageInput & { readonly start: Temporal.Instant } {
  const sent = ['start', 'timeZone', 'durationInMinutes', 'name', 'email'].flatMap((name) => {
    const text = form.get(name) ?? '';
    return text === '' ? [] : [[name, text] as const];
  });
  const { start, ...input } = readPageInput({ ...address, ...Object.fromEntries(sent) }, isEmbedded);
  if (input.unknownZone !== undefined) {
    throw new Problem(
      'BAD_REQUEST',
      `The form names a time zone that is none, ${shown(input.unknownZone)}; go back and choose one.`,
    );
  }
  if (!start) throw new Problem('BAD_REQUEST', 'No time was chosen. Go back and choose one.');
  return { ...input, start };
}

/** The input of the page for the day of a time that is not available. */
export function onDayOf(input: PageInput, start: Temporal.Instant, timeZone: string): PageInput {
  const date = start.toZonedDateTimeISO(timeZone).toPlainDate();
  return { ...input, query: { ...input.query, start: undefined }, date, month: date.toPlainYearMonth() };
}

const EXAMPLES = {
  length: '30',
  month: '2027-01',
  date: '2027-01-31',
  start: '2027-01-31T09:00:00Z',
} as const;

function read<Value>(
  what: keyof typeof EXAMPLES,
  text: string | undefined,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value !== undefined) return value;
  const message = `The ${what} ${shown(text)} of this address cannot be; write it as ${EXAMPLES[what]}, or leave it out.`;
  throw new Problem('BAD_REQUEST', message);
}

function minutesIn(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}

function monthIn(text: string): Temporal.PlainYearMonth | undefined {
  return /^\d{4}-\d\d$/.test(text) ? attempt(() => Temporal.PlainYearMonth.from(text)) : undefined;
}

function dateIn(text: string): Temporal.PlainDate | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? attempt(() => Temporal.PlainDate.from(text)) : undefined;
}

function instantIn(text: string): Temporal.Instant | undefined {
  return text.endsWith('Z') ? instantFrom(text) : undefined;
}

function attempt<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** The zones to choose from. */
export const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const REGIONS = [
  ...new Set(ZONES.filter((zone) => zone.includes('/')).map((zone) => zone.slice(0, zone.indexOf('/')))),
];

/**
 * The zone that somebody means: its name in any capitals (`europe/berlin`), its city (`new york`, also in a spelling that zones
 * had before), or the beginning of one city alone (`reykj`). Undefined where it is none, or could be several.
 */
export function zoneSaid(text: string): string | undefined {
  const said = text.trim().replace(/\s+/g, '_');
  const named = timeZoneNamed(said);
  if (named !== undefined) return named;
  const ofCity = REGIONS.map((region) => timeZoneNamed(`${region}/${said}`)).find((zone) => zone !== undefined);
  if (ofCity !== undefined || said === '') return ofCity;
  const beginning = said.toLowerCase();
  const [only, another] = ZONES.filter((zone) => cityOf(zone).startsWith(beginning));
  return another === undefined ? only : undefined;
}

function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).toLowerCase();
}
