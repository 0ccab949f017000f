import { changed, sql } from '../../../src/database/sql.ts';
import { scopesOf } from '../../../src/http/rest/openapi.ts';
import { USUAL_PAGE } from '../../../src/http/rest/rest.routes.ts';
import { BY_HEADER, type RestRoute } from '../../../src/http/rest/route.ts';
import { restRoutesOf } from '../../../src/http/rest/table.ts';
import type { Uids } from '../../../src/modules/bookings/booking-key.rules.ts';
import { denormalizeBelongings } from '../../../src/modules/bookings/lists/denormalize.ts';
import { buildSchemas } from '../../../src/schema.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { CaldavServer } from '../../support/caldav-server.ts';
import { storeFeed } from '../../support/feeds.ts';
import { ownedUuidOf, uuidOf } from '../../support/ids.ts';
import { codeKeyOf, KNOWN_KEY, tokenMint, uidsOf } from '../../support/minted-tokens.ts';
import { APP } from '../../support/oauth-requests.ts';
import { UIDS } from '../../support/uids.ts';
import type { ValidInput } from '../../world/fixture.ts';
import { validInputs } from '../../world/valid-inputs.ts';
import { versionsIn } from '../every-mutation/whole-database.ts';
import { groupId } from '../every-value/things-there.ts';
import { openPeople, type People } from './people.ts';

const { rules } = buildSchemas().forTokens;

export const ROUTES = restRoutesOf(rules);
export const READS = ROUTES.filter(({ shape }) => shape !== 'CHANGE');
export const CHANGES = ROUTES.filter(({ shape }) => shape === 'CHANGE');

/** The name of a test that is about one path. */
export const named = (routes: readonly RestRoute[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);

export const scopesFor = (route: RestRoute): readonly string[] => scopesOf(route, rules);

export interface Sent {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** A request to a path, and the same to its document. */
export interface Given {
  /** The user who sends the request. */
  readonly username: string;
  readonly path: string;
  readonly body?: object;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Values = Readonly<Record<string, unknown>>;

interface Opened {
  readonly api: TestApi;
  readonly app: TestApp;
  readonly calendars: CaldavServer;
  readonly codeKey: Uint8Array;
  readonly uids: Uids;
}

/** The service over HTTP, and the same database without it. */
export class RestWorld {
  readonly app: TestApp;
  readonly api: TestApi;
  /** The demo's, which ada owns. */
  readonly acme: string;
  readonly sales: string;
  readonly people: People;
  readonly valid: (name: string) => Promise<ValidInput>;
  readonly #calendars: CaldavServer;
  readonly #uids: Uids;
  readonly #mint: Awaited<ReturnType<typeof tokenMint>>;
  readonly #tokens = new Map<string, Promise<string>>();
  readonly #firsts = new Map<string, Promise<string>>();

  static async open(): Promise<RestWorld> {
    const api = await openTestApi({ guesses: 1_000_000 });
    // The janitor of the service removes these some time, whatever is tested then.
    await changed(
      api.database.em.fork(),
      sql`delete from occupied_times where upper(during) < now() - interval '22 hours'`,
    );
    const calendars = await CaldavServer.start();
    const env = { ...KNOWN_KEY, APPLE_CALDAV_URL: calendars.url, ALLOW_PRIVATE_NETWORK: 'on' };
    const app = await startTestApp(env, { database: api.database });
    const groups = [await groupId(api, 'organization', 'acme'), await groupId(api, 'team', 'sales')] as const;
    const [codeKey, uids] = [await codeKeyOf(app), await uidsOf(app)];
    return new RestWorld({ api, app, calendars, codeKey, uids }, groups, await openPeople(api), await tokenMint(app));
  }

  private constructor(
    { api, app, calendars, codeKey, uids }: Opened,
    [acme, sales]: readonly [string, string],
    people: People,
    mint: Awaited<ReturnType<typeof tokenMint>>,
  ) {
    this.api = api;
    this.app = app;
    this.#calendars = calendars;
    this.#uids = uids;
    this.acme = acme;
    this.sales = sales;
    this.people = people;
    this.valid = validInputs(api, { clientId: APP.client_id, codeKey });
    this.#mint = mint;
  }

  async close(): Promise<void> {
    await Promise.all([this.app.close(), this.#calendars.close()]);
  }

  /** An access token of somebody with these scopes. */
  token(username: string, scopes: readonly string[]): Promise<string> {
    const given = scopes.length === 0 ? ['VERIFIED_RESOURCES_READ'] : scopes;
    return this.#tokens.getOrInsertComputed(`${username} ${given.join(' ')}`, () =>
      this.#mint(this.api.as(username).userId, given),
    );
  }

  async send(method: string, path: string, { token, headers, body }: Sent = {}): Promise<Answered> {
    const response = await fetch(`${this.app.url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  get(path: string, token?: string): Promise<Answered> {
    return this.send('GET', path, { token });
  }

  /** A document as it is, as the same caller. */
  document(text: string, variables: Values, token?: string): Promise<Answered> {
    return this.app.graphql(text, { token, variables: { ...variables } });
  }

  /** A request from a user who may send it; each change is about something new. */
  async given(route: RestRoute): Promise<Given> {
    return route.shape === 'CHANGE' ? this.#change(route) : this.#read(route);
  }

  async #change(route: RestRoute): Promise<Given> {
    await this.#restoreOwner();
    const { username, input: valid } = await this.valid(route.field.name);
    const given = Object.fromEntries(Object.entries(valid).map(([name, value]) => [name, this.#asOurs(value)]));
    // The one server that there is here.
    const input = given['server'] !== undefined ? { ...given, server: this.#calendars.url } : given;
    const isWhole = Object.keys(route.bound).every((member) => member in input);
    const whole = isWhole ? input : { ...input, organizationId: this.acme };
    const teamId = route.bound['teamId'] === undefined ? this.sales : String(whole['teamId']);
    if (teamId !== this.sales) await this.people.placeIn(teamId);
    await this.#denormalize();
    // The service cannot open passwords that the API beside it has sealed: it tries none, if none is refused.
    const em = this.app.database.em.fork();
    await changed(em, sql`update calendar_connections set refused_at = null, failing_since = null`);
    return { username, ...asRequest(route, whole), variables: { input: whole } };
  }

  async #read(route: RestRoute): Promise<Given> {
    const values: Record<string, string> = {};
    const parts = route.path.split('/');
    for (const [place, part] of parts.entries()) {
      const name = part.slice(1);
      if (part === ':orgId') values[name] = this.acme;
      else if (part === ':teamId') values[name] = this.sales;
      else if (part === ':team') values[name] = 'sales';
      else if (part === ':organization') values[name] = 'acme';
      else if (part.startsWith(':')) values[name] = await this.#firstOf(parts.slice(0, place).join('/'), values);
    }
    const search = searchOf(route);
    const most = route.mostOnPage();
    const page = most === undefined ? {} : { first: Math.min(USUAL_PAGE, most) };
    const variables = { ...values, ...page, ...argumentsOf(search) };
    return { username: 'ada', path: addressOf(route, values) + search, variables };
  }

  /** A uid that the API beside the service has written, as the service writes it. */
  #asOurs(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const [key, reservation] = [UIDS.read(value), UIDS.readReservation(value)];
    return key ? this.#uids.of(key) : reservation ? this.#uids.ofReservation(reservation) : value;
  }

  /** The first thing of a list of ada's; of bookings, its uid for those who come by that. */
  async #firstOf(path: string, values: Values): Promise<string> {
    if (path === '/v2/public-bookings') {
      const { ownerId, id } = ownedUuidOf(await this.#firstOf('/v2/bookings', values));
      return this.#uids.of({ ownerId, id, version: 0 });
    }
    return this.#firsts.getOrInsertComputed(addressOf({ path }, values), async (address) => {
      const list = READS.find((route) => route.path === path);
      // A list whose things are changed needs one first, and so has something.
      // An organization sees what it does not change: that of its team.
      const change = changeOf(path) ?? changeOf(path.replace('/organizations/:orgId/', '/teams/:teamId/'));
      const made = change && (await this.valid(change.field.name));
      if (!list) {
        const [, parameter = ''] = /\/:(\w+)(?:\/[\w-]+)?$/.exec(change?.path ?? '') ?? [];
        if (!made) throw new Error(`What is the last parameter of ${path}?`);
        return String(made.input[parameter]);
      }
      if (path === '/v2/ics-feeds')
        await storeFeed(this.api.database.em, this.api.as('ada').userId, 'https://calendar.example/one.ics');
      if (path === '/v2/reserved-slots') await this.#reserve();
      const token = await this.token('ada', scopesFor(list));
      // This asks an organization for bookings that are no owner's own.
      const search = path === '/v2/organizations/:orgId/bookings' ? `?teamId=${this.sales}` : searchOf(list);
      const { body } = await this.get(address + search, token);
      const [first] = body.data;
      return first.id;
    });
  }

  /** Somebody keeps a slot of hers. */
  async #reserve(): Promise<void> {
    const { data } = await this.api.as('ada').ask('{ me { eventTypes(first: 50) { nodes { id slug } } } }');
    const eventTypeId = data.me.eventTypes.nodes.find(({ slug }: { slug: string }) => slug === 'intro').id;
    const asked = `query($id: ID!) { slots(eventType: { id: $id }, start: "2031-03-03T00:00:00Z", end: "2031-03-08T00:00:00Z") { start } }`;
    const { slots } = (await this.api.nobody.ask(asked, { id: eventTypeId })).data;
    await this.api.nobody.change(
      'slotReservationCreate',
      { eventTypeId, start: slots[0].start },
      'reservation { uid }',
    );
  }

  /** Others may have been made the owners of what is hers. */
  async #restoreOwner(): Promise<void> {
    const ada = uuidOf(this.api.as('ada').userId);
    const em = this.api.database.em.fork();
    for (const table of ['team_memberships', 'organization_memberships']) {
      await changed(em, sql`update ${sql.table(table)} set role = 'OWNER' where user_id = ${ada} and role <> 'OWNER'`);
    }
  }

  /**
   * Does now what the service does behind its answers for people who have joined an organization, and not while
   * something is compared.
   */
  async #denormalize(): Promise<void> {
    await this.api.database.em.fork().transactional((em) => denormalizeBelongings(em, 10_000));
  }

  /** The versions of all rows, but for what is noted of grants behind the answers. */
  async thingsThere(): Promise<unknown> {
    const tables = (await versionsIn(this.api.database)) as readonly { readonly name: string }[];
    return tables.filter(({ name }) => !name.startsWith('oauth_'));
  }
}

/** The query that an address needs beside its path. */
export function searchOf({ path }: Pick<RestRoute, 'path'>): string {
  if (path === '/v2/public-event-types') return '?username=ada';
  if (path === '/v2/public-teams/:team') return '?organization=acme';
  const start = Temporal.Now.instant().round('hour').add({ hours: 24 });
  const end = start.add({ hours: 96 });
  if (path === '/v2/calendars/busy-times') return `?start=${start.toString()}&end=${end.toString()}`;
  const range = `start=${start.toString()}&end=${end.toString()}`;
  if (path.endsWith('/slots-to-move-to')) return `?${range}`;
  return path === '/v2/slots' ? `?eventType.ofUser.username=ada&eventType.ofUser.slug=intro&${range}` : '';
}

/** The arguments that the parameters of an address give: `eventType.id=…` is in `eventType`. */
function argumentsOf(search: string): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(search)) {
    const path = name.split('.');
    const last = path.pop() ?? '';
    let inside = given;
    for (const step of path) inside = (inside[step] ??= {}) as Record<string, unknown>;
    inside[last] = value;
  }
  return given;
}

/** An address of a path, with the values of its parameters. */
export function addressOf({ path }: Pick<RestRoute, 'path'>, values: Values): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** A mutation's input as the path takes it. */
export function asRequest(route: RestRoute, input: Values): { path: string; body: object } {
  const values = Object.fromEntries(Object.entries(route.bound).map(([member, name]) => [name, input[member]]));
  const rest = Object.entries(input).filter(([member]) => !(member in route.bound) && !(member in BY_HEADER));
  return { path: addressOf(route, values), body: Object.fromEntries(rest) };
}

/** A change of one thing of the list at this path. */
function changeOf(at: string) {
  return CHANGES.find((route) => route.path.startsWith(`${at}/:`));
}
