import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../world/every-fixture.ts';
import type { Operation } from '../../world/fixture.ts';
import { type LevelName, openWorld, type Person, type Place, type Role, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const LEVELS = Object.keys(OPERATIONS) as LevelName[];
const STATES = ['INVITED', 'ACCEPTED', 'SUSPENDED'] as const;
const ROLES: readonly Role[] = ['MEMBER', 'ADMIN', 'OWNER'];

/** The actors and targets in a group of each kind; lowest first. */
const PEOPLE: Readonly<Record<LevelName, readonly Omit<Place, 'state'>[]>> = {
  'team of an organization': [
    ...ROLES.map((team) => ({ organization: 'MEMBER' as const, team })),
    ...(['ADMIN', 'OWNER'] as const).map((organization) => ({ organization, team: 'MEMBER' as const })),
  ],
  'stand-alone team': ROLES.map((team) => ({ organization: null, team })),
  organization: ROLES.map((organization) => ({ organization, team: null })),
};

/** The people who must not do anything: those outside of the group, and those who have not accepted to be in it. */
function outsiders(level: LevelName): readonly Place[] {
  const [lowest] = PEOPLE[level];
  if (!lowest) throw new Error('There is nobody.');
  const invited = level === 'organization' ? { organization: 'OWNER', team: null } : { ...lowest, team: 'OWNER' };
  return [
    { ...lowest, [level === 'organization' ? 'organization' : 'team']: null, state: 'ACCEPTED' },
    { ...invited, state: 'INVITED' } as Place,
  ];
}

/** The expected rank, said anew here: 0 is no right at all, 1 a member; from 2 on it is an administrator. */
function rankOf({ organization, team, state }: Place, level: LevelName): number {
  if (level === 'organization') return state === 'INVITED' || !organization ? 0 : ROLES.indexOf(organization) + 1;
  if (level !== 'stand-alone team' && organization && organization !== 'MEMBER')
    return organization === 'OWNER' ? 5 : 4;
  return state === 'INVITED' || !team ? 0 : ROLES.indexOf(team) + 1;
}

function expected(operation: Operation, actor: Place, target: Place, level: LevelName): string {
  const rank = rankOf(actor, level);
  if (rank === 0) return 'NOT_FOUND';
  if (rank === 1) return 'FORBIDDEN';
  const beyond = operation.beyond ?? 'FORBIDDEN';
  if (target.state !== 'INVITED') return rankOf(target, level) > rank ? beyond : 'done';
  if (!operation.isOfMembership) return operation.beyond ?? 'NOT_FOUND';
  const invitedAs = level === 'organization' ? target.organization : target.team;
  return ROLES.indexOf(invitedAs ?? 'OWNER') + 1 > rank ? beyond : 'done';
}

/** An administrator of the organization, who is not in its team. */
const ABOVE: Place = { organization: 'ADMIN', team: null, state: 'ACCEPTED' };

/** Administrators on everybody; those without a right on the lowest and the highest. */
function casesOf(level: LevelName): [actor: Place, target: Place][] {
  const places = PEOPLE[level];
  const members = places.map((place): Place => ({ ...place, state: 'ACCEPTED' }));
  const above = level === 'team of an organization' ? [ABOVE] : [];
  return [...outsiders(level), ...members, ...above].flatMap((actor) => {
    const isAdministrator = rankOf(actor, level) > 1;
    const ends = places.filter((place) => place === places.at(0) || place === places.at(-1));
    return (isAdministrator ? places : ends).flatMap((place) => {
      const states = isAdministrator && ends.includes(place) ? STATES : STATES.slice(0, 2);
      return states.map((state): [Place, Place] => [actor, { ...place, state }]);
    });
  });
}

/**
 * The people who try an operation on one person: those who are refused leave them as they were, and so try on the same.
 */
interface Tries {
  readonly target: Place;
  readonly tried: readonly { readonly actor: Place; readonly wanted: string }[];
}

function triesOf(operation: Operation, level: LevelName): Tries[] {
  const cases = casesOf(level).filter(([, { state }]) => !operation.needsAcceptance || state !== 'INVITED');
  const byTarget = Map.groupBy(cases, ([, target]) => JSON.stringify(target));
  return [...byTarget.values()].flatMap((ones) => {
    const tried = ones.map(([actor, target]) => ({ actor, wanted: expected(operation, actor, target, level) }));
    const [done, refused] = [tried.filter(isDone), tried.filter((one) => !isDone(one))];
    const groups = [...done.map((one) => [one]), ...(refused.length > 0 ? [refused] : [])];
    return groups.map((group) => ({ target: ones[0]?.[1] as Place, tried: group }));
  });
}

const isDone = ({ wanted }: Tries['tried'][number]): boolean => wanted === 'done';

describe.each(LEVELS)('in a group of the kind %s', (level) => {
  const actors = new Map<string, Person>();
  beforeAll(async () => {
    const places = [...new Map(casesOf(level).map(([actor]) => [JSON.stringify(actor), actor])).entries()];
    const people = await world.newPeople(
      level,
      places.map(([, place]) => place),
    );
    for (const [index, [key]] of places.entries()) actors.set(key, people[index] as Person);
  });

  test.each(OPERATIONS[level].map((operation) => [operation.name, operation] as const))(
    'to %s takes a standing as high as theirs, and that they have accepted',
    async (_name, operation) => {
      const tries = triesOf(operation, level);
      const targets = await world.newPeople(
        level,
        tries.map(({ target }) => target),
      );
      const attempts: Awaited<ReturnType<Operation['prepare']>>[] = [];
      for (const target of targets) attempts.push(await operation.prepare(world, level, target));
      await world.suspend(targets.filter((_, index) => tries[index]?.target.state === 'SUSPENDED'));
      const before = await world.everythingOf(targets);
      const outcomes: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      for (const [index, { target, tried }] of tries.entries()) {
        for (const one of tried) {
          const key = `${JSON.stringify(one.actor)} on ${JSON.stringify(target)}`;
          wanted[key] = one.wanted;
          const [mistake = 'done'] = (await attempts[index]?.(actors.get(JSON.stringify(one.actor)) as Person)) ?? [
            '-',
          ];
          outcomes[key] = mistake.split(' ')[0] ?? '';
        }
      }
      expect(outcomes).toEqual(wanted);
      expect(new Set(Object.values(outcomes)).size).toBeGreaterThan(2);
      const after = await world.everythingOf(targets);
      const changed = tries.filter((_, index) => JSON.stringify(before[index]) !== JSON.stringify(after[index]));
      // The role may be the one that they had.
      const mayStay = operation.name === 'change the role of their membership';
      const done = tries.filter(({ tried }) => tried.some(isDone));
      expect(mayStay ? done : changed).toEqual(expect.arrayContaining(mayStay ? changed : done));
      expect(changed.filter((one) => !done.includes(one))).toEqual([]);
    },
  );
});
