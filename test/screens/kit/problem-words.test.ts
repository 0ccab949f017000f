import { describe, expect, test } from 'vitest';
import { Problem } from '../../../src/core/problem.ts';
import { TooManyGuesses } from '../../../src/limits/guess-limit.ts';
import { PROBLEM_TEXTS_DE } from '../../../src/screens/kit/problem-words.de.ts';
import { FormProblem, mistakesIn } from '../../../src/screens/kit/problem-words.ts';

const SHORT = new Problem('TOO_SHORT', 'The password is shorter than 8 characters.', ['password']);
const LABELS = { password: 'Passwort' };

describe('a mistake is put into words', () => {
  test.each([
    ['in English as the problem says it', 'en-GB', {}, 'The password is shorter than 8 characters.'],
    ['in English in a language that we do not speak', 'fr', { labels: LABELS }, SHORT.message],
    ['in German by its code', 'de', {}, 'Dieser Text ist zu kurz.'],
    ['with the name of its field', 'de-AT', { labels: LABELS }, 'Passwort: Dieser Text ist zu kurz.'],
    ['in the words of the form', 'de', { labels: LABELS, texts: { TOO_SHORT: 'Zu kurz.' } }, 'Zu kurz.'],
    [
      'in the words for one field before those for all',
      'de',
      { texts: { TOO_SHORT: 'Zu kurz.', 'TOO_SHORT password': 'Mindestens 8 Zeichen.' } },
      'Mindestens 8 Zeichen.',
    ],
  ])('%s', (_, locale, words, message) => {
    expect(mistakesIn(locale, SHORT, words)).toEqual([{ code: 'TOO_SHORT', message, path: ['password'] }]);
  });

  test('with the time to wait', () => {
    const said = [1, 60, 61].map((seconds) => mistakesIn('de', new TooManyGuesses(seconds))[0]?.message);
    expect(said).toEqual(
      ['1 Sekunde', '1 Minute', '2 Minuten'].map((time) => `Das waren zu viele Versuche. Bitte warten Sie ${time}.`),
    );
    expect(mistakesIn('en', new TooManyGuesses(60))[0]?.message).toBe(new TooManyGuesses(60).message);
  });

  test.each([
    ['TOO_MANY', { given: 21, most: 20 }, 'Das sind 21, und höchstens 20 sind möglich.'],
    ['TOO_MANY', { most: 50 }, 'Es gibt schon 50, und mehr sind nicht möglich. Bitte löschen Sie zuerst eins davon.'],
    ['TOO_LONG', { most: 200 }, 'Dieser Text ist länger als 200 Zeichen. Bitte kürzen Sie ihn.'],
    ['OUT_OF_RANGE', { least: 1, most: 9 }, 'Bitte geben Sie eine ganze Zahl von 1 bis 9 ein.'],
    ['INVALID_DURATION', { least: 1, most: 1440 }, 'Möglich sind 1 bis 1440 Minuten.'],
    ['RANGE_TOO_LONG', { most: 31 }, 'Das sind mehr als 31 Tage. Bitte wählen Sie einen kürzeren Zeitraum.'],
    ['INVALID_SLUG', { most: 3 }, PROBLEM_TEXTS_DE.INVALID_SLUG],
  ] as const)('with the limit that was passed, as in English: %s', (code, bounds, message) => {
    const problem = new Problem('REQUIRED', 'Empty.');
    expect(() => Problem.throwIfAny([{ code, message: 'In English.', bounds }])).toThrow(
      expect.objectContaining({ mistakes: [{ code, message: 'In English.', bounds }] }),
    );
    const limited = Object.assign(problem, { mistakes: [{ code, message: 'In English.', bounds }] });
    expect(mistakesIn('de', limited)[0]?.message).toBe(message);
    expect(mistakesIn('en', limited)[0]?.message).toBe('In English.');
  });

  test('at the field of a form that has other names, or about the whole', () => {
    const problem = new Problem('TOO_SHORT', SHORT.message, ['keys', '0', 'password']);
    const message = 'Passwort 1: Dieser Text ist zu kurz.';
    expect(mistakesIn('de', problem, { controlOf })).toEqual([{ code: 'TOO_SHORT', message, path: ['key-0'] }]);
    expect(mistakesIn('de', SHORT, { controlOf })).toEqual([
      { code: 'TOO_SHORT', message: 'Dieser Text ist zu kurz.' },
    ]);
    const texts = { 'TOO_SHORT keys': 'Zu kurz.' };
    expect(mistakesIn('de', problem, { controlOf, texts })[0]?.message).toBe('Passwort 1: Zu kurz.');
  });

  test('as the form itself has said it', () => {
    const mistake = { code: 'TOO_SHORT', message: 'Bitte länger.', path: ['password'] } as const;
    expect(() => FormProblem.throwIfAny([mistake])).toThrow(FormProblem);
    const problem = new FormProblem(mistake.code, mistake.message, mistake.path);
    expect(mistakesIn('de', problem, { texts: { TOO_SHORT: 'Zu kurz.' } })).toEqual([mistake]);
  });

  test('and not at all where nothing is wrong', () => {
    expect(mistakesIn('de', undefined)).toEqual([]);
  });
});

function controlOf([name, index]: readonly string[]) {
  return name === 'keys' ? { name: `key-${index}`, subject: `Passwort ${Number(index) + 1}` } : undefined;
}
