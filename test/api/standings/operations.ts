import type { TestCaller } from '../../support/api.ts';
import type { LevelName, Person, World } from './world.ts';

/** An administrator's operation on somebody: prepared by others, then tried; it answers its mistakes. */
export interface Operation {
  readonly name: string;
  /** It takes what only members have who have accepted, so that there is nothing to try on who has not. */
  readonly needsAcceptance?: boolean;
  /** An invitation is nobody's standing yet: it is changed and withdrawn by its own role. */
  readonly isOfMembership?: boolean;
  /** The answer where the target is out of reach, unless it is FORBIDDEN. */
  readonly beyond?: string;
  prepare(world: World, level: LevelName, target: Person): Promise<Try>;
}

type Try = (actor: TestCaller) => Promise<readonly string[]>;

const WEEK = { start: '2026-12-21T00:00:00Z', end: '2026-12-28T00:00:00Z' };
let count = 0;

function group(world: World, level: LevelName): { prefix: string; of: Record<string, string> } {
  if (level === 'organization') return { prefix: 'organization', of: { organizationId: world.organizationId } };
  return { prefix: 'team', of: { teamId: world.teamOf(level) } };
}

async function made(who: TestCaller, name: string, input: object, id: string): Promise<string> {
  const { data, mistakes, codes } = await who.change(name, { ...input }, id);
  if (mistakes.length + codes.length > 0) throw new Error(`${name}: ${[...mistakes, ...codes].join(' ')}`);
  return data[id];
}

function tried(name: string, input: Record<string, unknown>): Try {
  return async (actor) => {
    const { mistakes, codes } = await actor.change(name, input);
    return [...codes.map(String), ...mistakes];
  };
}

/** Something that belongs to the target: made by a mutation, changed and deleted by others. */
function ofTarget(what: string, noun: string, id: string, input: object, patch: object): Operation[] {
  const own = (target: Person) => made(target, `${noun.charAt(0).toLowerCase()}${noun.slice(1)}Create`, input, id);
  return [
    {
      name: `make ${what}`,
      prepare: async (world, level, { userId }) => {
        const { prefix, of } = group(world, level);
        return tried(`${prefix}${noun}Create`, { ...of, userId, ...input });
      },
    },
    {
      name: `change ${what}`,
      prepare: async (world, level, target) => {
        const { prefix, of } = group(world, level);
        return tried(`${prefix}${noun}Update`, { ...of, [id]: await own(target), ...patch });
      },
    },
    {
      name: `delete ${what}`,
      prepare: async (world, level, target) => {
        const { prefix, of } = group(world, level);
        if (noun === 'Schedule') await own(target);
        return tried(`${prefix}${noun}Delete`, { ...of, [id]: await own(target) });
      },
    },
  ];
}

const OF_TARGET: readonly Operation[] = [
  ...ofTarget('a schedule', 'Schedule', 'scheduleId', { name: 'Mine' }, { name: 'Yours' }),
  ...ofTarget('an absence', 'OutOfOffice', 'outOfOfficeId', WEEK, { reason: 'Yours' }),
];

const OF_GROUP: readonly Operation[] = [
  {
    name: 'send the guests of somebody else to them',
    beyond: 'NOT_A_COLLEAGUE',
    prepare: async (world, level, { userId }) => {
      const { prefix, of } = group(world, level);
      const absence = { ...of, userId: world.member.userId, ...WEEK, redirectToUserId: userId };
      return tried(`${prefix}OutOfOfficeCreate`, absence);
    },
  },
  {
    name: 'change the role of their membership',
    isOfMembership: true,
    prepare: async (world, level, { membershipId }) => {
      const { prefix, of } = group(world, level);
      return tried(`${prefix}MembershipUpdate`, { ...of, membershipId, role: 'ADMIN' });
    },
  },
  {
    name: 'end their membership',
    isOfMembership: true,
    prepare: async (world, level, { membershipId }) => {
      const { prefix, of } = group(world, level);
      return tried(`${prefix}MembershipDelete`, { ...of, membershipId });
    },
  },
];

function newType(teamId: string, more: object) {
  count += 1;
  return { teamId, slug: `standing-${count}`, title: 'Type', lengthInMinutes: 30, ...more };
}

/** An event type of the team, made by the owner of everything. */
function teamType(world: World, level: LevelName, more: object): Promise<string> {
  return made(world.owner, 'teamEventTypeCreate', newType(world.teamOf(level), more), 'eventTypeId');
}

function ofTeamType(name: string, settings: (userId: string) => object, change: (userId: string) => object): Operation {
  return {
    name,
    needsAcceptance: true,
    prepare: async (world, level, { userId }) => {
      const eventTypeId = await teamType(world, level, settings(userId));
      const target = { teamId: world.teamOf(level), eventTypeId };
      return (actor) => tried('teamEventTypeUpdate', { ...target, ...change(userId) })(actor);
    },
  };
}

const named = (userId: string) => ({ hosts: [{ userId }] });
const managed = (userId: string) => ({ schedulingType: 'MANAGED', ...named(userId) });

const OF_TEAM: readonly Operation[] = [
  {
    name: 'make an event type with them as host',
    prepare: async (world, level, { userId }) =>
      tried('teamEventTypeCreate', newType(world.teamOf(level), named(userId))),
  },
  {
    name: 'make a managed event type for them',
    prepare: async (world, level, { userId }) =>
      tried('teamEventTypeCreate', newType(world.teamOf(level), managed(userId))),
  },
  {
    name: 'make them host of an event type',
    prepare: async (world, level, { userId }) => {
      const eventTypeId = await teamType(world, level, named(world.member.userId));
      const hostsSet = [{ userId, priority: 4 }];
      return tried('teamEventTypeUpdate', { teamId: world.teamOf(level), eventTypeId, hostsSet });
    },
  },
  ofTeamType('change what is said of them as host', named, (userId) => ({ hostsSet: [{ userId, weight: 1 }] })),
  ofTeamType('take them off the hosts', named, (userId) => ({ hostsRemove: [userId] })),
  ofTeamType('change what they have of a managed event type', managed, () => ({ title: `Other ${(count += 1)}` })),
  ofTeamType('rename what they have of a managed event type', managed, () => ({ slug: `renamed-${(count += 1)}` })),
  ofTeamType('take what they have of a managed event type', managed, () => ({ schedulingType: 'COLLECTIVE' })),
  ofTeamType('make what they host a managed event type', named, () => ({ schedulingType: 'MANAGED' })),
  {
    name: 'delete what they have of a managed event type',
    needsAcceptance: true,
    prepare: async (world, level, { userId }) => {
      const eventTypeId = await teamType(world, level, managed(userId));
      return tried('teamEventTypeDelete', { teamId: world.teamOf(level), eventTypeId });
    },
  },
];

function ownType(target: TestCaller): Promise<string> {
  count += 1;
  const input = { slug: `own-${count}`, title: 'Mine', lengthInMinutes: 30 };
  return made(target, 'eventTypeCreate', input, 'eventTypeId');
}

const OF_ORGANIZATION: readonly Operation[] = [
  {
    name: 'make an event type of theirs',
    prepare: async ({ organizationId }, _level, { userId }) => {
      count += 1;
      const fresh = { slug: `theirs-${count}`, title: 'Theirs', lengthInMinutes: 30 };
      return tried('organizationEventTypeCreate', { organizationId, userId, ...fresh });
    },
  },
  {
    name: 'change an event type of theirs',
    prepare: async ({ organizationId }, _level, target) =>
      tried('organizationEventTypeUpdate', { organizationId, eventTypeId: await ownType(target), title: 'Theirs' }),
  },
  {
    name: 'delete an event type of theirs',
    prepare: async ({ organizationId }, _level, target) =>
      tried('organizationEventTypeDelete', { organizationId, eventTypeId: await ownType(target) }),
  },
];

export const OPERATIONS: Readonly<Record<LevelName, readonly Operation[]>> = {
  'team of an organization': [...OF_TARGET, ...OF_GROUP, ...OF_TEAM],
  'stand-alone team': [...OF_TARGET, ...OF_GROUP, ...OF_TEAM],
  organization: [...OF_TARGET, ...OF_GROUP, ...OF_ORGANIZATION],
};
