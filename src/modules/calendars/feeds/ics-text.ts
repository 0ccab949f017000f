/**
 * The text of a calendar (RFC 5545 §3.1, §3.4): its lines, components, and values that say when something is. Calendars that
 * people publish are damaged now and then, so each line is read for itself, and one that says nothing takes nothing with it.
 */

/** A content line. `head`: its name and its parameters. */
export interface IcsLine {
  readonly name: string;
  readonly head: string;
  readonly value: string;
}

/** A VEVENT, VFREEBUSY, VTIMEZONE, STANDARD or DAYLIGHT: its lines, in their order, and its parts. */
export class IcsComponent {
  name: string;
  readonly parts: IcsComponent[] = [];
  readonly #lines: IcsLine[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Its lines, without those of its parts. */
  get text(): string {
    return [this.name, ...this.#lines.map(({ head, value }) => `${head}:${value}`)].join('\n');
  }

  add(line: IcsLine): void {
    this.#lines.push(line);
  }

  all(name: string): readonly IcsLine[] {
    return this.#lines.filter((line) => line.name === name);
  }

  first(name: string): IcsLine | undefined {
    return this.#lines.find((line) => line.name === name);
  }
}

/** The parts of one VCALENDAR that say when somebody is busy. */
export class IcsCalendar extends IcsComponent {
  /** VEVENT and VFREEBUSY. */
  readonly events: IcsComponent[] = [];
  readonly zones: IcsComponent[] = [];
  /** Whether anything in it is there to its end: a text that breaks off before is none. */
  isWhole = false;

  constructor() {
    super('VCALENDAR');
  }
}

/** The lines of values that hold no colon, so that one in a parameter which should be quoted does no harm. */
const TIMES = ['DTSTART', 'DTEND', 'DURATION', 'RDATE', 'EXDATE', 'RECURRENCE-ID', 'DTSTAMP', 'FREEBUSY'];
/** No VALARM has any of these: where its end is missing, they are of the event. */
const OF_NO_ALARM = new Set(['DTSTART', 'DTEND', 'RDATE', 'EXDATE', 'RECURRENCE-ID', 'RRULE', 'EXRULE', 'TRANSP']);
const OTHERS =
  'BEGIN,END,UID,SEQUENCE,STATUS,TRANSP,RRULE,EXRULE,ATTENDEE,SUMMARY,TZID,TZOFFSETFROM,TZOFFSETTO,X-LIC-LOCATION,X-WR-TIMEZONE,METHOD';
const NAMES = new Set([...TIMES, ...OTHERS.split(',')]);
/** These stand in a calendar itself, and in nothing else. */
const TOP = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']);
const OBSERVANCES = new Set(['STANDARD', 'DAYLIGHT']);
/** These say when somebody is busy. */
const EVENTS = new Set(['VEVENT', 'VFREEBUSY']);
const READ = new Set(['VCALENDAR', 'VTIMEZONE', ...EVENTS, ...OBSERVANCES]);
/** No component is in as many others. */
const MAX_DEPTH = 8;

/** The calendars of a text; there may be several, one after the other (§3.4). A component whose end is missing ends where the next begins. `onStep` is called before each of them. */
export function calendarsIn(text: string, onStep: () => void): IcsCalendar[] {
  const reader = new TextReader();
  for (const line of unfolded(text)) {
    if (line.startsWith('BEGIN')) onStep();
    reader.take(line);
  }
  return reader.calendars.filter(({ isWhole }) => isWhole);
}

class TextReader {
  readonly calendars: IcsCalendar[] = [];
  #calendar: IcsCalendar | undefined;
  #open: IcsComponent[] = [];
  /** The lines of the calendar itself since its last component: if an END follows, the BEGIN is missing. */
  #loose = new IcsComponent('VEVENT');

  take(text: string): void {
    const line = lineOf(text);
    if (!line) return;
    const component = line.value.toUpperCase();
    if (line.name === 'BEGIN') this.#begin(component);
    else if (line.name === 'END') this.#end(component);
    else this.#add(line);
  }

  #begin(name: string): void {
    // The first component is the calendar, whatever is left of its name.
    if (name === 'VCALENDAR' || !(this.#calendar || TOP.has(name) || OBSERVANCES.has(name))) {
      this.#reset();
      this.#calendar = undefined;
      this.#inCalendar();
      return;
    }
    const calendar = this.#inCalendar();
    if (TOP.has(name)) this.#reset();
    if (OBSERVANCES.has(name)) this.#close((one) => one.name === 'VTIMEZONE', 1);
    if (this.#open.length >= MAX_DEPTH) return;
    const component = new IcsComponent(name);
    if (EVENTS.has(name)) calendar.events.push(component);
    if (name === 'VTIMEZONE') calendar.zones.push(component);
    if (OBSERVANCES.has(name)) this.#open.at(-1)?.parts.push(component);
    this.#open.push(component);
  }

  #end(name: string): void {
    const calendar = this.#calendar;
    if (calendar && (name === 'VCALENDAR' || EVENTS.has(name))) calendar.isWhole = true;
    if (name === 'VCALENDAR' || EVENTS.has(name)) this.#reset();
    else if (TOP.has(name)) this.#open = [];
    else this.#close((one) => one.name === name, 0);
  }

  /** Ends what is open. An event whose BEGIN is missing is one nevertheless; an observance is none. */
  #reset(): void {
    const isEvent = this.#loose.first('DTSTART') && !this.#loose.first('TZOFFSETTO');
    if (this.#loose.first('FREEBUSY')) this.#loose.name = 'VFREEBUSY';
    if (isEvent || this.#loose.name === 'VFREEBUSY') this.#calendar?.events.push(this.#loose);
    this.#loose = new IcsComponent('VEVENT');
    this.#open = [];
  }

  /**
   * Closes all that is open within the innermost such component, and, but for `kept`, that one itself; nothing where none is
   * open.
   */
  #close(isIt: (component: IcsComponent) => boolean, kept: 0 | 1): void {
    const place = this.#open.findLastIndex(isIt);
    if (place >= 0) this.#open.length = place + kept;
  }

  #add(line: IcsLine): void {
    const innermost = this.#open.at(-1);
    if (!innermost) {
      this.#inCalendar().add(line);
      this.#loose.add(line);
    } else if (READ.has(innermost.name)) innermost.add(line);
    else if (innermost.name === 'VALARM' && OF_NO_ALARM.has(line.name)) this.#open[0]?.add(line);
  }

  /** One whose BEGIN is missing begins with its first line. */
  #inCalendar(): IcsCalendar {
    if (this.#calendar) return this.#calendar;
    this.#calendar = new IcsCalendar();
    this.calendars.push(this.#calendar);
    return this.#calendar;
  }
}

/** No text editor shows these, and no calendar means them. */
const INVISIBLE = /[\0\u200B-\u200D\u2060]/gu;

/** Logical lines (§3.1): one that begins with a space goes on the one before. */
function* unfolded(text: string): Generator<string> {
  let whole = '';
  for (const line of text.replaceAll(INVISIBLE, '').split(/\r\n?|\n/)) {
    if (line.startsWith(' ') || line.startsWith('\t')) whole += line.slice(1);
    else if (line !== '') {
      yield whole;
      whole = line;
    }
  }
  yield whole;
}

/** Undefined for what is not read, or no content line at all, as the rest of a text that was not folded. */
function lineOf(text: string): IcsLine | undefined {
  const name = /^\uFEFF?\s*([A-Za-z-]{3,20})\s*[;:]/.exec(text)?.[1]?.toUpperCase();
  if (name === undefined || !NAMES.has(name)) return undefined;
  const colon = TIMES.includes(name) ? colonOfTime(text) : firstColon(text);
  return colon < 0 ? undefined : { name, head: text.slice(0, colon), value: text.slice(colon + 1).trim() };
}

/** The last one, but for those of a time that is written with dashes and colons. */
function colonOfTime(text: string): number {
  const place = text.search(/:\d{4}-\d\d-\d\d/);
  return place < 0 ? text.lastIndexOf(':') : place;
}

/** The first one that is not within quotes; where there is none, the last one. */
function firstColon(text: string): number {
  let isQuoted = false;
  for (let place = 0; place < text.length; place += 1) {
    if (text[place] === '"') isQuoted = !isQuoted;
    else if (text[place] === ':' && !isQuoted) return place;
  }
  return text.lastIndexOf(':');
}

const PARAMETERS = {
  TZID: /;TZID=(?:"([^"]*)"?|([^";]*))/i,
  RANGE: /;RANGE=(?:"([^"]*)"?|([^";]*))/i,
  VALUE: /;VALUE=(?:"([^"]*)"?|([^";]*))/i,
  PARTSTAT: /;PARTSTAT=(?:"([^"]*)"?|([^";:]*))/i,
  FBTYPE: /;FBTYPE=(?:"([^"]*)"?|([^";:]*))/i,
  EMAIL: /;EMAIL=(?:"([^"]*)"?|([^";:]*))/i,
};

export function parameterOf({ head }: IcsLine, name: keyof typeof PARAMETERS): string | undefined {
  const found = PARAMETERS[name].exec(head);
  return (found?.[1] ?? found?.[2])?.trim();
}

/** A TEXT (§3.3.11) for people, in one line. */
export function plainText({ value }: IcsLine, maxLength: number): string {
  const plain = value
    .slice(0, maxLength * 3)
    .replace(/\\(.)/gs, (_, one: string) => (one.toLowerCase() === 'n' ? ' ' : one));
  return plain
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}

/** The values of a list (§3.1.1), also of one with semicolons; a comma too many separates nothing. */
export function listed({ value }: IcsLine): readonly string[] {
  return value.split(/[,;]/).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}

/** A time as it is written. `wall`: what the clock on the wall shows, as epoch milliseconds if that showed UTC; of a date, its midnight. */
export interface WrittenTime {
  readonly wall: number;
  readonly isDate: boolean;
  readonly isUtc: boolean;
}

const TIME = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(?:\.\d+)?(?:(Z)|([+-])(\d\d):?(\d\d))?)?$/i;

/**
 * A DATE or DATE-TIME (§3.3.4, §3.3.5) by its form: eight digits are a day, whether VALUE says so or not. What VALUE calls a date is
 * one also where midnight is written behind it. As others write times, it may have dashes and colons, a fraction of a second, which
 * does not count, and an offset, in place of the UTC that is meant. Undefined for what is neither.
 */
export function timeIn(text: string, line: IcsLine): WrittenTime | undefined {
  const [, ...parts] = TIME.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map((one) => Number(one ?? 0));
  const midnight = year < 1 ? undefined : midnightOf(year, month, day);
  const ofDay = (hour * 60 + minute) * 60 + second;
  // 24:00 and a leap second are of the next day and minute.
  if (midnight === undefined || minute > 59 || second > 60 || ofDay > 86_400) return undefined;
  const isDate = parts[3] === undefined || (ofDay === 0 && parameterOf(line, 'VALUE')?.toUpperCase() === 'DATE');
  const [zulu, sign, hours, minutes] = parts.slice(6);
  const isUtc = !isDate && (zulu ?? sign) !== undefined;
  const offset = isUtc && sign !== undefined ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0;
  return { wall: midnight + ofDay * 1_000 - offset, isDate, isUtc };
}

/** Undefined for a day that there is not. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  // `Date.UTC` takes the years of the first century for those of the last one.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Weeks and days by the clock on the wall, and the rest exactly (§3.3.6). */
export interface IcsDuration {
  readonly days: number;
  readonly milliseconds: number;
}

const DURATION =
  /^([+-])?P(?:(\d{1,9})W)?(?:(\d{1,9})D)?T?(?:(\d{1,9}(?:\.\d{1,9})?)H)?(?:(\d{1,9}(?:\.\d{1,9})?)M)?(?:(\d{1,9})S)?$/i;
/** No event is as long as a century. */
const MAX_DAYS = 36_525;

/** A DURATION (§3.3.6); one that is negative lasts no time. */
export function durationIn(text: string): IcsDuration | undefined {
  const [, sign, ...parts] = DURATION.exec(text) ?? [];
  if (!parts.some((one) => one !== undefined)) return undefined;
  if (sign === '-') return { days: 0, milliseconds: 0 };
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((one) => Number(one ?? 0));
  const milliseconds = Math.round(((hours * 60 + minutes) * 60 + seconds) * 1_000);
  return { days: Math.min(weeks * 7 + days, MAX_DAYS), milliseconds: Math.min(milliseconds, MAX_DAYS * 86_400_000) };
}
