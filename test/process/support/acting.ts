import { expect } from 'vitest';
import type { Browser } from '../../../src/cli/demo-browser.ts';

/** Sends a mutation that must succeed, and gives what it shows. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
type Mutate = (name: string, input: object, shown: string) => Promise<any>;

/** Acts as a signed-in user. */
export function actingAs(browser: Browser): Mutate {
  return async (name, input, shown) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const document = `mutation($input: ${type}!) { ${name}(input: $input) { ${shown} userErrors { code message } } }`;
    const answer = (await browser.graphql<Record<string, { userErrors: object[] }>>(document, { input }))[name];
    expect(answer?.userErrors).toEqual([]);
    return answer;
  };
}

/** The next times, from three days on, at which an event type can be booked. */
export async function slotsOf(browser: Browser, eventTypeId: string): Promise<string[]> {
  const from = Temporal.Now.instant().add({ hours: 72 }).round('second');
  const range = { id: eventTypeId, from: from.toString(), to: from.add({ hours: 24 * 14 }).toString() };
  const { slots } = await browser.graphql<{ slots: { start: string }[] }>(
    'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }',
    range,
  );
  return slots.map(({ start }) => start);
}
