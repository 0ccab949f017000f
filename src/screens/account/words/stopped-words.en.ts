/** The page of what has stopped in an account, in English. */
import type { StoppedKind } from '../../../oauth/stopped/stopped-thing.rules.ts';

const KINDS: Readonly<Record<StoppedKind, string>> = {
  GROUP: 'Team or organization made in this account',
  GROUP_MEMBER: 'Person in a team or organization made in this account',
  MEMBERSHIP: 'Membership in a team or organization',
  INVITATION: 'Invitation sent by e-mail',
  WEBHOOK: 'Webhook',
  OAUTH_CLIENT: 'OAuth client',
  PRIVATE_LINK: 'Private link',
  ICS_FEED: 'Calendar read from an address',
  CALENDAR_ACCOUNT: 'Connected calendar account',
  CONFERENCING_APP: 'Connected app for video calls',
  VERIFIED_EMAIL: 'Verified e-mail address',
  VERIFIED_PHONE: 'Verified phone number',
  REDIRECT: 'Page shown after a booking',
  LOCATION: 'Link or number where you meet',
  EMBEDDING: 'Websites that may embed an event type',
  ABSENCE_REDIRECT: 'Colleague who stands in for you',
  PICTURE: 'Picture or logo',
  WORKFLOW: 'Workflow that sends messages',
  ROUTING_FORM: 'Routing form',
};

export const STOPPED_EN = {
  title: 'What has stopped',
  what: (days: number) =>
    `All this was set up before you confirmed that your e-mail address is yours, so someone else may have done it. That’s why it has stopped: no one gets in through it, and nothing is sent to these addresses. Revive what is yours, one at a time. What you don’t revive is deleted after ${days} days.`,
  none: 'Nothing has stopped.',
  kinds: KINDS,
  leadsTo: 'Leads to',
  letsIn: 'Lets in',
  slug: 'Link name',
  deleted: 'Will be deleted on',
  revive: 'Revive',
  remove: 'Delete',
  about: (title: string) => ` ${title}`,
  done: { revived: 'It is back.', deleted: 'It was deleted.' },
  invitation: 'The link in the old e-mail no longer works. If you revive the invitation, send it again.',
  secret: {
    title: 'It is back, with a new secret',
    client:
      'The old secrets no longer work. Give the new one to your app. People whom the app acts for have to allow it again.',
    webhook: 'Messages are signed with the new secret from now on. Give it to your server.',
    secret: 'New secret',
    once: 'Copy the secret now. It is shown this once and cannot be looked up again.',
    onward: 'I have copied it',
  },
  notice: 'Some things in this account have stopped.',
  look: 'Look at them',
};
