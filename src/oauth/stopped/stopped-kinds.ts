import { type RawBuilder, sql } from '../../database/sql.ts';
import type { StoppedContent, StoppedKind } from './stopped-thing.rules.ts';

/** The owners of the things, as SQL lists of ids. */
export interface Whose {
  readonly userId: string;
  /** The user, and the teams that were made in the account. */
  readonly ownerIds: readonly string[];
  readonly teamIds: readonly string[];
  /** Likewise the organizations. */
  readonly organizationIds: readonly string[];
}

/** One thing that an account has set up, as it is found before it stops. */
export interface Found {
  readonly title: string;
  readonly address: string | null;
  readonly content: StoppedContent;
}

export interface Stopping {
  readonly kind: StoppedKind;
  /**
   * The tables that it is taken from, and the columns in tables whose rows stay: a test asks of each table whether it
   * is here.
   */
  readonly from: readonly string[];
  /** SQL: all of them, as `Found`. */
  readonly find: (whose: Whose) => RawBuilder<Found>;
  /** SQL: the statements that take them out, in their order. */
  readonly stop: (whose: Whose) => readonly RawBuilder<unknown>[];
}

/**
 * Finds and takes out the things of each kind. It runs under a lock of the user that every insertion for them waits for
 * (stop-things.ts).
 */
export const STOPPINGS: readonly Stopping[] = [
  ...groups('team'),
  ...groups('organization'),
  {
    kind: 'INVITATION',
    from: ['invitations'],
    find: (whose) => sql`
      select coalesce(g.name, o.name) as title, t.email as address, ${rowsOf(sql`t`, 'invitations')} as content
      from invitations t left join teams g on g.id = t.team_id left join organizations o on o.id = t.organization_id
      where ${isInvitation(whose)} order by t.id`,
    stop: (whose) => [sql`delete from invitations t where ${isInvitation(whose)}`],
  },
  {
    // A webhook whose user no longer answers for it: it pauses and keeps its messages, as one whose setter has left.
    kind: 'WEBHOOK',
    from: ['webhooks.set_by_id'],
    find: ({ userId }) => sql`
      select t.url as title, t.url as address, ${emptied('webhooks', ['owner_id', 'id'], ['set_by_id'])} as content
      from webhooks t where t.set_by_id = ${userId} order by t.id`,
    stop: ({ userId }) => [sql`update webhooks t set set_by_id = null where t.set_by_id = ${userId}`],
  },
  {
    kind: 'OAUTH_CLIENT',
    from: ['oauth_clients', 'oauth_client_secrets', 'oauth_grants', 'oauth_interactions', 'oauth_codes'],
    find: ({ userId }) => sql`
      select t.name as title, array_to_string(t.redirect_uris, ' ') as address, ${rowsOf(sql`t`, 'oauth_clients')} as content
      from oauth_clients t where t.owner_id = ${userId} order by t.created_at, t.client_id`,
    stop: ({ userId }) => [sql`delete from oauth_clients t where t.owner_id = ${userId}`],
  },
  {
    kind: 'PRIVATE_LINK',
    from: ['private_links'],
    find: ({ ownerIds }) => sql`
      select e.title, null::text as address, ${rowsOf(sql`t`, 'private_links')} as content
      from private_links t join event_types e on e.owner_id = t.owner_id and e.id = t.event_type_id
      where t.owner_id = any(${ownerIds}::uuid[]) order by t.id`,
    stop: ({ ownerIds }) => [sql`delete from private_links t where t.owner_id = any(${ownerIds}::uuid[])`],
  },
  {
    kind: 'ICS_FEED',
    from: ['ics_feeds', 'busy_periods'],
    find: ({ userId }) => sql`
      select t.host as title, t.host || '/…' || t.ending as address,
        ${rowsOf(sql`t`, 'ics_feeds', [['busy_periods', sql`d.user_id = t.user_id and d.source_id = t.id`]])} as content
      from ics_feeds t where t.user_id = ${userId} order by t.id`,
    stop: ({ userId }) => [
      sql`delete from busy_periods d using ics_feeds t where t.user_id = ${userId} and d.user_id = t.user_id and d.source_id = t.id`,
      sql`delete from ics_feeds t where t.user_id = ${userId}`,
    ],
  },
  {
    kind: 'CALENDAR_ACCOUNT',
    from: ['calendar_connections', 'connected_calendars', 'busy_periods', 'calendar_entries', 'connections'],
    find: ({ userId }) => sql`
      select t.provider as title, t.account as address, ${rowsOf(
        sql`t`,
        'calendar_connections',
        [
          ['connected_calendars', sql`d.user_id = t.user_id and d.connection_id = t.id`],
          ['busy_periods', sql`d.user_id = t.user_id and d.source_id in (${CALENDARS})`],
          ['calendar_entries', sql`d.user_id = t.user_id and d.calendar_id in (${CALENDARS})`],
        ],
        [['connections', sql`d.owner_id = t.user_id and d.id = t.access_id`]],
      )} as content
      from calendar_connections t where t.user_id = ${userId} order by t.id`,
    stop: ({ userId }) => [
      sql`delete from busy_periods d using connected_calendars c where c.user_id = ${userId} and d.user_id = c.user_id and d.source_id = c.id`,
      sql`delete from connections d using calendar_connections t
          where t.user_id = ${userId} and d.owner_id = t.user_id and d.id = t.access_id`,
      sql`delete from calendar_connections t where t.user_id = ${userId}`,
    ],
  },
  {
    kind: 'CONFERENCING_APP',
    from: ['conferencing_apps', 'conferencing_meetings', 'connections'],
    find: ({ ownerIds }) => sql`
      select t.app as title, t.app as address, ${rowsOf(
        sql`t`,
        'conferencing_apps',
        [['conferencing_meetings', sql`d.holder_id = t.owner_id and d.app_id = t.id`]],
        [['connections', sql`d.owner_id = t.owner_id and d.id = t.connection_id`]],
      )} as content
      from conferencing_apps t where t.owner_id = any(${ownerIds}::uuid[]) and t.connection_id is not null order by t.id`,
    stop: ({ ownerIds }) => [
      sql`delete from connections d using conferencing_apps t
          where t.owner_id = any(${ownerIds}::uuid[]) and d.owner_id = t.owner_id and d.id = t.connection_id`,
    ],
  },
  verified('VERIFIED_EMAIL', 'verified_emails'),
  verified('VERIFIED_PHONE', 'verified_phones'),
  {
    kind: 'REDIRECT',
    from: ['event_types.success_redirect_url'],
    find: (whose) => sql`
      select t.title, t.success_redirect_url as address,
        ${emptied('event_types', ['owner_id', 'id'], ['success_redirect_url'])} as content
      from event_types t where ${isOwnEventType(whose)} and t.success_redirect_url is not null order by t.id`,
    stop: (whose) => [
      sql`update event_types t set success_redirect_url = null
          where ${isOwnEventType(whose)} and t.success_redirect_url is not null`,
    ],
  },
  {
    kind: 'EMBEDDING',
    from: ['event_types.embed_origins'],
    find: (whose) => sql`
      select t.title, (select string_agg(o.value, ' ' order by o.at) from jsonb_array_elements_text(t.embed_origins)
          with ordinality as o(value, at)) as address,
        ${emptied('event_types', ['owner_id', 'id'], ['embed_origins'])} as content
      from event_types t where ${isOwnEventType(whose)} and t.embed_origins <> '[]' order by t.id`,
    stop: (whose) => [
      sql`update event_types t set embed_origins = '[]' where ${isOwnEventType(whose)} and t.embed_origins <> '[]'`,
    ],
  },
  {
    kind: 'LOCATION',
    from: ['event_types.locations'],
    find: (whose) => sql`
      select t.title, l.value ->> 'value' as address,
        jsonb_build_object('location', jsonb_build_object('ownerId', t.owner_id, 'eventTypeId', t.id, 'at', l.at - 1,
          'value', l.value)) as content
      from event_types t cross join lateral jsonb_array_elements(t.locations) with ordinality as l(value, at)
      where ${isOwnEventType(whose)} and ${LEADS_OUT} order by t.id, l.at`,
    stop: (whose) => [
      sql`update event_types t set locations = (select coalesce(jsonb_agg(l.value order by l.at), '[]')
            from jsonb_array_elements(t.locations) with ordinality as l(value, at) where not ${LEADS_OUT})
          where ${isOwnEventType(whose)} and exists (select from jsonb_array_elements(t.locations) as l(value) where ${LEADS_OUT})`,
    ],
  },
  {
    kind: 'ABSENCE_REDIRECT',
    from: ['out_of_office.redirect_to_id'],
    find: ({ userId }) => sql`
      select u.name as title, u.username as address,
        ${emptied('out_of_office', ['user_id', 'id'], ['redirect_to_id'])} as content
      from out_of_office t join users u on u.id = t.redirect_to_id where t.user_id = ${userId} order by t.id`,
    stop: ({ userId }) => [
      sql`update out_of_office t set redirect_to_id = null where t.user_id = ${userId} and t.redirect_to_id is not null`,
    ],
  },
  picture('users', 'avatar_url', ({ userId }) => [userId]),
  picture('teams', 'logo_url', ({ teamIds }) => teamIds),
  picture('organizations', 'logo_url', ({ organizationIds }) => organizationIds),
  {
    kind: 'WORKFLOW',
    from: ['workflows.is_active'],
    find: ({ teamIds }) => sql`
      select t.name as title, null::text as address, ${emptied('workflows', ['team_id', 'id'], ['is_active'])} as content
      from workflows t where t.team_id = any(${teamIds}::uuid[]) and t.is_active order by t.id`,
    stop: ({ teamIds }) => [
      sql`update workflows t set is_active = false where t.team_id = any(${teamIds}::uuid[]) and t.is_active`,
    ],
  },
  {
    kind: 'ROUTING_FORM',
    from: ['routing_forms.is_active'],
    find: (whose) => sql`
      select t.name as title, ${FORM_ADDRESSES} as address,
        ${emptied('routing_forms', ['owner_id', 'id'], ['is_active'])} as content
      from routing_forms t where t.owner_id = any(${groupIds(whose)}::uuid[]) and t.is_active order by t.id`,
    stop: (whose) => [
      sql`update routing_forms t set is_active = false where t.owner_id = any(${groupIds(whose)}::uuid[]) and t.is_active`,
    ],
  },
];

const CALENDARS = sql`select c.id from connected_calendars c where c.user_id = t.user_id and c.connection_id = t.id`;

/** SQL over a location `l`: whether it leads bookers somewhere. */
const LEADS_OUT = sql`l.value ->> 'type' in ('LINK', 'PHONE')`;

/** SQL: the addresses that a form `t` leads to; null for one that leads to event types and messages alone. */
const FORM_ADDRESSES = sql`(select string_agg(distinct a.url #>> '{}', ' ' order by a.url #>> '{}')
  from jsonb_path_query(jsonb_build_array(t.routes, t.fallback), '$.**.url') as a(url))`;

function groupIds({ teamIds, organizationIds }: Whose): readonly string[] {
  return [...teamIds, ...organizationIds];
}

/** SQL: event types that the account has set up itself; those that a team of others manages are that team's. */
function isOwnEventType({ ownerIds, teamIds }: Whose): RawBuilder<boolean> {
  return sql<boolean>`(t.owner_id = any(${ownerIds}::uuid[])
    and (t.parent_id is null or t.parent_team_id = any(${teamIds}::uuid[])))`;
}

function isInvitation(whose: Whose): RawBuilder<boolean> {
  return sql<boolean>`(t.invited_by_id = ${whose.userId} or t.team_id = any(${whose.teamIds}::uuid[])
    or t.organization_id = any(${whose.organizationIds}::uuid[]))`;
}

/**
 * Memberships: of the user in groups that they made and in those of others, and of others in those that they made. The rows stay,
 * since event types and hosts hang on them, and count as little as invitations that nobody can accept, as nobody gives them.
 */
function groups(kind: 'team' | 'organization'): readonly Stopping[] {
  const [memberships, group, column] =
    kind === 'team'
      ? [sql`team_memberships`, sql`teams`, sql`team_id`]
      : [sql`organization_memberships`, sql`organizations`, sql`organization_id`];
  const table = `${kind}_memberships`;
  const made = (whose: Whose) => sql`${kind === 'team' ? whose.teamIds : whose.organizationIds}::uuid[]`;
  const content = emptied(table, ['id'], ['accepted', 'invited_by_id']);
  const stopping = (
    stoppedKind: StoppedKind,
    address: RawBuilder<unknown>,
    title: RawBuilder<unknown>,
    condition: (whose: Whose) => RawBuilder<boolean>,
  ): Stopping => ({
    kind: stoppedKind,
    from: [`${table}.accepted`],
    find: (whose) => sql`
      select ${title} as title, ${address} as address, ${content} as content
      from ${memberships} t join ${group} g on g.id = t.${column} join users u on u.id = t.user_id
      where ${condition(whose)} order by t.id`,
    stop: (whose) => [
      sql`update ${memberships} t set accepted = false, invited_by_id = null where ${condition(whose)}`,
    ],
  });
  return [
    stopping('GROUP', sql`g.slug`, sql`g.name`, (whose) => {
      return sql<boolean>`(t.accepted and t.user_id = ${whose.userId} and t.${column} = any(${made(whose)}))`;
    }),
    stopping('GROUP_MEMBER', sql`u.username`, sql`u.name || ', ' || g.name`, (whose) => {
      const isLetIn = sql`(t.accepted or t.invited_by_id is not null)`;
      return sql<boolean>`(${isLetIn} and t.user_id <> ${whose.userId} and t.${column} = any(${made(whose)}))`;
    }),
    stopping('MEMBERSHIP', sql`g.slug`, sql`g.name`, (whose) => {
      return sql<boolean>`(t.accepted and t.user_id = ${whose.userId} and t.${column} <> all(${made(whose)}))`;
    }),
  ];
}

function verified(kind: 'VERIFIED_EMAIL' | 'VERIFIED_PHONE', name: string): Stopping {
  const table = sql.table(name);
  return {
    kind,
    from: [name],
    find: ({ ownerIds }) => sql`
      select t.receiver as title, t.receiver as address, ${rowsOf(sql`t`, name)} as content
      from ${table} t where t.owner_id = any(${ownerIds}::uuid[]) order by t.id`,
    stop: ({ ownerIds }) => [sql`delete from ${table} t where t.owner_id = any(${ownerIds}::uuid[])`],
  };
}

function picture(name: string, column: string, idsOf: (whose: Whose) => readonly string[]): Stopping {
  const [table, value] = [sql.table(name), sql.ref(`t.${column}`)];
  return {
    kind: 'PICTURE',
    from: [`${name}.${column}`],
    find: (whose) => sql`
      select t.name as title, ${value} as address, ${emptied(name, ['id'], [column])} as content
      from ${table} t where t.id = any(${idsOf(whose)}::uuid[]) and ${value} is not null order by t.id`,
    stop: (whose) => [
      sql`update ${table} t set ${sql.ref(column)} = null where t.id = any(${idsOf(whose)}::uuid[]) and ${value} is not null`,
    ],
  };
}

/** SQL: the rows of one table, as they are kept. */
function part(name: string, found: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`jsonb_build_object('table', ${name}::text, 'rows', ${found})`;
}

/** SQL: some columns of a row `t`. */
function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql`jsonb_build_object(${sql.join(names.flatMap((name) => [sql.lit(name), sql.ref(`t.${name}`)]))})`;
}

type Dependents = readonly (readonly [table: string, condition: RawBuilder<unknown>])[];

/** SQL: the content of a row `t` that is taken out, with the rows `d` that go with it: `before` are those that it refers to. */
function rowsOf(
  root: RawBuilder<unknown>,
  table: string,
  after: Dependents = [],
  before: Dependents = [],
): RawBuilder<unknown> {
  const dependent = ([name, condition]: Dependents[number]) =>
    part(name, sql`(select coalesce(jsonb_agg(to_jsonb(d)), '[]') from ${sql.table(name)} d where ${condition})`);
  const parts = [
    ...before.map(dependent),
    part(table, sql`jsonb_build_array(to_jsonb(${root}))`),
    ...after.map(dependent),
  ];
  return sql`jsonb_build_object('rows', jsonb_build_array(${sql.join(parts)}))`;
}

/** SQL: the content of columns that are emptied in a row `t` which stays. */
function emptied(table: string, key: readonly string[], columns: readonly string[]): RawBuilder<unknown> {
  return sql`jsonb_build_object('emptied', jsonb_build_object('table', ${table}::text, 'key', ${columnsOf(key)},
    'was', ${columnsOf(columns)}))`;
}
