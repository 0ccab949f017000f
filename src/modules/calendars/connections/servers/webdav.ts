import { lazily } from '../../../../core/lazily.ts';
import type { CpuLeft } from '../../busy-calendar.rules.ts';
import { CalendarFailure, type EventRange } from '../calendar-provider.ts';
import { calendarGone, guardedFetch, movedTo, type Trusts, unclear, unexpected } from './guarded-fetch.ts';
import type { DavElement, DavResponse, Multistatus } from './multistatus.ts';

// Loaded with the first call, as few processes make any.
const loadDav = lazily(() => import('./multistatus.ts'));

/** The module that reads answers. */
export type Dav = Awaited<ReturnType<typeof loadDav>>;

/** The properties of a resource, by their names without prefixes. */
export type Properties = ReadonlyMap<string, DavElement>;

/** For somebody who waits. */
export type QuestionLimits = Pick<EventRange, 'maxAnswerBytes' | 'cpuLeft' | 'signal'>;

export interface Question extends QuestionLimits {
  readonly method: 'PROPFIND' | 'REPORT';
  readonly depth: '0' | '1';
  readonly body: string;
}

/** The answer to a question: the address that gave it, after redirects, and what it said. */
export interface DavReply {
  readonly at: string;
  readonly dav: Dav;
  readonly said: Multistatus;
}

export const NAMESPACES =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/"';
export const MAX_REDIRECTS = 5;
/**
 * A server may refuse a question about changes in these ways, and all can be read nevertheless: the token is too old (403 or
 * 409 with valid-sync-token, RFC 6578 §3.2), too much has changed (507), or it does not know that question.
 */
const DISPENSABLE = [400, 403, 405, 409, 412, 415, 500, 501, 507];

/** Asks servers of WebDAV (RFC 4918) for what an account may see. */
export class WebDav {
  /** Says of every answer whether the account let us in. */
  readonly #fetch: typeof fetch;
  readonly #fetchJudged: typeof fetch;

  constructor(trusts: Trusts, throughTheDoor: typeof fetch) {
    this.#fetch = guardedFetch(trusts, throughTheDoor);
    this.#fetchJudged = guardedFetch(trusts, throughTheDoor, DISPENSABLE);
  }

  /** Sends what changes something, to where the server says that it is. */
  async send(url: string, init: RequestInit): Promise<Response> {
    return (await followed(this.#fetch, url, init)).answer;
  }

  /**
   * The one good answer is a whole multistatus (RFC 4918 §9.1, RFC 3253 §3.6). All others, such as a page that says that the server
   * is being mended, would else be read as one that holds nothing.
   */
  async ask(authorization: string, url: string, question: Question): Promise<DavReply> {
    const { at, answer } = await answered(this.#fetch, authorization, url, question);
    return { at, ...(await multistatusIn(answer, question.cpuLeft)) };
  }

  /** A question whose asker can do without an answer. Undefined: the server has none. */
  async askIfKnown(authorization: string, url: string, question: Question): Promise<DavReply | undefined> {
    const { at, answer } = await answered(this.#fetchJudged, authorization, url, question);
    if (DISPENSABLE.includes(answer.status)) return undefined;
    try {
      return { at, ...(await multistatusIn(answer, question.cpuLeft)) };
    } catch (error) {
      if (error instanceof CalendarFailure && error.reason === 'NOT_CALDAV') return undefined;
      throw error;
    }
  }

  async propertiesOf(
    authorization: string,
    url: string,
    names: readonly string[],
    limits: QuestionLimits = {},
  ): Promise<{ readonly dav: Dav; readonly properties: Properties }> {
    const { dav, said } = await this.ask(authorization, url, { ...propfind(names, '0'), ...limits });
    const [answer] = said.responses;
    if (answer && isMissing(answer)) throw calendarGone();
    if (!answer || !isGood(answer)) throw unexpected({ status: answer?.status });
    return { dav, properties: answer.properties };
  }
}

function answered(
  ask: typeof fetch,
  authorization: string,
  url: string,
  { method, depth, body: question, maxAnswerBytes, signal }: Question,
): Promise<Answered> {
  const headers = { authorization, depth, 'content-type': 'application/xml; charset=utf-8' };
  const body = `<?xml version="1.0" encoding="utf-8"?>${question}`;
  const limits = { ...(maxAnswerBytes !== undefined && { maxAnswerBytes }), ...(signal && { signal }) };
  return followed(ask, url, { ...limits, method, headers, body });
}

interface Answered {
  readonly at: string;
  readonly answer: Response;
}

/** The answer after redirects (RFC 9110 §15.4), which keep the method; 303 leads to something else than what was to be changed. */
async function followed(ask: typeof fetch, url: string, init: RequestInit): Promise<Answered> {
  const isChange = init.method === 'PUT' || init.method === 'DELETE';
  let at = url;
  for (let left = MAX_REDIRECTS; ; left -= 1) {
    const answer = await ask(at, init);
    const next = left > 0 && !(isChange && answer.status === 303) ? movedTo(answer, at) : undefined;
    if (next === undefined || next === at) return { at, answer };
    at = next;
  }
}

async function multistatusIn(answer: Response, cpuLeft: CpuLeft | undefined): Promise<Omit<DavReply, 'at'>> {
  if (answer.status === 404 || answer.status === 410) throw calendarGone();
  if (answer.status !== 207) throw unexpected(answer);
  const dav = await loadDav();
  try {
    return { dav, said: await dav.multistatusOf(await answer.text(), cpuLeft) };
  } catch (error) {
    if (error instanceof dav.NoMultistatus) throw unclear();
    if (error instanceof dav.TooDear) throw new CalendarFailure('UNREADABLE', 'The answer takes too long to read.');
    throw error;
  }
}

export function propfind(names: readonly string[], depth: Question['depth']): Question {
  return { method: 'PROPFIND', depth, body: `<d:propfind ${NAMESPACES}>${prop(names)}</d:propfind>` };
}

export function limitsOf({ maxAnswerBytes, cpuLeft, signal }: EventRange): QuestionLimits {
  return { signal, ...(maxAnswerBytes !== undefined && { maxAnswerBytes }), ...(cpuLeft && { cpuLeft }) };
}

export function prop(names: readonly string[]): string {
  return `<d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop>`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** @throws CalendarFailure for what is none */
export function addressOf(href: string, at: string): string {
  const url = URL.parse(href, at);
  if (!url) throw unclear();
  return url.href;
}

export function isSame(href: string, calendarId: string, { at }: DavReply): boolean {
  return pathOf(addressOf(href, at)) === pathOf(calendarId);
}

/** Without a status of its own, each of its properties has one. */
export function isGood({ status = 200 }: DavResponse): boolean {
  return status < 300;
}

export function isMissing({ status }: DavResponse): boolean {
  return status === 404 || status === 410;
}

/** The path of an address, however it is percent-encoded, and whether or not a slash ends it. */
export function pathOf(url: string): string {
  const path = new URL(url).pathname.replace(/\/$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
