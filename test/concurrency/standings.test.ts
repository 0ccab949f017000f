import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type Person, type Place, type World } from '../api/standings/world.ts';
import { isOnPostgres } from '../support/database.ts';
import { OPERATIONS } from '../world/every-fixture.ts';

const MANY = 50;
const TEAM = 'team of an organization';
const MEMBER: Place = { organization: 'MEMBER', team: 'MEMBER', state: 'ACCEPTED' };
const PROMOTED = [
  'change a schedule of theirs',
  'change an out-of-office of theirs',
  'change what is said of them as host',
];

describe.runIf(isOnPostgres)(
  'while somebody is promoted in the organization, fifty administrators of their team',
  () => {
    let world: World;
    let actors: Person[];
    beforeAll(async () => {
      world = await openWorld();
      const administrator: Place = { organization: 'MEMBER', team: 'ADMIN', state: 'ACCEPTED' };
      actors = await Promise.all(Array.from({ length: MANY }, () => world.newPerson(TEAM, administrator)));
    });
    afterAll(() => world.close());

    async function promote(target: Person, role: string): Promise<void> {
      const { organizationId } = world;
      const list = 'query($id: ID!) { organization(id: $id) { memberships(last: 100) { nodes { id userId } } } }';
      const { data } = await world.owner.ask(list, { id: organizationId });
      const nodes: { id: string; userId: string }[] = data.organization.memberships.nodes;
      const membershipId = nodes.find(({ userId }) => userId === target.userId)?.id;
      const { mistakes } = await world.owner.change('organizationMembershipUpdate', {
        organizationId,
        membershipId,
        role,
      });
      expect(mistakes).toEqual([]);
    }

    test.each([...PROMOTED, 'change what they have of a managed event type'])(
      'may %s until then, and not once it is done',
      async (name) => {
        const operation = OPERATIONS[TEAM].find((one) => one.name === name);
        if (!operation) throw new Error(`There is no operation ${name}.`);
        const target = await world.newPerson(TEAM, MEMBER);
        const attempt = await operation.prepare(world, TEAM, target);
        let isPromoted = false;
        const outcomes: { began: 'before' | 'after'; mistake: string }[] = [];
        const insist = async (actor: Person): Promise<void> => {
          for (let after = 0; after < 2; ) {
            const began = isPromoted ? 'after' : 'before';
            const [mistake = 'done'] = await attempt(actor);
            outcomes.push({ began, mistake: mistake.split(' ')[0] ?? '' });
            if (began === 'after') after += 1;
          }
        };
        const insisting = actors.map(insist);
        await promote(target, 'ADMIN');
        isPromoted = true;
        await Promise.all(insisting);
        const seen = (when: string) =>
          new Set(outcomes.filter(({ began }) => began === when).map(({ mistake }) => mistake));
        expect(seen('after')).toEqual(new Set(['FORBIDDEN']));
        expect(seen('before')).toContain('done');
        expect(seen('before')).not.toContain('NOT_FOUND');
      },
    );

    test('none of them adds that member uninvited, whichever request comes first', async () => {
      const target = await world.newPerson(TEAM, { organization: 'MEMBER', team: null, state: 'ACCEPTED' });
      const add = { teamId: world.teamOf(TEAM), userId: target.userId, role: 'MEMBER' };
      const [answers] = await Promise.all([
        Promise.all(actors.map((actor) => actor.change('teamMembershipCreate', add))),
        promote(target, 'OWNER'),
      ]);
      expect(answers.map(({ mistakes }) => mistakes[0] ?? 'done').toSorted()).toEqual([
        ...Array.from({ length: MANY - 1 }, () => 'ALREADY_MEMBER userId'),
        'done',
      ]);
      expect(
        (await target.ask('{ me { teams { nodes { id } } teamInvitations { nodes { groupId } } } }')).data.me,
      ).toEqual({
        teams: { nodes: [] },
        teamInvitations: { nodes: [{ groupId: world.teamOf(TEAM) }] },
      });
    });

    test('end an invitation or see it accepted, and never both', async () => {
      for (let round = 0; round < 10; round += 1) {
        const target = await world.newPerson(TEAM, { ...MEMBER, state: 'INVITED' });
        const membership = { teamId: world.teamOf(TEAM), membershipId: target.membershipId };
        const [accepted, ...withdrawn] = await Promise.all([
          target.change('teamMembershipUpdate', { ...membership, isAccepted: true }),
          ...actors.slice(0, 5).map((actor) => actor.change('teamMembershipDelete', membership)),
        ]);
        const { data } = await target.ask('{ me { teams { nodes { id } } } }');
        // A person who has accepted may be removed at once: as a member, by an administrator.
        expect(data.me.teams.nodes).toEqual([]);
        expect(withdrawn.filter(({ mistakes }) => mistakes.length === 0)).toHaveLength(1);
        expect([[], ['NOT_FOUND membershipId'], ['NOT_FOUND teamId']]).toContainEqual(accepted.mistakes);
      }
    });
  },
);
