/** Notifies the owner of an app of what has become of its account. */
import { publicOwnedId } from '../../core/id.ts';
import type { MailContent } from '../../core/mail-content.ts';
import { changed, type Em, NOW, row, rows, sql } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import { announcing, type RecordedEvent, recording } from '../../events/record-event.ts';
import type { AdmittedNotice } from '../../limits/held-notices.ts';
import { mailsToResponsible, type ResponsibleMailSettings } from '../levels/responsible-mails.ts';
import type { AppAccount } from './conferencing-accounts.ts';
import { ConferencingApp } from './conferencing-app.entity.ts';
import { APPS, isApp } from './conferencing-app.rules.ts';

/** A connected app with its account, as it was used. */
interface UsedApp extends AppAccount {
  readonly appId: string;
}

export type BrokenApp = Extract<RecordedEvent, { readonly type: 'CONFERENCING_APP_BROKEN' }>;

/** The account lets us in no more: of all who find that out, one records the event by which its owner is told. */
export async function noteBroken(em: Em, { appId, connection }: UsedApp): Promise<void> {
  const { ownerId, id: connectionId } = connection;
  const event = { type: 'CONFERENCING_APP_BROKEN', conferencingAppId: appId } as const;
  await rows(
    em,
    sql`with notified as (
          update conferencing_apps set notified_at = now()
          where owner_id = ${ownerId} and id = ${appId} and connection_id = ${connectionId} and notified_at is null
          returning id
        ), recorded as (${recording(ownerId, event, sql`notified`)}) ${announcing(sql`notified`)}`,
  );
}

/** It has worked: should it break, its owner is told again. */
export async function noteWorking(em: Em, { appId: id, connection: { ownerId } }: UsedApp): Promise<void> {
  const notified = updateTable(ConferencingApp, { ownerId, id }).where('notifiedAt', '<=', NOW);
  await changed(em, notified.set({ notifiedAt: null }));
}

/**
 * The mails to an app's owner: a user, or those who lead the team. None for an app that was connected again, or is
 * gone.
 */
export async function brokenMails(
  em: Em,
  { id, ownerId, conferencingAppId }: BrokenApp,
  settings: ResponsibleMailSettings,
): Promise<readonly AdmittedNotice[]> {
  const broken = await row(
    em,
    selectFrom(ConferencingApp, { ownerId, id: conferencingAppId }).select(['app', 'notifiedAt', 'teamId']),
  );
  if (broken?.notifiedAt == null) return [];
  const name = isApp(broken.app) ? APPS[broken.app] : broken.app;
  const publicId = publicOwnedId('conferencingApp', { ownerId, id: conferencingAppId });
  const content = brokenMailContent(name, publicId, broken.teamId !== null);
  return mailsToResponsible(em, { id, ownerId, news: 'CONFERENCING_APP_BROKEN', content }, settings);
}

/** Writes such a mail about an app by its name. */
export function brokenMailContent(name: string, publicId: string, isTeams: boolean): MailContent {
  const whose = isTeams ? 'Your team’s' : 'Your';
  return {
    subject: `Please reconnect ${whose.toLowerCase()} ${name} account`,
    parts: [
      `We no longer have access to ${whose.toLowerCase()} ${name} account: access was withdrawn there, or has ended (${publicId}).`,
      'Existing bookings keep their links. New bookings get none, and existing meetings aren’t updated when their bookings change.',
      'Connect the app again where you connected it before. Bookings that are waiting for a link then get one, if they were made within the last day.',
    ],
  };
}
