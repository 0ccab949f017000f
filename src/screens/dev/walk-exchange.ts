import type { Context } from 'hono';
import { Problem } from '../../core/problem.ts';

/** Carries out a request at an endpoint of this service, as if it had come over the network. */
export type Send = (request: Request, environment: object) => Promise<Response>;

/** A request, and what it was answered: as text, for a page. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
  readonly status: number;
  /** The members of the answer; none where it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: URLSearchParams | string;
}

/** A reader learns from these headers; the rest of an answer's is the same everywhere. */
const SHOWN_HEADERS = ['content-type', 'cache-control', 'www-authenticate'];
const LONGEST_SHOWN = 72;

/** Posts a request, and keeps both sides of the exchange. */
export async function exchanged(c: Context, send: Send, sent: Sent): Promise<Exchange> {
  const { url, headers, body } = sent;
  const type = typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded';
  const all = { ...headers, 'Content-Type': type, Accept: 'application/json' };
  const response = await send(new Request(url, { method: 'POST', headers: all, body: String(body) }), c.env as object);
  const text = await response.text();
  const parsed = parsedObject(text);
  const headerLines = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const statusLine = `HTTP ${response.status}`;
  return {
    request: [
      `POST ${url}`,
      ...Object.entries(all).map(([name, value]) => `${name}: ${short(value)}`),
      '',
      written(body),
    ].join('\n'),
    answer: [statusLine, ...headerLines, '', parsed ? JSON.stringify(parsed, shortTexts, 2) : text]
      .join('\n')
      .trimEnd(),
    status: response.status,
    body: parsed ?? {},
  };
}

/** One parameter a line. */
export function parametersOf(parameters: URLSearchParams): string {
  return [...parameters].map(([name, value]) => `${name}=${short(value)}`).join('\n');
}

/** For a header. @throws Problem for what no token looks like */
export function bearer(token: string): Readonly<Record<string, string>> {
  if (/^[!-~]+$/.test(token)) return { Authorization: `Bearer ${token}` };
  throw new Problem('BAD_REQUEST', 'The form was sent without its token; start the walk again.');
}

function written(body: Sent['body']): string {
  return typeof body === 'string' ? body : parametersOf(body);
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function shortTexts(_name: string, value: unknown): unknown {
  return typeof value === 'string' && !/\s/.test(value) ? short(value) : value;
}

/** Tokens are long, and their beginning tells them apart. */
function short(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
