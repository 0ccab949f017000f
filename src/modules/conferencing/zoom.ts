import { instantAt } from '../../core/instant.ts';
import { lazily } from '../../core/lazily.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { Answer, FailureReason } from '../../outbound/outcome.ts';
import { type MadeMeeting, MeetingFailure, type MeetingProvider, type PlannedMeeting } from './meeting-provider.ts';

/** A meeting at a fixed time that is held once. */
const SCHEDULED = 2;
const MAX_TOPIC_LENGTH = 200;
const MAX_AGENDA_LENGTH = 2_000;
const PAGE_SIZE = 300;
/** The most pages of an account's meetings that are looked through. */
const MAX_PAGES = 10;
/**
 * Zoom answers with one of these codes when a meeting is not there for an account: there is none, or it is another
 * account's, of which this one knows no user, is not the host, cannot see it, or cannot schedule it.
 */
const NO_SUCH_MEETING: readonly number[] = [3_001, 1_001, 1_010, 3_003, 3_000, 3_161];
/** Zoom answers with this code when the token lacks the scope that the call needs. */
const NO_SCOPE = 4_711;
/** The call failed before it reached the server. */
const UNSENT: readonly FailureReason[] = ['PRIVATE_ADDRESS', 'UNKNOWN_HOST', 'TLS'];

// zod, which few processes need.
const loadAnswers = lazily(() => import('./zoom-answers.ts'));

interface Asked {
  readonly accessToken: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

/** Zoom's API of meetings, version 2 (https://developers.zoom.us/docs/api/meetings/), in the name of the user of a token. */
export class Zoom implements MeetingProvider {
  readonly #apiUrl: string;
  readonly #outbound: Outbound;

  /** `apiUrl`: with or without a slash at its end. */
  constructor(apiUrl: string, outbound: Outbound) {
    this.#apiUrl = apiUrl.replace(/\/$/, '');
    this.#outbound = outbound;
  }

  async check(accessToken: string): Promise<void> {
    await this.#ask({ accessToken, method: 'GET', path: '/users/me' });
  }

  async create(accessToken: string, meeting: PlannedMeeting, signal?: AbortSignal): Promise<MadeMeeting> {
    const body = { type: SCHEDULED, ...contentOf(meeting) };
    const answer = await this.#ask({ accessToken, method: 'POST', path: '/users/me/meetings', body, signal });
    return understood((await loadAnswers()).made(answer.body));
  }

  /** A list has the first 250 characters of each agenda. */
  async find(accessToken: string, mark: string, signal?: AbortSignal): Promise<MadeMeeting | undefined> {
    let token = '';
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = new URLSearchParams({ type: 'scheduled', page_size: `${PAGE_SIZE}`, next_page_token: token });
      const path = `/users/me/meetings?${query}`;
      const answer = await this.#ask({ accessToken, method: 'GET', path, signal });
      const { meetings, next } = understood((await loadAnswers()).listed(answer.body));
      const found = meetings.find(({ agenda }) => agenda.startsWith(mark));
      if (found) return { id: found.id, url: found.url };
      if (next === '') return undefined;
      token = next;
    }
    return undefined;
  }

  async update(accessToken: string, id: string, meeting: PlannedMeeting): Promise<boolean> {
    return this.#askMeeting({ accessToken, method: 'PATCH', path: pathOf(id), body: contentOf(meeting) });
  }

  async remove(accessToken: string, id: string): Promise<void> {
    await this.#askMeeting({ accessToken, method: 'DELETE', path: pathOf(id) });
  }

  /** @returns whether the meeting is there for this account */
  async #askMeeting(asked: Asked): Promise<boolean> {
    return (await this.#ask(asked, NO_SUCH_MEETING)).status < 300;
  }

  /** Answers 2xx, and 400, 403 or 404 with one of the `taken` codes. @throws MeetingFailure */
  async #ask(asked: Asked, taken: readonly number[] = []): Promise<Answer> {
    const { accessToken, method, path, body, signal } = asked;
    const headers = {
      authorization: `Bearer ${accessToken}`,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await this.#outbound.ask({
      kind: 'CONFERENCING',
      method,
      url: `${this.#apiUrl}${path}`,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (answer.error !== undefined)
      throw new MeetingFailure('UNAVAILABLE', answer.error, { isUndone: UNSENT.includes(answer.reason) });
    if (answer.status >= 200 && answer.status < 300) return answer;
    const code = (await loadAnswers()).code(answer.body);
    if ([400, 403, 404].includes(answer.status) && code !== undefined && taken.includes(code)) return answer;
    throw failureOf(answer, code);
  }
}

/** The mark comes first, and stays in a list of meetings. */
function contentOf({ mark, title, description, start, end }: PlannedMeeting): object {
  return {
    topic: title.slice(0, MAX_TOPIC_LENGTH).toWellFormed(),
    agenda: [mark, description].filter(Boolean).join('\n\n').slice(0, MAX_AGENDA_LENGTH).toWellFormed(),
    start_time: instantAt(start).toString({ smallestUnit: 'second' }),
    duration: Math.max(1, Math.ceil((end - start) / 60_000)),
    timezone: 'UTC',
  };
}

function pathOf(id: string): string {
  return `/meetings/${encodeURIComponent(id)}`;
}

function understood<Value>(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new MeetingFailure('UNAVAILABLE', 'Zoom has answered with something else than is documented.');
}

/** A failure passes only the status on, and nothing that Zoom wrote. */
function failureOf(answer: Answer, code: number | undefined): MeetingFailure {
  const { status, headers } = answer;
  if (status === 401) return new MeetingFailure('REFUSED', 'Zoom refuses the account: connect it again.');
  if (code === NO_SCOPE)
    return new MeetingFailure('REFUSED', 'Zoom gives too little access: connect the account again.');
  if (status === 429) {
    const retryAfter = headers.get('retry-after');
    return new MeetingFailure('UNAVAILABLE', 'Zoom takes no more requests for now.', { isUndone: true, retryAfter });
  }
  const message = `Zoom has answered with the status ${status}.`;
  return new MeetingFailure('UNAVAILABLE', message, { isUndone: status >= 400 && status < 500 });
}
