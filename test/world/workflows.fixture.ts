import { sql } from '../../src/database/sql.ts';
import { and, by, did, type Fixture, type Maker } from './fixture.ts';

const WORKFLOW = {
  name: 'Welcome',
  trigger: 'NEW_BOOKING',
  steps: [{ action: 'EMAIL_HOST', subject: 'New: {event_name}', body: '{attendee_name} has booked.' }],
};

/** There are only so many of a team, so what was made before is deleted, but for the one that is kept. */
const newWorkflow = async (maker: Maker) => {
  await maker.rows(sql`delete from workflows where name = ${WORKFLOW.name} returning id`);
  return WORKFLOW;
};

const teamWorkflow = async (maker: Maker, name = WORKFLOW.name) => ({
  workflowId: await maker.made(
    'teamWorkflowCreate',
    { teamId: await maker.id('teams', 'sales'), ...(await newWorkflow(maker)), name },
    'workflowId',
  ),
});

const keptWorkflow = async (maker: Maker) => ({
  workflowId: await maker.once('workflow', async () => (await teamWorkflow(maker, 'Kept')).workflowId),
});

export const WORKFLOW_STEP = {
  action: 'EMAIL_ADDRESS',
  sendTo: 'grace@example.test',
  subject: 'New',
  body: 'Hello',
  senderName: 'Sales',
};

export const fixture: Fixture = {
  after: ['event-types', 'verified-resources'],
  things: {
    workflow: {
      isForUnverified: true,
      make: newWorkflow,
      change: { isActive: false },
      full: null,
      many: { trigger: sql`'NEW_BOOKING'` },
    },
  },
  inputs: {
    teamWorkflowUpdate: by('team', and(keptWorkflow, { isActive: false })),
  },
  fields: {
    Team: { GROUP_ADMINISTRATORS: 'workflowPreview' },
    Workflow: { AS_ABOVE: 'offset steps' },
  },
  fillGroups: async ({ owner, teamId }) => {
    const type = { teamId, slug: 'followed', title: 'Talk', durationInMinutes: 30, hosts: [{ userId: owner.userId }] };
    const input = {
      teamId,
      name: 'Welcome',
      trigger: 'BEFORE_BOOKING_START',
      offset: { value: 1, unit: 'DAY' },
      eventTypeIds: [await did(owner, 'teamEventTypeCreate', type, 'eventTypeId')],
      steps: [WORKFLOW_STEP],
    };
    await did(owner, 'teamWorkflowCreate', input);
  },
};
