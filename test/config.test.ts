import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

describe('PUBLIC_URL', () => {
  test.each([
    ['https://gatehouse.example', 'https://gatehouse.example'],
    ['https://gatehouse.example/', 'https://gatehouse.example'],
    ['HTTPS://Gatehouse.Example:443', 'https://gatehouse.example'],
    ['http://localhost:4000', 'http://localhost:4000'],
    ['http://bücher.example', 'http://xn--bcher-kva.example'],
  ])('%s is taken as browsers write it in Origin: %s', (given, taken) => {
    expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe(taken);
  });

  test.each([
    'https://gatehouse.example/api',
    'https://gatehouse.example/?a',
    'https://user:password@gatehouse.example',
    'ftp://gatehouse.example',
    'gatehouse.example',
  ])('%s is refused', (given) => {
    expect(() => readConfig({ PUBLIC_URL: given })).toThrow(/PUBLIC_URL (?:must be an origin|is not an http)/);
  });

  test('is refused in the same breath as other mistakes', () => {
    expect(() => readConfig({ PUBLIC_URL: 'https://gatehouse.example/api', SECRET_KEY: 'short' })).toThrow(
      /PUBLIC_URL [^]*SECRET_KEY /,
    );
  });

  test('is where the service listens when it is not set', () => {
    expect(readConfig({ PORT: '4001' }).publicUrl).toBe('http://localhost:4001');
  });
});

describe('an address of a server', () => {
  test.each([
    ['DATABASE_URL', 'postgres://gatehouse@db.example/gatehouse'],
    ['DATABASE_URL', 'postgresql://u:p%40ss%25@[::1]:5433/gatehouse?sslmode=require'],
    ['DATABASE_URL', 'postgres:///gatehouse?host=/run/postgresql'],
    ['DATABASE_URL', 'postgres://%2Frun%2Fpostgresql/gatehouse'],
    ['SMTP_URL', 'smtp://127.0.0.1:2525'],
    ['SMTP_URL', 'smtps://u%40x:p%2Fw@mail.example?pool=true'],
    ['MAIL_FROM', 'no-reply@localhost'],
    ['MAIL_FROM', '"Gatehouse, Inc." <no-reply@gatehouse.example>'],
  ])('%s can be %s', (name, given) => {
    expect(() => readConfig({ [name]: given })).not.toThrow();
  });

  test.each([
    ['DATABASE_URL', 'postgres://u:secret%ss@db.example/gatehouse'],
    ['DATABASE_URL', 'postgres://u:secret/word@db.example/gatehouse'],
    ['DATABASE_URL', 'postgres://u:secret@db.example:99999/gatehouse'],
    ['DATABASE_URL', 'postgres://u:secret@[::1/gatehouse'],
    ['DATABASE_URL', 'postgres://u:secret@db.example'],
    ['DATABASE_URL', 'mysql://u:secret@db.example/gatehouse'],
    ['SMTP_URL', 'smtp://u:secret@mail.example:99999'],
    ['SMTP_URL', 'smtp://u:secret%zz@mail.example'],
    ['SMTP_URL', 'smtp://'],
    ['MAIL_FROM', 'secret'],
    ['MAIL_FROM', 'Gatehouse <no-reply@gatehouse.example>\r\nBcc: secret@evil.example'],
    ['MAIL_FROM', 'Gate\nhouse <secret@gatehouse.example>'],
  ])('%s cannot be %j, which is told at once, and not repeated', (name, given) => {
    const read = () => readConfig({ [name]: given });
    expect(read).toThrow(new RegExp(`^The configuration is not usable:\\n  ${name} is not an address such as `));
    expect(read).not.toThrow(/secret/);
  });
});

describe.each([
  ['GOOGLE', 'google', 'GOOGLE_CALDAV_URL', 'https://accounts.google.com/'],
  ['OFFICE365', 'office365', 'OFFICE365_GRAPH_URL', 'https://login.microsoftonline.com/common/'],
] as const)('a client of %s', (name, key, api, home) => {
  const [ID, SECRET] = [{ [`${name}_CLIENT_ID`]: 'gatehouse' }, { [`${name}_CLIENT_SECRET`]: 'hidden' }];

  test('is registered by its id and its secret, at addresses that can be others than the provider’s', () => {
    expect(readConfig({})[key]).toBeUndefined();
    const token = 'https://here.example/token';
    const client = readConfig({ ...ID, ...SECRET, [api]: 'https://dav.example', [`${name}_TOKEN_URL`]: token })[key];
    expect(client).toEqual({
      ...(name === 'GOOGLE' && { revocationUrl: 'https://oauth2.googleapis.com/revoke' }),
      clientId: 'gatehouse',
      clientSecret: 'hidden',
      authorizationUrl: expect.stringContaining(home),
      tokenUrl: token,
      apiUrl: 'https://dav.example/',
    });
  });

  test.each([
    [ID, `${name}_CLIENT_SECRET is missing beside ${name}_CLIENT_ID`],
    [SECRET, `${name}_CLIENT_ID is missing beside ${name}_CLIENT_SECRET`],
    [{ ...ID, ...SECRET, [`${name}_TOKEN_URL`]: 'token' }, `${name}_TOKEN_URL is not an http`],
  ])('is refused as %j', (env, wrong) => {
    expect(() => readConfig(env)).toThrow(wrong);
  });
});

test.each([
  ['cloud.lan', ['cloud.lan:443']],
  ['Cloud.LAN , 10.0.0.5:8443,[fd00::5]:8443', ['cloud.lan:443', '10.0.0.5:8443', '[fd00::5]:8443']],
])('CALDAV_INSIDE_HOSTS=%s names hosts with their ports', (given, hosts) => {
  expect(readConfig({}).caldavInsideHosts).toEqual([]);
  expect(readConfig({ CALDAV_INSIDE_HOSTS: given }).caldavInsideHosts).toEqual(hosts);
});

test.each(['http://cloud.lan', 'cloud.lan/dav', 'ada@cloud.lan', 'cloud.lan:port', '*.lan', 'a b'])(
  'CALDAV_INSIDE_HOSTS cannot be %j',
  (given) => {
    expect(() => readConfig({ CALDAV_INSIDE_HOSTS: given })).toThrow('CALDAV_INSIDE_HOSTS is not a list of hosts');
  },
);

describe('a client of Zoom', () => {
  const client = { ZOOM_CLIENT_ID: 'id', ZOOM_CLIENT_SECRET: 'secret' };

  test('is its id and its secret, at Zoom’s own addresses unless others are given', () => {
    expect(readConfig({}).zoom).toBeUndefined();
    expect(readConfig({ ...client, ZOOM_API_URL: 'https://zoom.example/v2' }).zoom).toEqual({
      clientId: 'id',
      clientSecret: 'secret',
      authorizationUrl: 'https://zoom.us/oauth/authorize',
      tokenUrl: 'https://zoom.us/oauth/token',
      revocationUrl: 'https://zoom.us/oauth/revoke',
      apiUrl: 'https://zoom.example/v2',
    });
  });

  test.each(Object.keys(client))('without %s is refused', (missing) => {
    expect(() => readConfig({ ...client, [missing]: undefined })).toThrow(`${missing} is missing beside`);
  });
});

describe('in production', () => {
  const PRODUCTION = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://gatehouse.example',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64url'),
  };
  const SMTP_URL = 'smtps://mail.example';
  const MAIL_FROM = 'Gatehouse <no-reply@gatehouse.example>';

  test('mails are sent by a mail server, from an address of the operator’s, or kept where the operator says so', () => {
    expect(readConfig({ ...PRODUCTION, SMTP_URL, MAIL_FROM })).toMatchObject({
      smtpUrl: SMTP_URL,
      mailFrom: MAIL_FROM,
    });
    expect(readConfig({ ...PRODUCTION, MAIL: 'files' })).toMatchObject({ smtpUrl: undefined });
  });

  test.each([
    [{}, /^The configuration is not usable:\n {2}SMTP_URL is required in production.*MAIL=files[^\n]*$/],
    [{ SMTP_URL }, /^The configuration is not usable:\n {2}MAIL_FROM is required in production[^\n]*$/],
    [{ SMTP_URL, MAIL_FROM: 'no-reply@gatehouse.test' }, /MAIL_FROM is required/],
    [{ SMTP_URL, MAIL_FROM: 'Us <mail@eu.Gatehouse.TEST>' }, /MAIL_FROM is required/],
    [{ MAIL: 'log' }, /^The configuration is not usable:\n {2}MAIL is not files[^\n]*$/],
    [{ MAIL: 'files', SMTP_URL, MAIL_FROM }, /MAIL=files and SMTP_URL contradict/],
    [
      { SMTP_URL: 'mail.example', MAIL_FROM },
      /^The configuration is not usable:\n {2}SMTP_URL is not an address[^\n]*$/,
    ],
    [{ PUBLIC_URL: '', SECRET_KEY: '' }, /PUBLIC_URL [^]*SECRET_KEY [^]*SMTP_URL /],
  ])('%j is refused', (env, told) => {
    expect(() => readConfig({ ...PRODUCTION, ...env })).toThrow(told);
  });

  test('a domain that ends like ours in development is another one', () => {
    const from = 'Us <no-reply@notgatehouse.test>';
    expect(readConfig({ ...PRODUCTION, SMTP_URL, MAIL_FROM: from }).mailFrom).toBe(from);
  });
});

const seen = (env: Record<string, string>) => {
  const { seedDemo, isDemoOpen, isForThisMachine } = readConfig(env);
  return { seedDemo, isDemoOpen, isForThisMachine };
};

describe('the demo', () => {
  const HERE = { seedDemo: true, isDemoOpen: false, isForThisMachine: true };

  test.each([
    {},
    { HOST: '127.0.0.1', PUBLIC_URL: 'http://127.0.0.1:4000' },
    { HOST: '::1', PUBLIC_URL: 'http://[::1]:4000' },
    { HOST: 'localhost', PUBLIC_URL: 'https://gatehouse.localhost' },
  ])('is for this machine with %j', (env) => expect(seen(env)).toEqual(HERE));

  test.each([
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.2' },
    { PUBLIC_URL: 'https://book.example.com' },
    { PUBLIC_URL: 'http://gatehouse.test' },
    { PUBLIC_URL: 'http://192.168.1.2:4000' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:4000' },
  ])('is not there with %j, unless that is said', (env) => {
    expect(seen(env)).toEqual({ seedDemo: false, isDemoOpen: false, isForThisMachine: false });
    expect(seen({ ...env, SEED_DEMO: 'on' })).toEqual({ seedDemo: true, isDemoOpen: true, isForThisMachine: false });
  });

  test('is not there on PostgreSQL, or where it is off', () => {
    expect(seen({ DATABASE_URL: 'postgres://u@db.example/x' })).toMatchObject({
      seedDemo: false,
      isForThisMachine: true,
    });
    expect(seen({ SEED_DEMO: 'off' })).toMatchObject({ seedDemo: false, isForThisMachine: true });
    expect(seen({ SEED_DEMO: 'on' })).toMatchObject({ seedDemo: true, isDemoOpen: true });
  });
});
