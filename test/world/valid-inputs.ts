import { NO_KEY, type TestApi } from '../support/api.ts';
import { VALID } from './every-fixture.ts';
import { Maker, type Sender, type ValidInput } from './fixture.ts';

export const NAMES_WITH_INPUT: readonly string[] = Object.keys(VALID);

/** Answers a valid input of a mutation, about things of its own each time. */
export function validInputs(
  api: TestApi,
  sender: Sender = { clientId: 'test', codeKey: NO_KEY },
): (name: string) => Promise<ValidInput> {
  const maker = new Maker(api, sender);
  return (name) => {
    const make = VALID[name];
    if (!make) throw new Error(`No fixture of test/world has a valid input of ${name}.`);
    return make(maker);
  };
}
