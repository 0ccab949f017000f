/** mail/ sends one mail over SMTP, as text and as HTML, or keeps it while no server is configured. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { createTransport } from 'nodemailer';
import { newId } from '../core/id.ts';
import { lazily } from '../core/lazily.ts';
import { type MailContent, textOf } from '../core/mail-content.ts';
import { addressOfMailbox, nameOfMailbox } from '../core/text.ts';
import { mailHtml } from './mail-html.ts';

/** A few sentences and perhaps an address to open, sent as plain text and as HTML. */
export interface Mail extends MailContent {
  readonly to: string | MailAddress;
  readonly replyTo?: MailAddress;
  /** A calendar object that mail programs show as an invitation, and its method (RFC 6047). */
  readonly calendar?: { readonly method: string; readonly content: string };
  /** Further calendar objects, as files. */
  readonly attachedCalendars?: readonly {
    readonly filename: string;
    readonly method: string;
    readonly content: string;
  }[];
  /** Without a name before the sender's address: that name is ours. */
  readonly isUnbranded?: boolean;
  /** The name before the sender's address, in the place of ours: one line. */
  readonly senderName?: string;
  /** The accent of the HTML, `#rrggbb`; that of the service where it is not said. */
  readonly color?: string;
  /** A page that ends such mails. Mail programs show a button of their own for it (RFC 8058: they POST to it when somebody presses it). */
  readonly unsubscribeUrl?: string;
  /** The same each time that the same mail is sent, so that a receiver who gets it twice can tell. */
  readonly messageId?: string;
}

/** Apart from each other, so that no name can say another address. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

declare const COUNTED: unique symbol;

/** Shows that a mail was counted towards the limits. Only `MailLimit` makes one, so nothing is sent past them. */
export interface Admission {
  readonly [COUNTED]: true;
  readonly limit?: undefined;
}

export interface Mailer {
  /** Resolves when the mail is handed over. @throws Error of nodemailer, with the mail server's `responseCode` if it answered */
  deliver(mail: Mail): Promise<void>;
  /** Resolves when the mail is handed over, or was given up and logged: it never rejects, so no request fails by it. */
  send(mail: Mail, admission: Admission): Promise<void>;
  /**
   * Takes as long as `send`, by doing the same, and hands nothing over. Where a mail is for nobody, what comes next would
   * tell by not having to wait for it.
   */
  rehearse(mail: Mail): Promise<void>;
}

export interface MailSettings {
  /** `smtp://` or `smtps://`; undefined keeps mails in a folder. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  /** The origin of the pages that mails lead to. */
  readonly publicUrl: string;
  /** For development: each mail becomes a file here. Undefined keeps none. */
  readonly folder: string | undefined;
  readonly log: MailLog;
}

interface MailLog {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/** A mail server that does not answer must not hold a mail for the two minutes that are nodemailer's default. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/** A mail holds all its content itself: nothing in it makes nodemailer open a file or an address. */
const NO_READING = { disableFileAccess: true, disableUrlAccess: true };

/** Where mails are kept that no mail server gets: nowhere, beside data in memory. */
export function mailFolderIn(dataDir: string): string | undefined {
  return dataDir === 'memory:' ? undefined : join(dataDir, 'mail');
}

/**
 * The log names a mail by its Message-ID, which the mail server's log has beside the receiver, and by the domain it
 * goes to. It never has the receiver or the subject: more people read a log than may read mails.
 */
export function createMailer(settings: MailSettings): Mailer {
  const { smtpUrl, log, publicUrl } = settings;
  const { hand, pretend } = smtpUrl === undefined ? keepIn(settings) : sendTo(smtpUrl, settings);
  const identified = (mail: Mail) => withMessageId(mail, publicUrl);
  const deliver = async (mail: Mail): Promise<void> => {
    const detail = await hand(mail);
    log.info({ ...named(mail), ...detail }, 'A mail was sent.');
  };
  const rehearse = async (mail: Mail): Promise<void> => {
    await pretend(mail);
    log.info({}, 'No mail was sent: nobody is meant by the address.');
  };
  return {
    deliver: (mail) => deliver(identified(mail)),
    send: (given) => {
      const mail = identified(given);
      return deliver(mail).catch((error) => log.error({ ...named(mail), err: error }, 'A mail could not be sent.'));
    },
    rehearse: (mail) =>
      rehearse(identified(mail)).catch((error) => log.error({ err: error }, 'A mail could not be sent.')),
  };
}

/** A mail by its Message-ID (RFC 5322 §3.6.4), a new one unless it has one. */
export function withMessageId(mail: Mail, publicUrl: string): Mail & { readonly messageId: string } {
  return { messageId: `<${randomUUID()}@${new URL(publicUrl).hostname}>`, ...mail };
}

/** The receivers. */
export function addressOfMail({ to }: Mail): string {
  return typeof to === 'string' ? to : to.address;
}

/** The part of the Message-ID before its host is an id of its own. */
function named(mail: Mail): object {
  const [messageId] = (mail.messageId ?? '').replace(/^</, '').split('@', 1);
  return { messageId, domain: addressOfMail(mail).split('@').at(-1) };
}

interface Hands {
  /** @returns what the log adds */
  readonly hand: (mail: Mail) => Promise<object>;
  readonly pretend: (mail: Mail) => Promise<unknown>;
}

/** Loaded with the first mail: it takes 5 MB. */
async function nodemailer(): Promise<typeof createTransport> {
  return (await import('nodemailer')).createTransport;
}

function sendTo(smtpUrl: string, sender: Sender): Hands {
  const opened = lazily(async () => {
    const open = await nodemailer();
    return {
      transport: open({ url: smtpUrl, ...TIMEOUTS, ...NO_READING }),
      composer: open({ streamTransport: true, buffer: true, ...NO_READING }),
    };
  });
  return {
    hand: async (mail) => {
      const { transport } = await opened();
      await transport.sendMail(await messageOf(mail, sender));
      return {};
    },
    // As far as a mail server goes along without a receiver.
    pretend: async (mail) => {
      const { transport, composer } = await opened();
      await composer.sendMail(await messageOf(mail, sender));
      await transport.verify();
    },
  };
}

function keepIn({ folder, ...sender }: Pick<MailSettings, 'folder'> & Sender): Hands {
  const opened = lazily(async () =>
    (await nodemailer())({ streamTransport: true, buffer: true, newline: 'unix', ...NO_READING }),
  );
  const hand = async (mail: Mail): Promise<{ file?: string }> => {
    const composer = await opened();
    const { message } = await composer.sendMail({
      ...(await messageOf(mail, sender)),
      textEncoding: 'quoted-printable',
    });
    if (folder === undefined) return {};
    await mkdir(folder, { recursive: true });
    // The time first, and ids in their order: in the folder's listing the newest mail is the last one.
    const path = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${newId()}.eml`);
    await writeFile(path, message);
    return { file: path };
  };
  return {
    hand,
    pretend: async (mail) => {
      const { file } = await hand(mail);
      if (file !== undefined) await rm(file);
    },
  };
}

type Sender = Pick<MailSettings, 'from' | 'publicUrl'>;

async function messageOf(mail: Mail, { from, publicUrl }: Sender) {
  const { to, subject, replyTo, messageId, calendar, isUnbranded = false, senderName, color } = mail;
  const { attachedCalendars = [], unsubscribeUrl } = mail;
  const brand = senderName ?? (isUnbranded ? undefined : (nameOfMailbox(from) ?? 'Gatehouse'));
  return {
    from: senderOf(from, senderName, isUnbranded),
    to,
    subject,
    text: textOf(mail),
    html: await mailHtml(mail, { brand, color, origin: publicUrl }),
    ...(replyTo && { replyTo }),
    ...(messageId !== undefined && { messageId }),
    ...(calendar && { icalEvent: { ...calendar, filename: 'booking.ics' } }),
    attachments: attachedCalendars.map(({ filename, method, content }) => ({
      filename,
      content,
      contentType: `text/calendar; charset=utf-8; method=${method}`,
    })),
    // Nobody reads what is sent back: answering programs keep still (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

function senderOf(from: string, senderName: string | undefined, isUnbranded: boolean): string | MailAddress {
  if (senderName !== undefined) return { name: senderName, address: addressOfMailbox(from) };
  return isUnbranded ? addressOfMailbox(from) : from;
}
