/** How one variable of the environment is read: what it may hold, and what is said of what it may not. */
import { decodeComponent } from './core/text.ts';

const CIDR = /^[0-9a-f.:]+\/\d{1,3}$/i;

/** Reads one variable; undefined is not set. Without a library of schemas, which would take 20 ms of each start to load. */
export type Field<Value> = (text: string | undefined) => Value;
/** @throws Wrong */
type Reader<Value> = (text: string) => Value;

/** Says what is wrong with a variable, in words that follow its name. */
export class Wrong extends Error {}

export const optional =
  <Value>(read: Reader<Value>): Field<Value | undefined> =>
  (text) =>
    text === undefined ? undefined : read(text);
export const orElse =
  <Value>(otherwise: Value, read: Reader<Value>): Field<Value> =>
  (text) =>
    text === undefined ? otherwise : read(text);

export const asIs: Reader<string> = (text) => text;
export const textThat =
  (isRight: (text: string) => boolean, wrong: string): Reader<string> =>
  (text) => {
    if (isRight(text)) return text;
    throw new Wrong(wrong);
  };
export const integer =
  (least: number, most: number): Reader<number> =>
  (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new Wrong(`is not a whole number from ${least} to ${most}`);
  };
const ON_OR_OFF = new Map([
  ...['on', 'true', '1'].map((text) => [text, true] as const),
  ...['off', 'false', '0'].map((text) => [text, false] as const),
]);
export const flag: Reader<boolean> = (text) => {
  const value = ON_OR_OFF.get(text);
  if (value === undefined) throw new Wrong('is neither on nor off');
  return value;
};
export const networks: Reader<readonly string[]> = (text) => {
  const list = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  if (list.every((part) => CIDR.test(part))) return list;
  throw new Wrong('is not a list of CIDRs such as 10.0.0.0/8');
};
/** Hosts by name or address, each with the port that it has, 443 unless said otherwise: `cloud.lan:443`. */
export const insideHosts: Reader<readonly string[]> = (text) => {
  const list = text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean);
  const hosts = list.map((part) => [part, URL.parse(`https://${part}/`)] as const);
  const isHost = ([part, url]: (typeof hosts)[number]) => url?.hostname && /^[^/?#@\s*]+$/.test(part);
  if (!hosts.every(isHost)) throw new Wrong('is not a list of hosts such as cloud.lan,10.0.0.5:8443');
  return hosts.map(([, url]) => `${url?.hostname}:${url?.port || 443}`);
};
/** As browsers write it in Origin: tokens, cookies and comparisons must not hang on how an operator wrote it. */
export const publicOrigin: Reader<string> = (text) => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Wrong('is not an http(s) address');
  const { pathname, search, hash, username, password, origin } = url;
  if (pathname === '/' && !search && !hash && !username && !password) return origin;
  throw new Wrong('must be an origin only, such as https://gatehouse.example');
};
/** Reads the address of another service, which may be below a path; credentials are told apart from it. */
export const serviceUrl: Reader<string> = (text) => {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password)
    return url.href;
  throw new Wrong('is not an http(s) address without a user, a query and a fragment');
};
/** Drivers tell of what they cannot take apart without the variable's name, some only once they are used. */
function isServerUrl(text: string, protocol: RegExp): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (!url || !protocol.test(url.protocol)) return false;
  return [url.username, url.password, url.pathname].every((part) => decodeComponent(part) !== undefined);
}
const ENCODED = 'percent-encode what its password holds besides letters and digits (%40 for @)';
export const databaseUrl = textThat(
  (text) => isServerUrl(text, /^postgres(?:ql)?:$/) && URL.parse(text)?.pathname.slice(1) !== '',
  `is not an address such as postgres://user:password@db.example/gatehouse; ${ENCODED}`,
);
export const smtpUrl = textThat(
  (text) => isServerUrl(text, /^smtps?:$/) && URL.parse(text)?.hostname !== '',
  `is not an address such as smtps://user:password@mail.example; ${ENCODED}`,
);
/** The part of the address behind `?` goes into each message, so it says who sends. */
export const smsUrl = textThat((text) => {
  const url = isServerUrl(text, /^https?:$/) ? URL.parse(text) : null;
  if (!url?.username || !url.password || url.hash) return false;
  return ['From', 'MessagingServiceSid'].some((name) => url.searchParams.get(name));
}, `is not an address such as https://AC…:token@api.twilio.com/2010-04-01/Accounts/AC…/Messages.json?From=%2B15005550006; ${ENCODED}`);
/** In one line, an address alone or behind a name. */
export const mailbox = textThat(
  (text) => /^(?:[^\p{Cc}<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/u.test(text),
  'is not an address such as Gatehouse <no-reply@gatehouse.example>',
);
export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
export const masterKey = textThat(
  (text) => Buffer.from(text, 'base64url').length === 32 && /^[\w-]{43}$/.test(text),
  'is not 32 bytes in base64url (43 characters)',
);

/** `name=number,…` over the defaults, or `off`. `complete` says what goes with those that are given. */
export function limits<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  complete: (given: Partial<Record<Name, number>>) => Readonly<Record<Name, number>> = (given) => ({
    ...defaults,
    ...given,
  }),
): Reader<Readonly<Record<Name, number>> | undefined> {
  const names = Object.keys(defaults) as Name[];
  const example = names.map((name) => `${name}=${defaults[name]}`).join(',');
  return (text) => {
    if (text === 'off') return undefined;
    const read: Partial<Record<Name, number>> = {};
    for (const part of text.split(',')) {
      const [given = '', value = ''] = part.trim().split('=');
      const name = names.find((candidate) => candidate === given);
      if (name === undefined || !/^[1-9]\d{0,6}$/.test(value))
        throw new Wrong(`has "${part.trim()}"; write it as ${example}, or off`);
      read[name] = Number(value);
    }
    return complete(read);
  };
}
