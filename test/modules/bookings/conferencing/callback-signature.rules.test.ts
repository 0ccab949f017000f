import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  isRecent,
  isSigned,
  keyOfSecret,
} from '../../../../src/modules/bookings/conferencing/callback-signature.rules.ts';

// The example of the Standard Webhooks specification's own libraries.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const KEY = keyOfSecret(SECRET) ?? new Uint8Array();
const MESSAGE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
  signatures: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const SENT = 1_614_265_330_000;

describe('a message is taken as signed', () => {
  test('by the published example', () => {
    expect(isSigned(MESSAGE, KEY)).toBe(true);
  });

  test('when one of several signatures fits, as while a secret is changed', () => {
    expect(isSigned({ ...MESSAGE, signatures: `v1,AAAA v2,xyz ${MESSAGE.signatures}` }, KEY)).toBe(true);
  });

  test.each([
    ['another body', { body: '{"test": 2432232315}' }],
    ['another id', { id: 'msg_other' }],
    ['another time', { timestamp: '1614265331' }],
    ['no id', { id: '' }],
    ['no signature', { signatures: '' }],
    ['another version', { signatures: MESSAGE.signatures.replace('v1,', 'v2,') }],
    ['a bare signature', { signatures: MESSAGE.signatures.slice(3) }],
    ['the fitting one behind many others', { signatures: `${'v1,AAAA '.repeat(10)}${MESSAGE.signatures}` }],
  ])('but not with %s', (_, changes) => {
    expect(isSigned({ ...MESSAGE, ...changes }, KEY)).toBe(false);
  });

  test('but not by another secret, nor with an empty id that is signed', () => {
    expect(isSigned(MESSAGE, new Uint8Array(24))).toBe(false);
    const signature = createHmac('sha256', KEY).update('.1614265330.{}').digest('base64');
    expect(isSigned({ id: '', timestamp: '1614265330', body: '{}', signatures: `v1,${signature}` }, KEY)).toBe(false);
  });
});

test.each([
  [0, true],
  [300_000, true],
  [-300_000, true],
  [301_000, false],
  [-301_000, false],
])('a message that is %i ms old is recent: %s', (age, recent) => {
  expect(isRecent(MESSAGE, SENT + age)).toBe(recent);
});

test.each(['', 'now', '1e9', '-1', '0x1', '16142653300000000', '1614265330.5'])('%j is no recent time', (timestamp) => {
  expect(isRecent({ timestamp }, SENT)).toBe(false);
});

test.each([
  '',
  'whsec_',
  SECRET.slice(6),
  'whsec_c2hvcnQ=',
  `whsec_${'A'.repeat(100)}`,
  `${SECRET}!`,
  'whsec_A-_'.repeat(8),
])('%j is no secret', (secret) => {
  expect(keyOfSecret(secret)).toBeUndefined();
});
