/** A server that its user names is found, asked, and trusted with the password no further than its user says. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Problem } from '../../../src/core/problem.ts';
import { selectColumns } from '../../../src/database/columns.ts';
import { rows, sql } from '../../../src/database/sql.ts';
import type { GuessLimit } from '../../../src/limits/guess-limit.ts';
import { CalendarAccounts } from '../../../src/modules/calendars/connections/calendar-accounts.ts';
import { CalendarConnection } from '../../../src/modules/calendars/connections/calendar-connection.entity.ts';
import {
  ACCOUNT_COLUMNS,
  type StoredAccount,
} from '../../../src/modules/calendars/connections/calendar-connection.queries.ts';
import {
  basicAuthorization,
  countedServer,
} from '../../../src/modules/calendars/connections/calendar-connection.rules.ts';
import type { CalendarContent } from '../../../src/modules/calendars/connections/calendar-provider.ts';
import { ACCOUNT_TRIES, connectCaldav } from '../../../src/modules/calendars/connections/connect-caldav.ts';
import { CalDav, CaldavServers } from '../../../src/modules/calendars/connections/servers/caldav.ts';
import type { FoundService } from '../../../src/outbound/guarded-addresses.ts';
import { Outbound } from '../../../src/outbound/outbound.ts';
import { OutboundFailure } from '../../../src/outbound/outcome.ts';
import { testDoor } from '../../jobs/support/webhooks.ts';
import { newHosts } from '../../modules/bookings/support/booked-hosts.ts';
import {
  type Asked,
  type Dialect,
  FASTMAIL,
  GOOGLE_DIALECT,
  ICLOUD_DIALECT,
  LOGIN,
  multistatus,
  NEXTCLOUD,
} from '../../support/caldav-dialects.ts';
import { TEST_CREDENTIALS, testConnections } from '../../support/calendar-accounts.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { ownGuessLimit } from '../../support/own-guess-limit.ts';
import { hasRadicale, PASSWORD, Radicale } from '../../support/radicale.ts';
import { hasXandikos, Xandikos } from '../../support/xandikos.ts';

const NO_SERVICE: FoundService = { servers: [], texts: [] };
const DNS: Readonly<Record<string, FoundService>> = {
  '_caldavs._tcp.example.com': {
    servers: [
      { name: 'backup.example.com', port: 443, priority: 9, weight: 1 },
      { name: 'caldav.fastmail.com', port: 443, priority: 0, weight: 1 },
    ],
    texts: [],
  },
  '_caldavs._tcp.icloud.com': {
    servers: [{ name: 'caldav.icloud.com', port: 443, priority: 0, weight: 1 }],
    texts: ['path=/'],
  },
  '_caldavs._tcp.gmail.com': {
    servers: [{ name: 'apidata.googleusercontent.com', port: 443, priority: 0, weight: 1 }],
    texts: ['path=/caldav/v2/'],
  },
};

let database: TestDatabase;
let tries: GuessLimit;
let userId: string;
let dialect: Dialect;
let asked: Asked[];
const em = () => database.em.fork();

const real = new Outbound({ allowsPrivate: false, userAgent: 'Gatehouse' });
const accounts = new CalendarAccounts({
  providers: {},
  caldav: new CaldavServers({
    fetchOf: () => async (input, init) => {
      if (URL.parse(input instanceof Request ? input.url : input)?.username) return real.fetchOf('CALDAV')(input, init);
      const request = new Request(input, init);
      const one = {
        url: request.url,
        method: request.method,
        authorization: request.headers.get('authorization'),
      };
      asked.push(one);
      return dialect(one);
    },
    findService: async (name) => DNS[name] ?? NO_SERVICE,
    caldavAddressMistake: (...given) => real.caldavAddressMistake(...given),
  }),
  credentials: TEST_CREDENTIALS,
  connections: testConnections(),
});

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => Promise.all([database?.close(), real.close()]));
beforeEach(async () => {
  tries = ownGuessLimit(ACCOUNT_TRIES, { em: em() });
  [userId = ''] = await newHosts(em(), 1);
  asked = [];
});

interface Given {
  readonly accepted?: readonly string[];
  readonly login?: typeof LOGIN;
  readonly by?: string;
}
/** `done`, or the code and the field of the mistake. */
async function connect(server: string, { accepted = [], login = LOGIN, by = userId }: Given = {}): Promise<string> {
  try {
    await connectCaldav(em(), by, { server, acceptedHosts: accepted, ...login }, { accounts, tries });
    return 'done';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.mistakes.some(({ message }) => message.includes(login.appPassword)))
      throw new Error('It tells the password.', { cause: error });
    const [{ code, path }] = error.mistakes;
    const host = 'host' in error ? ` ${String(error.host)}` : '';
    return `${code}${path ? ` ${path.join('.')}` : ''}${host}`;
  }
}
const hostsGivenThePassword = () =>
  [...new Set(asked.filter(({ authorization }) => authorization).map(({ url }) => new URL(url).host))].toSorted();
const connected = () =>
  rows(
    em(),
    sql<{ server: string; account: string; name: string; primary: boolean; readOnly: boolean }>`
      select a.server, a.account, c.name, c.is_primary as "primary", c.is_read_only as "readOnly"
      from calendar_connections a join connected_calendars c on c.user_id = a.user_id and c.connection_id = a.id
      where a.user_id = ${userId} order by c.id`,
  );

const stored = () =>
  rows(
    em(),
    sql<StoredAccount>`select ${selectColumns(CalendarConnection, ACCOUNT_COLUMNS, 'a')} from calendar_connections a where a.user_id = ${userId}`,
  );
const principalAt = (href: string) =>
  multistatus(['/', `<d:current-user-principal><d:href>${href}</d:href></d:current-user-principal>`]);
const asks = () => new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } });
const failing = (reason: ConstructorParameters<typeof OutboundFailure>[0]) => () => {
  throw new OutboundFailure(reason, 'Why not.');
};
const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');

describe('the calendars of', () => {
  test('Nextcloud are found at its host; what is no calendar of events is left out, and what is read alone is known', async () => {
    dialect = NEXTCLOUD;
    expect(await connect('cloud.example')).toBe('done');
    const of = { server: 'cloud.example', account: LOGIN.username };
    expect(await connected()).toEqual([
      { ...of, name: 'Personal', primary: true, readOnly: false },
      { ...of, name: 'Birthdays', primary: false, readOnly: true },
    ]);
    // Its proxy leads to http, by which nothing is asked.
    expect(asked.every(({ url }) => url.startsWith('https://cloud.example/'))).toBe(true);
    expect(asked.slice(0, 2).map(({ url, authorization }) => [new URL(url).pathname, authorization])).toEqual([
      ['/.well-known/caldav', null],
      ['/remote.php/dav/', null],
    ]);
  });

  test.each(['https://cloud.example', 'https://cloud.example/apps/calendar/', 'HTTPS://Cloud.Example/remote.php/dav/'])(
    'Nextcloud are found from %s',
    async (typed) => {
      dialect = NEXTCLOUD;
      expect(await connect(typed)).toBe('done');
    },
  );

  test('Fastmail are found by an e-mail address; each further host is accepted before it gets the password', async () => {
    dialect = FASTMAIL;
    expect(await connect(LOGIN.username)).toBe('HOST_NOT_ACCEPTED acceptedHosts caldav.fastmail.com');
    expect(hostsGivenThePassword()).toEqual([]);
    const accepted = ['caldav.fastmail.com'];
    expect(await connect(LOGIN.username, { accepted })).toBe(
      'HOST_NOT_ACCEPTED acceptedHosts d277161.caldav.fastmail.com',
    );
    expect(hostsGivenThePassword()).toEqual(accepted);
    accepted.push('d277161.caldav.fastmail.com');
    expect(await connect(LOGIN.username, { accepted })).toBe('done');
    expect(hostsGivenThePassword()).toEqual(accepted);
    expect(await connected()).toMatchObject([{ server: 'caldav.fastmail.com', name: 'Calendar', readOnly: false }]);
  });

  test('iCloud are found at the partition that it names with its port', async () => {
    dialect = ICLOUD_DIALECT;
    const typed = 'https://caldav.icloud.com/';
    expect(await connect(typed)).toBe('HOST_NOT_ACCEPTED acceptedHosts p42-caldav.icloud.com');
    expect(await connect(typed, { accepted: ['p42-caldav.icloud.com'] })).toBe('done');
    expect(await connected()).toMatchObject([{ name: 'Home' }]);
  });

  test('SOGo are found, whose first one is called an outbox as well; nothing in a propstat of 404 counts', async () => {
    const outbox = '<d:collection/><cal:calendar/><cal:schedule-outbox/>';
    const home =
      '<d:current-user-principal><d:href>/</d:href></d:current-user-principal><cal:calendar-home-set><d:href>/</d:href></cal:calendar-home-set>';
    const ghost =
      '</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:status>HTTP/1.1 404 Not Found</d:status><d:prop><d:resourcetype><cal:calendar/></d:resourcetype>';
    dialect = ({ authorization }) =>
      authorization
        ? multistatus(
            ['/', home],
            [
              '/personal/',
              `<d:resourcetype>${outbox}<g:vevent-collection xmlns:g="http://groupdav.org/"/></d:resourcetype>`,
            ],
            ['/outbox/', `<d:resourcetype>${outbox}</d:resourcetype>`],
            ['/ghost/', `<d:displayname>Ghost</d:displayname>${ghost}`],
            ['/foreign/', '<d:resourcetype><x:calendar xmlns:x="urn:of:others"/></d:resourcetype>'],
          )
        : asks();
    expect(await connect('cloud.example')).toBe('done');
    expect((await connected()).map(({ name }) => name)).toEqual(['personal']);
  });

  test('Google are not asked for by a password: it takes none', async () => {
    dialect = GOOGLE_DIALECT;
    expect(await connect('ada@gmail.com')).toBe('NOT_POSSIBLE server');
    expect(hostsGivenThePassword()).toEqual([]);
  });

  test('two servers are two accounts, though their user has one name; connected again, one stays one', async () => {
    dialect = (one) => NEXTCLOUD({ ...one, url: one.url.replace('https://other.example', 'https://cloud.example') });
    for (const server of ['cloud.example', 'cloud.example', 'https://other.example/remote.php/dav/'])
      expect(await connect(server)).toBe('done');
    const found = await connected();
    expect(found.map(({ server, name }) => [server, name])).toEqual([
      ['cloud.example', 'Personal'],
      ['cloud.example', 'Birthdays'],
      ['other.example', 'Personal'],
      ['other.example', 'Birthdays'],
    ]);
  });
});

describe('the password', () => {
  /** Leads those who are let in to another address, in each way that there is. */
  const WAYS: readonly [way: string, leads: (to: string) => Dialect][] = [
    [
      'a redirect of the well-known address',
      (to) =>
        ({ url }) => {
          if (url === 'https://cloud.example/.well-known/caldav')
            return new Response(null, { status: 302, headers: { location: to } });
          return url.startsWith(to) ? asks() : new Response('', { status: 404 });
        },
    ],
    [
      'a redirect for those who are let in',
      (to) =>
        ({ authorization }) =>
          authorization ? new Response(null, { status: 307, headers: { location: to } }) : asks(),
    ],
    [
      'the principal',
      (to) =>
        ({ authorization }) =>
          authorization ? principalAt(to) : asks(),
    ],
    [
      'the home of the calendars',
      (to) =>
        ({ authorization }) =>
          authorization
            ? multistatus([
                '/',
                `<d:current-user-principal><d:href>/</d:href></d:current-user-principal><cal:calendar-home-set><d:href>${to}</d:href></cal:calendar-home-set>`,
              ])
            : asks(),
    ],
  ];

  test.each(WAYS)('goes to no further host by %s, nor by http', async (_way, leads) => {
    dialect = leads('https://thief.example/');
    expect(await connect('cloud.example')).toBe('HOST_NOT_ACCEPTED acceptedHosts thief.example');
    expect(hostsGivenThePassword()).not.toContain('thief.example');
    // A host that ends with the one that was typed is another one as well.
    dialect = leads('https://dav.cloud.example/');
    expect(await connect('cloud.example')).toBe('HOST_NOT_ACCEPTED acceptedHosts dav.cloud.example');
    dialect = leads('http://plain.example/');
    expect(await connect('cloud.example', { accepted: ['plain.example'] })).not.toBe('done');
    expect(asked.filter(({ url, authorization }) => url.startsWith('http:') && authorization)).toEqual([]);
    expect(await connected()).toEqual([]);
  });

  test('goes to no calendar at a further host: such a one is left out', async () => {
    const events = '<d:resourcetype><d:collection/><cal:calendar/></d:resourcetype>';
    dialect = ({ authorization }) =>
      authorization
        ? multistatus(
            [
              '/',
              `<d:current-user-principal><d:href>/</d:href></d:current-user-principal><cal:calendar-home-set><d:href>/</d:href></cal:calendar-home-set>`,
            ],
            ['https://thief.example/agenda/', `${events}<d:displayname>Theirs</d:displayname>`],
            ['https://ada:secret@cloud.example/in/', `${events}<d:displayname>With a password</d:displayname>`],
            ['/agenda/', `${events}<d:displayname>Work</d:displayname>`],
          )
        : asks();
    expect(await connect('cloud.example')).toBe('done');
    expect((await connected()).map(({ name }) => name)).toEqual(['Work']);
  });

  test('may stand in no address that the server chooses, and its calendar in no name that cannot be stored', async () => {
    dialect = () => new Response('', { status: 302, headers: { location: 'https://ada:x@cloud.example/dav/' } });
    expect(await connect('cloud.example')).toBe('NOT_REACHABLE server');
    const events = '<d:resourcetype><d:collection/><cal:calendar/></d:resourcetype>';
    const home =
      '<d:current-user-principal><d:href>/</d:href></d:current-user-principal><cal:calendar-home-set><d:href>/</d:href></cal:calendar-home-set>';
    dialect = ({ authorization }) =>
      authorization
        ? multistatus(['/', home], ['/agenda/', `${events}<d:displayname>A\u0000B\u0001</d:displayname>`])
        : asks();
    expect(await connect('cloud.example')).toBe('done');
    expect(await connected()).toHaveLength(1);
  });

  test('is sent once, and never again after it was refused; the account says so at once', async () => {
    dialect = NEXTCLOUD;
    expect(await connect('cloud.example')).toBe('done');
    dialect = () => asks();
    asked = [];
    for (let n = 0; n < 5; n += 1) {
      const [account] = await stored();
      if (!account) throw new Error('There is no account.');
      const use = accounts.use(em(), account, (provider, authorization) => provider.list(authorization));
      await expect(use).rejects.toMatchObject({ kind: 'REFUSED' });
    }
    expect(asked.length).toBe(1);
    // Connected again, it works again.
    dialect = NEXTCLOUD;
    expect(await connect('cloud.example')).toBe('done');
    const [again] = await stored();
    expect(again?.refusedAt).toBeNull();
  });

  test('that is wrong is refused, is sent once, and stores nothing', async () => {
    dialect = NEXTCLOUD;
    const login = { ...LOGIN, appPassword: 'wrong' };
    dialect = () => asks();
    expect(await connect('cloud.example', { login })).toBe('WRONG_CREDENTIALS appPassword');
    expect(asked.filter(({ authorization }) => authorization).length).toBe(1);
    expect(await connected()).toEqual([]);
  });

  test('is asked to be one for an app where the server says so', async () => {
    dialect = NEXTCLOUD;
    const login = { ...LOGIN, appPassword: 'password-of-the-account' };
    expect(await connect('cloud.example', { login })).toBe('APP_PASSWORD_REQUIRED appPassword');
  });

  test('that is wrong counts for its account at the server, of all users and by all its hosts', async () => {
    dialect = () => asks();
    const users = await newHosts(em(), 20);
    const typed = ['https://cloud.example/dav/', 'cloud.example', 'https://dav.cloud.example', 'cloud.example:8443'];
    const outcomes: string[] = [];
    for (const [n, by] of users.slice(0, 12).entries())
      outcomes.push(
        await connect(typed[n % typed.length] ?? '', {
          by,
          login: { ...LOGIN, username: n % 2 ? 'ADA@example.com' : 'ada@example.com' },
        }),
      );
    expect(outcomes.filter((one) => one === 'WRONG_CREDENTIALS appPassword').length).toBe(10);
    expect(outcomes.slice(10)).toEqual(['TOO_MANY_GUESSES', 'TOO_MANY_GUESSES']);
    expect(asked.filter(({ authorization }) => authorization).length).toBe(10);
    // Another account there, and one of the same name elsewhere, are others.
    const [by = ''] = users.slice(-1);
    expect(await connect('cloud.example', { by, login: { ...LOGIN, username: 'ben' } })).toBe(
      'WRONG_CREDENTIALS appPassword',
    );
    expect(await connect('another.example', { by })).toBe('WRONG_CREDENTIALS appPassword');
  });

  test('is tried no more than ten times by fifty users at once', async () => {
    dialect = () => asks();
    const users = await newHosts(em(), 50);
    const outcomes = await Promise.all(users.map((by) => connect('cloud.example', { by })));
    expect(outcomes.filter((one) => one.startsWith('WRONG_CREDENTIALS')).length).toBe(10);
    expect(asked.filter(({ authorization }) => authorization).length).toBe(10);
  });
});

test.each([
  ['p42-caldav.icloud.com', 'icloud.com'],
  ['p43-caldav.icloud.com:443', 'icloud.com'],
  ['cloud.example.co.uk', 'example.co.uk'],
  ['10.0.0.5:8443', '10.0.0.5'],
  ['[::1]:5232', '[::1]'],
])('%s counts passwords as %s', (host, counted) => {
  expect(countedServer(host)).toBe(counted);
});

describe('a clear word for each failure:', () => {
  test.each<[what: string, dialect: Dialect, said: string]>([
    ['a certificate that is not valid', failing('TLS'), 'CERTIFICATE_INVALID server'],
    ['an address inside of our network', failing('PRIVATE_ADDRESS'), 'PRIVATE_ADDRESS server'],
    ['a name that nobody knows', failing('UNKNOWN_HOST'), 'NOT_REACHABLE server'],
    ['a server that takes too long', failing('TIMEOUT'), 'NOT_REACHABLE server'],
    ['a server with a fault of its own', () => new Response('', { status: 503 }), 'NOT_REACHABLE server'],
    ['a website', () => new Response('<html></html>', { status: 200 }), 'NOT_CALDAV server'],
    ['a server that knows no PROPFIND', () => new Response('', { status: 405 }), 'NOT_CALDAV server'],
    [
      'a server that leads in circles',
      ({ url }) => new Response('', { status: 302, headers: { location: url } }),
      'NOT_CALDAV server',
    ],
    [
      'a server that takes a digest with auth-int alone',
      () =>
        new Response('', {
          status: 401,
          headers: { 'www-authenticate': 'Digest realm="x", nonce="y", qop="auth-int"' },
        }),
      'NOT_POSSIBLE server',
    ],
    [
      'a document type with entities',
      () =>
        new Response('<!DOCTYPE d [<!ENTITY a "aaaa">]><d:multistatus xmlns:d="DAV:"></d:multistatus>', {
          status: 207,
          headers: { 'content-type': 'application/xml' },
        }),
      'NOT_CALDAV server',
    ],
    [
      'an account without calendars',
      () =>
        multistatus([
          '/',
          '<d:current-user-principal><d:href>/</d:href></d:current-user-principal><cal:calendar-home-set><d:href>/</d:href></cal:calendar-home-set>',
        ]),
      'NO_CALENDARS',
    ],
  ])('%s', async (_what, answers, said) => {
    dialect = answers;
    expect(await connect('cloud.example')).toBe(said);
    expect(await connected()).toEqual([]);
  });

  test.each([
    ['', 'REQUIRED server'],
    ['http://cloud.example', 'INVALID_URL server'],
    ['https://ada:secret@cloud.example', 'INVALID_URL server'],
    ['ftp://cloud.example', 'INVALID_URL server'],
    ['not a host', 'INVALID_URL server'],
    ['https://10.0.0.1/dav', 'PRIVATE_ADDRESS server'],
    ['localhost', 'PRIVATE_ADDRESS server'],
  ])('%j is no server, and is not asked', async (typed, said) => {
    expect(await connect(typed)).toBe(said);
    expect(asked).toEqual([]);
  });

  test('a path in DNS leads to no other host', async () => {
    dialect = () => new Response('', { status: 404 });
    const service = DNS['_caldavs._tcp.gmail.com'] as { texts: readonly string[] };
    const { texts } = service;
    service.texts = ['path=//thief.example/'];
    try {
      expect(await connect('ada@gmail.com')).toBe('NOT_CALDAV server');
      expect(asked.map(({ url }) => new URL(url).host)).not.toContain('thief.example');
    } finally {
      service.texts = texts;
    }
  });
});

describe('HTTP Digest (RFC 7616)', () => {
  test.each([
    ['SHA-256', 'sha256', ''],
    ['MD5', 'md5', ''],
    [undefined, 'md5', ''],
    ['SHA-256-sess', 'sha256', ''],
    ['SHA-512-256', 'sha512-256', ''],
    ['MD5-sess', 'md5', ''],
    ['SHA-256', 'sha256', ', userhash=true'],
  ] as const)('with %s opens an account, and the password itself is never sent', async (algorithm, name, more) => {
    const realm = 'a "quoted" realm, with Basic in it';
    const used = new Set<string>();
    let nonce = 'one';
    const asks = (stale = '') =>
      new Response('', {
        status: 401,
        headers: {
          'www-authenticate': `Basic realm="plain", Digest realm="${realm.replace(/"/g, '\\"')}", qop="auth-int,auth", nonce="${nonce}"${algorithm ? `, algorithm=${algorithm}` : ''}, opaque="o"${more}${stale}`,
        },
      });
    const isRight = ({ url, method, authorization }: Asked): boolean => {
      const field = (key: string) =>
        new RegExp(`[ ,]${key}="?((?:[^",\\\\]|\\\\.)*)`).exec(authorization ?? '')?.[1] ?? '';
      const user = more ? hash(name, `${LOGIN.username}:${realm}`) : LOGIN.username;
      const { pathname } = new URL(url);
      const secret = hash(name, `${LOGIN.username}:${realm}:${LOGIN.appPassword}`);
      const key = algorithm?.endsWith('sess') ? hash(name, `${secret}:${field('nonce')}:${field('cnonce')}`) : secret;
      const parts = [key, field('nonce'), field('nc'), field('cnonce'), 'auth', hash(name, `${method}:${pathname}`)];
      const isNew = !used.has(field('nc') + field('nonce'));
      used.add(field('nc') + field('nonce'));
      return (
        isNew &&
        field('nonce') === nonce &&
        field('username') === user &&
        field('uri') === pathname &&
        field('opaque') === 'o' &&
        field('response') === hash(name, parts.join(':'))
      );
    };
    dialect = (one) => {
      if (!one.authorization) return asks();
      // After the first time, the nonce is stale once: another answer is no other try.
      if (one.url.includes('/principals/') && nonce === 'one') {
        nonce = 'two';
        return asks(', stale=TRUE');
      }
      if (!isRight(one)) return asks();
      return NEXTCLOUD({
        ...one,
        authorization: `Basic ${Buffer.from(`${LOGIN.username}:${LOGIN.appPassword}`).toString('base64')}`,
      });
    };
    expect(await connect('cloud.example')).toBe('done');
    expect(asked.some(({ authorization }) => authorization?.startsWith('Basic'))).toBe(false);
    expect(JSON.stringify(asked)).not.toContain(LOGIN.appPassword);
    asked = [];
    const wrong = await connect('cloud.example', { login: { ...LOGIN, appPassword: randomUUID() } });
    expect(wrong).toBe('WRONG_CREDENTIALS appPassword');
    expect(asked.filter(({ authorization }) => authorization).length).toBe(1);
  });

  test('that is refused midway, by a nonce that is not stale, is not answered again', async () => {
    let nonce = 0;
    dialect = ({ url, authorization }) => {
      nonce += 1;
      if (url === 'https://cloud.example/dav/' && authorization)
        return multistatus([
          '/',
          '<d:current-user-principal><d:href>/principals/ada/</d:href></d:current-user-principal>',
        ]);
      const headers = {
        'www-authenticate': `Digest realm="r", qop="auth", nonce="${nonce}", algorithm=SHA-256, stale=false`,
      };
      return new Response('', { status: 401, headers });
    };
    expect(await connect('https://cloud.example/dav/')).toBe('WRONG_CREDENTIALS appPassword');
    expect(asked.filter(({ url, authorization }) => url.includes('/principals/') && authorization).length).toBe(1);
  });
});

const etagsOf = ({ objects }: CalendarContent) => new Map(objects?.map(({ name, etag }) => [name ?? '', etag ?? '']));

const REAL = [
  [
    'Radicale',
    hasRadicale,
    async () => {
      const radicale = await Radicale.start(['ada']);
      await radicale.makeCalendar('ada', 'Work');
      return radicale;
    },
  ],
  ['Xandikos', hasXandikos, () => Xandikos.start()],
] as const;

describe.each(REAL)('%s (skipped where Debian’s package is not installed)', (_name, isHere, start) => {
  test.runIf(isHere)(
    'is found, read, and written to; an entry that somebody has changed meanwhile is overwritten',
    async () => {
      const [server, door] = [await start(), testDoor(5_000)];
      try {
        const servers = new CaldavServers(door);
        const [place] = await servers.find(server.url, AbortSignal.timeout(10_000));
        const login = { username: 'ada', appPassword: PASSWORD };
        const provider = servers.open({ ...place, ...login, hosts: [new URL(server.url).host] });
        const authorization = basicAuthorization(login);
        const { calendars } = await provider.list(authorization);
        expect(calendars).toMatchObject([{ isPrimary: true, isReadOnly: false }]);
        const externalId = calendars[0]?.externalId ?? '';
        const icsId = randomUUID();
        const range = { start: Date.UTC(2026, 11, 1), end: Date.UTC(2026, 11, 31) };
        const entry = (title: string) => ({
          icsId,
          version: title,
          ics: [
            'BEGIN:VCALENDAR',
            'VERSION:2.0',
            'PRODID:-//Tests//EN',
            'BEGIN:VEVENT',
            `UID:${icsId}@gatehouse`,
            'DTSTAMP:20261101T000000Z',
            'DTSTART:20261207T090000Z',
            'DTEND:20261207T100000Z',
            `SUMMARY:${title}`,
            'END:VEVENT',
            'END:VCALENDAR',
            '',
          ].join('\r\n'),
          event: { title, description: '', place: null, start: '2026-12-07T09:00:00Z', end: '2026-12-07T10:00:00Z' },
        });
        const read = async (since?: CalendarContent) =>
          provider.read(
            authorization,
            externalId,
            range,
            since && { state: since.state, etags: async () => etagsOf(since) },
          );
        const empty = await read();
        expect(empty.objects).toEqual([]);
        const first = await provider.write(authorization, externalId, entry('One'), undefined);
        // As after an answer that was lost, and by somebody who knows an older state.
        await provider.write(authorization, externalId, entry('Two'), undefined);
        await provider.write(authorization, externalId, entry('Three'), first);
        const written = await read(empty);
        expect(written).toMatchObject({ objects: [{ text: expect.stringContaining('SUMMARY:Three') }], gone: [] });
        expect((await read(written)).objects).toBeNull();
        await provider.remove(authorization, first);
        await provider.remove(authorization, first);
        expect(await read(written)).toMatchObject({ objects: [], gone: [written.objects?.[0]?.name] });
      } finally {
        await Promise.all([server.close(), door.close()]);
      }
    },
  );
});

test.runIf(hasXandikos)(
  'busy time (VFREEBUSY) of a calendar at Xandikos is read with its events, as a whole and when it has changed',
  async () => {
    const [server, door] = [await Xandikos.start(), testDoor(5_000)];
    try {
      const calendar = await server.makeCalendar('Busy');
      const put = (uid: string, component: string, lines: string) =>
        fetch(`${calendar}${uid}.ics`, {
          method: 'PUT',
          headers: { 'content-type': 'text/calendar; charset=utf-8' },
          body: `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Tests//EN\nBEGIN:${component}\nUID:${uid}\nDTSTAMP:20261101T000000Z\n${lines}\nEND:${component}\nEND:VCALENDAR\n`.replaceAll(
            '\n',
            '\r\n',
          ),
        });
      const about = 'DTSTART:20261201T000000Z\nDTEND:20261231T000000Z\nFREEBUSY:';
      const answers = [
        await put('event', 'VEVENT', 'DTSTART:20261208T090000Z\nDTEND:20261208T100000Z'),
        await put('busy', 'VFREEBUSY', `${about}20261207T090000Z/PT1H`),
      ];
      expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
      const provider = new CalDav(server.url, door.fetchOf('CALDAV'));
      const range = { start: Date.UTC(2026, 11, 1), end: Date.UTC(2026, 11, 31) };
      const all = await provider.read('', calendar, range);
      expect(all.objects?.map(({ text }) => /BEGIN:(VEVENT|VFREEBUSY)/.exec(text)?.[1])).toEqual([
        'VEVENT',
        'VFREEBUSY',
      ]);
      await put('busy', 'VFREEBUSY', `${about}20261207T110000Z/PT1H`);
      const since = (state: string | null) => ({ state, etags: async () => etagsOf(all) });
      // By the changes that the server tells, and by comparing the etags of all there are.
      for (const state of [all.state, null]) {
        const changed = await provider.read('', calendar, range, since(state));
        expect(changed).toMatchObject({
          objects: [{ text: expect.stringContaining('20261207T110000Z/PT1H') }],
          gone: [],
        });
      }
    } finally {
      await Promise.all([server.close(), door.close()]);
    }
  },
);
