import { vi } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import type { TestApp } from './app.ts';
import type { MailServer, ReceivedMail } from './mail-server.ts';

/** The mails of a service that does its jobs, once nothing is left to be told or sent. They are taken out. */
export async function mailsSettled({ database }: TestApp, mailServer: MailServer): Promise<readonly ReceivedMail[]> {
  await vi.waitFor(
    async () => {
      const found = await row(
        database.em.fork(),
        sql<{
          left: number;
        }>`select (select count(*) from domain_events)::int + (select count(*) from jobs)::int as left`,
      );
      if (found?.left !== 0) throw new Error(`${found?.left} events and jobs are left.`);
    },
    { timeout: 30_000, interval: 20 },
  );
  return mailServer.mails.splice(0);
}
