import { publicId } from '../../core/id.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import { type Owner, own, ownOfGroup } from '../../modules/levels/reach.ts';
import type { Group } from '../../modules/organizations/group.ts';
import type { Visit } from '../kit/page.ts';
import type { Setting } from '../kit/paths.ts';
import { TEAMS_PATH } from './group-kinds.ts';
import { administersPlace, findPlace, type Place, placeOf } from './place.ts';

/** The level of a page: it shows what is the reader's own, or what belongs to a team or an organization that they administer. */
export interface PageLevel {
  readonly session: FoundSession;
  /** The owner as whom commands act. */
  readonly owner: Owner;
  /** Undefined for the reader's own. */
  readonly place: Place | undefined;
  /** The path of the first of these pages. */
  readonly path: string;
}

/** Which of the reader's settings such a page belongs to. */
export function settingOf({ place }: Pick<PageLevel, 'place'>, ofOwn: Setting): Setting {
  return place ? 'teams' : ofOwn;
}

/** `/settings/<name>` for the reader's own, and `/settings/teams/:id/<name>` for groups. */
export function pathsOfLevels(name: string): readonly [string, string] {
  return [`/settings/${name}`, `${TEAMS_PATH}/:id/${name}`];
}

/** Finds the level that a path of `pathsOfLevels` names, for users who may see and change what is there. The command decides once more. */
export async function levelOf(
  visit: Visit,
  name: string,
  kinds: readonly Group['kind'][],
): Promise<PageLevel | undefined> {
  const { session, c } = visit;
  if (c.req.param('id') === undefined) return ownLevel(session, name);
  const place = await placeOf(visit);
  return place && kinds.includes(place.kind.group.kind) ? groupLevel(place, name) : undefined;
}

function ownLevel(session: FoundSession, name: string): PageLevel {
  return { session, owner: own(session.userId), place: undefined, path: `/settings/${name}` };
}

function groupLevel(place: Place, name: string): PageLevel | undefined {
  const { kind, groupId, actorId, session } = place;
  if (!administersPlace(place)) return undefined;
  const owner = ownOfGroup({ group: kind.group, groupId, actorId });
  return { session, owner, place, path: `${place.path}/${name}` };
}

/**
 * Finds the level of a thing by its owner's id: the reader's own, or that of a group which they administer. `kind` says which
 * group it is, unless it is the reader.
 */
export async function findPageLevel(
  em: Em,
  session: FoundSession,
  name: string,
  { ownerId, kind }: { readonly ownerId: string; readonly kind: Group['kind'] },
): Promise<PageLevel | undefined> {
  if (ownerId === session.userId) return ownLevel(session, name);
  const place = await findPlace(em, publicId(kind, ownerId), session);
  return place && groupLevel(place, name);
}
