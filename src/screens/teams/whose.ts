import type { Context } from 'hono';
import { publicId } from '../../core/id.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { type Owner, own, ownOfGroup } from '../../modules/levels/reach.ts';
import type { Group } from '../../modules/organizations/group.ts';
import { signedIn } from '../account/signed-in.ts';
import type { Setting } from '../kit/paths.ts';
import { TEAMS_PATH } from './group-kinds.ts';
import { administersPlace, answerNone, findPlace, inGroup, type Place, type TeamsSettings } from './place.ts';

/** The owner of the things on a page: the reader, or a team or an organization that they administer. */
export interface Whose {
  readonly session: FoundSession;
  /** The owner as whom commands act. */
  readonly owner: Owner;
  /** Undefined for the reader's own. */
  readonly place: Place | undefined;
  /** The path of the first of these pages. */
  readonly path: string;
}

/** Which of the reader's settings such a page belongs to. */
export function settingOf({ place }: Pick<Whose, 'place'>, ofOwn: Setting): Setting {
  return place ? 'teams' : ofOwn;
}

type Handle = (c: Context, whose: Whose) => Response | Promise<Response>;

/** The pages of one kind of thing, by whose they are. */
export interface LevelOfPages {
  /** The path of a route. */
  readonly path: string;
  /** Makes a handler for users who may see and change them; others are told that there is nothing. */
  readonly of: (handle: Handle) => (c: Context) => Promise<Response>;
}

/** `/settings/<name>` for the reader's own, and `/settings/teams/:id/<name>` for groups of these kinds. The command decides once more. */
export function levelsOfPages(
  settings: Pick<TeamsSettings, 'em' | 'visitors'>,
  name: string,
  kinds: readonly Group['kind'][],
): readonly LevelOfPages[] {
  const path = `/settings/${name}`;
  return [
    {
      path,
      of: (handle) => signedIn(settings.visitors, (c, session) => handle(c, ownWhose(session, name))),
    },
    {
      path: `${TEAMS_PATH}/:id/${name}`,
      of: (handle) =>
        inGroup(settings, (c, place) => {
          const whose = kinds.includes(place.kind.group.kind) ? whoseOf(place, name) : undefined;
          return whose ? handle(c, whose) : answerNone(c);
        }),
    },
  ];
}

function ownWhose(session: FoundSession, name: string): Whose {
  return { session, owner: own(session.userId), place: undefined, path: `/settings/${name}` };
}

function whoseOf(place: Place, name: string): Whose | undefined {
  const { kind, groupId, actorId, session } = place;
  if (!administersPlace(place)) return undefined;
  const owner = ownOfGroup({ group: kind.group, groupId, actorId });
  return { session, owner, place, path: `${place.path}/${name}` };
}

/**
 * Finds the owner of a thing by the thing's id, and as whom the reader sees and changes it; `kind`: which group it is,
 * unless it is the reader.
 */
export async function findWhose(
  em: Em,
  session: FoundSession,
  name: string,
  { ownerId, kind }: { readonly ownerId: string; readonly kind: Group['kind'] },
): Promise<Whose | undefined> {
  if (ownerId === session.userId) return ownWhose(session, name);
  const place = await findPlace(em, publicId(kind, ownerId), session);
  return place && whoseOf(place, name);
}
