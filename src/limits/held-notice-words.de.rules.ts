import type { HELD_NOTICE_EN } from './held-notice-words.en.rules.ts';

/** The words of the one mail that stands for several, in German. */
export const HELD_NOTICE_DE: typeof HELD_NOTICE_EN = {
  subject: (first, others) => `${first} (und ${others} weitere)`,
  lead: 'Das ist zu oft geschehen, um jedes Mal eine E-Mail zu schicken. Hier steht alles zusammen, das Älteste zuerst.',
  times: (subject, times) => `${subject} (${times}-mal):`,
  once: (subject) => `${subject}:`,
  more: (count) =>
    count === 1 ? 'Und noch einmal etwas von derselben Art.' : `Und noch ${count}-mal etwas von derselben Art.`,
};
