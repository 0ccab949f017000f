import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { instantFrom } from '../core/instant.ts';
import { lazily } from '../core/lazily.ts';

/** A mail of development, as its reader would see it. */
export interface KeptMail {
  /** Names it in addresses: letters, digits, `-` and `_`. */
  readonly handle: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** When it was written; undefined where the file does not say. */
  readonly sentAt: Temporal.Instant | undefined;
  /** Undefined of a mail without that part. */
  readonly text: string | undefined;
  readonly html: string | undefined;
  readonly attachments: readonly KeptAttachment[];
}

export interface KeptAttachment {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** The content of an attachment that is text, such as a calendar file. */
  readonly text: string | undefined;
}

const MAIL = /\.eml$/;
const parser = lazily(async () => (await import('postal-mime')).default);

/** The newest mails of the folder in which development keeps them (`mailFolderIn`), newest first; none where there is no folder. */
export async function newestMails(folder: string, most: number): Promise<readonly KeptMail[]> {
  const names = (await namesIn(folder)).slice(0, most);
  const read = await Promise.all(names.map((name) => readMail(folder, name)));
  return read.filter((mail) => mail !== undefined);
}

/** One of them; undefined where there is none of that handle. Only names that the folder has are ever opened. */
export async function findMail(folder: string, handle: string): Promise<KeptMail | undefined> {
  const name = (await namesIn(folder)).find((one) => handleOf(one) === handle);
  return name === undefined ? undefined : readMail(folder, name);
}

/** Their names begin with the time: the last one is the newest. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(unlessGone<string[]>([]));
  return names
    .filter((name) => MAIL.test(name))
    .toSorted()
    .toReversed();
}

async function readMail(folder: string, name: string): Promise<KeptMail | undefined> {
  const source = await readFile(join(folder, name)).catch(unlessGone<undefined>(undefined));
  if (!source) return undefined;
  const email = await (await parser()).parse(source, { attachmentEncoding: 'arraybuffer' });
  return {
    handle: handleOf(name),
    from: written(email.from ? [email.from] : []),
    to: written(email.to ?? []),
    subject: email.subject ?? '',
    sentAt: instantFrom(email.date ?? ''),
    text: email.text,
    html: email.html,
    attachments: email.attachments.map(attachmentOf),
  };
}

function attachmentOf({ filename, mimeType, content }: Email['attachments'][number]): KeptAttachment {
  const bytes = Buffer.from(content as ArrayBuffer);
  const isText = mimeType.startsWith('text/');
  return {
    name: filename ?? '',
    type: mimeType,
    bytes: bytes.length,
    text: isText ? bytes.toString('utf8') : undefined,
  };
}

function written(mailboxes: readonly { readonly name: string; readonly address?: string | undefined }[]): string {
  return mailboxes.map(({ name, address = '' }) => (name ? `${name} <${address}>` : address)).join(', ');
}

/** Says nothing of the name: that holds an id as the database has it. */
function handleOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 16);
}

/** Answers `instead` for a folder that no mail has made yet, and for a file that was removed meanwhile. */
function unlessGone<Value>(instead: Value) {
  return (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
