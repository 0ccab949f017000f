/** Teams have profiles, inherit parts of them from their organization, and show parts of them in public. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findEventTypeRules } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { findBrand } from '../../src/modules/teams/team.queries.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { ownedUuidOf, uuidOf } from '../support/ids.ts';

const LOGO = 'https://pictures.example/org.png';
/** The values that an organization passes on. */
const OF_ORGANIZATION = {
  logoUrl: LOGO,
  brandColor: '#1a7f37',
  timeZone: 'Asia/Tokyo',
  weekStart: 'SUNDAY',
  hidesBranding: true,
};
const OWN = {
  logoUrl: 'https://pictures.example/team.png',
  brandColor: '#aa0000',
  timeZone: 'Europe/Rome',
  weekStart: 'FRIDAY',
  hidesBranding: false,
};
const OF_SERVICE = { logoUrl: null, brandColor: null, timeZone: 'UTC', weekStart: 'MONDAY', hidesBranding: false };
const NAMES = ['LOGO_URL', 'BRAND_COLOR', 'TIME_ZONE', 'WEEK_START', 'HIDES_BRANDING'];
const FIELDS = Object.keys(OWN).join(' ');
const TEAM = `team { ${FIELDS} inherited }`;

let api: TestApi;
let owner: TestCaller;
let founder: TestCaller;
let organizationId: string;

beforeAll(async () => {
  api = await openTestApi();
  owner = await api.newUser('owner');
  founder = api.signedIn('owner');
  const created = await founder.change(
    'organizationCreate',
    { slug: 'roof', name: 'Roof', ...OF_ORGANIZATION },
    'organizationId',
  );
  organizationId = created.data.organizationId;
});
afterAll(() => api.close());

let count = 0;
async function teamUnderRoof(fields: object = {}): Promise<string> {
  count += 1;
  const input = { organizationId, slug: `team-${count}`, name: 'Team', ...fields };
  const { data, mistakes } = await owner.change('organizationTeamCreate', input, 'teamId');
  expect(mistakes).toEqual([]);
  return data.teamId;
}

async function teamAlone(fields: object = {}): Promise<string> {
  count += 1;
  const { data, mistakes } = await owner.change(
    'teamCreate',
    { slug: `team-${count}`, name: 'T', ...fields },
    'teamId',
  );
  expect(mistakes).toEqual([]);
  return data.teamId;
}

function offer(teamId: string, input: object = {}) {
  count += 1;
  const fresh = { teamId, slug: `offer-${count}`, title: 'Offer', durationInMinutes: 30 };
  return owner.change('teamEventTypeCreate', { ...fresh, ...input }, 'eventTypeId');
}

async function rulesOf(teamId: string) {
  const { data } = await offer(teamId);
  const found = await findEventTypeRules(api.database.em.fork(), ownedUuidOf(data.eventTypeId));
  return [found?.rules.timeZone, found?.rules.weekStart];
}

const profileOf = async (id: string) =>
  (await owner.ask(`query($id: ID!) { team(id: $id) { ${FIELDS} inherited } }`, { id })).data.team;

test('an organization shows what it says', async () => {
  const shown = `query($id: ID!) { organization(id: $id) { ${FIELDS} } }`;
  expect((await owner.ask(shown, { id: organizationId })).data.organization).toEqual(OF_ORGANIZATION);
});

describe('a team of an organization', () => {
  test('has what its organization has, until it says otherwise', async () => {
    expect(await profileOf(await teamUnderRoof())).toEqual({ ...OF_ORGANIZATION, inherited: NAMES });
    expect(await profileOf(await teamUnderRoof(OWN))).toEqual({ ...OWN, inherited: [] });
  });

  test.each(Object.keys(OWN) as (keyof typeof OWN)[])(
    'has its own %s, and inherits it again on request',
    async (name) => {
      const teamId = await teamUnderRoof();
      const own = await owner.change('teamUpdate', { teamId, [name]: OWN[name] }, TEAM);
      const index = Object.keys(OWN).indexOf(name);
      expect(own.data.team).toEqual({ ...OF_ORGANIZATION, [name]: OWN[name], inherited: NAMES.toSpliced(index, 1) });
      const target = { organizationId, teamId };
      const again = await owner.change('organizationTeamUpdate', { ...target, inherit: [NAMES[index]] }, TEAM);
      expect(again.mistakes).toEqual([]);
      expect(again.data.team).toEqual({ ...OF_ORGANIZATION, inherited: NAMES });
    },
  );

  test.each(['teamUpdate', 'organizationTeamUpdate'])(
    'has no logo and no colour where it says so, by %s',
    async (name) => {
      const teamId = await teamUnderRoof({ slug: `none-${name.toLowerCase()}` });
      const target = name === 'teamUpdate' ? { teamId } : { organizationId, teamId };
      const none = await owner.change(name, { ...target, logoUrl: null, brandColor: null }, TEAM);
      const shown = { ...OF_ORGANIZATION, logoUrl: null, brandColor: null, inherited: NAMES.slice(2) };
      expect([none.mistakes, none.data.team]).toEqual([[], shown]);
      expect(
        (await owner.askByPlan('{ me { teams(last: 1) { nodes { logoUrl brandColor inherited } } } }')).data.me.teams
          .nodes,
      ).toEqual([{ logoUrl: null, brandColor: null, inherited: NAMES.slice(2) }]);
      await offer(teamId);
      const place = `team: "none-${name.toLowerCase()}", organization: "roof"`;
      const { data } = await api.nobody.ask(`{ publicTeam(${place}) { logoUrl brandColor hidesBranding } }`);
      expect(data.publicTeam).toEqual({ logoUrl: null, brandColor: null, hidesBranding: true });
      expect(await findBrand(api.database.em.fork(), uuidOf(teamId))).toEqual(data.publicTeam);
      const again = await owner.change(name, { ...target, inherit: ['LOGO_URL', 'BRAND_COLOR'] }, TEAM);
      expect(again.data.team).toEqual({ ...OF_ORGANIZATION, inherited: NAMES });
    },
  );

  test('shows what its organization changes at once, and nothing of it where it has its own', async () => {
    const [heir, independent] = [await teamUnderRoof(), await teamUnderRoof(OWN)];
    const other = { ...OF_ORGANIZATION, brandColor: '#123456', timeZone: 'Europe/Paris', logoUrl: null };
    await founder.change('organizationUpdate', { organizationId, ...other });
    expect(await profileOf(heir)).toEqual({ ...other, inherited: NAMES });
    expect(await profileOf(independent)).toEqual({ ...OWN, inherited: [] });
    await founder.change('organizationUpdate', { organizationId, ...OF_ORGANIZATION });
    expect(await profileOf(heir)).toEqual({ ...OF_ORGANIZATION, inherited: NAMES });
  });

  test('is booked in the time zone and the weeks that hold for it', async () => {
    expect(await rulesOf(await teamUnderRoof())).toEqual(['Asia/Tokyo', 'SUNDAY']);
    expect(await rulesOf(await teamUnderRoof(OWN))).toEqual(['Europe/Rome', 'FRIDAY']);
    expect(await rulesOf(await teamAlone({ timeZone: 'Asia/Tokyo' }))).toEqual(['Asia/Tokyo', 'MONDAY']);
  });

  test('takes no more statements with what it inherits than without, in lists and by a plan', async () => {
    const without = `{ me { teams(first: 50) { nodes { name } } organizations { nodes { teams { nodes { name } } } } } }`;
    const list = without.replaceAll('name', `name ${FIELDS} inherited`);
    const [plain, inheriting] = [await owner.ask(without), await owner.ask(list)];
    expect(inheriting.statements).toBe(plain.statements);
    const { organizations, teams } = inheriting.data.me;
    expect(organizations.nodes[0].teams.nodes).toContainEqual({ name: 'Team', ...OF_ORGANIZATION, inherited: NAMES });
    expect(teams.nodes.length).toBeGreaterThan(3);
    expect((await owner.askByPlan(list)).data).toEqual(inheriting.data);
  });
});

describe('a stand-alone team', () => {
  test('begins with its founder’s zone and week, and has the service’s in their place on request', async () => {
    await owner.change('profileUpdate', { timeZone: 'Europe/Lisbon', weekStart: 'SATURDAY' });
    const teamId = await teamAlone();
    const founders = { timeZone: 'Europe/Lisbon', weekStart: 'SATURDAY' };
    const inherited = ['LOGO_URL', 'BRAND_COLOR', 'HIDES_BRANDING'];
    expect(await profileOf(teamId)).toEqual({ ...OF_SERVICE, ...founders, inherited });
    const emptied = await owner.change('teamUpdate', { teamId, inherit: ['TIME_ZONE', 'WEEK_START'] }, TEAM);
    expect(emptied.data.team).toEqual({ ...OF_SERVICE, inherited: NAMES });
    const own = await owner.change('teamUpdate', { teamId, ...OWN }, TEAM);
    expect(own.data.team).toEqual({ ...OWN, inherited: [] });
  });
});

describe('a colour', () => {
  test.each(['red', '#12345', '#1234567', '#12345g', '1a7f37', ' ', '#fff', 'url(x)', '#1a7f37;'])(
    'is #rrggbb, and not %j',
    async (brandColor) => {
      const teamId = await teamUnderRoof({ brandColor: '#1A7F37' });
      expect((await profileOf(teamId)).brandColor).toBe('#1a7f37');
      const wrong = ['INVALID_COLOR brandColor'];
      const target = { organizationId, teamId };
      expect((await owner.change('teamUpdate', { teamId, brandColor })).mistakes).toEqual(wrong);
      expect((await owner.change('organizationTeamUpdate', { ...target, brandColor })).mistakes).toEqual(wrong);
      expect((await founder.change('organizationUpdate', { organizationId, brandColor })).mistakes).toEqual(wrong);
    },
  );
});

test.each([
  ['logoUrl', 'REQUIRED logoUrl'],
  ['brandColor', 'INVALID_COLOR brandColor'],
])('no group has no %s with an empty text', async (name, mistake) => {
  const teamId = await teamUnderRoof();
  const empty = { organizationId, [name]: '' };
  const refused = [
    await founder.change('organizationUpdate', empty),
    await owner.change('organizationTeamUpdate', { teamId, ...empty }),
    await owner.change('teamUpdate', { teamId, ...empty }),
    await owner.change('organizationTeamCreate', { ...empty, slug: 'empty', name: 'Empty' }),
  ];
  expect(refused.map(({ mistakes }) => mistakes)).toEqual(refused.map(() => [mistake]));
});

test('a new team can have no logo and no colour from the beginning', async () => {
  const teamId = await teamUnderRoof({ logoUrl: null, brandColor: null });
  const none = { ...OF_ORGANIZATION, logoUrl: null, brandColor: null, inherited: NAMES.slice(2) };
  expect(await profileOf(teamId)).toEqual(none);
});

test('a field that a team is to inherit has no value of its own beside', async () => {
  const teamId = await teamUnderRoof(OWN);
  const both = { teamId, inherit: ['LOGO_URL', 'TIME_ZONE'], logoUrl: null, weekStart: 'SUNDAY' };
  expect((await owner.change('teamUpdate', both)).mistakes).toEqual(['CONTRADICTION inherit']);
  expect(await profileOf(teamId)).toEqual({ ...OWN, inherited: [] });
});

test.each(['timeZone', 'weekStart', 'hidesBranding'])('no group is without a value of %s', async (name) => {
  const [teamId, nothing] = [await teamUnderRoof(), { organizationId, [name]: null }];
  for (const { mistakes } of [
    await founder.change('organizationUpdate', nothing),
    await owner.change('organizationTeamUpdate', { teamId, ...nothing }),
  ]) {
    expect(mistakes).toEqual([`REQUIRED ${name}`]);
  }
});

const named = ({ teams }: { teams: { nodes: { name: string }[] } }) => teams.nodes.map(({ name }) => name);

describe('the public profile of an organization', () => {
  const document = `{ publicOrganization(organization: "roof") { name bio bookingUrl ${FIELDS}
    teams(first: 100) { nodes { name bio bookingUrl } } } }`;
  const shownTo = async (who: TestCaller) => (await who.ask(document)).data.publicOrganization;

  test('is itself, and its teams that offer something, by slug', async () => {
    await teamUnderRoof({ slug: 'zz-idle', name: 'Idle' });
    const hidden = await teamUnderRoof({ slug: 'zz-hidden', name: 'Hidden' });
    await offer(hidden, { isHidden: true });
    const hosted = await teamUnderRoof({ slug: 'zz-unhosted', name: 'Unhosted' });
    await offer(hosted, { assignsAllMembers: false, hosts: [] });
    for (const name of ['Yew', 'Ash']) {
      await offer(await teamUnderRoof({ slug: `y-${name.toLowerCase()}`, name, bio: 'Wood.' }));
    }
    await offer(await teamAlone({ slug: 'y-alone', name: 'Alone' }));
    const shown = await shownTo(api.nobody);
    expect(shown).toMatchObject({
      name: 'Roof',
      bio: null,
      bookingUrl: 'https://gatehouse.test/book/organization/roof',
      ...OF_ORGANIZATION,
    });
    const nodes = shown.teams.nodes.filter(({ bookingUrl }: { bookingUrl: string }) => /\/[yz]/.test(bookingUrl));
    const place = 'https://gatehouse.test/book/organization/roof';
    expect(nodes).toEqual([
      { name: 'Ash', bio: 'Wood.', bookingUrl: `${place}/y-ash` },
      { name: 'Yew', bio: 'Wood.', bookingUrl: `${place}/y-yew` },
    ]);
  });

  test('goes on from page to page', async () => {
    const page = async (after: string | null) => {
      const list =
        'query($after: String) { publicOrganization(organization: "roof") { teams(first: 1, after: $after) { nodes { name } pageInfo { endCursor hasNextPage } } } }';
      return (await api.nobody.ask(list, { after })).data.publicOrganization.teams;
    };
    const found: string[] = [];
    for (let after: string | null = null, hasMore = true; hasMore; ) {
      const { nodes, pageInfo } = await page(after);
      found.push(nodes[0].name);
      [after, hasMore] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(found).toEqual(named(await shownTo(api.nobody)));
  });

  test('is closed as its teams are: private ones are there for their members, a private organization for its own', async () => {
    const teamId = await teamUnderRoof({ slug: 'y-private', name: 'Private', isPrivate: true });
    await offer(teamId);
    const [member, stranger] = [await api.newUser('roof-member'), await api.newUser('roof-stranger')];
    const invited = { organizationId, userId: member.userId, role: 'MEMBER' };
    const { data } = await owner.change('organizationMembershipCreate', invited, 'membershipId');
    for (const who of [api.nobody, stranger, member]) expect(named(await shownTo(who))).not.toContain('Private');
    const { membershipId } = data;
    await member.change('organizationMembershipUpdate', { organizationId, membershipId, isAccepted: true });
    await owner.change('teamMembershipCreate', { teamId, userId: member.userId, role: 'MEMBER' });
    for (const who of [owner, member]) expect(named(await shownTo(who))).toContain('Private');
    expect(named(await shownTo(api.as('roof-member', ['BOOKING_READ'])))).not.toContain('Private');
    await founder.change('organizationUpdate', { organizationId, isPrivate: true });
    expect([await shownTo(api.nobody), await shownTo(stranger)]).toEqual([null, null]);
    expect(named(await shownTo(member))).toContain('Private');
    await founder.change('organizationUpdate', { organizationId, isPrivate: false });
  });

  test('is nothing where no team offers something, as of an organization that never was', async () => {
    await founder.change('organizationCreate', { slug: 'idle-roof', name: 'Idle' });
    for (const slug of ['idle-roof', 'never-was', 'No Slug', '']) {
      const { data, codes } = await api.nobody.ask(
        'query($s: String!) { publicOrganization(organization: $s) { name } }',
        { s: slug },
      );
      expect([slug, data, codes]).toEqual([slug, { publicOrganization: null }, []]);
    }
  });
});

describe('the public profile of a team', () => {
  const SHOWN = `name organizationName bio bookingUrl ${FIELDS}`;
  const ask = (who: TestCaller, place: string) => who.ask(`{ publicTeam(${place}) { ${SHOWN} } }`);

  test('is what its page shows, with what it inherits', async () => {
    await offer(await teamUnderRoof({ slug: 'seen', name: 'Seen', bio: 'We are.', brandColor: '#aa0000' }));
    const { data, statements } = await ask(api.nobody, 'team: "seen", organization: "roof"');
    expect(data.publicTeam).toEqual({
      name: 'Seen',
      organizationName: 'Roof',
      bio: 'We are.',
      bookingUrl: 'https://gatehouse.test/book/organization/roof/seen',
      ...OF_ORGANIZATION,
      brandColor: '#aa0000',
    });
    expect(statements).toBe(1);
    await offer(await teamAlone({ slug: 'seen', name: 'Alone' }));
    expect((await ask(api.nobody, 'team: "seen"')).data.publicTeam).toMatchObject({
      name: 'Alone',
      organizationName: null,
      bookingUrl: 'https://gatehouse.test/book/team/seen',
    });
  });

  test.each([
    ['there is none', 'team: "no-such-team", organization: "roof"'],
    ['it is in another organization', 'team: "seen", organization: "acme"'],
    ['the slug cannot be one', 'team: "A B"'],
    ['the organization cannot be one', 'team: "seen", organization: ""'],
  ])('is nothing where %s', async (_, place) => {
    expect(await ask(api.nobody, place)).toMatchObject({ data: { publicTeam: null }, codes: [] });
  });

  test.each<[string, object]>([
    ['hidden', { isHidden: true }],
    ['managed', { schedulingType: 'MANAGED' }],
    ['hostless', { assignsAllMembers: false, hosts: [] }],
  ])('is nothing while all that it offers is %s, and its list is empty', async (kind, input) => {
    const slug = `only-${kind}`;
    const teamId = await teamAlone({ slug });
    expect((await offer(teamId, input)).mistakes).toEqual([]);
    const list = `{ publicTeam(team: "${slug}") { name } publicEventTypes(team: "${slug}") { nodes { title } } }`;
    expect((await api.nobody.ask(list)).data).toEqual({ publicTeam: null, publicEventTypes: { nodes: [] } });
    await offer(teamId, { title: 'There' });
    const { data } = await api.nobody.ask(list);
    expect(data).toEqual({ publicTeam: { name: 'T' }, publicEventTypes: { nodes: [{ title: 'There' }] } });
  });

  test('of a private team is for its members, and of a private organization’s for that one’s', async () => {
    const teamId = await teamUnderRoof({ slug: 'closed', isPrivate: true });
    await offer(teamId);
    const place = 'team: "closed", organization: "roof"';
    const seen = async () => {
      const answers = await Promise.all([api.nobody, api.as('dan'), owner].map((who) => ask(who, place)));
      return answers.map(({ data }) => data.publicTeam !== null);
    };
    expect(await seen()).toEqual([false, false, true]);
    await founder.change('organizationUpdate', { organizationId, isPrivate: true });
    await owner.change('teamUpdate', { teamId, isPrivate: false });
    expect(await seen()).toEqual([false, false, true]);
    await founder.change('organizationUpdate', { organizationId, isPrivate: false });
    expect(await seen()).toEqual([true, true, true]);
  });
});
