import { expect, test } from 'vitest';
import { preferredLanguage } from '../../src/screens/kit/page-locale.ts';

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
  ['en;q=0.5, fr-ch;q=0.7', 'fr-CH'],
  ['tlh, xx-not-one, pt-BR', 'pt-BR'],
  ['de-u-ca-buddhist-nu-thai', 'de'],
  ['*', undefined],
  ['de;q=0', undefined],
  ['', undefined],
  [undefined, undefined],
  [',;=,"\\', undefined],
  [`${'x,'.repeat(5000)}de`, undefined],
])('%s asks for %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
