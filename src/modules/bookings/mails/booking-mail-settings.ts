import type { MailLimit } from '../../../limits/mail-limit.ts';

export interface BookingMailSettings {
  /** An origin without a slash at its end. */
  readonly publicUrl: string;
  /** The sender of the service's mails. */
  readonly mailFrom: string;
  /** Derives the links by which bookers invite their guests, and hosts answer; 32 bytes, for nothing else. */
  readonly linkKey: Uint8Array;
  readonly mailLimit: MailLimit;
}
