import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailer, type Mail } from '../../src/mail/mailer.ts';
import { ADMITTED } from '../support/admitted.ts';
import { missingIn, shownIn } from '../support/shown-mail.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const MAIL: Mail = { to: 'ada@acme.test', subject: 'Your code', parts: ['The code is 123456.'] };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('without a mail server', () => {
  test('a mail becomes a file that can be read, the newest last', async () => {
    const { mailer, log } = aMailer({ folder: join(folder, 'new', 'mail') });
    await mailer.send(MAIL, ADMITTED);
    await mailer.send({ ...MAIL, subject: 'Grüße', parts: ['Schöne Grüße'] }, ADMITTED);
    const [first = '', second = ''] = await Promise.all(
      (await readdir(join(folder, 'new', 'mail')))
        .toSorted()
        .map((name) => readFile(join(folder, 'new', 'mail', name), 'utf8')),
    );
    expect(first).toContain('From: Gatehouse <no-reply@gatehouse.test>\nTo: ada@acme.test\nSubject: Your code\n');
    expect(first).toContain('\n\nThe code is 123456.\n');
    expect(second).toContain('Sch=C3=B6ne Gr=C3=BC=C3=9Fe');
    expect(log.lines).toHaveLength(2);
  });

  test('the log names the mail by its id, where it goes and its file, and not the receiver, the subject or the text', async () => {
    const { mailer, log } = aMailer({ folder: join(folder, 'logged') });
    await mailer.send(MAIL, ADMITTED);
    expect(log.lines).toMatchObject([
      [
        'info',
        {
          messageId: expect.stringMatching(UUID),
          domain: 'acme.test',
          file: expect.stringMatching(/logged\/.*\.eml$/),
        },
      ],
    ]);
    expect(JSON.stringify(log.lines)).not.toMatch(/123456|Your code|ada/);
    const [{ messageId }] = log.lines.map(([, detail]) => detail as { messageId: string }) as [{ messageId: string }];
    const [name = ''] = await readdir(join(folder, 'logged'));
    expect(await readFile(join(folder, 'logged', name), 'utf8')).toContain(`Message-ID: <${messageId}@`);
  });

  test('and without a folder it is logged only', async () => {
    const { mailer, log } = aMailer({ folder: undefined });
    await mailer.send(MAIL, ADMITTED);
    expect(log.lines).toMatchObject([['info', { messageId: expect.stringMatching(UUID), domain: 'acme.test' }]]);
  });

  test('a folder that cannot be written is logged and is nobody else’s problem', async () => {
    const { mailer, log } = aMailer({ folder: '/dev/null/mail' });
    await mailer.send(MAIL, ADMITTED);
    expect(log.lines).toMatchObject([['error', { domain: 'acme.test', err: expect.any(Error) }]]);
  });

  test('line breaks in a subject or an address start no header of their own', async () => {
    const { mailer } = aMailer({ folder: join(folder, 'injected') });
    await mailer.send(
      { to: 'ada@acme.test\nBcc: eve@evil.test', subject: 'Hi\r\nBcc: eve@evil.test', parts: ['x'] },
      ADMITTED,
    );
    const [name = ''] = await readdir(join(folder, 'injected'));
    expect(await readFile(join(folder, 'injected', name), 'utf8')).not.toMatch(/^bcc/im);
  });
});

describe('with a mail server', () => {
  let server: SMTPServer;
  const received: string[] = [];
  beforeAll(async () => {
    server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, _session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          received.push(Buffer.concat(parts).toString());
          done();
        });
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
  });
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

  test('a mail goes there', async () => {
    const { port } = server.server.address() as AddressInfo;
    const { mailer, log } = aMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, folder: join(folder, 'unused') });
    await mailer.send(MAIL, ADMITTED);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatch(/Subject: Your code[^]*The code is 123456\./);
    expect(log.lines).toMatchObject([['info', { domain: 'acme.test' }]]);
    expect(await readdir(folder)).not.toContain('unused');
  });

  test('that refuses, the failure is logged and is nobody else’s problem', async () => {
    // Port 9 discards, where anybody listens at all.
    const { mailer, log } = aMailer({ smtpUrl: 'smtp://127.0.0.1:9', folder: undefined });
    await mailer.send(MAIL, ADMITTED);
    expect(log.lines).toMatchObject([['error', { domain: 'acme.test', err: expect.any(Error) }]]);
    expect(JSON.stringify(log.lines)).not.toContain('123456');
  });
});

function aMailer(settings: { smtpUrl?: string; from?: string; folder: string | undefined }) {
  const lines: [level: string, detail: object][] = [];
  const log = {
    lines,
    info: (detail: object) => void lines.push(['info', detail]),
    error: (detail: object) => void lines.push(['error', detail]),
  };
  const from = 'Gatehouse <no-reply@gatehouse.test>';
  return {
    log,
    mailer: createMailer({ smtpUrl: undefined, from, publicUrl: 'https://gatehouse.test', log, ...settings }),
  };
}

test('a mail is text, HTML and an invitation, of which a program shows one, and files beside them', async () => {
  const { mailer } = aMailer({ folder: join(folder, 'parts') });
  const calendar = { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' };
  const attachedCalendars = [{ ...calendar, filename: 'bookings.ics' }];
  await mailer.send({ ...MAIL, calendar, attachedCalendars, color: '#0a7cff', isUnbranded: true }, ADMITTED);
  const [name = ''] = await readdir(join(folder, 'parts'));
  const source = await readFile(join(folder, 'parts', name), 'utf8');
  expect([...source.matchAll(/^Content-Type: ([a-z/]+)/gm)].map(([, type]) => type)).toEqual([
    'multipart/mixed',
    'multipart/alternative',
    'text/plain',
    'text/html',
    'text/calendar',
    'text/calendar',
    'application/ics',
  ]);
  const { text, html = '' } = await PostalMime.parse(source);
  expect(text?.trim()).toBe('The code is 123456.');
  expect(missingIn(html, text ?? '')).toEqual([]);
  expect(shownIn(html).text).not.toContain('Gatehouse');
});

test.each([
  ['Gatehouse <no-reply@gatehouse.test>', {}, 'Gatehouse'],
  ['"Acme, Inc." <no-reply@gatehouse.test>', {}, 'Acme, Inc.'],
  ['no-reply@gatehouse.test', {}, 'Gatehouse'],
  ['Gatehouse <no-reply@gatehouse.test>', { senderName: 'Sales', isUnbranded: true }, 'Sales'],
])('its HTML says whose it is: from %s, with %o', async (from, changes, brand) => {
  const place = join(folder, `from-${brand}-${from.length}`);
  const { mailer } = aMailer({ folder: place, from });
  await mailer.send({ ...MAIL, ...changes }, ADMITTED);
  const [name = ''] = await readdir(place);
  const { html = '' } = await PostalMime.parse(await readFile(join(place, name)));
  expect(shownIn(html).text).toContain(` ${brand} `);
});
