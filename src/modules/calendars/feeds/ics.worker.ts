import process from 'node:process';
import { parentPort } from 'node:worker_threads';
import { type IcsQuestion, readIcs } from './read-ics.ts';
import type { CalendarBody, ReadInThread } from './read-in-thread.ts';

type Asked = Omit<IcsQuestion, 'text'> & { readonly body: CalendarBody };

// The code that reads has been compiled before anything counts the CPU that a text takes.
const [DAY, HOURS] = [86_400_000, Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))];
const EVENTS = HOURS.map((hour) =>
  [
    `BEGIN:VEVENT\r\nUID:${hour}\r\nDTSTART;TZID=Europe/Berlin:20260302T${hour}0000\r\nDURATION:PT30M`,
    'RRULE:FREQ=WEEKLY;BYDAY=MO,WE\r\nEXDATE;TZID=Europe/Berlin:20260304T090000\r\nSUMMARY:Meeting\r\nEND:VEVENT',
  ].join('\r\n'),
);
const SAMPLE = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...EVENTS, 'END:VCALENDAR'].join('\r\n');
const START = Date.UTC(2026, 2, 1);
readIcs({ text: SAMPLE, timeZone: 'UTC', range: { start: START, end: START + 28 * DAY } });

parentPort?.on('message', ({ body, ...question }: Asked) => {
  const before = process.threadCpuUsage();
  const text = body instanceof Uint8Array ? new TextDecoder(encodingOf(body)).decode(body) : body;
  const answer = readIcs({ ...question, text });
  const { user, system } = process.threadCpuUsage(before);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads, and no window
  parentPort?.postMessage({ answer, cpuMs: (user + system) / 1_000 } satisfies ReadInThread);
});

/** UTF-8 (RFC 5545 §3.1.4), but for what Windows writes as “Unicode”: with a byte order mark, or a 0 beside the first letter. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
}
