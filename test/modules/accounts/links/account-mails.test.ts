import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/core/language.ts';
import { textOf } from '../../../../src/core/mail-content.ts';
import type { Em } from '../../../../src/database/sql.ts';
import { requestPasswordReset } from '../../../../src/modules/accounts/sign-in/change-password.ts';
import { testAccountMails } from '../../../support/account-mails.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { foreignTo } from '../../../support/spoken-words.ts';
import { anAccount, aSignUp } from '../an-account.ts';
import { accountMailSamples } from './account-mail-samples.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

const ADDRESS = '192.0.2.1';

const KINDS = Object.keys(accountMailSamples('en')) as (keyof ReturnType<typeof accountMailSamples>)[];

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (locale) => {
  test.each(KINDS)('%s has no word of another language, and the same links and numbers', async (kind) => {
    const content = accountMailSamples(locale)[kind];
    const [text, english] = [textOf(content), textOf(accountMailSamples('en')[kind])];
    expect(linksIn(text)).toEqual(linksIn(english));
    expect(numbersIn(text)).toEqual(numbersIn(english));
    const said = [...linksIn(text), 'grace', 'hopper', 'hopper@mail.test', 'Zzz'];
    expect((await foreignTo(locale))(`${content.subject} ${text}`, said)).toEqual([]);
  });
});

describe('an account is mailed in its language', () => {
  test.each([
    ['de-CH', 'Neues Passwort festlegen'],
    ['en-GB', 'Set a new password'],
    ['fr', 'Set a new password'],
  ])('a link for its password, for a reader of %s', async (locale, subject) => {
    const { email } = await anAccount(em, { locale });
    const box = testAccountMails(database);
    await requestPasswordReset(em, box.accountMails, { email, address: ADDRESS });
    await box.settled();
    expect(box.mails).toMatchObject([{ to: email, subject }]);
  });

  test('that it exists, at an address that somebody else has given: the language is that of the mailbox’s reader', async () => {
    const owner = await anAccount(em, { locale: 'de' });
    const intruder = await anAccount(em, { email: owner.email, isEmailVerified: false, locale: 'en' });
    const box = testAccountMails(database);
    box.accountMails.welcome(intruder, ADDRESS);
    await box.settled();
    expect(box.mails).toMatchObject([{ to: owner.email, subject: 'Sie haben bereits ein Konto' }]);
    expect(box.mails[0]?.text).toContain(`„${owner.username}“`);
  });

  test('and where nobody has the address, nobody is', async () => {
    const { email } = aSignUp();
    const box = testAccountMails(database);
    await requestPasswordReset(em, box.accountMails, { email, address: ADDRESS });
    await box.settled();
    expect([box.mails, box.rehearsed]).toMatchObject([[], [{ subject: 'Set a new password' }]]);
  });
});

function linksIn(mail: string): readonly string[] {
  return (mail.match(/https:\S+/g) ?? []).toSorted();
}

function numbersIn(mail: string): readonly string[] {
  return mail.replaceAll(/https:\S+/g, '').match(/\d+/g) ?? [];
}
