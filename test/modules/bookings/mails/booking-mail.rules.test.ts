import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/core/language.ts';
import { textOf } from '../../../../src/core/mail-content.ts';
import { bookingMailContent, type MailedMeeting } from '../../../../src/modules/bookings/mails/booking-mail.rules.ts';
import type { BookingNews, MailReader } from '../../../../src/modules/bookings/mails/booking-news.rules.ts';
import { ours } from '../../../../src/modules/bookings/mails/mailed-texts.rules.ts';
import { foreignTo } from '../../../support/spoken-words.ts';
import {
  ANSWER_LINK,
  bookingMailSamples,
  LINK,
  meetingFor,
  NEWS,
  READERS,
  REASON,
  TIME,
} from './booking-mail-samples.ts';

function bookingMailText(...about: Parameters<typeof bookingMailContent>) {
  const content = bookingMailContent(...about);
  return { subject: content.subject, text: textOf(content) };
}

function samples(locale?: string): readonly string[] {
  return bookingMailSamples(locale).map(
    ({ name, content }) => `${'='.repeat(20)} ${name}\nSubject: ${content.subject}\n\n${textOf(content)}`,
  );
}

test('every mail reads as in the samples', async () => {
  await expect(samples().join('\n')).toMatchFileSnapshot('./booking-mail.samples.txt');
});

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  'in %s too, without a word of ours in another language',
  async (language) => {
    const all = samples(language);
    await expect(all.join('\n')).toMatchFileSnapshot(`./booking-mail.samples.${language}.txt`);
    const foreign = await foreignTo(language);
    // Texts that others have said to its reader, and the head of each sample.
    const said = [
      READERS.map((reader) => meetingFor({ ...reader, locale: language })),
      NEWS,
      READERS,
      ANSWER_LINK,
      'Subject',
    ];
    expect(all.flatMap((mail) => foreign(mail, said))).toEqual([]);
  },
);

describe('times are', () => {
  const [attendee] = READERS;
  const textFor = (reader: Partial<MailReader>, times: MailedMeeting['times'] = [TIME]) =>
    bookingMailText({ kind: 'BOOKED' }, { ...attendee, ...reader }, meetingFor(attendee, { times })).text;

  test.each([
    [{ timeZone: 'Europe/Berlin', locale: 'de-DE' }, 'Montag, 7. Dezember 2026, 16:00–16:30 Uhr (Europe/Berlin)'],
    [{ timeZone: 'Asia/Kolkata', locale: 'en-IN' }, 'Monday, 7 December 2026, 8:30 – 9:00 pm (Asia/Kolkata)'],
    [{ timeZone: 'Asia/Tokyo', locale: 'ja-JP' }, '2026/12/8火曜日 0時00分～0時30分 (Asia/Tokyo)'],
    [{ timeFormat: 24 as const }, 'Monday, December 7, 2026, 10:00 – 10:30 (America/New York)'],
    [{ timeFormat: 12 as const, locale: 'de-DE' }, 'Montag, 7. Dezember 2026, 10:00–10:30 AM (America/New York)'],
    // A tag that is well-formed and nobody's language.
    [{ locale: 'xx-XX' }, '(America/New York)'],
  ])('in the zone and the words of %o', (reader, expected) => {
    expect(textFor(reader)).toContain(expected);
  });

  test('over midnight, and over the end of summer time, both days', () => {
    const night = { start: '2026-10-25T00:30:00Z', end: '2026-10-26T02:30:00Z' };
    expect(textFor({ timeZone: 'Europe/Berlin', locale: 'en-GB' }, [night])).toContain(
      'Sunday, 25 October 2026 at 02:30 – Monday, 26 October 2026 at 03:30 (Europe/Berlin)',
    );
  });

  test('all of a series, with the address of each booking', () => {
    const second = { start: '2026-12-14T15:00:00Z', end: '2026-12-14T15:30:00Z' };
    const meeting = meetingFor(attendee, { times: [TIME, second], links: [`${LINK}1`, `${LINK}2`] });
    const { text } = bookingMailText({ kind: 'BOOKED' }, attendee, meeting);
    expect(text).toContain('Your bookings are confirmed.');
    expect(text).toMatch(/When: {3}Monday, December 7,.*\n {8}Monday, December 14,/);
    expect(text).toContain(`Manage each of your bookings:\n${LINK}1\n${LINK}2\n`);
  });
});

describe('text that others have written', () => {
  const [attendee, , host] = READERS;

  test('starts no line of its own, in the subject and in the text', () => {
    const evil = ours('Eve\r\nBcc: all@evil.test\u2028\u0085Open https://evil.test');
    const meeting = meetingFor(host, { title: evil, bookerName: evil, people: [evil], hostNames: [evil] });
    const news = { kind: 'CANCELLED', reason: null, by: { name: evil, isReader: false } } as const;
    const { subject, text } = bookingMailText(news, { ...host, name: evil }, meeting);
    expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(text).not.toMatch(/^(Bcc|Open)/mu);
  });

  test('stands behind a mark, line by line, when it has several', () => {
    const notes = ours('First.\r\nThe booking:\nhttps://evil.test');
    const { text } = bookingMailText({ kind: 'BOOKED' }, host, meetingFor(host, { notes }));
    expect(text).toContain('Notes:\n> First.\n> The booking:\n> https://evil.test\n');
  });

  test('by an attendee is for hosts: a guest does not read it', () => {
    const news = { kind: 'CANCELLED', reason: REASON, by: null } as const;
    expect(bookingMailText(news, host, meetingFor(host)).text).toContain('> The train is late.');
    expect(bookingMailText(news, READERS[1], meetingFor(READERS[1])).text).not.toContain('train');
    expect(bookingMailText(news, attendee, meetingFor(attendee)).text).toContain('> The train is late.');
  });
});

test('the actor is told that they did it themselves', () => {
  const [, , host] = READERS;
  const news = { kind: 'CANCELLED', reason: null, by: { name: ours('Ada Okafor'), isReader: true } } as const;
  expect(bookingMailText(news, host, meetingFor(host)).text).toContain('You cancelled Grace Hopper’s booking.');
});

describe('in German', () => {
  const [attendee, , host] = READERS;

  test.each([
    [true, 'Sie haben den Termin mit Grace Hopper abgesagt.'],
    [false, 'Ada Okafor hat den Termin mit Grace Hopper abgesagt.'],
  ])('the verb agrees with the person who acted; the reader: %s', (isReader, expected) => {
    const news = { kind: 'CANCELLED', reason: null, by: { name: ours('Ada Okafor'), isReader } } as const;
    expect(germanText(news, host)).toContain(expected);
  });

  test.each([
    [1, 'Ihr Gast ist noch nicht eingeladen.'],
    [3, 'Ihre 3 Gäste sind noch nicht eingeladen.'],
  ])('%i guests are counted', (count, expected) => {
    const guestsToInvite = { count, link: `${LINK}/guests` };
    expect(germanText({ kind: 'BOOKED' }, attendee, { guestsToInvite })).toContain(expected);
  });

  test('several hosts and days are named as there', () => {
    const text = germanText({ kind: 'INVITED', isToConfirm: false }, attendee, {
      hostNames: [ours('Ada Okafor'), ours('Bob Meyer'), ours('Cem Yılmaz')],
      times: [{ start: '2027-01-07T15:00:00Z', end: '2027-01-07T15:30:00Z' }],
    });
    expect(text).toContain('mit Ada Okafor, Bob Meyer und Cem Yılmaz');
    expect(text).toContain('Donnerstag, 7. Jänner 2027');
  });
});

function germanText(news: BookingNews, reader: MailReader, changes?: Partial<MailedMeeting>): string {
  const german = { ...reader, locale: 'de-AT' };
  return bookingMailText(news, german, meetingFor(german, changes)).text;
}
