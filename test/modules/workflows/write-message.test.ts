import { expect, test } from 'vitest';
import { smsParts } from '../../../src/core/sms-text.ts';
import { wordsFor } from '../../../src/modules/workflows/sendings/send-sending.ts';
import { MAX_LENGTH } from '../../../src/modules/workflows/workflow.rules.ts';

const PAGES = { publicUrl: 'https://x.example', code: () => 'uid_…' };

/** The words of a step of a form whose answers have so many characters. */
function words(by: 'EMAIL' | 'PHONE', step: { subject: string | null; body: string }, answers: string) {
  return wordsFor(step, { by, valuesFor: () => ({ about: 'FORM', byName: { answers } }) }, 'Team', PAGES);
}
const LONG = 'A'.repeat(20_000);
const asked = (most: number) => 'Q{answers}'.repeat(Math.floor(most / 'Q{answers}'.length));

test('a mail has no more characters than it may have, however often it asks for long values', () => {
  const { subject, text } = words('EMAIL', { subject: asked(MAX_LENGTH.subject), body: asked(MAX_LENGTH.body) }, LONG);
  expect(subject).toBe(`Q${'A'.repeat(298)}…`);
  expect(text.length).toBe(20_000);
  // Each value is shortened before the words behind it are.
  expect(words('EMAIL', { subject: 'S', body: 'Of {answers} end' }, LONG).text).toBe(`Of ${'A'.repeat(4_999)}… end`);
});

test('a text that fits is sent as it is', () => {
  const [value, subject] = ['A'.repeat(4_999), 'A'.repeat(299)];
  expect(words('EMAIL', { subject: 'S', body: 'Q{answers}'.repeat(4) }, value).text).toBe(`Q${value}`.repeat(4));
  expect(words('EMAIL', { subject: 'S{answers}', body: 'B' }, subject).subject).toBe(`S${subject}`);
});

test('a link begins a word of its own, so that it never is the end of another address', () => {
  const values = { about: 'BOOKING', byName: { booking_link: 'https://x.example/b', team_name: 'Team' } } as const;
  const textOf = (body: string) =>
    wordsFor({ subject: 'S', body }, { by: 'EMAIL', valuesFor: () => values }, 'Team', PAGES).text;
  expect(textOf('See {booking_link}')).toContain('See https://x.example/b');
  expect(textOf('See\n{booking_link}\n{booking_link}')).toContain('See\nhttps://x.example/b\nhttps://x.example/b');
  for (const before of [
    'https://evil.example/?u=',
    'https://evil.example/{team_name}',
    'https://evil.example/\u200b',
    '(',
  ]) {
    expect(textOf(`${before}{booking_link}`)).toContain(' https://x.example/b');
  }
});

test('no character is cut in two', () => {
  const { subject, text } = words('EMAIL', { subject: 'S{answers}', body: 'B{answers}' }, '👋'.repeat(10_000));
  expect(subject).toBe(`S${'👋'.repeat(149)}…`);
  expect(text).toBe(`B${'👋'.repeat(2_499)}…`);
});

test('an SMS fills its parts, and is cut before it is divided into characters', () => {
  const step = { subject: null, body: asked(MAX_LENGTH.sms) };
  const { text } = words('PHONE', step, LONG);
  expect([text, smsParts(text)]).toEqual([`Q${'A'.repeat(608)}...`, 4]);
  const family = '👨‍👩‍👧';
  expect(words('PHONE', step, family.repeat(2_000)).text).toBe(`Q${family.repeat(33)}...`);
});
