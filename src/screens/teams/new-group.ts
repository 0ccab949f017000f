import { idOf, publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { once, SAME_TEXT } from '../../limits/at-most-once.ts';
import type { Group } from '../../modules/organizations/group.ts';
import { createTeam } from '../../modules/teams/team.commands.ts';
import { requestIn, slugFrom } from '../kit/request.ts';
import { groupPath, KINDS } from './group-kinds.ts';

/** A new team or organization as it was typed. */
export interface TypedGroup {
  /** `team`, `organization`, or the id of the organization that the team is to be in. */
  readonly what: string;
  readonly name: string;
  readonly slug: string;
}

export function nothingTyped(what: string): TypedGroup {
  return { what, name: '', slug: '' };
}

export function typedGroup(form: URLSearchParams): TypedGroup {
  const textOf = (name: string): string => form.get(name) ?? '';
  return { what: textOf('what'), name: textOf('name'), slug: textOf('slug') };
}

/** Makes what a form says, once however often it is sent. @returns its page @throws Problem */
export async function createOnce(
  em: Em,
  sent: { readonly userId: string; readonly form: URLSearchParams },
  typed: TypedGroup,
): Promise<string> {
  const { what, name, slug } = typed;
  const { kind, create } = creationOf(what);
  const input = { name, slug: slugFrom(slug, name) };
  const make = async (inner: Em) => groupPath({ kind }, await create(inner, sent.userId, input));
  return once(em, requestIn(sent, ['page', 'create group'], typed), make, SAME_TEXT);
}

interface Creation {
  readonly kind: Group['kind'];
  readonly create: (
    em: Em,
    founderId: string,
    input: { readonly name: string; readonly slug: string },
  ) => Promise<string>;
}

function creationOf(what: string): Creation {
  if (what === 'team' || what === 'organization') return { kind: what, create: KINDS[what].create };
  const organizationId = idOf('organization', what);
  if (organizationId === undefined) throw new Problem('BAD_INPUT', 'Choose what to create from the list.', ['what']);
  return { kind: 'team', create: (em, founderId, input) => createTeam(em, founderId, input, organizationId) };
}

/** As `what` names a team of an organization. */
export function teamIn(organizationId: string): string {
  return publicId('organization', organizationId);
}
