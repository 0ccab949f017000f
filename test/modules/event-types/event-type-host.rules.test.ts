import { describe, expect, test } from 'vitest';
import {
  type EventTypeHost,
  HOST_CODES,
  HOST_DEFAULTS,
  hostMistakes,
} from '../../../src/modules/event-types/event-type-host.rules.ts';

const ADA: EventTypeHost = { userId: 'ada', ...HOST_DEFAULTS };
const BOB: EventTypeHost = { ...ADA, userId: 'bob' };

test.each<[string, readonly EventTypeHost[]]>([
  ['none yet', []],
  ['two', [ADA, { ...BOB, isMandatory: true, priority: 0, weight: 1 }]],
  ['five hundred', Array.from({ length: 500 }, (_, index) => ({ ...ADA, userId: `${index}` }))],
])('hosts are accepted: %s', (_, hosts) => {
  expect(hostMistakes(['hosts'], hosts)).toEqual([]);
});

describe('hosts are refused when', () => {
  test.each<[string, readonly EventTypeHost[], string, string]>([
    ['one is there twice', [ADA, BOB, ADA], 'DUPLICATE', 'hosts.2.userId'],
    ['a priority is too high', [{ ...ADA, priority: 5 }], 'OUT_OF_RANGE', 'hosts.0.priority'],
    ['a weight is nothing', [ADA, { ...BOB, weight: 0 }], 'OUT_OF_RANGE', 'hosts.1.weight'],
    [
      'there are too many',
      Array.from({ length: 501 }, (_, index) => ({ ...ADA, userId: `${index}` })),
      'TOO_MANY',
      'hosts',
    ],
  ])('%s', (_, hosts, code, path) => {
    const mistakes = hostMistakes(['hosts'], hosts);
    expect(mistakes.map((mistake) => [mistake.code, mistake.path?.join('.')])).toEqual([[code, path]]);
    expect(HOST_CODES).toContain(code);
  });
});
