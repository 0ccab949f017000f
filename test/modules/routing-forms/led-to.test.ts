import { describe, expect, test } from 'vitest';
import { ledTo, type Target } from '../../../src/modules/routing-forms/routing-form.rules.ts';

const url = (address: string, passesAnswers = true): Target => ({ type: 'URL', url: address, passesAnswers });
const answered = (answers: object) => ({
  fields: Object.keys(answers).map(
    (slug) => ({ slug, type: 'TEXT', label: slug, isRequired: false, options: [], placeholder: null }) as const,
  ),
  answers: answers as Readonly<Record<string, unknown>>,
});
const led = (address: string, answers: object) => {
  const target = ledTo(url(address), answered(answers));
  return target.type === 'URL' ? target.url : '';
};

describe('answers become parameters of an address', () => {
  test.each<[string, object, string]>([
    ['https://a.example/', { company: 'ACME' }, 'https://a.example/?company=ACME'],
    ['https://a.example/p?x=1%202#end', { size: 7 }, 'https://a.example/p?x=1%202&size=7#end'],
    ['https://a.example/', { topics: ['A', 'B & C'] }, 'https://a.example/?topics=A&topics=B%20%26%20C'],
    ['https://a.example/?email=form', { email: 'b@c.example' }, 'https://a.example/?email=form'],
    ['https://a.example/', { a: '&b=1#c' }, 'https://a.example/?a=%26b%3D1%23c'],
    [
      'https://a.example/',
      { a: '@evil.example/../\\\r\nX: y' },
      'https://a.example/?a=%40evil.example%2F..%2F%5C%0D%0AX%3A%20y',
    ],
    ['https://a.example/', { a: '\ud800' }, 'https://a.example/?a=%EF%BF%BD'],
    ['https://a.example/', { a: 'x'.repeat(3_000), b: '1' }, 'https://a.example/?b=1'],
  ])('%s and %j: %s', (address, answers, expected) => {
    expect(led(address, answers)).toBe(expected);
    expect(new URL(expected).origin).toBe('https://a.example');
  });
});

test('no answer goes along where the form does not say so, nor with a message', () => {
  expect(ledTo(url('https://a.example/', false), answered({ a: 1 }))).toEqual(url('https://a.example/', false));
  expect(ledTo({ type: 'MESSAGE', message: 'Hi' }, answered({ a: 1 }))).toEqual({ type: 'MESSAGE', message: 'Hi' });
});
