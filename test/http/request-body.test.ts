import { describe, expect, test } from 'vitest';
import { isJson, readForm, readJsonTexts } from '../../src/screens/kit/request.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

describe('a form', () => {
  test('is read, with what it repeats', async () => {
    const form = await readForm(aRequest('a=1&b=%C3%A4+x&a=2', FORM));
    expect(form.getAll('a')).toEqual(['1', '2']);
    expect(form.get('b')).toBe('ä x');
  });

  test('is read with a charset beside its type, in any capitals', async () => {
    const form = await readForm(aRequest('a=1', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'));
    expect(form.get('a')).toBe('1');
  });

  test('may be empty, may have 100 fields and 64 KiB', async () => {
    expect([...(await readForm(aRequest('', FORM)))]).toEqual([]);
    expect((await readForm(aRequest(Array(100).fill('a=1').join('&'), FORM))).getAll('a')).toHaveLength(100);
    expect((await readForm(aRequest(`a=${'x'.repeat(65_534)}`, FORM))).get('a')).toHaveLength(65_534);
  });

  test.each<[string, Request, string]>([
    ['it is JSON', aRequest('{}', JSON_TYPE), 'UNSUPPORTED_MEDIA_TYPE'],
    ['it is multipart', aRequest('--x--', 'multipart/form-data; boundary=x'), 'UNSUPPORTED_MEDIA_TYPE'],
    ['it says nothing', aRequest('a=1', ''), 'UNSUPPORTED_MEDIA_TYPE'],
    ['it is compressed', aRequest('a=1', FORM, { 'content-encoding': 'gzip' }), 'UNSUPPORTED_MEDIA_TYPE'],
    ['it has 101 fields', aRequest(Array(101).fill('a').join('&'), FORM), 'BAD_REQUEST'],
    ['it is larger than 64 KiB', aRequest(`a=${'x'.repeat(65_535)}`, FORM), 'BODY_TOO_LARGE'],
    ['it announces more than 64 KiB', aRequest('a', FORM, { 'content-length': '65537' }), 'BODY_TOO_LARGE'],
    ['it is not UTF-8', aRequest(new Uint8Array([0x61, 0x3d, 0xff]), FORM), 'BAD_REQUEST'],
  ])('is refused when %s', async (_, request, code) => {
    await expect(readForm(request)).rejects.toMatchObject({ code });
  });

  test('is read no further than the limit', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024;
        controller.enqueue(new Uint8Array(1024).fill(0x61));
        if (sent === 1024 * 1024) controller.close();
      },
    });
    await expect(readForm(aRequest(body, FORM))).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
    expect(sent).toBeLessThan(80 * 1024);
  });
});

describe('a JSON object', () => {
  test('gives the texts that are asked for', async () => {
    const request = aRequest('{"email":"a","password":"b","more":[1]}', 'application/json; charset=utf-8');
    expect(isJson(request)).toBe(true);
    expect(await readJsonTexts(request, ['email', 'password'])).toEqual({ email: 'a', password: 'b' });
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '"email"',
    '{}',
    '{"email":"a"}',
    '{"email":"a","password":1}',
    '{"email":["a"],"password":"b"}',
    '{"__proto__":{"email":"a","password":"b"}}',
  ])('is refused when it is %s', async (text) => {
    await expect(readJsonTexts(aRequest(text, JSON_TYPE), ['email', 'password'])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

function aRequest(body: BodyInit, type: string, headers: Record<string, string> = {}): Request {
  const init = { method: 'POST', body, headers: { 'content-type': type, ...headers }, duplex: 'half' };
  return new Request('https://gatehouse.test/', init);
}
