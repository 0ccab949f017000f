/** HTTP Digest as its standards write it down: their worked examples, and what servers may ask for. */
import { expect, test } from 'vitest';
import { digestFetch, passwordSchemeOf } from '../../../../src/modules/calendars/connections/servers/digest.ts';

const OF_RFC_7616 = {
  login: { username: 'Mufasa', appPassword: 'Circle of Life' },
  url: 'http://www.example.org/dir/index.html',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};
const digestOf = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
const OF_RFC_2617 = {
  login: { username: 'Mufasa', appPassword: 'Circle Of Life' },
  url: 'http://www.nowhere.org/dir/index.html',
  cnonce: '0a4f113b',
};
const OF_2617 =
  'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
const OF_2069 =
  'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';

/** The answers to these challenges, one after the other, until the server lets us in; undefined: nothing is said of a password. */
async function answersTo(challenges: readonly string[], { login, url, cnonce } = OF_RFC_7616) {
  const left = [...challenges];
  const answers: (string | undefined)[] = [];
  const ask: typeof fetch = async (_input, init) => {
    answers.push(new Headers(init?.headers).get('authorization') ?? undefined);
    const challenge = left.shift();
    const headers = { 'www-authenticate': challenge ?? '' };
    return challenge === undefined ? new Response('in') : new Response('', { status: 401, headers });
  };
  const { status } = await digestFetch(ask, login, () => cnonce)(url, { headers: { authorization: 'Basic secret' } });
  return { status, answers: answers.map((answer) => (answer === undefined ? undefined : parametersOf(answer))) };
}

function parametersOf(answer: string): Readonly<Record<string, string>> {
  expect(answer).toMatch(/^Digest /);
  const found = answer.slice('Digest '.length).matchAll(/(?:^|, )([\w*]+)=(?:"([^"]*)"|([^,]+))/g);
  return Object.fromEntries([...found].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));
}

test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('the example of RFC 7616 §3.9.1 is answered by %s as it says', async (algorithm, response) => {
  const { status, answers } = await answersTo([digestOf(algorithm)]);
  expect([status, answers]).toEqual([
    200,
    [
      undefined,
      {
        username: 'Mufasa',
        realm: 'http-auth@example.org',
        uri: '/dir/index.html',
        algorithm,
        nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
        nc: '00000001',
        cnonce: OF_RFC_7616.cnonce,
        qop: 'auth',
        response,
        opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
      },
    ],
  ]);
});

// The numbers are those of erratum 4897: what the RFC prints is SHA-512, cut off, and not SHA-512/256.
test.each([
  ['true', { username: '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b', userhash: 'true' }],
  ['false', { 'username*': "UTF-8''J%C3%A4s%C3%B8n%20Doe" }],
])('the example of RFC 7616 §3.9.2 is answered, with userhash=%s', async (userhash, user) => {
  const challenge = `Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=${userhash}`;
  const { answers } = await answersTo([challenge], {
    login: { username: 'Jäsøn Doe', appPassword: 'Secret, or not?' },
    url: 'http://api.example.org/doe.json',
    cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
  });
  expect(answers[1]).toMatchObject({
    ...user,
    uri: '/doe.json',
    response: '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
  });
});

test('the example of RFC 2617 §3.5 is answered as it says, without an algorithm as the server has named none', async () => {
  const { answers } = await answersTo([OF_2617], OF_RFC_2617);
  expect(answers[1]).toMatchObject({ response: '6629fae49393a05397450978507c4ef1', nc: '00000001', qop: 'auth' });
  expect(answers[1]).not.toHaveProperty('algorithm');
});

test('a challenge without qop is answered as RFC 2069 §2.1.2 says, with neither a count nor a nonce of ours', async () => {
  // Its password, with the response of its erratum 749.
  const login = { username: 'Mufasa', appPassword: 'CircleOfLife' };
  const { answers } = await answersTo([OF_2069], { ...OF_RFC_2617, login });
  expect(answers[1]).toMatchObject({ response: '1949323746fe6a43ef61f9606e7febea', uri: '/dir/index.html' });
  for (const name of ['qop', 'nc', 'cnonce']) expect(answers[1]).not.toHaveProperty(name);
});

test('of several challenges in one header the best is answered that can be (RFC 9110 §11.6.1)', async () => {
  const all = `Negotiate, NTLM TlRMTVNTUAAC==, ${digestOf('MD5')}, Basic realm="a, Digest", ${digestOf('SHA-256')}, ${digestOf('SHA3-512')}`;
  const { answers } = await answersTo([all]);
  expect(answers[1]?.['algorithm']).toBe('SHA-256');
  expect(passwordSchemeOf(new Headers({ 'www-authenticate': all }))).toBe('DIGEST');
  const lines = new Headers([
    ['www-authenticate', 'Basic realm="x"'],
    ['www-authenticate', digestOf('MD5')],
  ]);
  expect(passwordSchemeOf(lines)).toBe('DIGEST');
});

test.each([
  ['auth-int alone', OF_2617.replace('auth,auth-int', 'auth-int'), undefined],
  ['auth-int alone, or Basic', `${OF_2617.replace('auth,auth-int', 'auth-int')}, Basic realm="x"`, 'BASIC'],
  ['a hash that nobody knows', digestOf('SHA3-512'), undefined],
  ['no nonce', 'Digest realm="x", qop="auth"', undefined],
])('a challenge with %s is not answered by Digest', async (_what, challenge, scheme) => {
  expect(passwordSchemeOf(new Headers({ 'www-authenticate': challenge }))).toBe(scheme);
  expect(await answersTo([challenge])).toEqual({ status: 401, answers: [undefined] });
});

test.each(['stale=true', 'stale=TRUE', 'stale="true"'])(
  '%s has the same password signed by the new nonce',
  async (stale) => {
    const anew = `${digestOf('SHA-256').replace('7ypf', 'anew')}, ${stale}`;
    const { status, answers } = await answersTo([digestOf('SHA-256'), anew]);
    expect([status, answers.map((one) => one?.['nonce']?.slice(0, 4))]).toEqual([200, [undefined, '7ypf', 'anew']]);
    expect(answers[2]?.['nc']).toBe('00000001');
  },
);

test.each([
  ['false', ', stale=false', 2],
  ['not said', '', 2],
  // A server that calls each nonce stale is given up.
  ['true without end', ', stale=true', 4],
])('where stale is %s, the password is signed a few times at most', async (_what, stale, times) => {
  const { status, answers } = await answersTo(Array.from({ length: 9 }, () => digestOf('SHA-256') + stale));
  expect([status, answers.length]).toEqual([401, times]);
});
