/**
 * The one table of rights, which the matrix of every path and its document is read from. A column is where
 * somebody stands to the group that is asked, or to the person whose thing it is; a row is a class of fields (test/world/fixture.ts) at a level.
 *
 * `yes`; `no`: they see what it is about, and their role does not suffice; `-`: as if there were nothing; `out`: 401.
 */
import type { LevelName } from '../../../src/modules/levels/reach.ts';
import { SCOPES } from '../../../src/scopes/catalog.ts';
import { classOf } from '../../world/every-fixture.ts';
import type { Class } from '../../world/fixture.ts';

const TABLE = `
                                    owner  admin  member  above  outsider  sibling  elsewhere  invited  suspended  nobody
ANYBODY                             yes    yes    yes     yes    yes       yes      yes        yes      out        yes
user OWN                            yes    yes    yes     yes    yes       yes      yes        yes      out        out
user OWN, of the owner              yes    -      -       -      -         -        -          -        out        out
team MEMBERS                        yes    yes    yes     yes    -         -        -          -        out        out
team OWN_MEMBERSHIP                 yes    yes    yes     -      -         -        -          -        out        out
team GROUP_ADMINISTRATORS           yes    yes    no      yes    -         -        -          -        out        out
team GROUP_OWNERS                   yes    no     no      yes    -         -        -          -        out        out
team OWNERS_BY_MEMBERSHIP           yes    no     no      no     -         -        -          -        out        out
team UP_TO_OWN_STANDING             yes    no     no      no     -         -        -          -        out        out
organization MEMBERS                yes    yes    yes     yes    -         yes      -          -        out        out
organization OWN_MEMBERSHIP         yes    yes    yes     yes    -         yes      -          -        out        out
organization GROUP_ADMINISTRATORS   yes    yes    no      yes    -         no       -          -        out        out
organization OWNERS_BY_MEMBERSHIP   yes    no     no      no     -         no       -          -        out        out
organization UP_TO_OWN_STANDING     yes    no     no      no     -         no       -          -        out        out
`;

export const STANDINGS = [
  'owner',
  'admin',
  'member',
  /** Administers the organization, and belongs to no team. */
  'above',
  /** Belongs to nothing. */
  'outsider',
  /** Owns another team of the organization. */
  'sibling',
  /** Owns another organization, and a team of it. */
  'elsewhere',
  /** As an owner, and has not accepted. */
  'invited',
  /** An owner. */
  'suspended',
  /** Has no token. */
  'nobody',
] as const;
export type Standing = (typeof STANDINGS)[number];
export type Right = 'yes' | 'no' | '-' | 'out';

const ROWS = new Map(
  TABLE.trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, name = '', rights = ''] = /^(.*?) {2,}(.*)$/.exec(line) ?? [];
      return [name, rights.split(/ +/) as Right[]];
    }),
);

/** Mutations for others than their level says: administrators of the group where it is one, else each for what is their own. */
const MUTATIONS: Readonly<Partial<Record<Class, string>>> = {
  OWN: 'teamCreate',
  GROUP_OWNERS: 'teamUpdate teamDelete',
  OWNERS_BY_MEMBERSHIP: 'teamMembershipOwnershipTransfer organizationMembershipOwnershipTransfer',
  // In the matrix they are about what is the owner's.
  UP_TO_OWN_STANDING:
    'teamScheduleCreate teamScheduleUpdate teamScheduleDelete teamOutOfOfficeCreate teamOutOfOfficeUpdate teamOutOfOfficeDelete ' +
    'organizationScheduleCreate organizationScheduleUpdate organizationScheduleDelete organizationOutOfOfficeCreate ' +
    'organizationOutOfOfficeUpdate organizationOutOfOfficeDelete',
};

/**
 * The outcomes of what somebody does to their own membership, at which nobody's role is above their own: a code is why
 * it does not suffice. `last`: the only owner who is not suspended; `above` and `elsewhere` name one of theirs in
 * another group.
 */
const OWN_MEMBERSHIP = `
                            last          owner         admin  member  invited  above  elsewhere  suspended
leave                       LAST_OWNER    yes           yes    yes     yes      -      -          out
become MEMBER               LAST_OWNER    yes           yes    yes     no       -      -          out
become ADMIN                LAST_OWNER    yes           yes    no      no       -      -          out
become OWNER                yes           yes           no     no      yes      -      -          out
accept                      yes           yes           yes    yes     yes      -      -          out
accept as OWNER             yes           yes           no     no      yes      -      -          out
hand over to oneself        NOT_POSSIBLE  NOT_POSSIBLE  no     no      -        no     -          out
remove oneself as a user    LAST_OWNER    yes           yes    no      -        .      -          out
`;

/** [action, standing, right], but where there is nobody of that standing: `above` an organization. */
export function rightsOverOneself(): readonly (readonly [action: string, standing: string, right: string])[] {
  const [head = '', ...lines] = OWN_MEMBERSHIP.trim().split('\n');
  const standings = head.trim().split(/ +/);
  return lines.flatMap((line) => {
    const [action = '', ...rights] = line.split(/ {2,}/);
    return rights.map((right, index) => [action, standings[index] ?? '', right] as const);
  });
}

export interface Asked {
  readonly level: LevelName;
  /** The fields that lead there, such as `Query.team`, `Team.eventTypes`. */
  readonly way: readonly string[];
  /** Whether it needs a token at all. */
  readonly isPublic: boolean;
  /** Whether it names what is somebody's own. */
  readonly namesOwn: boolean;
}

/** The outcome for a caller who holds its scopes. */
export function rightOf({ level, way, isPublic, namesOwn }: Asked, standing: Standing): Right {
  const rows = isPublic ? ['ANYBODY'] : way.flatMap((coordinate) => rowOf(coordinate, level, namesOwn));
  const rights = rows.map((row) => ROWS.get(row)?.[STANDINGS.indexOf(standing)]);
  if (rights.length === 0 || rights.includes(undefined)) throw new Error(`The table of rights lacks ${rows.join()}.`);
  return (['out', '-', 'no', 'yes'] as const).find((right) => rights.includes(right)) ?? '-';
}

function rowOf(coordinate: string, level: LevelName, namesOwn: boolean): string[] {
  const [type, field = ''] = coordinate.split('.');
  const told = Object.entries(MUTATIONS).find(([, names]) => names.split(' ').includes(field))?.[0];
  const usual = level === 'user' ? 'OWN' : 'GROUP_ADMINISTRATORS';
  const found = type === 'Mutation' ? (told ?? usual) : classOf(coordinate);
  // A path reads things that belong to whoever the path names, or to a team.
  if (found === 'AS_ABOVE' || (found === 'UP_TO_OWN_STANDING' && type !== 'Mutation')) return [];
  if (found === 'OWN') return [namesOwn ? 'user OWN, of the owner' : 'user OWN'];
  return [`${level} ${found}`];
}

export const SCOPE_KINDS = [
  'its own scopes',
  'all others',
  'those of the level above',
  'those of the level below',
] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** The scopes of a token of this kind; undefined where there are none. */
export function scopesOfKind(required: readonly string[], kind: ScopeKind): readonly string[] | undefined {
  if (required.length === 0) return kind === 'its own scopes' ? ['VERIFIED_RESOURCES_READ'] : undefined;
  const opening = new Set([...required, ...required.map(above)]);
  const scopes = {
    'its own scopes': required,
    'all others': SCOPES.filter((scope) => !opening.has(scope)),
    'those of the level above': required.map(above),
    'those of the level below': required.map((scope) =>
      scope.startsWith('ORG_') ? `TEAM_${scope.slice(4)}` : scope.replace(/^TEAM_/, ''),
    ),
  }[kind];
  const isSame = kind !== 'its own scopes' && scopes.every((scope) => required.includes(scope));
  return isSame || !scopes.every((scope) => (SCOPES as readonly string[]).includes(scope)) ? undefined : scopes;
}

/** Whether a token with those of this kind may ask: what an organization's scope opens, its team's twin would. */
export function opens(required: readonly string[], kind: ScopeKind): boolean {
  return (
    kind === 'its own scopes' ||
    (kind === 'those of the level above' && required.every((scope) => scope.startsWith('TEAM_')))
  );
}

function above(scope: string): string {
  if (scope.startsWith('ORG_')) return scope;
  return scope.startsWith('TEAM_') ? `ORG_${scope.slice(5)}` : `TEAM_${scope}`;
}
