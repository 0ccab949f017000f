import { vi } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import type { TestApp } from './app.ts';
import type { MailServer, ReceivedMail } from './mail-server.ts';
import { paced } from './pace.ts';

/** Resolves when a service that does its jobs has nothing left to tell or to send. */
export async function jobsSettled({ database }: Pick<TestApp, 'database'>): Promise<void> {
  await vi.waitFor(
    async () => {
      const found = await row(
        database.em.fork(),
        sql<{
          left: number;
        }>`select (select count(*) from domain_events)::int + (select count(*) from jobs.job)::int as left`,
      );
      if (found?.left !== 0) throw new Error(`${found?.left} events and jobs are left.`);
    },
    { timeout: paced(60_000), interval: 20 },
  );
}

/** The mails until then. They are taken out. */
export async function mailsSettled(app: TestApp, mailServer: MailServer): Promise<readonly ReceivedMail[]> {
  await jobsSettled(app);
  return mailServer.mails.splice(0);
}
