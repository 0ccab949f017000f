import { getNullableType, isListType, isObjectType, isRequiredArgument } from 'graphql';
import { type IdKind, isOwnedKind, publicId } from '../../../src/core/id.ts';
import { row, sql } from '../../../src/database/sql.ts';
import { buildSchemas } from '../../../src/schema.ts';
import type { TestApi } from '../../support/api.ts';
import { idOfUid, kindSaid, unknownId } from '../../support/ids.ts';
import type { ValidInput } from '../../world/fixture.ts';
import { FROM, TO } from '../booking-pages.ts';

const { schema } = buildSchemas().forTokens;
const MUTATIONS = schema.getMutationType()?.getFields() ?? {};
type Valid = (name: string) => Promise<ValidInput>;

/** Things that are there, for arguments of queries that must name something, by coordinate. */
export async function thingsThere(api: TestApi, valid: Valid): Promise<Readonly<Record<string, unknown>>> {
  const sales = await groupId(api, 'team', 'sales');
  const eventTypeId = (await valid('eventTypeUpdate')).input['eventTypeId'];
  const uid = String((await valid('bookingCancel')).input['uid']);
  const bookingId = idOfUid(uid);
  const { calendarAccountId } = (await valid('calendarAccountDisconnect')).input;
  const { conferencingAppId } = (await valid('conferencingAppDefaultSet')).input;
  const { routingFormId } = (await valid('teamRoutingFormResponseCreate')).input;
  return {
    ...(await lookedUp(valid)),
    'Viewer.booking.id': bookingId,
    'Team.booking.id': bookingId,
    'Organization.booking.id': bookingId,
    'Booking.slotsToMoveTo.start': FROM,
    'Booking.slotsToMoveTo.end': TO,
    'Query.team.id': sales,
    'Query.organization.id': await groupId(api, 'organization', 'acme'),
    'Query.publicBooking.uid': uid,
    'Query.publicEventType.by': { id: eventTypeId },
    'Query.publicEventTypes.username': 'bob',
    'Query.publicOrganization.organization': 'acme',
    'Query.publicTeam.team': 'studio',
    'Query.slots.eventType': { id: eventTypeId },
    'Query.slots.start': FROM,
    'Query.slots.end': TO,
    'Viewer.busyTimes.start': FROM,
    'Viewer.busyTimes.end': TO,
    'Viewer.calendarAccountsById.ids': [calendarAccountId],
    'Viewer.calendarAccount.id': calendarAccountId,
    'Viewer.conferencingAppsById.ids': [conferencingAppId],
    'Viewer.conferencingApp.id': conferencingAppId,
    'Query.publicRoutingForm.id': routingFormId,
    'Query.routingFormOutcome.routingFormId': routingFormId,
    'Query.routingFormOutcome.answers': {},
    'RoutingFormOutcome.slots.start': FROM,
    'RoutingFormOutcome.slots.end': TO,
    'Organization.team.id': sales,
  };
}

const DOORS: Readonly<Record<string, string>> = { Viewer: '', Team: 'team', Organization: 'organization' };

/** For each look-up behind a door, one that a mutation of this door could change; where there is none, one that is not there. */
async function lookedUp(valid: Valid): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [door, prefix] of Object.entries(DOORS)) {
    const type = schema.getType(door);
    for (const { name, args } of Object.values(isObjectType(type) ? type.getFields() : {})) {
      for (const argument of args.filter(isRequiredArgument)) {
        const kind = kindSaid(argument.name, name);
        if (kind === undefined) continue;
        const id = await oneOf(valid, prefix, kind);
        found[`${door}.${name}.${argument.name}`] = isListType(getNullableType(argument.type)) ? [id] : id;
      }
    }
  }
  return found;
}

async function oneOf(valid: Valid, prefix: string, kind: IdKind): Promise<unknown> {
  const noun = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const named = ['Update', 'Delete'].map((verb) => (prefix === '' ? `${kind}${verb}` : `${prefix}${noun}${verb}`));
  const mutation = isOwnedKind(kind) ? named.find((name) => Object.hasOwn(MUTATIONS, name)) : undefined;
  return (mutation && (await valid(mutation)).input[`${kind}Id`]) ?? unknownId(kind);
}

export async function groupId(api: TestApi, kind: 'team' | 'organization', slug: string): Promise<string> {
  const found = await row(
    api.database.em.fork(),
    sql<{ id: string }>`select id from ${sql.table(`${kind}s`)} where slug = ${slug}`,
  );
  if (!found) throw new Error(`There is no ${kind} ${slug}.`);
  return publicId(kind, found.id);
}
