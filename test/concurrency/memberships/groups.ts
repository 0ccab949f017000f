import { newId, publicId } from '../../../src/core/id.ts';
import { randomBase62, sha256Hex } from '../../../src/core/secret.ts';
import { type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { acceptByLink } from '../../../src/modules/memberships/answer-invitation.ts';
import { uuidOf } from '../../support/ids.ts';
import { outcomeOf } from '../../support/outcome.ts';
import type { Answer, Call } from '../scheduling/at-the-same-moment.ts';
import type { Person, Scene } from '../scheduling/scene.ts';

export const MANY = 50;
export const codes = (answers: readonly Answer[]) => new Set(answers.map(({ code }) => code));

type Kind = 'team' | 'organization';

/** A team or an organization, and who owns it. */
export interface Group {
  readonly kind: Kind;
  readonly id: string;
  readonly owner: Person;
}

export interface Team extends Group {
  readonly teamId: string;
}

interface OrganizationWithTeam {
  readonly organization: Group;
  readonly owner: Person;
  readonly teamId: string;
  readonly member: Person;
  /** The id of the member's membership in the organization. */
  readonly outer: string;
}

/** Groups, who belongs to them and who is invited. */
export class Groups {
  readonly scene: Scene;
  /** The people who follow links: the n-th in turn. */
  readonly people: readonly Person[];
  #count = 0;

  static async open(scene: Scene): Promise<Groups> {
    return new Groups(scene, await scene.people(MANY));
  }

  private constructor(scene: Scene, people: readonly Person[]) {
    this.scene = scene;
    this.people = people;
  }

  em(): Em {
    return this.scene.em.fork();
  }

  async newGroup(kind: Kind, slug = `crew-${(this.#count += 1)}`): Promise<Group> {
    const owner = await this.scene.person();
    const idName = `${kind}Id`;
    const made = await this.scene.do(`${kind}Create`, { slug, name: 'Crew' }, idName, owner);
    return { kind, id: made[idName], owner };
  }

  /** An organization with a team in it, and somebody who belongs to the organization alone. */
  async newOrganization(): Promise<OrganizationWithTeam> {
    const organization = await this.newGroup('organization');
    const { id: organizationId, owner } = organization;
    const inIt = { organizationId, slug: 'choir', name: 'Choir' };
    const { teamId } = await this.scene.do('organizationTeamCreate', inIt, 'teamId', owner);
    const member = await this.scene.person();
    return { organization, owner, teamId, member, outer: await this.join(organization, member) };
  }

  async newTeam(): Promise<Team> {
    const team = await this.newGroup('team');
    return { ...team, teamId: team.id };
  }

  /** A mutation about the group, by its owner unless somebody else is said. */
  inGroup({ kind, id, owner }: Group, name: string, input: object, who = owner): Call {
    return (n) => this.scene.change(n, `${kind}${name}`, { [`${kind}Id`]: id, ...input }, '', who);
  }

  /** Makes somebody a member, and answers the id of their membership. */
  async join(group: Group, { id }: Person, role = 'MEMBER', accepted = true): Promise<string> {
    const membershipId = newId();
    await rows(
      this.em(),
      sql`insert into ${tableOf(group)} (id, ${columnOf(group)}, user_id, role, accepted, invited_by_id, created_at)
          values (${membershipId}, ${uuidOf(group.id)}, ${uuidOf(id)}, ${role}, ${accepted},
            ${accepted ? null : uuidOf(group.owner.id)}, now())`,
    );
    return publicId('membership', membershipId);
  }

  /** An invitation as it was mailed, by the owner. */
  async invited(group: Group, email = `${newId()}@mail.test`, expires = '1 day') {
    const [id, token] = [newId(), randomBase62(43)];
    await rows(
      this.em(),
      sql`insert into invitations (id, ${columnOf(group)}, email, role, token_hash, invited_by_id, created_at, updated_at, expires_at)
          values (${id}, ${uuidOf(group.id)}, ${email}, 'MEMBER', ${sha256Hex(token)}, ${uuidOf(group.owner.id)}, now(), now(),
            now() + ${expires}::interval)`,
    );
    return { invitationId: publicId('invitation', id), token };
  }

  /** The n-th of the people follows the link. */
  follow(token: string): Call {
    return (n) => this.followAs(this.people[n % MANY], token)(n);
  }

  followAs(who: Person | undefined, token: string): Call {
    const userId = uuidOf(who?.id ?? '');
    return async () => ({
      code: await outcomeOf(
        acceptByLink(
          this.em(),
          { token, userId },
          async () => undefined,
          async () => undefined,
        ),
      ),
      payload: undefined,
    });
  }

  async stateOf(group: Group) {
    const ofGroup = sql`${columnOf(group)} = ${uuidOf(group.id)}`;
    const found = await row(
      this.em(),
      sql<{ members: number; owners: number; invitations: number }>`
        select (select count(*)::int from ${tableOf(group)} where ${ofGroup} and role <> 'OWNER') as members,
          (select count(*)::int from ${tableOf(group)} where ${ofGroup} and role = 'OWNER') as owners,
          (select count(*)::int from invitations where ${ofGroup}) as invitations`,
    );
    if (!found) throw new Error('Nothing was counted.');
    return found;
  }
}

/** SQL: where the group's members are, and the column that names it there and among invitations. */
const tableOf = ({ kind }: Group) => sql.table(`${kind}_memberships`);
const columnOf = ({ kind }: Group) => sql.ref(`${kind}_id`);
