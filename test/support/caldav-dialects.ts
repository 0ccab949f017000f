/**
 * Servers of CalDAV as they answer to discovery, after their public documentation and the dialogues in bug reports of clients: which
 * hosts they use, where they lead, and how they name what they have. Each lets one account in.
 */
export const LOGIN = { username: 'ada@example.com', appPassword: 'an-app-password' };

export interface Asked {
  readonly url: string;
  readonly method: string;
  readonly authorization: string | null;
}

export type Dialect = (asked: Asked) => Response;

const BASIC = `Basic ${Buffer.from(`${LOGIN.username}:${LOGIN.appPassword}`).toString('base64')}`;

export function multistatus(...responses: readonly (readonly [href: string, properties: string])[]): Response {
  const parts = responses.map(
    ([href, properties]) =>
      `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
  );
  const body = `<?xml version="1.0" encoding="utf-8"?><d:multistatus xmlns:d="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/" xmlns:nc="http://nextcloud.com/ns">${parts.join('')}</d:multistatus>`;
  return new Response(body, { status: 207, headers: { 'content-type': 'application/xml; charset=utf-8' } });
}

const moved = (location: string, status = 301) => new Response(null, { status, headers: { location } });
const refused = (challenge: string, body = '') =>
  new Response(body, { status: 401, headers: { 'www-authenticate': challenge } });
const missing = () => new Response('<html>Not here</html>', { status: 404 });
const principal = (href: string) => `<d:current-user-principal><d:href>${href}</d:href></d:current-user-principal>`;
const homeSet = (...hrefs: readonly string[]) =>
  `<cal:calendar-home-set>${hrefs.map((href) => `<d:href>${href}</d:href>`).join('')}</cal:calendar-home-set>`;
const calendar = (name: string, more = '', types = '') =>
  `<d:displayname>${name}</d:displayname><d:resourcetype><d:collection/><cal:calendar/>${types}</d:resourcetype>${more}`;
const events = '<cal:supported-calendar-component-set><cal:comp name="VEVENT"/></cal:supported-calendar-component-set>';
const tasks = '<cal:supported-calendar-component-set><cal:comp name="VTODO"/></cal:supported-calendar-component-set>';
const may = (...privileges: readonly string[]) =>
  `<d:current-user-privilege-set>${privileges.map((one) => `<d:privilege><d:${one}/></d:privilege>`).join('')}</d:current-user-privilege-set>`;

/** Answers of one address, to those who are let in. */
type Addresses = Readonly<Record<string, () => Response>>;

function server(challenge: string, open: Addresses, closed: Addresses, refusal = ''): Dialect {
  return ({ url, authorization }) => {
    const answer = open[url];
    if (answer) return answer();
    const behind = closed[url];
    if (!behind) return missing();
    return authorization === BASIC ? behind() : refused(challenge, authorization === null ? '' : refusal);
  };
}

const CLOUD = 'https://cloud.example';
/** Behind a proxy that ends TLS, without `overwriteprotocol`: the redirect names http. */
export const NEXTCLOUD = server(
  'Basic realm="Nextcloud", charset="UTF-8"',
  { [`${CLOUD}/.well-known/caldav`]: () => moved('http://cloud.example/remote.php/dav/') },
  {
    [`${CLOUD}/remote.php/dav/`]: () =>
      multistatus(['/remote.php/dav/', principal('/remote.php/dav/principals/users/ada/')]),
    [`${CLOUD}/remote.php/dav/principals/users/ada/`]: () =>
      multistatus(['/remote.php/dav/principals/users/ada/', homeSet('/remote.php/dav/calendars/ada/')]),
    [`${CLOUD}/remote.php/dav/calendars/ada/`]: () =>
      multistatus(
        ['/remote.php/dav/calendars/ada/', '<d:resourcetype><d:collection/></d:resourcetype>'],
        [
          '/remote.php/dav/calendars/ada/personal/',
          calendar('Personal', events + may('write', 'read', 'write-content', 'bind')),
        ],
        ['/remote.php/dav/calendars/ada/contact_birthdays/', calendar('Birthdays', events + may('read'))],
        ['/remote.php/dav/calendars/ada/tasks/', calendar('Tasks', tasks + may('write'))],
        ['/remote.php/dav/calendars/ada/old/', calendar('Old', events + may('write'), '<nc:deleted-calendar/>')],
        ['/remote.php/dav/calendars/ada/inbox/', calendar('Inbox', may('read'), '<cal:schedule-inbox/>')],
        ['/remote.php/dav/calendars/ada/outbox/', calendar('Outbox', may('read'), '<cal:schedule-outbox/>')],
        ['/remote.php/dav/calendars/ada/trashbin/', '<d:resourcetype><d:collection/><nc:trash-bin/></d:resourcetype>'],
        [
          '/remote.php/dav/calendars/ada/holidays/',
          '<d:displayname>Holidays</d:displayname><d:resourcetype><d:collection/><cs:subscribed/></d:resourcetype>',
        ],
      ),
  },
  '<?xml version="1.0" encoding="utf-8"?><d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:o="http://owncloud.org/ns"><s:exception>OCA\\DAV\\Connector\\Sabre\\Exception\\PasswordLoginForbidden</s:exception><s:message/><o:hint>password login forbidden</o:hint></d:error>',
);

const FASTMAIL_DAV = 'https://d277161.caldav.fastmail.com';
const FASTMAIL_HOME = `${FASTMAIL_DAV}/dav/calendars/user/ada@example.com/`;
/** The domain leads to caldav.fastmail.com by SRV, and that to a partition. */
export const FASTMAIL = server(
  'Basic realm="Fastmail"',
  { 'https://caldav.fastmail.com/.well-known/caldav': () => moved('/dav/calendars') },
  {
    'https://caldav.fastmail.com/dav/calendars': () =>
      multistatus(['/dav/calendars', principal('/dav/principals/user/ada@example.com/')]),
    'https://caldav.fastmail.com/dav/principals/user/ada@example.com/': () =>
      multistatus(['/dav/principals/user/ada@example.com/', homeSet(FASTMAIL_HOME)]),
    [FASTMAIL_HOME]: () =>
      multistatus(
        ['/dav/calendars/user/ada@example.com/', '<d:resourcetype><d:collection/></d:resourcetype>'],
        ['/dav/calendars/user/ada@example.com/Default/', calendar('Calendar', events + may('read', 'write'))],
      ),
  },
);

const ICLOUD = 'https://caldav.icloud.com';
const ICLOUD_HOME = 'https://p42-caldav.icloud.com:443/1234567/calendars/';
/** A partition, which is named with its port. */
export const ICLOUD_DIALECT = server(
  'X-MobileMe-AuthToken realm="MMCal", Basic realm="MMCal"',
  {},
  {
    [`${ICLOUD}/.well-known/caldav`]: () => multistatus(['/.well-known/caldav', principal('/1234567/principal/')]),
    [`${ICLOUD}/`]: () => multistatus(['/', principal('/1234567/principal/')]),
    [`${ICLOUD}/1234567/principal/`]: () => multistatus(['/1234567/principal/', homeSet(ICLOUD_HOME)]),
    'https://p42-caldav.icloud.com/1234567/calendars/': () =>
      multistatus(
        ['/1234567/calendars/', '<d:resourcetype><d:collection/></d:resourcetype>'],
        ['/1234567/calendars/home/', calendar('Home', events + may('all', 'read', 'write'))],
        ['/1234567/calendars/tasks/', calendar('Reminders', tasks + may('write'))],
        ['/1234567/calendars/inbox/', '<d:resourcetype><d:collection/><cal:schedule-inbox/></d:resourcetype>'],
      ),
  },
);

/** Google takes tokens alone. */
export const GOOGLE_DIALECT: Dialect = ({ url }) =>
  url === 'https://apidata.googleusercontent.com/caldav/v2/' || url.endsWith('/.well-known/caldav')
    ? refused(
        'Bearer realm="https://accounts.google.com/", AuthSub realm="https://www.google.com/accounts/AuthSubRequest"',
      )
    : missing();
