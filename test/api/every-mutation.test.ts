import { type GraphQLInputObjectType, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { buildSchemas } from '../../src/schema.ts';
import type { Scope } from '../../src/scopes/catalog.ts';
import { type Change, openTestApi, type TestApi } from '../support/api.ts';
import type { ValidInput } from '../world/fixture.ts';
import { NAMES_WITH_INPUT, validInputs } from '../world/valid-inputs.ts';
import { hostileValues, type LeafPath, leavesOf, withLeaf } from './every-mutation/input-leaves.ts';
import { everythingIn, versionsIn } from './every-mutation/whole-database.ts';

const MUTATIONS = buildSchemas().forTokens.schema.getMutationType()?.getFields() ?? {};
const NAMES = Object.keys(MUTATIONS).filter((name) => NAMES_WITH_INPUT.includes(name));
const GUARDED = NAMES.filter((name) => scopesOf(name).length > 0);

let api: TestApi;
let valid: (name: string) => Promise<ValidInput>;
beforeAll(async () => {
  api = await openTestApi();
  valid = validInputs(api);
});
afterAll(() => api.close());

test('every mutation that tokens see is tested here', () => {
  expect(NAMES_WITH_INPUT.toSorted()).toEqual(Object.keys(MUTATIONS).toSorted());
});

describe.each(GUARDED)('%s', (name) => {
  const write = scopesOf(name);
  const read = write.map((scope) => scope.replace('_WRITE', '_READ') as Scope);

  test(`is for ${write.join(' and ')} alone`, async () => {
    const { username, input } = await valid(name);
    const before = await everythingIn(api.database);
    const refused = [
      await api.nobody.change(name, input),
      await api.as(username, []).change(name, input),
      await api.as(username, read).change(name, input),
    ];
    expect(refused.flatMap(({ codes }) => codes)).toEqual([
      'UNAUTHENTICATED',
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await everythingIn(api.database)).toEqual(before);
    expect(await api.as(username, write).change(name, input)).toMatchObject({ codes: [], mistakes: [] });
    expect(await everythingIn(api.database)).not.toEqual(before);
  });

  test('answers a stranger as if there were nothing, and changes nothing', async () => {
    const { input, names } = await valid(name);
    const before = await everythingIn(api.database);
    for (const key of names) {
      const missing = { ...input, [key]: `${String(input[key]).slice(0, -1)}~` };
      const [of, none] = [await api.as('dan').change(name, input), await api.as('dan').change(name, missing)];
      expect([of.codes, none.codes]).toEqual([[], []]);
      expect(of.mistakes.length).toBeGreaterThan(0);
      // A caller who names a group as well may be told first that it is not theirs.
      expect(names.length > 1 || of.mistakes.join() === none.mistakes.join()).toBe(true);
    }
    expect(await everythingIn(api.database)).toEqual(before);
  });
});

describe.each(NAMES)('any value that is sent to %s', (name) => {
  const send = ({ username, input }: ValidInput, path: LeafPath, value: unknown) =>
    api.as(username).change(name, withLeaf(inputTypeOf(name), input, path, value));

  test.each(leavesOf(inputTypeOf(name)).map((leaf) => [leaf.path.join('.'), leaf] as const))(
    'as %s, it is refused with a reason and changes nothing, or it is done',
    async (_path, { path, type }) => {
      const [refused, wrong]: [unknown[], unknown[]] = [[], []];
      let request = await valid(name);
      let before = await versionsIn(api.database);
      for (const value of hostileValues(type)) {
        const change = await send(request, path, value);
        // GraphQL's own refusals have no code yet at this floor.
        const faults = change.codes.filter((code) => code !== 'BAD_USER_INPUT');
        if (faults.length > 0) wrong.push({ value: brief(value), faults });
        if (isRefused(change)) refused.push(value);
        else request = await valid(name);
      }
      // Where something was done, what was refused before it is sent once more: it must have changed nothing itself.
      if (refused.length < hostileValues(type).length) {
        before = await versionsIn(api.database);
        for (const value of refused) await send(request, path, value);
      }
      expect(wrong).toEqual([]);
      const shown = refused.map(brief);
      expect({ refused: shown, after: await versionsIn(api.database) }).toEqual({ refused: shown, after: before });
    },
  );
});

test('the event of somebody’s act on bookings records the network address of that person', async () => {
  const acts = await rows<{ type: string; isKnown: boolean }>(
    api.database.em.fork(),
    sql`select type, bool_and(data -> 'by' ->> 'network' is not null) as "isKnown"
        from domain_events where type like 'BOOKING%' and data ? 'by' group by type`,
  );
  expect(acts.length).toBeGreaterThan(5);
  expect(acts.filter(({ isKnown }) => !isKnown)).toEqual([]);
});

function brief(value: unknown): string {
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value).slice(0, 60);
}

function isRefused({ codes, mistakes }: Change): boolean {
  return codes.length > 0 || mistakes.length > 0;
}

function inputTypeOf(name: string): GraphQLInputObjectType {
  const type = MUTATIONS[name]?.args[0]?.type;
  const named = type && getNamedType(type);
  if (!isInputObjectType(named)) throw new Error(`${name} takes no input.`);
  return named;
}

/** The scopes that the printed directive names; none for what is public. */
function scopesOf(name: string): readonly Scope[] {
  const { requiresScope } = (MUTATIONS[name]?.extensions['directives'] ?? {}) as {
    requiresScope?: Partial<Record<'user' | 'team' | 'organization', readonly Scope[]>>;
  };
  return requiresScope?.user ?? requiresScope?.team ?? requiresScope?.organization ?? [];
}
