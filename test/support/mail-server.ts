import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ICAL from 'ical.js';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  /** The mailbox that the envelope names. */
  readonly mailbox: string;
  readonly email: Email;
  readonly text: string;
  /** The objects that mail programs show, then those in files. */
  readonly calendars: readonly ReceivedCalendar[];
  /** As it came, and all of it decoded: headers, text, and every part with its lines unfolded. */
  readonly everything: string;
}

export interface ReceivedCalendar {
  readonly method: unknown;
  readonly events: readonly ReceivedEvent[];
}

export interface ReceivedEvent {
  readonly uid: string;
  readonly sequence: number;
  readonly status: unknown;
  readonly start: string;
  readonly attendees: readonly unknown[];
  readonly summary: string;
  readonly location: string;
  readonly description: string;
}

/** Something of a mail server's answer to a mailbox: `undefined` takes the mail. */
type Refusal = { readonly code: number; readonly message: string } | undefined;

/** Greets at once. The package first listens for a tenth of a second who talks too soon. */
class PromptServer extends SMTPServer {
  override connect(...accepted: Parameters<SMTPServer['connect']>): void {
    super.connect(...accepted);
    const connection = [...this.connections].at(-1);
    if (!connection) return;
    connection.connectionReady();
    // The server would do this after that time; it is done now.
    connection.connectionReady = () => undefined;
  }
}

/** A real mail server that keeps what it gets, on a port of its own. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** The server's answer to a mailbox. */
  refusalFor: (mailbox: string) => Refusal = () => undefined;
  /** Runs when a mail was taken, before that is said. */
  onTaken: () => void | Promise<void> = () => undefined;
  readonly #waiting = new Set<() => void>();
  readonly #server: PromptServer;

  private constructor() {
    this.#server = new PromptServer({
      disableReverseLookup: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo: ({ address }, _session, answer) => {
        const refusal = this.refusalFor(address);
        answer(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
      },
      onData: (stream, session, answer) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const mailbox = session.envelope.rcptTo.map(({ address }) => address).join();
          void this.#take(mailbox, Buffer.concat(parts)).then(() => answer(), answer);
        });
      },
    });
    // A service that is killed while it sends a mail resets the connection.
    this.#server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
    });
  }

  static async open(): Promise<MailServer> {
    const mailServer = new MailServer();
    mailServer.#server.listen(0, '127.0.0.1');
    await once(mailServer.#server.server, 'listening');
    return mailServer;
  }

  get url(): string {
    const { port } = this.#server.server.address() as AddressInfo;
    return `smtp://127.0.0.1:${port}`;
  }

  /** Resolves when so many mails are here. */
  async received(count: number): Promise<readonly ReceivedMail[]> {
    while (this.mails.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
    return this.mails;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #take(mailbox: string, raw: Buffer): Promise<void> {
    const email = await PostalMime.parse(raw);
    this.mails.push({
      mailbox,
      email,
      text: email.text ?? '',
      calendars: calendarsIn(email),
      everything: everythingIn(email, raw),
    });
    await this.onTaken();
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

function calendarsIn(email: Email): ReceivedCalendar[] {
  return calendarTextsIn(email).map(readCalendar);
}

/** The calendar objects of a mail as they came: those that mail programs show, then those in files. */
export function calendarTextsIn({ attachments }: Pick<Email, 'attachments'>): string[] {
  return attachments
    .filter(({ mimeType }) => mimeType === 'text/calendar')
    .map(({ content }) => (typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()));
}

function everythingIn({ headers, subject, from, to, replyTo, text, html, attachments }: Email, raw: Buffer): string {
  const parts = attachments.map(({ content, filename }) => {
    const file = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString();
    return `${filename}\n${file.replaceAll(/\r?\n[ \t]/g, '')}`;
  });
  return [raw.toString(), JSON.stringify([headers, subject, from, to, replyTo]), text, html, ...parts].join('\n');
}

/** By a reader that knows RFC 5545. @throws Error for what is no calendar object */
function readCalendar(text: string): ReceivedCalendar {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[] as never);
  return {
    method: calendar.getFirstPropertyValue('method'),
    events: calendar.getAllSubcomponents('vevent').map((component) => {
      const event = new ICAL.Event(component);
      return {
        uid: event.uid,
        sequence: event.sequence,
        status: component.getFirstPropertyValue('status'),
        start: event.startDate.toJSDate().toISOString(),
        attendees: event.attendees.map((attendee) => attendee.getFirstValue()),
        summary: event.summary,
        location: event.location,
        description: event.description,
      };
    }),
  };
}
