/**
 * Public reports of bugs in readers of calendars are about these: each kind is a case, with the answer that peers or the RFC
 * give.
 */
import { expect, test } from 'vitest';
import { readIcs } from '../../../../src/modules/calendars/feeds/read-ics.ts';
import { readInThread } from '../../../../src/modules/calendars/feeds/read-in-thread.ts';
import { calendar, event, readIn } from './support/ics.ts';

const RANGE = { start: Date.UTC(2026, 2, 1), end: Date.UTC(2026, 5, 1) };
const HOUR = 'DTSTART:20260401T100000Z\nDURATION:PT1H';
const [ON_1ST, ON_2ND, ON_3RD] = [1, 2, 3].map((day) => `2026-04-0${day} 10:00-11:00`) as [string, string, string];
const AT_8 = '2026-04-01 08:00-09:00';
const DAILY = `${HOUR}\nRRULE:FREQ=DAILY;COUNT=3`;
const IN_NEW_YORK = 'DTSTART;TZID=America/New_York:20260401T060000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2';

test.each<[string, string, string[]]>([
  ['times with dashes and colons', 'DTSTART:2026-04-01T10:00:00Z\nDTEND:2026-04-01T11:00:00Z', [ON_1ST]],
  ['a date with dashes', 'DTSTART;VALUE=DATE:2026-04-01', ['2026-04-01 00:00-+1 00:00']],
  ['an EXDATE with dashes', `${DAILY}\nEXDATE:2026-04-02T10:00:00Z`, [ON_1ST, ON_3RD]],
  ['a time with an offset', 'DTSTART:20260401T120000+0200\nDTEND:2026-04-01T13:00:00+02:00', [ON_1ST]],
  ['milliseconds', 'DTSTART:20260401T100000.000Z\nDTEND:20260401T110000.000Z', [ON_1ST]],
  ['a part of an hour', 'DTSTART:20260401T100000Z\nDURATION:PT0.5H', ['2026-04-01 10:00-10:30']],
  ['semicolons in a list', `${DAILY}\nEXDATE:20260401T100000Z;20260402T100000Z`, [ON_3RD]],
  ['what cannot be seen', 'DTSTART:20260401T100000Z\u200B\nDURATION:PT1H\0', [ON_1ST]],
  ['a name that is there twice', `${HOUR}\nRRULE:RRULE:FREQ=DAILY;COUNT=2`, [ON_1ST, ON_2ND]],
  ['an EXDATE without the zone', `${IN_NEW_YORK}\nEXDATE:20260401T060000`, [ON_2ND]],
  ['an RDATE without the zone', `${IN_NEW_YORK}\nRDATE:20260403T060000`, [ON_1ST, ON_2ND, ON_3RD]],
  ['a DTEND without the zone', 'DTSTART;TZID=America/New_York:20260401T060000\nDTEND:20260401T070000', [ON_1ST]],
  ['an EXDATE in another zone', `${IN_NEW_YORK}\nEXDATE;TZID=W. Europe Standard Time:20260401T120000`, [ON_2ND]],
  ['an RDATE of a day', `${HOUR}\nRDATE;VALUE=DATE:20260403`, [ON_1ST, ON_3RD]],
  ['COUNT with EXDATE', `${DAILY}\nEXDATE:20260401T100000Z`, [ON_2ND, ON_3RD]],
  ['UNTIL by a date', `${HOUR}\nRRULE:FREQ=DAILY;UNTIL=20260402`, [ON_1ST, ON_2ND]],
  ['UNTIL by the clock', IN_NEW_YORK.replace('COUNT=2', 'UNTIL=20260402T060000'), [ON_1ST, ON_2ND]],
  [
    'an end on the day of the start',
    'DTSTART;VALUE=DATE:20260401\nDTEND;VALUE=DATE:20260401',
    ['2026-04-01 00:00-+1 00:00'],
  ],
  ['a time of no length', 'DTSTART:20260401T100000Z\nDTEND:20260401T100000Z', []],
  ['a negative duration', 'DTSTART:20260401T100000Z\nDURATION:-PT1H', []],
  ['weeks', 'DTSTART;VALUE=DATE:20260401\nDURATION:P1W', ['2026-04-01 00:00-+7 00:00']],
  ['a flight', 'DTSTART;TZID=Europe/Berlin:20260401T120000\nDTEND;TZID=America/New_York:20260401T070000', [ON_1ST]],
  ['cancelled, in American', `${HOUR}\nSTATUS:CANCELED`, []],
  [
    'free as Outlook says it, while TRANSP, which is left out, means busy',
    `${HOUR}\nX-MICROSOFT-CDO-BUSYSTATUS:FREE`,
    [ON_1ST],
  ],
  ['out of office', `${HOUR}\nX-MICROSOFT-CDO-BUSYSTATUS:OOF`, [ON_1ST]],
  [
    'an alarm that is damaged',
    `${HOUR}\nBEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:2026\nDURATION:PT9H\nEND:VALARM`,
    [ON_1ST],
  ],
  ['a fold within a name', 'DTSTART;TZID=Euro\n\tpe/Berlin:20260401T12\n 0000\nDURATION:PT1H', [ON_1ST]],
  ['an event in a description', `${HOUR}\nDESCRIPTION:x\n BEGIN:VEVENT\n END:VEVENT`, [ON_1ST]],
  ...[
    'Europe\\/Berlin',
    '"Europe/Berlin"',
    'Europe-Berlin',
    '/freeassociation.sourceforge.net/Tzfile/Europe/Berlin',
  ].map((tzid): [string, string, string[]] => [
    `the zone ${tzid}`,
    `DTSTART;TZID=${tzid}:20260401T100000\nDURATION:PT1H`,
    [AT_8],
  ]),
  ['the zone US-Eastern', 'DTSTART;TZID=US-Eastern:20260401T060000\nDURATION:PT1H', [ON_1ST]],
  ['the zone Z', 'DTSTART;TZID=Z:20260401T100000\nDURATION:PT1H', [ON_1ST]],
])('%s is read as it is meant', (_, lines, expected) => {
  const text = calendar(event(`UID:x\n${lines}`));
  expect(readIn(text, 'UTC')).toEqual(expected);
  expect(readIcs({ text, timeZone: 'UTC', range: RANGE })).toMatchObject({ unreadableCount: 0 });
});

test.each(['COUNT=0', 'COUNT=-1', 'UNTIL=', 'WKST='])('a rule with %s is none', (part) => {
  const text = calendar(event(`UID:x\n${HOUR}\nRRULE:FREQ=DAILY;${part}`));
  expect(readIcs({ text, timeZone: 'UTC', range: RANGE })).toMatchObject({
    periods: [],
    unreadable: [{ problem: 'RULE' }],
  });
});

test.each<[string, string, string[]]>([
  ['a calendar that cancels', calendar('METHOD:CANCEL', event(`UID:x\n${HOUR}`)), []],
  ['one that publishes', calendar('METHOD:PUBLISH', event(`UID:x\n${HOUR}`)), [ON_1ST]],
  [
    'a cancellation after what it cancels',
    calendar(event(`UID:x\n${HOUR}`)) + calendar('METHOD:CANCEL', event(`UID:x\nSEQUENCE:1\n${HOUR}`)),
    [],
  ],
  [
    'a name of a zone in quotes',
    calendar('X-WR-TIMEZONE:"America/New_York"', event('UID:x\nDTSTART;VALUE=DATE:20260401')),
    ['2026-04-01 04:00-+1 04:00'],
  ],
  [
    'a calendar whose first line is cut',
    calendar('X-WR-TIMEZONE:America/New_York', event('UID:x\nDTSTART;VALUE=DATE:20260401')).replace(
      'VCALENDAR',
      'VCAL',
    ),
    ['2026-04-01 04:00-+1 04:00'],
  ],
  ['carriage returns too many', calendar(event(`UID:x\n${HOUR}`)).replaceAll('\r\n', '\r\r\n'), [ON_1ST]],
  [
    'a change by the moment in UTC',
    calendar(
      event(`UID:x\n${IN_NEW_YORK}`),
      event('UID:x\nRECURRENCE-ID:20260402T100000Z\nDTSTART:20260403T100000Z\nDURATION:PT1H'),
    ),
    [ON_1ST, ON_3RD],
  ],
  [
    'a change by its day',
    calendar(
      event(`UID:x\n${IN_NEW_YORK}`),
      event('UID:x\nRECURRENCE-ID;VALUE=DATE:20260402\nDTSTART:20260403T100000Z\nDURATION:PT1H'),
    ),
    [ON_1ST, ON_3RD],
  ],
  [
    'a change of all that is later, from long before',
    calendar(
      event('UID:x\nDTSTART:20260201T100000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3'),
      event('UID:x\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260201T100000Z\nDTSTART:20260401T100000Z\nDURATION:PT1H'),
    ),
    [ON_1ST, ON_2ND, ON_3RD],
  ],
])('%s is read as it is meant', (_, text, expected) => expect(readIn(text, 'UTC')).toEqual(expected));

test.each(['utf-8', 'utf-8 with a mark', 'utf-16', 'utf-16 with a mark', 'utf-16 of the other order'])(
  'a calendar in %s is read',
  async (encoding) => {
    const text = `${encoding.endsWith('mark') || encoding.endsWith('order') ? '\uFEFF' : ''}${calendar(event(`UID:x\n${HOUR}`))}`;
    const body = Buffer.from(text, encoding.startsWith('utf-16') ? 'utf16le' : 'utf8');
    if (encoding.endsWith('order')) body.swap16();
    const answer = await readInThread({ ownerId: 'x', timeZone: 'UTC', range: RANGE }, body);
    expect(answer).toMatchObject({ periods: [{ start: Date.UTC(2026, 3, 1, 10) }], unreadableCount: 0 });
  },
);
