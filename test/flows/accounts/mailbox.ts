import { startTestApp, type TestApp } from '../../support/app.ts';
import { MailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { type ShownPage, type Stop, shownPage, TestBrowser } from '../../support/test-browser.ts';

export const PASSWORD = 'the password of the test';

/** The service, and the mail server that it sends to. */
export interface MailedApp {
  readonly app: TestApp;
  readonly mailServer: MailServer;
  close(): Promise<void>;
}

export async function openMailedApp(): Promise<MailedApp> {
  const mailServer = await MailServer.open();
  const app = await startTestApp({ SMTP_URL: mailServer.url, MAIL_LIMITS: 'off' });
  return {
    app,
    mailServer,
    close: async () => {
      await app.close();
      await mailServer.close();
    },
  };
}

/** Somebody new, whose names are nobody else's. */
export function aPerson(changes: Partial<Record<'name' | 'username' | 'email' | 'password', string>> = {}) {
  const username = `p${(count += 1)}`;
  return { name: 'Grace', username, email: `${username}@mail.test`, password: PASSWORD, ...changes };
}
let count = 0;

/** Signs up by the form. */
export async function signUp(base: string, person = aPerson(), browser = new TestBrowser(base)): Promise<TestBrowser> {
  const page = shownPage(await browser.submit(await browser.open('/auth/signup'), person));
  if (page.status !== 200) throw new Error(`Nobody could sign up: ${page.text}`);
  return browser;
}

/** Signs up, and follows the link in the mail. */
export async function signUpVerified(base: string, mailServer: MailServer, person = aPerson()): Promise<TestBrowser> {
  const browser = await signUp(base, person);
  const page = await followed(browser, linkIn(await lastMailTo(mailServer, person.email)));
  if (!page.text.includes('Your address is confirmed')) throw new Error(`It was not confirmed: ${page.text}`);
  return browser;
}

/** Opens the link of a mail that asks whether an address is somebody's, and presses the button. */
export async function followed(browser: TestBrowser, link: string): Promise<ShownPage> {
  return shownPage(await browser.submit(await browser.open(link), { token: tokenOf(link) }));
}

export async function signIn(base: string, email: string, password = PASSWORD): Promise<ShownPage> {
  const browser = new TestBrowser(base);
  return shownPage(await browser.signIn(await browser.open('/auth/login'), email, password));
}

export function isSignedIn(page: Stop): boolean {
  return shownPage(page).html.includes('/auth/logout');
}

/** The newest mail to a mailbox, when there are so many. */
export async function lastMailTo(mailServer: MailServer, mailbox: string, count = 1): Promise<ReceivedMail> {
  const found = await mailsTo(mailServer, mailbox, count);
  const last = found.at(-1);
  if (!last) throw new Error(`Nothing came for ${mailbox}.`);
  return last;
}

export async function mailsTo(mailServer: MailServer, mailbox: string, count: number): Promise<ReceivedMail[]> {
  const own = (): ReceivedMail[] => mailServer.mails.filter((mail) => mail.mailbox === mailbox);
  while (own().length < count) await mailServer.received(mailServer.mails.length + 1);
  return own();
}

/** The path of the link in a mail. */
export function linkIn({ text }: ReceivedMail): string {
  const path = /https?:\/\/[^/\s]+(\/\S+token=[0-9A-Za-z]{43})/.exec(text)?.[1];
  if (path === undefined) throw new Error(`This mail holds no link: ${text}`);
  return path;
}

export function tokenOf(link: string): string {
  return new URLSearchParams(link.slice(link.indexOf('?'))).get('token') ?? '';
}
