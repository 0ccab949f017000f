/** The mail about webhooks that pause because their setter was suspended, in English. */

export const PAUSED_MAIL_EN = {
  subject: (count: number): string => (count === 1 ? 'A webhook is paused' : `${count} webhooks are paused`),
  why: (count: number): string =>
    count === 1
      ? 'The account with which this webhook was set up has been suspended, so nothing is sent there at the moment:'
      : 'The account with which these webhooks were set up has been suspended, so nothing is sent there at the moment:',
  ofGroup: (host: string, group: string) => `${host} (${group})`,
  further: (count: number): string => (count === 1 ? 'and one more' : `and ${count} more`),
  kept: (days: number) =>
    `Messages are kept for ${days} days. If the account is reinstated by then, they are sent, and you need not do anything.`,
  takeOver: 'If you know where an address leads, you can take its webhook over. It then gets a new secret:',
};
