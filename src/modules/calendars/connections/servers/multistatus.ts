import process from 'node:process';
import { SaxesParser } from 'saxes';
import { atOnce, inTurns } from '../../../../core/turns.ts';
import type { CpuLeft } from '../../busy-calendar.rules.ts';

/** An element, without what is around its parts. `name`: without its prefix, if its namespace is one of CalDAV's. */
export interface DavElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parts: readonly DavElement[];
  readonly text: string;
}

/** The answer about one resource. */
export interface DavResponse {
  /** As it is written: an address, or a path. */
  readonly href: string;
  /** The status of the whole resource. Undefined: each property has its own. */
  readonly status: number | undefined;
  /** Those that it has (a propstat of 2xx), by their names. */
  readonly properties: ReadonlyMap<string, DavElement>;
}

/** The answer to PROPFIND or REPORT (RFC 4918 §13). */
export interface Multistatus {
  readonly responses: readonly DavResponse[];
  /** The state of the collection, in the answer to sync-collection (RFC 6578 §3.2); else empty. */
  readonly syncToken: string;
}

/** Elements of these namespaces are known by their names without prefixes; those of other namespaces are not among them. */
const NAMESPACES = new Set([
  'DAV:',
  'urn:ietf:params:xml:ns:caldav',
  'http://calendarserver.org/ns/',
  'http://nextcloud.com/ns',
  'http://nextcloud.org/ns',
  'http://groupdav.org/',
  'http://owncloud.org/ns',
  // An answer that forgets to declare its prefixes.
  '',
]);
/** So many characters are read without a pause, which takes some milliseconds at most. */
const CHUNK = 8_192;
/** A calendar of 20,000 events has no more of them, and reading that many takes a second or two. */
const MAX_ELEMENTS = 300_000;
const MAX_ATTRIBUTES = 30;
const MAX_DEPTH = 40;
/**
 * These mistakes do no harm: a character that XML does not allow, in the title of an event, and a prefix that was not
 * declared.
 */
const HARMLESS = /disallowed character\.$|unbound namespace prefix/;
const MAX_HARMLESS = 10_000;

/** An answer is no multistatus, or a larger one than anybody needs. The message repeats nothing of the answer. */
export class NoMultistatus extends Error {}

/** Reading it takes more CPU than there is for it. */
export class TooDear extends Error {}

/**
 * Reads a whole multistatus, in a time that grows with its length alone, and in turns: others are served meanwhile. `cpuLeft`: for what
 * a visitor has us read. @throws NoMultistatus, TooDear
 */
export function multistatusOf(text: string, cpuLeft?: CpuLeft): Promise<Multistatus> {
  return inTurns(multistatusIn(text, cpuLeft));
}

/** The text of an element without the space around it; empty for a missing element. */
export function textOf(element: DavElement | undefined): string {
  return element?.text.trim() ?? '';
}

export function partOf(element: DavElement | undefined, name: string): DavElement | undefined {
  return element?.parts.find((part) => part.name === name);
}

/** The addresses in a property, as they are written. */
export function hrefsIn(element: DavElement | undefined): readonly string[] {
  const hrefs = element?.parts.filter(({ name }) => name === 'href') ?? [];
  return hrefs.map(textOf).filter(Boolean);
}

interface Open extends DavElement {
  readonly parts: Open[];
  text: string;
}

function* multistatusIn(text: string, cpuLeft?: CpuLeft): Generator<undefined, Multistatus> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const top: Open = { name: '', attributes: {}, parts: [], text: '' };
  const open: Open[] = [top];
  const responses: DavResponse[] = [];
  let [elements, attributes, harmless] = [0, 0, 0];
  const add = (part: string): void => {
    (open.at(-1) ?? top).text += part;
  };
  parser.on('error', (error) => {
    harmless += 1;
    if (harmless > MAX_HARMLESS || !HARMLESS.test(error.message)) throw new NoMultistatus();
  });
  // Entities can only be declared in a document type, so none is allowed.
  parser.on('doctype', () => {
    throw new NoMultistatus();
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw new NoMultistatus();
  });
  parser.on('opentag', ({ local, uri, attributes: given }) => {
    elements += 1;
    attributes = 0;
    if (elements > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new NoMultistatus();
    const values = Object.values(given).map(({ name, value }) => [name, value] as const);
    const element: Open = {
      name: NAMESPACES.has(uri) ? local : `{${uri}}${local}`,
      attributes: values.length === 0 ? {} : Object.fromEntries(values),
      parts: [],
      text: '',
    };
    open.at(-1)?.parts.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    const closed = open.pop();
    // No more of a response is kept than what it says.
    if (open.length !== 2 || closed?.name !== 'response' || open[1]?.name !== 'multistatus') return;
    open[1].parts.pop();
    responses.push(...responsesOf(closed));
  });
  parser.on('text', add);
  parser.on('cdata', add);
  const document = text.trimStart();
  for (let from = 0; from < document.length; from += CHUNK) {
    const before = cpuLeft && process.threadCpuUsage();
    parser.write(document.slice(from, from + CHUNK));
    if (cpuLeft) cpuLeft.milliseconds -= millisecondsSince(before);
    if (cpuLeft && cpuLeft.milliseconds <= 0) throw new TooDear();
    yield;
  }
  parser.close();
  const [root] = top.parts;
  if (root?.name !== 'multistatus') throw new NoMultistatus();
  return { responses, syncToken: textOf(partOf(root, 'sync-token')) };
}

function millisecondsSince(before: NodeJS.CpuUsage | undefined): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function responsesOf(response: DavElement): DavResponse[] {
  const status = statusIn(response);
  const properties = new Map<string, DavElement>();
  for (const propstat of response.parts.filter(({ name }) => name === 'propstat')) {
    const said = statusIn(propstat);
    if (said !== undefined && (said < 200 || said > 299)) continue;
    for (const property of partOf(propstat, 'prop')?.parts ?? []) properties.set(property.name, property);
  }
  return hrefsIn(response).map((href) => ({ href, status, properties }));
}

/** `HTTP/1.1 200 OK` */
function statusIn(element: DavElement): number | undefined {
  const [, digits] = /^HTTP\/\S{1,9} (\d{3})/i.exec(textOf(partOf(element, 'status'))) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

// The code that reads has been compiled before anything counts the CPU that an answer takes.
const PROPERTIES =
  '<d:propstat><d:prop><d:getetag>"1"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>';
const RESPONSE = `<d:response><d:href>/a</d:href>${PROPERTIES}</d:response>`;
atOnce(multistatusIn(`<d:multistatus xmlns:d="DAV:">${RESPONSE.repeat(200)}</d:multistatus>`));
