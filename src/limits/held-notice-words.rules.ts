/** The words of a mail in the place of several, in English. */
export const HELD_NOTICE_EN = {
  subject: (first: string, others: number): string => `${first} (and ${others} more)`,
  lead: 'This happened too often for an e-mail each time, so here is all of it together, the oldest first.',
  times: (subject: string, times: number): string => `${subject} (${times} times):`,
  once: (subject: string): string => `${subject}:`,
  more: (count: number): string =>
    count === 1 ? 'And once more, something of the same kind.' : `And ${count} more times, something of the same kind.`,
};

/** The words of a mail in the place of several, in German. */
export const HELD_NOTICE_DE: typeof HELD_NOTICE_EN = {
  subject: (first, others) => `${first} (und ${others} weitere)`,
  lead: 'Das ist zu oft geschehen, um jedes Mal eine E-Mail zu schicken. Hier steht alles zusammen, das Älteste zuerst.',
  times: (subject, times) => `${subject} (${times}-mal):`,
  once: (subject) => `${subject}:`,
  more: (count) =>
    count === 1 ? 'Und noch einmal etwas von derselben Art.' : `Und noch ${count}-mal etwas von derselben Art.`,
};
