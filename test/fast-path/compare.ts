/** Says what two ways to one answer must have in common: all of it, but for what time alone changes. */
import type { RawAnswer } from '../support/raw-http.ts';
import type { Asked, Twins } from '../support/twin-apps.ts';

/** As it comes over the wire, without what differs between any two answers. */
export interface Compared {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Date, and counters that every request and every second changes: whether they are there is compared. */
const CHANGING = new Set(['date', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']);
/** Made for each fault, and for each time at which an app was used. */
const MADE_EACH_TIME = /"id":"[0-9a-f]{8}-[0-9a-f-]{27}"|"lastUsedAt":"[^"]*"/g;

export function compared({ status, headers, text }: RawAnswer): Compared {
  const kept = [...headers].map(([name, value]) => [name, CHANGING.has(name) ? 'is there' : value] as const);
  return {
    status,
    headers: Object.fromEntries(kept.toSorted(([a], [b]) => a.localeCompare(b, 'en'))),
    text: text.replaceAll(MADE_EACH_TIME, '"made":"each time"'),
  };
}

export interface Difference {
  readonly asked: Asked;
  readonly fast: Compared;
  readonly ordinary: Compared;
}

/** Once to the ordinary way, `times` to the fast one, where a plan is made for what comes again. */
export async function difference(twins: Twins, asked: Asked, times: number): Promise<Difference | undefined> {
  const expected = compared(await twins.ask('ordinary', asked));
  for (let time = 0; time < times; time += 1) {
    const found = compared(await twins.ask('fast', asked));
    if (JSON.stringify(found) !== JSON.stringify(expected)) return { asked, fast: found, ordinary: expected };
  }
  return undefined;
}

/** A few of the differences, in words that fit on a screen. */
export function told(differences: readonly Difference[]): readonly unknown[] {
  return differences.slice(0, 5).map(({ asked, fast, ordinary }) => ({
    body: asked.body.toString().slice(0, 1_500),
    headers: { ...asked.headers, authorization: asked.headers['authorization']?.slice(0, 20) },
    fast: shortened(fast, ordinary),
    ordinary: shortened(ordinary, fast),
  }));
}

/** From a little before the first character that differs. */
function shortened(one: Compared, other: Compared): unknown {
  let at = 0;
  while (at < one.text.length && one.text[at] === other.text[at]) at += 1;
  return { ...one, text: one.text.slice(Math.max(0, at - 150), at + 300) };
}
