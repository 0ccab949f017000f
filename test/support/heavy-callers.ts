import type { GraphQLField, GraphQLNamedType } from 'graphql';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { declaredRequirement } from '../../src/scopes/requirement.ts';
import type { HeavyData } from './heavy-data.ts';
import { tokensFor } from './oauth-requests.ts';
import type { KnownValues } from './random-documents.ts';
import { TestBrowser } from './test-browser.ts';

/** Somebody who sends documents, with what they may select and what they know. */
export interface HeavyCaller {
  readonly name: string;
  readonly token: string | undefined;
  readonly known: KnownValues;
  opens(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): boolean;
}

const isPublic = (field: GraphQLField<unknown, unknown>): boolean =>
  (declaredRequirement(field) as { access?: string } | undefined)?.access === 'PUBLIC';

/** Nobody, and an app with all scopes of the user who has most. */
export async function heavyCallers(url: string, heavy: HeavyData): Promise<readonly [HeavyCaller, HeavyCaller]> {
  const browser = await TestBrowser.signedIn(url, heavy.email);
  const { access_token: token } = await tokensFor(browser, heavy.client, { scope: SCOPES.join(' ') });
  const known = {
    username: [heavy.username],
    slug: ['every-minute'],
    team: [heavy.teamSlug],
    uid: [heavy.bookingUid],
    id: [heavy.bookingId, ...heavy.eventTypeIds, heavy.teamId, heavy.organizationId],
    eventTypeId: heavy.eventTypeIds,
    start: [dayFromNow(1)],
    end: [dayFromNow(2), dayFromNow(9), dayFromNow(32), dayFromNow(93)],
    timeZone: ['UTC', 'Australia/Lord_Howe'],
  };
  return [
    {
      name: 'an anonymous caller',
      token: undefined,
      known,
      opens: (type, field) => type.name !== 'Query' || isPublic(field),
    },
    { name: 'an app with all scopes', token, known, opens: () => true },
  ];
}

function dayFromNow(days: number): string {
  return Temporal.Now.instant()
    .add({ hours: 24 * days })
    .toString({ smallestUnit: 'second' });
}
