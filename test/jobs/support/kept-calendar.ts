import ICAL from 'ical.js';
import type { Radicale } from '../../support/radicale.ts';

/** A calendar on a real server whose owner's program does with our files what RFC 5546 says. */
export class KeptCalendar {
  readonly #radicale: Radicale;
  readonly #account: string;
  readonly #url: string;
  /** The events that the program has put there last, by the uid. */
  readonly #kept = new Map<string, KeptEvent>();

  private constructor(radicale: Radicale, account: string, url: string) {
    this.#radicale = radicale;
    this.#account = account;
    this.#url = url;
  }

  static async make(radicale: Radicale, account: string, name: string): Promise<KeptCalendar> {
    return new KeptCalendar(radicale, account, await radicale.makeCalendar(account, name));
  }

  /**
   * Stores each event of a file as an object of its own, without the method, as RFC 4791 §4.1 asks. What is older than what
   * is there changes nothing (RFC 5546 §2.1.5), and the cancellation of what was never there adds nothing (§3.2.5).
   * @returns what became of each event @throws Error when the server refuses one
   */
  async take(file: string): Promise<('ADDED' | 'REPLACED' | 'IGNORED')[]> {
    // Programs that read mails may have changed the ends of lines.
    const text = file.replaceAll(/\r?\n/g, '\r\n');
    const method = /^METHOD:(.*)\r$/m.exec(text)?.[1];
    const outcomes: ('ADDED' | 'REPLACED' | 'IGNORED')[] = [];
    for (const [event] of text.matchAll(/^BEGIN:VEVENT\r\n[^]*?^END:VEVENT\r\n/gm)) {
      const object = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Tests//EN\r\n${event}END:VCALENDAR\r\n`;
      const [sent] = eventsIn(object);
      if (!sent) throw new Error('A file has an event that is none.');
      const kept = this.#kept.get(sent.uid);
      if (kept ? !isNewer(sent, kept) : method === 'CANCEL') {
        outcomes.push('IGNORED');
        continue;
      }
      const path = `${this.#url}${encodeURIComponent(sent.uid)}.ics`;
      const put = await this.#radicale.request('PUT', this.#account, path, object);
      if (!put.ok) throw new Error(`Radicale took no event: ${put.status} ${await put.text()}`);
      this.#kept.set(sent.uid, sent);
      outcomes.push(kept ? 'REPLACED' : 'ADDED');
    }
    return outcomes;
  }

  /** Each event as the server has it, in order of their starts. */
  async events(): Promise<readonly KeptEvent[]> {
    const events = eventsIn(await this.#radicale.contentOf(this.#account, this.#url));
    return events.toSorted((a, b) => a.start.localeCompare(b.start));
  }
}

/** An event, as a calendar program shows it. */
export interface KeptEvent {
  readonly uid: string;
  readonly sequence: number;
  readonly stamp: string;
  /** RFC 3339, in UTC. */
  readonly start: string;
  readonly end: string;
  readonly summary: string;
  readonly status: string;
  readonly location: string | null;
  readonly description: string | null;
  readonly comment: unknown;
  readonly organizer: string;
  readonly attendees: readonly string[];
}

/** The events of an iCalendar object, by a reader that knows RFC 5545. @throws Error for what is no calendar object */
export function eventsIn(text: string): KeptEvent[] {
  // A calendar without anything in it is answered by nothing.
  if (text.trim() === '') return [];
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[] as never);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: event.sequence,
      stamp: String(component.getFirstPropertyValue('dtstamp')),
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      summary: event.summary,
      status: String(component.getFirstPropertyValue('status')),
      location: event.location,
      description: event.description,
      comment: component.getFirstPropertyValue('comment'),
      organizer: component.getAllProperties('organizer').map(personIn).join(),
      attendees: component.getAllProperties('attendee').map(personIn),
    };
  });
}

/** `Grace <mailto:grace@example.test> ACCEPTED` */
function personIn(property: ICAL.Property): string {
  const [name, part] = ['cn', 'partstat'].map((one) => property.getFirstParameter(one) ?? '');
  return `${name} <${String(property.getFirstValue())}> ${part}`.trim();
}

function isNewer(sent: KeptEvent, kept: KeptEvent): boolean {
  return sent.sequence === kept.sequence ? sent.stamp > kept.stamp : sent.sequence > kept.sequence;
}
