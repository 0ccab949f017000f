import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/core/language.ts';
import { type MailContent, textOf } from '../../src/core/mail-content.ts';
import { mailHtml } from '../../src/mail/mail-html.ts';
import { addedIn, missingIn, shownIn } from '../support/shown-mail.ts';
import { foreignTo } from '../support/spoken-words.ts';
import { everyMail, ORIGIN, workflowMail } from './every-mail.ts';

const LOOK = { brand: 'Gatehouse', color: undefined, origin: ORIGIN };

describe.each(['en', 'de'] as const)('each mail, for a reader of %s,', (locale) => {
  const all = everyMail(locale).filter(({ content }) => locale === 'en' || content.locale === locale);

  test.each(all)(
    'says in HTML what it says as text, and no more but what is on buttons: $name',
    async ({ content }) => {
      const [html, text] = [await mailHtml(content, LOOK), textOf(content)];
      expect(missingIn(html, text)).toEqual([]);
      expect(
        addedIn(html, text, [content.subject, content.heading ?? '', 'Gatehouse G', ...labelsOf(content)]),
      ).toEqual([]);
      expect(Buffer.byteLength(html)).toBeLessThan(20_000);
      expect(html).toContain(`<html lang="${content.locale === undefined ? 'en' : locale}" dir="ltr">`);
      expect(html).not.toMatch(/<(?:img|script|link|iframe|form|svg)|url\(|@import|src=/);
      const elsewhere = shownIn(html).links.filter((link) => !link.startsWith(`${ORIGIN}/`));
      expect(elsewhere.filter((link) => !link.startsWith('https://meet.example/'))).toEqual([]);
    },
  );
});

test('a mail stands here for each that is written anywhere', async () => {
  const samples = new Set(LANGUAGES.flatMap((locale) => everyMail(locale)));
  const missing: string[] = [];
  for (const path of (await Array.fromAsync(glob('src/**/*.ts'))).toSorted()) {
    const own = [...samples].filter(({ source }) => source === path);
    const written = mailsWrittenIn(path);
    if (own.length < written || (written === 0 && own.length > 0))
      missing.push(`${path}: ${written}, ${own.length} here`);
  }
  expect(missing).toEqual([]);
});

/** How many objects of a file have a subject and parts. */
function mailsWrittenIn(path: string): number {
  const source = readFileSync(path, 'utf8');
  if (!source.includes('parts')) return 0;
  let count = 0;
  new Visitor({
    ObjectExpression: ({ properties }) => {
      const names = properties.flatMap((one) =>
        one.type === 'Property' && one.key.type === 'Identifier' ? [one.key.name] : [],
      );
      if (names.includes('subject') && names.includes('parts')) count += 1;
    },
  }).visit(parseSync(path, source).program);
  return count;
}

test('in German, what is on buttons has no word of another language', async () => {
  const foreign = await foreignTo('de');
  expect(
    everyMail('de')
      .filter(({ content }) => content.locale === 'de')
      .flatMap(({ content }) => labelsOf(content))
      .flatMap((label) => foreign(label, 'America/New York')),
  ).toEqual([]);
});

test('in German, mails about calendars have no word of another language', async () => {
  const foreign = await foreignTo('de');
  const mails = everyMail('de').filter(({ source }) => source.endsWith('/calendar-mail.ts'));
  const said = [
    'Work',
    'Team',
    'ada@calendars.test',
    'Google Calendar',
    'calendars.test … ic.ics',
    `${ORIGIN}/settings/calendars`,
  ];
  expect(mails).toHaveLength(8);
  expect(mails.flatMap(({ content }) => foreign(`${content.subject} ${textOf(content)}`, said))).toEqual([]);
});

/** The labels that the HTML alone has, in the place of addresses. */
function labelsOf({ parts }: MailContent): readonly string[] {
  return parts.flatMap((part) =>
    typeof part !== 'string' && part.kind === 'LINKS' ? part.links.flatMap(({ label }) => label ?? []) : [],
  );
}

describe('text that others have written', () => {
  const EVIL = '<img src=x onerror=alert(1)>"\'&</td></table><a href="https://evil.test">';

  test('is text in every part', async () => {
    const content: MailContent = {
      subject: `Subject ${EVIL}\r\n${EVIL}`,
      heading: EVIL,
      greeting: `Hello ${EVIL}`,
      parts: [
        EVIL,
        { kind: 'OWN_WORDS', text: EVIL },
        { kind: 'FACTS', facts: [{ label: EVIL, lines: [EVIL, 'https://evil.test/"onload="x'], leads: true }] },
        { kind: 'QUOTE', label: EVIL, text: EVIL },
        { kind: 'LINKS', lead: EVIL, links: [{ href: `${ORIGIN}/"><script>`, label: EVIL }] },
        { kind: 'LIST', items: [EVIL] },
        { kind: 'CODE', lead: EVIL, code: EVIL },
        { kind: 'NOTE', text: EVIL },
      ],
    };
    const html = await mailHtml(content, { ...LOOK, brand: EVIL });
    expect(html).not.toMatch(/<img|<script|<a href="https:\/\/evil|"onload/);
    expect(shownIn(html).text.split(EVIL).length - 1).toBe(16);
    expect(html).not.toMatch(/<title>[^<]*\n/);
  });

  test('turns nothing around', async () => {
    const text = '\u202eevil\u2066\u061c';
    const html = await mailHtml({ subject: text, parts: [text, { kind: 'QUOTE', label: text, text }] }, LOOK);
    expect(html).not.toMatch(/[\u061c\u202a-\u202e\u2066-\u2069]/);
    expect(shownIn(html).text.match(/evil/g)?.length).toBe(5);
  });

  test.each([
    ['a page of this service', `${ORIGIN}/bookings/1`, [`${ORIGIN}/bookings/1`]],
    ['another website', 'https://evil.test/x', []],
    ['another website that begins like this service', `${ORIGIN}.evil.test/x`, []],
    ['a user name that is an address of this service', `${ORIGIN}@evil.test/x`, []],
    ['a script', 'javascript:alert(1)', []],
  ])('in its own words, a team leads to pages of this service alone: %s', async (_, address, links) => {
    const html = await mailHtml(workflowMail(`Look: ${address}`), LOOK);
    expect([shownIn(html).links, shownIn(html).text.includes(address)]).toEqual([links, true]);
  });

  test.each([
    ['https://meet.example/1', ['https://meet.example/1']],
    ['http://meet.example/1', ['http://meet.example/1']],
    ['javascript:alert(1)', []],
    ['data:text/html,x', []],
    ['Room 1, https://meet.example/1', []],
  ])('a place leads somewhere only where it is a web address: %s', async (line, links) => {
    const facts = (leads: boolean): MailContent => ({
      subject: 'S',
      parts: [{ kind: 'FACTS', facts: [{ label: 'Where', lines: [line], leads }] }],
    });
    expect(shownIn(await mailHtml(facts(true), LOOK)).links).toEqual(links);
    expect(shownIn(await mailHtml(facts(false), LOOK)).links).toEqual([]);
  });
});

test('line breaks of a team’s own words are kept', async () => {
  const html = await mailHtml(workflowMail('One\nTwo\n\nThree\n\n\nFour'), LOOK);
  expect(html).toContain('>One<br>Two<br><br>Three<br><br><br>Four</p>');
});

test('a list of mails shows the first words, and no address', async () => {
  const link = { kind: 'LINKS', lead: 'Open this page:', links: [{ href: `${ORIGIN}/x` }] } as const;
  expect(await preview({ subject: 'S', greeting: 'Hello', parts: ['Your booking\nis confirmed.'] })).toBe(
    'Your booking is confirmed.',
  );
  expect(await preview({ subject: 'S', parts: [link] })).toBe('Open this page:');
  expect(await preview({ subject: 'S', parts: ['Some words '.repeat(20)] })).toBe(`${'Some words '.repeat(13)}Some…`);
  expect(await preview({ subject: 'S', parts: [`a${'👋'.repeat(100)}`] })).toBe(`a${'👋'.repeat(74)}…`);
});

async function preview(content: MailContent): Promise<string | undefined> {
  return />([^<]*)<\/div>/.exec(await mailHtml(content, LOOK))?.[1];
}
