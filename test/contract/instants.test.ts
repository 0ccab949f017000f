import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Ways around `core/instant.ts` and `database/database-clock.ts`. */
const DETOURS = /Temporal\.Instant\.from|Temporal\.Now|\bDate\.(?:now|parse)\b|\bnew Date\b/;

/** The files that may, and how many times. */
const ALLOWED: Readonly<Record<string, readonly [times: number, why: string]>> = {
  'src/core/instant.ts': [2, 'is the way'],
  'src/core/id.ts': [1, 'ids are in the order in which this process makes them; nothing is decided by their time'],
  'src/database/database-clock.ts': [1, 'until the database has told the time'],
  'src/graphql/deprecation.ts': [1, 'a day as HTTP writes it'],
  'src/log.ts': [1, 'lines of the log'],
  'src/mail/mailer.ts': [1, 'names of files'],
  'src/sms/sms.ts': [1, 'names of files'],
  'src/modules/calendars/feeds/ics-text.ts': [1, 'whether there is such a day, without a clock or a zone'],
  'src/modules/calendars/feeds/recurrence.rules.ts': [1, 'the date of a day by its number, without a clock or a zone'],
  'src/outbound/retry-after.ts': [1, 'when an answer came that does not say when it was written'],
  'src/oauth/tokens/access-tokens.ts': [1, 'what jose takes; the time is that of the clock'],
};

const CODE = globSync('src/**/*.ts').map((path) => [path, codeOf(readFileSync(path, 'utf8'))] as const);

test('there is one way to an instant, and one clock', () => {
  const found = CODE.flatMap(([path, lines]) => {
    const times = lines.filter((line) => DETOURS.test(line)).length;
    return times === 0 ? [] : [[path, times] as const];
  });
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(ALLOWED).map(([path, [times]]) => [path, times])),
  );
});

test('rules take the time as an argument', () => {
  const rules = CODE.filter(([path]) => path.endsWith('.rules.ts') || path.startsWith('src/oauth/protocol/'));
  expect(rules.length).toBeGreaterThan(50);
  expect(
    rules.filter(([, lines]) => lines.some((line) => /performance\.now|databaseNow|DatabaseClock/.test(line))),
  ).toEqual([]);
});

test.each([
  ['const at = Temporal.Now.instant();', true],
  ['const at = new Date();', true],
  ['if (until < Date.now()) return;', true],
  ['const at = instantOf(text);', false],
  ['const began = performance.now();', false],
])('%s goes past it: %s', (line, isDetour) => {
  expect(codeOf(line).some((one) => DETOURS.test(one))).toBe(isDetour);
});

function codeOf(source: string): string[] {
  return source.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line));
}
