import { expect, test } from 'vitest';
import { errorPage } from '../../../src/screens/kit/problem-response.ts';

const ERROR = { status: 400, title: 'This app is not known', message: 'There is no app "x".' };

test('an error page says what is wrong and what to do', async () => {
  const page = (await errorPage({ ...ERROR, advice: 'Tell the developer.' })).toString();
  expect(page).toContain('<title>This app is not known – Gatehouse</title>');
  expect(page).toContain('Error 400');
  expect(page).toContain('There is no app &quot;x&quot;.');
  expect(page).toContain('Tell the developer.');
});

test('an error page shows what it was given as text', async () => {
  const evil = '<script>alert(1)</script>';
  const page = (await errorPage({ status: 400, title: evil, message: evil, advice: evil })).toString();
  expect(page).not.toContain('<script');
});
