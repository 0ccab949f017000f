/** Names the kinds of things that can stop, and what a stopped thing holds. */

/** Each kind of thing that leads out of an account or lets somebody in, as its owner is told of it. */
export const STOPPED_KINDS = {
  GROUP: 'A team or an organization that was made in the account, with all that it offers.',
  GROUP_MEMBER: 'Somebody who was let into such a group.',
  MEMBERSHIP: 'A membership in a group of others, whose administrators see what its members do.',
  INVITATION: 'Somebody who was invited by mail.',
  WEBHOOK: 'An address that is told of bookings.',
  OAUTH_CLIENT: 'An app that was registered in the account, which people let in.',
  PRIVATE_LINK: 'A private link to an event type.',
  ICS_FEED: 'A calendar that is read from an address.',
  CALENDAR_ACCOUNT: 'A connected account with calendars.',
  CONFERENCING_APP: 'A connected conferencing account.',
  VERIFIED_EMAIL: 'A verified e-mail address.',
  VERIFIED_PHONE: 'A verified phone number.',
  REDIRECT: 'Where bookers are sent after booking an event type.',
  LOCATION: 'A link or a number as the location of an event type.',
  EMBEDDING: 'Websites that may embed an event type.',
  ABSENCE_REDIRECT: 'To whom bookers are sent during an absence.',
  PICTURE: 'A picture or a logo, which is loaded from an address.',
  WORKFLOW: 'A workflow of a team, which sends messages.',
  ROUTING_FORM: 'A routing form, which leads to addresses.',
} as const;
export type StoppedKind = keyof typeof STOPPED_KINDS;
export const STOPPED_KIND_NAMES = Object.keys(STOPPED_KINDS) as StoppedKind[];

/** Things that nobody revives are deleted after so many days. */
export const STOPPED_DAYS = 30;

/** The columns of a table's row by their names in the database, in JSON. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** The content that is put back. */
export interface StoppedContent {
  /** Rows that were taken out, in the order in which they go back: what others refer to comes first. */
  readonly rows?: readonly { readonly table: string; readonly rows: readonly StoredRow[] }[];
  /** A row that stays, and the columns that were emptied in it. */
  readonly emptied?: { readonly table: string; readonly key: StoredRow; readonly was: StoredRow };
  /** A location of an event type, and its place among the others, from 0 on. */
  readonly location?: {
    readonly ownerId: string;
    readonly eventTypeId: string;
    readonly at: number;
    readonly value: StoredRow;
  };
}
