import { ID_TAGS, publicId } from '../../src/core/id.ts';
import type { PageRequest } from '../../src/core/page.ts';
import { type Em, type RawBuilder, rows, sql } from '../../src/database/sql.ts';
import type { LevelName } from '../../src/modules/levels/reach.ts';
import type { ReceiverKind } from '../../src/modules/verified-resources/verified-resource.rules.ts';
import { digitsOf, issueCode } from '../../src/modules/verified-resources/verify-receiver.ts';
import type { Person, LevelName as Standing, World as StandingWorld } from '../api/standings/world.ts';
import type { TestApi, TestCaller } from '../support/api.ts';
import { storeApp } from '../support/conferencing-apps.ts';
import { storeFeed } from '../support/feeds.ts';
import { uuidOf } from '../support/ids.ts';
import { storeVerified } from '../support/verified-resources.ts';

/** An input from a user who may send it. */
export interface ValidInput {
  readonly username: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The fields that name what it is about: of somebody else's, the answer is as if there were none. */
  readonly names: readonly string[];
}

export type Make = (maker: Maker) => Promise<ValidInput>;
type Input = Readonly<Record<string, unknown>>;
export type Statements = (many: ManyRows, count: number) => readonly RawBuilder<unknown>[];

/**
 * The readers who are shown a field, beside the scopes that it takes. A thing inside another one is narrowed by all that
 * leads to it.
 */
export type Class =
  /** Whoever comes, with no credentials. */
  | 'ANYBODY'
  /** Each their own. */
  | 'OWN'
  /** As what it belongs to. */
  | 'AS_ABOVE'
  /** Accepted members of the group, or administrators of its organization. */
  | 'MEMBERS'
  /** People with a membership of the group that counts, each their own. */
  | 'OWN_MEMBERSHIP'
  /** Administrators of the group. */
  | 'GROUP_ADMINISTRATORS'
  /** Owners of the group; of a team of an organization, its administrators too. */
  | 'GROUP_OWNERS'
  /** Owners of the group by a membership of their own, which they hand over. */
  | 'OWNERS_BY_MEMBERSHIP'
  /** Administrators above whom the person that it belongs to does not stand; and that person. */
  | 'UP_TO_OWN_STANDING'
  /** Administrators of the service. */
  | 'ADMINISTRATORS';

/** The fields of a type by class, each class's as one text of names. */
export type Classes = Readonly<Partial<Record<Class, string>>>;

/** A list of the schema, as each kind of reader asks for it. */
export interface Connection {
  /** Passes over members and teams that have nothing to list, each by one look into an index. */
  readonly passesOver?: boolean;
  readonly lists: readonly List[];
}
export type List = (em: Em, many: ManyRows, page: PageRequest) => Promise<unknown>;

/** A resource that `resource(...)` declares. All that the declaration says of it is derived from there (every-fixture.ts). */
export interface Thing {
  /** A valid input of a new one, without its owner. */
  readonly make?: Input | ((maker: Maker, level: LevelName) => Promise<Input> | Input);
  /** A valid input of a change. */
  readonly change?: Input;
  /** An input of a new one that has a value in every field, unless `make` is one. Nothing is made of null. */
  readonly full?: Input | ((colleagueId: string) => Input) | null;
  /** The fields that count characters, by the row of docs/limits.md that says how many they take, where `make` is an input. */
  readonly longest?: Readonly<Record<string, string>>;
  /** Why its rows stay when somebody proves that the address of the account is theirs; left out where they stop. */
  readonly stays?: string;
  /**
   * Whether callers without a verified address may make, change and delete it: it neither leads out of the account nor lets somebody in.
   * Left out: unverified-callers.test.ts says it of each of its mutations.
   */
  readonly isForUnverified?: true;
  /** Many rows of it; or the columns in which rows have something else than others of their type: 'n' is the number of the row. */
  readonly many?: Statements | Readonly<Record<string, RawBuilder<unknown>>>;
}

/**
 * All that tests know of one or several resources, in one place: the tests that walk the schema walk the fixtures, and name
 * what has no place in any of them.
 */
export interface Fixture {
  /** The fixtures whose rows and things must be there before, by the names of their files; that of memberships, if left out. */
  readonly after?: readonly string[];
  readonly things?: Readonly<Record<string, Thing>>;
  /** A valid input of each mutation, but for those that are derived from `things`. */
  readonly inputs?: Readonly<Record<string, Make>>;
  /**
   * The readers of each field. Left out are fields of one value that take the scopes of the object that they belong to: they
   * are shown as that is. So are lists and look-ups that `resource(...)` declares: groups show them to their administrators.
   * Fields that anybody reads without a token are all said.
   */
  readonly fields?: Readonly<Record<string, Classes>>;
  /** Each connection, but for the lists that `resource(...)` declares. */
  readonly lists?: Readonly<Record<string, Connection>>;
  /** Many rows in further tables. */
  readonly many?: Statements;
  /** Gives somebody, and a team and its organization, what has a value in every field, unless it is made of `things`. */
  readonly fillPerson?: (filling: Filling, who: TestCaller, colleagueId: string) => Promise<void>;
  readonly fillGroups?: (filling: Filling) => Promise<void>;
  /** Operations of administrators on somebody, by the level at which they are tried; those on `things` of people are derived. */
  readonly operations?: Readonly<Partial<Record<'group' | 'team' | 'organization', readonly Operation[]>>>;
}

/** The world of the test of visibility, in which everybody and every group gets one of everything. */
export interface Filling {
  readonly world: StandingWorld;
  /** The owner of everything. */
  readonly owner: TestCaller;
  /** The same with a session. */
  readonly ownerSignedIn: TestCaller;
  readonly teamId: string;
}

/** Sends a mutation that must be done. @returns the part of its answer that `shown` selects */
export async function did(who: TestCaller, name: string, input: object, shown = ''): Promise<string> {
  const { data, codes, mistakes } = await who.change(name, { ...input }, shown);
  if (codes.length + mistakes.length > 0) throw new Error(`${name}: ${[...codes, ...mistakes].join(' ')}`);
  return data[shown];
}

/** The app that sends inputs, and the service that gets them. */
export interface Sender {
  readonly clientId: string;
  /** The key that codes are derived under there. */
  readonly codeKey: Uint8Array;
}

/** Makes what inputs are about in the demo data, anew each time. */
export class Maker {
  readonly clientId: string;
  readonly api: TestApi;
  private readonly codeKey: Uint8Array;
  private count = 0;
  private readonly kept = new Map<string, Promise<string>>();

  constructor(api: TestApi, { clientId, codeKey }: Sender) {
    this.api = api;
    this.clientId = clientId;
    this.codeKey = codeKey;
  }

  slug(): string {
    this.count += 1;
    return `every-${this.count}`;
  }

  made(name: string, input: object, shown: string): Promise<string> {
    return did(this.api.as('ada'), name, input, shown);
  }

  signedIn(username: string): TestCaller {
    return this.api.signedIn(username);
  }

  /** Made with the first question, for all that follow. */
  once(name: string, make: () => Promise<string>): Promise<string> {
    return this.kept.getOrInsertComputed(name, make);
  }

  async id(of: 'teams' | 'organizations', name: string): Promise<string> {
    const found = await this.rows(sql`select id from ${sql.table(of)} where slug = ${name}`);
    return publicId(({ teams: 'team', organizations: 'organization' } as const)[of], found[0]?.id ?? '');
  }

  /** The id of a demo user, whatever they call themselves by now. */
  userId(username: string): string {
    return this.api.as(username).userId;
  }

  rows(statement: RawBuilder<{ id: string }>): Promise<{ id: string }[]> {
    return rows(this.api.database.em.fork(), statement);
  }

  address(): string {
    return `${this.slug()}@mail.test`;
  }

  number(): string {
    this.count += 1;
    return `+49301${1_000_000 + this.count}`;
  }

  /** A feed of Ada's. */
  feed(): Promise<string> {
    return storeFeed(this.api.database.em, this.userId('ada'), 'https://calendar.example/one.ics');
  }

  /** A receiver that is verified for somebody, another one each time. */
  verified(kind: ReceiverKind, owner: string): Promise<string> {
    return storeVerified(this.api.database.em, kind, owner, kind === 'EMAIL' ? this.address() : this.number());
  }

  /** A code that was sent to a receiver for somebody. */
  async code(kind: ReceiverKind, owner: string, receiver: string): Promise<string> {
    const about = { ownerId: uuidOf(owner), subject: kind, receiver };
    return digitsOf(this.codeKey, await issueCode(this.api.database.em.fork(), about));
  }

  /** An app that is not the default of somebody. */
  async secondApp(owner: string): Promise<string> {
    await this.rows(sql`delete from conferencing_apps where app = 'second' returning id`);
    return storeApp(this.api.database.em, owner, 'second', false);
  }

  /** A new user who belongs to nothing, or to Ada's organization. */
  async newUser(belongsTo?: 'acme'): Promise<string> {
    const username = this.slug();
    const user = await this.api.newUser(username);
    if (belongsTo) {
      const input = { ...(await groupOf(this, 'organization')), userId: user.userId, role: 'MEMBER' };
      const membershipId = await this.made('organizationMembershipCreate', input, 'membershipId');
      await this.rows(
        sql`update organization_memberships set accepted = true where id = ${uuidOf(membershipId)} returning id`,
      );
    }
    return user.userId;
  }
}

export const HOURS = { start: '2031-01-06T00:00:00Z', end: '2031-01-08T00:00:00Z' };

/** Ada acts for herself, for her team, or for her organization. */
export type Group = 'own' | 'team' | 'organization';

export async function groupOf(maker: Maker, group: Group): Promise<Record<string, string>> {
  if (group === 'own') return {};
  return group === 'team'
    ? { teamId: await maker.id('teams', 'sales') }
    : { organizationId: await maker.id('organizations', 'acme') };
}

/** Arguments that name what a mutation is about: one of any kind but a user. */
const ABOUT = Object.keys(ID_TAGS).flatMap((kind) => (kind === 'user' ? [] : [`${kind}Id`]));

/** Those that name something else. */
const BESIDE = ['userId'];

/** By Ada: `input` is made for the group; its ids name what it is about. */
export function by(group: Group, input: (maker: Maker) => Promise<object> | object): Make {
  return async (maker) => {
    const ofGroup = await groupOf(maker, group);
    const own = await input(maker);
    const unsaid = Object.keys(own).filter(
      (name) => name.endsWith('Id') && !ABOUT.includes(name) && !BESIDE.includes(name),
    );
    if (unsaid.length > 0)
      throw new Error(`Of what kind is ${unsaid.join()}? Name it after the kind, or list it in BESIDE.`);
    const names = [...Object.keys(ofGroup), ...ABOUT.filter((name) => name in own)];
    return { username: 'ada', input: { ...ofGroup, ...own }, names };
  };
}

export const ada = async (maker: Maker) => ({ userId: maker.userId('ada') });

export const and =
  (make: (maker: Maker) => Promise<object>, more: object) =>
  async (maker: Maker): Promise<object> => ({ ...(await make(maker)), ...more });

/** An administrator's operation on somebody: prepared by others, then tried; it answers its mistakes. */
export interface Operation {
  readonly name: string;
  /** It takes what only members have who have accepted, so that there is nothing to try on who has not. */
  readonly needsAcceptance?: boolean;
  /** An invitation is nobody's standing yet: it is changed and withdrawn by its own role. */
  readonly isOfMembership?: boolean;
  /** The answer where the target is out of reach, unless it is FORBIDDEN. */
  readonly beyond?: string;
  prepare(world: StandingWorld, level: Standing, target: Person): Promise<Try>;
}

export type Try = (actor: TestCaller) => Promise<readonly string[]>;

export function groupAt(world: StandingWorld, level: Standing): { prefix: string; of: Record<string, string> } {
  if (level === 'organization') return { prefix: 'organization', of: { organizationId: world.organizationId } };
  return { prefix: 'team', of: { teamId: world.teamOf(level) } };
}

export function tried(name: string, input: Record<string, unknown>): Try {
  return async (actor) => {
    const { mistakes, codes } = await actor.change(name, input);
    return [...codes.map(String), ...mistakes];
  };
}

/** Users and things with very many rows in some table, or few among very many. */
export interface ManyRows {
  /** All users. */
  readonly ids: readonly string[];
  /** Has very many of everything that a user can have, and is invited to all but a few teams and organizations. */
  readonly userId: string;
  /** Has been here three times, long ago. */
  readonly quietUserId: string;
  readonly administratorId: string;
  readonly organizationId: string;
  /** A member of that organization; every second of very many has accepted. */
  readonly memberId: string;
  readonly teamId: string;
  readonly eventTypeId: string;
  /** Every member of the team but the first has a copy of it. */
  readonly managedId: string;
  readonly clientId: string;
  readonly webhookId: string;
  readonly routingFormId: string;
}

export const numbered = (count: number) => sql`generate_series(1, ${count}::int) n`;

export const ago = sql`now() - n * interval '1 minute'`;
