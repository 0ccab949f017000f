import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outbound } from '../outbound/outbound.ts';
import { messagesProvider } from './messages-provider.ts';
import type { SmsProvider } from './sms.ts';

export interface SmsSettings {
  /** Where the provider takes messages (`messagesProvider`); undefined: there is none. */
  readonly smsUrl: string | undefined;
  readonly outbound: Outbound;
  /** For development, without a provider: each message becomes a file here. Undefined keeps none. */
  readonly folder: string | undefined;
  readonly log: { info(detail: object, message: string): void };
}

/** Where messages are kept that no provider gets: nowhere, beside data in memory. */
export function smsFolderIn(dataDir: string): string | undefined {
  return dataDir === 'memory:' ? undefined : join(dataDir, 'sms');
}

/** The log names the message by its id, never the receiver or the text, which may hold a code. */
export function createSmsProvider({ smsUrl, outbound, folder, log }: SmsSettings): SmsProvider {
  const provider = smsUrl === undefined ? keptIn(folder) : messagesProvider(smsUrl, outbound);
  return {
    async hand(sms) {
      const detail = await provider.hand(sms);
      log.info({ messageId: sms.messageId, ...detail }, 'An SMS was sent.');
      return detail;
    },
  };
}

function keptIn(folder: string | undefined): SmsProvider {
  return {
    async hand({ to, text, messageId }) {
      if (folder === undefined) return {};
      await mkdir(folder, { recursive: true });
      // The time first: in the folder's listing the newest message is the last one.
      const path = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.txt`);
      await writeFile(path, `To: ${to}\nMessage-ID: ${messageId}\n\n${text}\n`);
      return { file: path };
    },
  };
}
