/** Answers of CalDAV servers up to their limit of 10 MB: whatever they are made of, others are served while they are read. */
import process from 'node:process';
import { expect, test } from 'vitest';
import { CalendarFailure } from '../../../../src/modules/calendars/connections/calendar-provider.ts';
import { CalDav } from '../../../../src/modules/calendars/connections/servers/caldav.ts';
import { calendar, event } from '../feeds/support/ics.ts';

const BYTES = 4_000_000;
const OK = '<d:status>HTTP/1.1 200 OK</d:status>';
const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"';

const multistatus = (content: string) => `<d:multistatus ${NAMESPACES}>${content}</d:multistatus>`;
const said = (href: string, properties: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop>${OK}</d:propstat></d:response>`;
const dataOf = (n: number) =>
  `<c:calendar-data>${calendar('', event(`UID:${n}\nDTSTART:20261201T090000Z`))}</c:calendar-data>`;

/** As many as there is room for. */
function filled(part: (n: number) => string): string {
  const parts: string[] = [];
  for (let length = 0; length < BYTES; length += parts.at(-1)?.length ?? 0) parts.push(part(parts.length));
  return parts.join('');
}
const attributes = (attribute: (n: number) => string) => Array.from({ length: 29 }, (_, n) => attribute(n)).join(' ');

const HOSTILE: readonly (readonly [name: string, content: string])[] = [
  ['events', filled((n) => said(`/agenda/${n}.ics`, `<d:getetag>"${n}"</d:getetag>${dataOf(n)}`))],
  ['names of events', filled((n) => said(`/agenda/${n}.ics`, `<d:getetag>"${n}"</d:getetag>`))],
  ['attributes', filled(() => `<a ${attributes((n) => `a${n}="${n}"`)}/>`)],
  ['namespaces', filled(() => `<a ${attributes((n) => `xmlns:a${n}="u${n}"`)}/>`)],
  ['nested elements', filled(() => '<a>'.repeat(30) + '</a>'.repeat(30)).slice(0, 210 * 9_000)],
  ['character references', said('/agenda/x.ics', `<c:calendar-data>${filled(() => '&amp;')}</c:calendar-data>`)],
  ['references in an attribute', `<a b="${filled(() => '&#65;')}"/>`],
  ['sections', said('/agenda/x.ics', `<c:calendar-data>${filled(() => 'y<![CDATA[x]]>')}</c:calendar-data>`)],
  ['comments', filled(() => '<!--x-->')],
  ['ends of lines', said('/agenda/x.ics', `<c:calendar-data>${filled(() => '\r\n')}x</c:calendar-data>`)],
];

const RANGE = { start: Date.UTC(2026, 10), end: Date.UTC(2027, 10) };
const CALENDAR = 'https://calendars.example/agenda/';

/** A server whose calendar has just changed, and which answers every other question with this. */
function serverWith(content: string): CalDav {
  const state = multistatus(said('/agenda/', '<d:sync-token>two</d:sync-token>'));
  const answer = multistatus(`${content}<d:sync-token>two</d:sync-token>`);
  const throughTheDoor: typeof fetch = async (input, init) => {
    const question = await new Request(input, init).text();
    return new Response(question.includes('getctag') ? state : answer, { status: 207 });
  };
  return new CalDav(CALENDAR, throughTheDoor, () => true);
}

function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since);
  return (user + system) / 1_000;
}

/** @returns the CPU in milliseconds that this thread took in all, and between two turns of the event loop at most */
async function measured(work: () => Promise<unknown>): Promise<{ readonly all: number; readonly longest: number }> {
  let isOver = false;
  let longest = 0;
  const from = process.threadCpuUsage();
  let before = from;
  const turn = (): void => {
    longest = Math.max(longest, cpuMs(before));
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  await new Promise((done) => setImmediate(done));
  isOver = true;
  return { all: cpuMs(from), longest };
}

test.each(HOSTILE)('megabytes of %s are read in turns', async (_, content) => {
  const server = serverWith(content);
  const known = { state: '["one",""]', etags: async () => new Map<string, string>() };
  const reading = () => server.read('Basic eDp4', CALENDAR, RANGE, known).catch((error: unknown) => error);
  let leastShare = 1;
  // A piece that blocks does so each time; a collection of what other tests have left behind comes by chance.
  for (let n = 0; n < 4 && leastShare >= 1 / 3; n += 1) {
    const outcome: unknown[] = [];
    const { all, longest } = await measured(async () => outcome.push(await reading()));
    const [end] = outcome;
    expect(end instanceof Error ? end : undefined).toEqual(end instanceof CalendarFailure ? end : undefined);
    expect(all).toBeGreaterThan(100);
    leastShare = Math.min(leastShare, longest / all);
  }
  // Whatever the machine: what blocks is one piece, and takes all of the CPU at once.
  expect(leastShare).toBeLessThan(1 / 3);
});

test('an answer for somebody who waits takes no more CPU than there is for it', async () => {
  const [, events = ''] = HOSTILE[0] ?? [];
  const cpuLeft = { milliseconds: 20 };
  const few = serverWith(said('/agenda/1.ics', `<d:getetag>"1"</d:getetag>${dataOf(1)}`));
  expect((await few.read('Basic eDp4', CALENDAR, { ...RANGE, cpuLeft })).objects).toHaveLength(1);
  expect(cpuLeft.milliseconds).toBeLessThanOrEqual(20);
  expect(cpuLeft.milliseconds).toBeGreaterThan(0);
  const left = cpuLeft.milliseconds;
  const reading = serverWith(events).read('Basic eDp4', CALENDAR, { ...RANGE, cpuLeft });
  await expect(reading).rejects.toMatchObject({ name: 'CalendarFailure', kind: 'UNREADABLE' });
  // It ends with the piece that takes the last of it.
  expect(cpuLeft.milliseconds).toBeLessThanOrEqual(0);
  expect(cpuLeft.milliseconds).toBeGreaterThan(-10 * left);
});
