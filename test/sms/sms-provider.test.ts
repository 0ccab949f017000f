import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import { createSmsProvider, smsFolderIn } from '../../src/sms/sms.ts';

test('without a provider, an SMS is a file in the data folder, and the log says which', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-sms-'));
  const logged: object[] = [];
  const log = { info: (detail: object) => void logged.push(detail) };
  const folder = smsFolderIn(dataDir);
  const provider = createSmsProvider({ smsUrl: undefined, outbound: undefined as unknown as Outbound, folder, log });
  await provider.hand({ to: '+4930123456', text: '123456 is your code', messageId: 'one' });
  const [name = ''] = await readdir(join(dataDir, 'sms'));
  const path = join(dataDir, 'sms', name);
  expect(await readFile(path, 'utf8')).toBe('To: +4930123456\nMessage-ID: one\n\n123456 is your code\n');
  expect(logged).toEqual([{ messageId: 'one', file: path }]);
  await rm(dataDir, { recursive: true });
});

test.each([
  'https://AC1:token@api.twilio.com/2010-04-01/Accounts/AC1/Messages.json?From=%2B15005550006',
  'https://AC1:token@sms.example/send?MessagingServiceSid=MG1',
])('SMS_URL may be %s', (SMS_URL) => {
  expect(readConfig({ SMS_URL }).smsUrl).toBe(SMS_URL);
});

test.each([
  'https://api.twilio.com/send?From=%2B15005550006',
  'https://AC1:token@api.twilio.com/send',
  'ftp://AC1:token@api.twilio.com/send?From=1',
  'AC1:token',
])('SMS_URL cannot be %s', (SMS_URL) => {
  expect(() => readConfig({ SMS_URL })).toThrow(/SMS_URL is not an address such as/);
});

test('a wrong SMS_URL is reported without its password', () => {
  expect(() => readConfig({ SMS_URL: 'https://AC1:geheim@sms.example/send' })).toThrow(/^(?!.*geheim)/s);
});
