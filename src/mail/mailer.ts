import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';

/** Plain text; a mail is a few sentences and perhaps an address to open. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Resolves when the mail is handed over, or was given up and logged: it never rejects, so no request fails by it. */
  send(mail: Mail): Promise<void>;
}

export interface MailSettings {
  /** `smtp://` or `smtps://`; undefined keeps mails in a folder. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
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

/** The log names the receiver and the subject, never the text: it may hold a code or a link that lets somebody in. */
export function createMailer({ smtpUrl, from, folder, log }: MailSettings): Mailer {
  const deliver = smtpUrl === undefined ? keepIn(folder, from) : sendTo(smtpUrl, from);
  return {
    async send(mail) {
      const { to, subject } = mail;
      try {
        const detail = await deliver(mail);
        log.info({ to, subject, ...detail }, 'A mail was sent.');
      } catch (error) {
        log.error({ to, subject, err: error }, 'A mail could not be sent.');
      }
    },
  };
}

/** @returns what the log adds */
type Deliver = (mail: Mail) => Promise<object>;

function sendTo(smtpUrl: string, from: string): Deliver {
  const transport = createTransport({ url: smtpUrl, ...TIMEOUTS });
  return async (mail) => {
    await transport.sendMail({ from, ...mail });
    return {};
  };
}

function keepIn(folder: string | undefined, from: string): Deliver {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (mail) => {
    const { message } = await composer.sendMail({ from, ...mail, textEncoding: 'quoted-printable' });
    if (folder === undefined) return {};
    await mkdir(folder, { recursive: true });
    // The time first: in the folder's listing the newest mail is the last one.
    const path = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`);
    await writeFile(path, message);
    return { file: path };
  };
}
