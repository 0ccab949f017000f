/** The words of the one mail that stands for several, in English. */
export const HELD_NOTICE_EN = {
  subject: (first: string, others: number): string => `${first} (and ${others} more)`,
  lead: 'This happened too often for an e-mail each time, so here is all of it together, the oldest first.',
  times: (subject: string, times: number): string => `${subject} (${times} times):`,
  once: (subject: string): string => `${subject}:`,
  more: (count: number): string =>
    count === 1 ? 'And once more, something of the same kind.' : `And ${count} more times, something of the same kind.`,
};
