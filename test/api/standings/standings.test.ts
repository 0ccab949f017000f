import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type Operation } from './operations.ts';
import { type LevelName, openWorld, type Person, type Place, type Role, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const LEVELS = Object.keys(OPERATIONS) as LevelName[];
const STATES = ['INVITED', 'ACCEPTED', 'SUSPENDED'] as const;
const ROLES: readonly Role[] = ['MEMBER', 'ADMIN', 'OWNER'];

/** Who acts, and on whom, in a group of each kind; lowest first. */
const PEOPLE: Readonly<Record<LevelName, readonly Omit<Place, 'state'>[]>> = {
  'team of an organization': [
    ...ROLES.map((team) => ({ organization: 'MEMBER' as const, team })),
    ...(['ADMIN', 'OWNER'] as const).map((organization) => ({ organization, team: 'MEMBER' as const })),
  ],
  'stand-alone team': ROLES.map((team) => ({ organization: null, team })),
  organization: ROLES.map((organization) => ({ organization, team: null })),
};

/** Who must not do anything: nobody of the group, and who has not accepted to be one of it. */
function outsiders(level: LevelName): readonly Place[] {
  const [lowest] = PEOPLE[level];
  if (!lowest) throw new Error('There is nobody.');
  const invited = level === 'organization' ? { organization: 'OWNER', team: null } : { ...lowest, team: 'OWNER' };
  return [
    { ...lowest, [level === 'organization' ? 'organization' : 'team']: null, state: 'ACCEPTED' },
    { ...invited, state: 'INVITED' } as Place,
  ];
}

/** What has to come out, said anew here: 0 is no right at all, 1 a member; from 2 on it is an administrator. */
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

/** Administrators on everybody; those without a right on the lowest and the highest. */
function casesOf(level: LevelName): [actor: Place, target: Place][] {
  const places = PEOPLE[level];
  const members = places.map((place): Place => ({ ...place, state: 'ACCEPTED' }));
  return [...outsiders(level), ...members].flatMap((actor) => {
    const isAdministrator = rankOf(actor, level) > 1;
    const ends = places.filter((place) => place === places.at(0) || place === places.at(-1));
    return (isAdministrator ? places : ends).flatMap((place) => {
      const states = isAdministrator && ends.includes(place) ? STATES : STATES.slice(0, 2);
      return states.map((state): [Place, Place] => [actor, { ...place, state }]);
    });
  });
}

const CASES = LEVELS.flatMap((level) =>
  OPERATIONS[level].map((operation): [string, string, LevelName, Operation] => [
    level,
    operation.name,
    level,
    operation,
  ]),
);

describe.each(LEVELS)('in a group of the kind %s', (level) => {
  const actors = new Map<string, Person>();
  beforeAll(async () => {
    for (const [actor] of casesOf(level)) {
      const key = JSON.stringify(actor);
      if (!actors.has(key)) actors.set(key, await world.newPerson(level, actor));
    }
  });

  test.each(CASES.filter(([kind]) => kind === level))(
    '%s: to %s takes a standing as high as theirs, and that they have accepted',
    async (_kind, _name, _level, operation) => {
      const outcomes: Record<string, string> = {};
      const wanted: Record<string, string> = {};
      for (const [actor, target] of casesOf(level)) {
        if (operation.needsAcceptance && target.state === 'INVITED') continue;
        const key = `${JSON.stringify(actor)} on ${JSON.stringify(target)}`;
        wanted[key] = expected(operation, actor, target, level);
        outcomes[key] = await outcomeOf(operation, level, actors.get(JSON.stringify(actor)), target);
      }
      expect(outcomes).toEqual(wanted);
      expect(new Set(Object.values(outcomes)).size).toBeGreaterThan(2);
    },
  );
});

/** What comes out, and that nothing of the target's has changed where it was refused. */
async function outcomeOf(
  operation: Operation,
  level: LevelName,
  actor: Person | undefined,
  place: Place,
): Promise<string> {
  if (!actor) throw new Error('There is no such actor.');
  const target = await world.newPerson(level, place);
  const attempt = await operation.prepare(world, level, target);
  if (place.state === 'SUSPENDED') await world.suspend(target);
  const before = await world.everythingOf(target);
  const [mistake = 'done'] = await attempt(actor);
  const after = await world.everythingOf(target);
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  const code = mistake.split(' ')[0] ?? '';
  if (code === 'done' && operation.name === 'change the role of their membership') return code;
  return isSame === (code !== 'done') ? code : `${code}, and ${isSame ? 'nothing' : 'something'} changed`;
}
