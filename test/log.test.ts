import process from 'node:process';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../src/log.ts';

afterEach(() => vi.restoreAllMocks());

/** The line that development prints: it goes through the same redaction, and over `process.stdout`. */
function logged(detail: object): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  createLog('info', false).error(detail, 'A line');
  return write.mock.calls.map(([text]) => String(text)).join('');
}

describe('the log', () => {
  test.each(['57P01', '53100', 'ECONNRESET', 'ERR_SOCKET_CLOSED'])('tells the code %s of what failed', (code) => {
    expect(logged({ cause: { code } })).toContain(code);
  });

  test.each(['gh_code_abcdef', '123456', 'abcde'])('does not tell the code %s that somebody was sent', (code) => {
    expect(logged({ cause: { code } })).toContain('[redacted]');
    expect(logged({ code })).not.toContain(code);
  });

  test('does not tell a code of its own, whatever it looks like', () => {
    expect(logged({ code: 'ECONNRESET' })).toContain('[redacted]');
  });

  test('tells how a worker ended', () => {
    expect(logged({ worker: 1, exitCode: 75, signal: 'SIGKILL' })).toMatch(/"exitCode":75,"signal":"SIGKILL"/);
  });

  test('tells nobody’s address, whoever wrote the line, and stays a line', () => {
    const err = Object.assign(new Error('550 no such user\n<ada@acme.test>'), { rejected: ['ada+x@mail.acme.test'] });
    const line = logged({
      err,
      to: 'Ada <ada@acme.test>',
      detail: 'Key (email)=(ada@acme.test) "exists"',
      path: 'c:\\n@b.test',
    });
    expect(logged({ to: `${'a'.repeat(100)}.ada@${'mail.'.repeat(20)}acme.test` })).not.toMatch(/aa|ada|acme/);
    expect(line).not.toMatch(/ada|acme/);
    expect(line).toContain('[address]');
    expect(logged({ at: 'node_modules/@mikro-orm/core/x.js', of: 'pino@9.1.0' })).toMatch(/@mikro-orm.*pino@9\.1\.0/);
  });

  test('does not tell the values of a statement that failed', () => {
    expect(logged({ cause: { params: ['a hash'] } })).not.toContain('a hash');
  });
});
