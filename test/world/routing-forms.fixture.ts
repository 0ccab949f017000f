import type { PageRequest, TimeRange } from '../../src/core/page.ts';
import { Selection } from '../../src/database/columns.ts';
import { NOT_NARROWED } from '../../src/database/pages.ts';
import { changed, type Em, sql } from '../../src/database/sql.ts';
import { RoutingFormResponse } from '../../src/modules/routing-forms/routing-form.entity.ts';
import { responsePages } from '../../src/modules/routing-forms/routing-form.queries.ts';
import { ownedUuidOf, uuidNumbered } from '../support/ids.ts';
import { FORM, newRoutingForm } from '../support/routing-forms.ts';
import { ago, did, type Filling, type Fixture, groupOf, type Maker, type ManyRows, numbered } from './fixture.ts';
import { WORKFLOW_STEP } from './workflows.fixture.ts';

/** Forms are made with a session, and the same one serves all. */
const form = (group: 'team' | 'organization') => async (maker: Maker) => ({
  routingFormId: await maker.once(`form of the ${group}`, async () =>
    newRoutingForm(maker.signedIn('ada'), (await groupOf(maker, group)) as { teamId: string }),
  ),
});

const ANSWERS = { answers: { company: 'ACME' } };

function formResponses(em: Em, { teamId, routingFormId }: ManyRows, page: PageRequest, period?: TimeRange) {
  const form = { ownerId: teamId, id: routingFormId };
  return responsePages(em, [form], page, Selection.whole(RoutingFormResponse), { ...NOT_NARROWED, period });
}

export const fixture: Fixture = {
  after: ['workflows'],
  things: {
    routingForm: {
      many: ({ organizationId, teamId, routingFormId }, count) => {
        const form = sql`'', true, 1, '[]'::jsonb, '[]'::jsonb, '{}'::jsonb, now(), now()`;
        const columns = sql`name, is_active, version, fields, routes, fallback, created_at, updated_at`;
        return [
          sql`insert into routing_forms (owner_id, id, team_id, ${columns})
        select ${teamId}::uuid, id, ${teamId}::uuid, ${form}
        from (select ${routingFormId}::uuid as id union all select ${uuidNumbered('0')} from ${numbered(count)}) f`,
          sql`insert into routing_forms (owner_id, id, organization_id, ${columns})
        select ${organizationId}::uuid, ${uuidNumbered('0')}, ${organizationId}::uuid, ${form} from ${numbered(count)}`,
        ];
      },
    },
    routingFormResponse: {
      stays: 'are of those who have answered',
      isForUnverified: true,
      make: async (maker, level) => ({ ...(await form(level as 'team' | 'organization')(maker)), ...ANSWERS }),
      change: ANSWERS,
      full: null,
      many: ({ teamId, routingFormId }, count) => [
        sql`insert into routing_form_responses (owner_id, id, form_id, form_version, fields, answers, target, created_at, updated_at)
        select ${teamId}::uuid, ${uuidNumbered('0')}, ${routingFormId}::uuid, 1, '[]', '{}', '{}', ${ago}, now() from ${numbered(count)}`,
      ],
    },
  },
  inputs: {
    routingFormSubmit: async (maker) => ({
      username: 'ada',
      input: { ...(await form('team')(maker)), ...ANSWERS },
      names: ['routingFormId'],
    }),
  },
  fields: {
    Query: { ANYBODY: 'publicRoutingForm routingFormOutcome' },
    RoutingForm: { AS_ABOVE: 'fields routes fallback responses' },
    PublicRoutingForm: { AS_ABOVE: 'id name description fields' },
    RoutingFormField: { AS_ABOVE: 'slug type label isRequired options placeholder' },
    RoutingFormOutcome: { AS_ABOVE: 'type message url eventType slots' },
    RoutingFormRoute: { AS_ABOVE: 'conditions target' },
    RoutingFormResponse: { AS_ABOVE: 'fields target' },
  },
  lists: {
    'RoutingForm.responses': {
      lists: [
        (em, many, page) => formResponses(em, many, page),
        (em, many, page) => formResponses(em, many, page, { from: Temporal.Instant.from('2020-01-01T00:00:00Z') }),
      ],
    },
  },
  fillGroups: async (filling) => {
    const { world, owner, teamId } = filling;
    const ofTeam = {
      teamId,
      slug: 'routed',
      title: 'Routed',
      durationInMinutes: 30,
      hosts: [{ userId: owner.userId }],
    };
    await fillInForm(filling, { teamId }, await did(owner, 'teamEventTypeCreate', ofTeam, 'eventTypeId'));
    const own = { slug: 'routed', title: 'Routed', durationInMinutes: 30, isHidden: true };
    const { organizationId } = world;
    await fillInForm(filling, { organizationId }, await did(owner, 'eventTypeCreate', own, 'eventTypeId'));
  },
};

/** A form with everything that a form can have, and a response to it. */
async function fillInForm(
  { world, owner, ownerSignedIn }: Filling,
  of: { teamId: string } | { organizationId: string },
  eventTypeId: string,
): Promise<void> {
  const [level, description] = 'teamId' in of ? ['team', 'Words.'] : ['organization', 'More words.'];
  const routes = [...FORM.routes, { conditions: FORM.routes[0]?.conditions, target: { eventTypeId } }];
  const routingFormId = await newRoutingForm(ownerSignedIn, of, { description, routes });
  const response = { ...of, routingFormId, answers: { company: 'ACME', size: 500 } };
  await did(owner, `${level}RoutingFormResponseCreate`, response, 'routingFormResponseId');
  if (level === 'team') {
    const workflow = { ...of, name: 'Forms', trigger: 'ROUTING_FORM_SUBMITTED', routingFormIds: [routingFormId] };
    await did(owner, 'teamWorkflowCreate', { ...workflow, steps: [WORKFLOW_STEP] });
  }
  await changed(
    world.api.database.em.fork(),
    sql`update routing_forms set fallback = jsonb_build_object('type', 'EVENT_TYPE', 'ownerId', ${ownedUuidOf(eventTypeId).ownerId}::text,
      'id', ${ownedUuidOf(eventTypeId).id}::text) where id = ${ownedUuidOf(routingFormId).id}`,
  );
}
