import { describe, expect, test } from 'vitest';
import type { Mistake } from '../../../src/core/problem.ts';
import { type HoursForm, hoursView } from '../../../src/screens/hosting/hours.ts';
import { mistakeSummary, textField } from '../../../src/screens/kit/form-parts.ts';

const wrongAt = (name: string): Mistake => ({ code: 'INVALID_DATE', message: `${name} is wrong.`, path: [name] });
const mistakesAt = (count: number): Mistake[] =>
  Array.from({ length: count }, (_, index) => wrongAt(`date-${index}-day`));

describe('above a form', () => {
  // A problem has no more than 40, however much is wrong.
  test.each([1, 40])('all of %i mistakes are listed', async (made) => {
    const html = String(await mistakeSummary(mistakesAt(made)));
    expect(html.match(/<li>/g)).toHaveLength(made);
  });

  test('mistakes of the whole are listed before those of its fields', async () => {
    const html = String(
      await mistakeSummary([...mistakesAt(30), { code: 'CONFLICT', message: 'It was changed.' }], 'de'),
    );
    expect(/<li>.*?<\/li>/.exec(html)?.[0]).toBe('<li>It was changed.</li>');
    expect(html.match(/<li>/g)).toHaveLength(31);
  });
});

test('all that is wrong with a field is said at it', async () => {
  const html = String(
    await textField({ name: 'name', label: 'Name', autocomplete: 'off' }, [
      { code: 'TOO_SHORT', message: 'Too short.', path: ['name'] },
      { code: 'TOO_LONG', message: 'Of another.', path: ['slug'] },
      { code: 'INVALID_TEXT', message: 'Not <text>.', path: ['name'] },
    ]),
  );
  expect(html).toContain('<small id="name-mistake" class="mistake">Too short. Not &lt;text&gt;.</small>');
  expect(html).toMatch(/aria-describedby="name-mistake" aria-invalid="true"/);
});

test('a form with a mistake in each of a thousand lines looks at each mistake a few times, and not for each field', async () => {
  const count = 1_000;
  let looks = 0;
  const mistakes = mistakesAt(count).map(({ code, message, path = [] }) => ({
    code,
    message,
    get path() {
      looks += 1;
      return path;
    },
  }));
  const dates = mistakes.map((_, index) => ({ name: `date-${index}`, day: 'x', start: '', end: '' }));
  const form: HoursForm = { timeZone: 'UTC', week: [], dates };
  const page = hoursView({
    viewer: { name: 'Dan', email: 'dan@solo.test', locale: 'en' },
    path: '/settings/schedules/x',
    schedule: { name: 'Usual', isDefault: true },
    typedName: 'Usual',
    form,
    updatedAt: '',
    csrf: { save: '', default: '' },
    mistakes,
    done: undefined,
    locale: 'en',
  });
  expect(String(await page).match(/-mistake" class="mistake"/g)).toHaveLength(count);
  expect(looks).toBeLessThan(10 * count);
});
