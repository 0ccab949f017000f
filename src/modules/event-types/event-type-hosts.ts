import type { PatchOf } from '../../core/fields.ts';
import { idOf, type OwnedId, publicId } from '../../core/id.ts';
import { type Page, type PageRequest } from '../../core/page.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { type Path, shown } from '../../core/text.ts';
import { selectColumns } from '../../database/columns.ts';
import { byKey, pageOf } from '../../database/pages.ts';
import { anyOf, type Em, row, rows, sql, unnested } from '../../database/sql.ts';
import { deleteFrom, selectFrom } from '../../database/statements.ts';
import { SHOWN_USER, type ShownUser } from '../accounts/user.queries.ts';
import type { Owner } from '../levels/reach.ts';
import { manages, standsAbove } from '../organizations/group.ts';
import { TeamMembership } from '../teams/team.entity.ts';
import { TEAM } from '../teams/team-role.ts';
import { EventTypeHost as EventTypeHostEntity, EventTypeHost as HostEntity } from './event-type.entity.ts';
import { reachOf } from './event-type.queries.ts';
import { type EventTypeHost, HOST_DEFAULTS, hostMistakes, MAX_HOSTS } from './event-type-host.rules.ts';

/** A member to book the event type with, or what is to change of one; an input names them by the public id. */
export type HostPatch = Pick<EventTypeHost, 'userId'> & PatchOf<Omit<EventTypeHost, 'userId'>>;

/** Changes to the hosts of a team's event type, by user. Hosts whom no change names stay as they are. */
export interface HostsPatch {
  readonly hostsSet?: readonly HostPatch[] | null | undefined;
  /** Removed before anybody is set. */
  readonly hostsRemove?: readonly string[] | null | undefined;
}

/** The event type whose hosts they are. */
interface Target {
  readonly owner: Owner;
  readonly eventTypeId: string;
}

/** A host as the administrators of the team see them. */
export interface HostRow extends EventTypeHost {
  readonly user: ShownUser;
}

/** A member of the team that owns an event type. */
export interface HostCandidate {
  readonly userId: string;
  readonly name: string;
  readonly username: string;
  /** Their part as a named host of it; null for those who are none. */
  readonly host: Omit<EventTypeHost, 'userId'> | null;
  /** Whether the reader may decide about them, as `changeHosts` does. */
  readonly isManaged: boolean;
}

/**
 * Carries out changes to the hosts, in the transaction in which the event type's row is locked; `path` is where those to
 * set stand. @throws Problem with every mistake at once, NOT_FOUND for users who are no members of the team, FORBIDDEN for those
 * who stand above the caller
 */
export async function changeHosts(em: Em, target: Target, patch: HostsPatch, path: Path = ['hostsSet']): Promise<void> {
  const { hostsSet, hostsRemove } = patch;
  if (!hostsSet?.length && !hostsRemove?.length) return;
  const { owner, eventTypeId } = target;
  const { set, removed } = checkedPatch(patch, path);
  const ofThis = { ownerId: owner.ownerId, eventTypeId };
  const stored: readonly EventTypeHost[] = await rows(
    em,
    selectFrom(HostEntity, ofThis).select(['userId', 'isMandatory', 'priority', 'weight']),
  );
  Problem.throwIfAny(
    removed.flatMap((userId, index) =>
      hostOf(stored, userId) ? [] : [noHost(['hostsRemove', String(index)], publicId('user', userId))],
    ),
  );
  const kept = stored.filter(({ userId }) => !removed.includes(userId));
  const hosts = set.map((host) => withDefaults(host, hostOf(kept, host.userId)));
  const others = kept.filter(({ userId }) => !hostOf(hosts, userId));
  Problem.throwIfAny(hostMistakes(path, [...hosts, ...others]));

  const gone = await rows(
    em,
    deleteFrom(HostEntity, ofThis)
      .where('userId', '=', anyOf(removed))
      .where(reachOf(owner)(sql`item.user_id`))
      .returning('userId'),
  );
  Problem.throwIfAny(
    removed.flatMap((userId, index) => (hostOf(gone, userId) ? [] : [above(['hostsRemove', String(index)])])),
  );
  const done = await saveHosts(em, target, hosts);
  const left = hosts.filter(({ userId }) => !done.has(userId));
  const members = left.length === 0 ? new Set() : await membersAmong(em, owner.ownerId, left);
  Problem.throwIfAny(
    hosts.flatMap(({ userId }, index) => {
      const at: Path = [...path, String(index), 'userId'];
      if (done.has(userId)) return [];
      return [members.has(userId) ? above(at) : noMember(at, publicId('user', userId))];
    }),
  );
}

const HOST = selectColumns(HostEntity, ['eventTypeId', 'userId', 'isMandatory', 'priority', 'weight'], 'h');

/** The users who are named as hosts of each event type. */
export async function findHosts(em: Em, eventTypes: readonly OwnedId[]): Promise<Map<string, readonly HostRow[]>> {
  const found = await rows(
    em,
    sql<HostRow & { readonly eventTypeId: string }>`
      select ${HOST}, ${SHOWN_USER} from ${unnested(eventTypes)} as e(owner_id, id)
      join event_type_hosts h on h.owner_id = e.owner_id and h.event_type_id = e.id
      join users u on u.id = h.user_id
      order by h.user_id`,
  );
  return Map.groupBy(found, ({ eventTypeId }) => eventTypeId);
}

/**
 * Finds a page of the team's members, who can all host an event type, in the order of their accounts. Whether the reader
 * administers the team was decided before.
 */
export async function findHostCandidates(
  em: Em,
  readerId: string,
  { ownerId, id }: OwnedId,
  request: PageRequest,
): Promise<Page<HostCandidate>> {
  const { within, orderAndLimit } = byKey(sql`m.user_id`, request);
  const isManaged = manages({ group: TEAM, groupId: sql`m.team_id`, actorId: readerId }, sql`m.user_id`);
  return pageOf(
    em,
    request,
    sql<HostCandidate>`
      select u.id as "userId", u.name, u.username, ${isManaged} as "isManaged", case when h.user_id is not null
        then json_build_object('isMandatory', h.is_mandatory, 'priority', h.priority, 'weight', h.weight) end as host
      from (
        select m.* from team_memberships m where m.team_id = ${ownerId} and m.accepted and ${within} ${orderAndLimit}
      ) m
      join users u on u.id = m.user_id
      left join event_type_hosts h on h.owner_id = m.team_id and h.event_type_id = ${id} and h.user_id = m.user_id
      order by m.user_id`,
  );
}

/** Whether anybody takes part in a team's event type. */
export async function isHosted(
  em: Em,
  { ownerId, id, assignsAllMembers }: OwnedId & { readonly assignsAllMembers: boolean },
): Promise<boolean> {
  if (assignsAllMembers) return true;
  return (
    (await row(em, selectFrom(EventTypeHostEntity, { ownerId, eventTypeId: id }).select('userId').limit(1))) !==
    undefined
  );
}

/**
 * Checks the part of a patch that needs nothing stored, and reads the UUIDs of its users.
 * @throws Problem with every mistake at once
 */
function checkedPatch({ hostsSet, hostsRemove }: HostsPatch, path: Path) {
  const [given, leaving] = [hostsSet ?? [], hostsRemove ?? []];
  Problem.throwIfAny([
    ...hostMistakes(
      path,
      given.map((host) => withDefaults(host)),
    ),
    ...tooManyRemoved(leaving),
  ]);
  const removed = usersNamed(leaving, (named, index) => noHost(['hostsRemove', String(index)], named));
  const users = usersNamed(
    given.map(({ userId }) => userId),
    (named, index) => noMember([...path, String(index), 'userId'], named),
  );
  return { removed, set: given.map((host, index) => ({ ...host, userId: users[index] ?? '' })) };
}

function withDefaults(
  { userId, isMandatory, priority, weight }: HostPatch,
  stored: Omit<EventTypeHost, 'userId'> = HOST_DEFAULTS,
): EventTypeHost {
  return {
    userId,
    isMandatory: isMandatory ?? stored.isMandatory,
    priority: priority ?? stored.priority,
    weight: weight ?? stored.weight,
  };
}

function tooManyRemoved({ length }: readonly string[]): Mistake[] {
  if (length <= MAX_HOSTS) return [];
  return [
    {
      code: 'TOO_MANY',
      message: `There are ${length} hosts to remove; at most ${MAX_HOSTS} are possible.`,
      path: ['hostsRemove'],
    },
  ];
}

/** The UUIDs behind public ids. @throws Problem with a mistake for each that cannot be a user's id */
function usersNamed(named: readonly string[], mistakeOf: (named: string, index: number) => Mistake): readonly string[] {
  const ids = named.map((one) => idOf('user', one));
  Problem.throwIfAny(named.flatMap((one, index) => (ids[index] === undefined ? [mistakeOf(one, index)] : [])));
  return ids.filter((id) => id !== undefined);
}

function noHost(path: Path, named: string): Mistake {
  return { code: 'NOT_FOUND', message: `${shown(named)} is no host of this event type; leave them out.`, path };
}

function noMember(path: Path, named: string): Mistake {
  return { code: 'NOT_FOUND', message: `${shown(named)} is no member of the team; add them to it first.`, path };
}

function hostOf<Host extends { readonly userId: string }>(hosts: readonly Host[], id: string): Host | undefined {
  return hosts.find(({ userId }) => userId === id);
}

function above(path: Path): Mistake {
  return standsAbove({ kind: 'team' }, path).mistakes[0];
}

/** Only members of the team within reach can be saved, and not who is leaving it at this moment; answers who was. */
async function saveHosts(
  em: Em,
  { owner, eventTypeId }: Target,
  hosts: readonly EventTypeHost[],
): Promise<ReadonlySet<string>> {
  const saved = await rows(
    em,
    sql<{ userId: string }>`
      insert into event_type_hosts as h (owner_id, event_type_id, user_id, membership_id, is_mandatory, priority, weight)
      select m.team_id, ${eventTypeId}, m.user_id, m.id, host.is_mandatory, host.priority, host.weight
      from unnest(${hosts.map(({ userId }) => userId)}::uuid[], ${hosts.map(({ isMandatory }) => isMandatory)}::boolean[],
                  ${hosts.map(({ priority }) => priority)}::int[], ${hosts.map(({ weight }) => weight)}::int[])
        as host(user_id, is_mandatory, priority, weight)
      join team_memberships m on m.team_id = ${owner.ownerId} and m.user_id = host.user_id and m.accepted
        and ${reachOf(owner)(sql`m.user_id`)}
      for key share of m
      on conflict (owner_id, event_type_id, user_id) do update
        set is_mandatory = excluded.is_mandatory, priority = excluded.priority, weight = excluded.weight,
          turns_since = case when (h.is_mandatory, h.priority, h.weight) = (excluded.is_mandatory, excluded.priority, excluded.weight)
            then h.turns_since else now() end
      returning ${selectColumns(HostEntity, ['userId'], 'h')}`,
  );
  return new Set(saved.map(({ userId }) => userId));
}

async function membersAmong(em: Em, teamId: string, hosts: readonly EventTypeHost[]): Promise<ReadonlySet<string>> {
  const ids = hosts.map(({ userId }) => userId);
  const found = await rows(
    em,
    selectFrom(TeamMembership, { teamId, accepted: true }).where('userId', '=', anyOf(ids)).select('userId'),
  );
  return new Set(found.map(({ userId }) => userId));
}
