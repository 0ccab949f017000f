import { publicId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUserId } from '../../graphql/context.ts';
import { OTHER_KINDS, ownedIdArgument } from '../../graphql/id-arguments.ts';
import { LONG_TEXT } from '../../graphql/limits/price.ts';
import { INHERIT, reads } from '../../scopes/declare.ts';
import { mayList } from '../levels/resource.graphql.ts';
import { Team } from '../teams/team.graphql.ts';
import { previewWorkflow, type WorkflowPreview as WorkflowPreviewShape } from './preview-workflow.ts';
import { MAX_SMS_PARTS, MAX_STEPS } from './workflow.rules.ts';

const WorkflowPreview = builder.objectRef<WorkflowPreviewShape>('WorkflowPreview').implement({
  description: 'What a step of a workflow would send.',
  fields: (t) => ({
    stepId: t.id({
      requires: INHERIT,
      description: 'The step, by its id (`wst_…`).',
      resolve: ({ stepId }) => publicId('workflowStep', stepId),
    }),
    subject: t.exposeString('subject', {
      nullable: true,
      requires: INHERIT,
      description: 'The subject, with the values in it. Null for an SMS.',
    }),
    text: t.exposeString('text', {
      price: LONG_TEXT,
      requires: INHERIT,
      description: `The text, with the values in it; of an SMS, as it is sent: cut off after ${MAX_SMS_PARTS} parts.`,
    }),
    smsPartCount: t.exposeInt('smsPartCount', {
      nullable: true,
      requires: INHERIT,
      description:
        'In how many parts an SMS is sent, each of which costs: one has 160 characters of the 7-bit alphabet (GSM 03.38), or 70 of any. Null for a mail.',
    }),
  }),
});

const [workflows] = reads('WORKFLOW').team;
const [bookings] = reads('BOOKING').team;

builder.objectField(Team, 'workflowPreview', (t) =>
  t.field({
    type: [WorkflowPreview],
    nullable: true,
    price: { max: MAX_STEPS, oneAtATime: true },
    description:
      'What the steps of a workflow would send to their first receivers: about a booking of the team or, without one, about one that is made up. A step that nobody would get is left out. Null for a workflow that is not the team’s, for a booking that neither its list nor that of its organization has for you, and unless you administer it.',
    requires: { team: [workflows, bookings], enters: 'TEAM' },
    args: {
      workflowId: t.arg.id({ required: true, description: `Its id, which begins with \`wfl_\`. ${OTHER_KINDS}` }),
      bookingId: t.arg.id({ description: `The id of a booking, which begins with \`bkg_\`. ${OTHER_KINDS}` }),
    },
    resolve: async (parent, { workflowId, bookingId }, context) => {
      if (!mayList(parent)) return undefined;
      const workflow = ownedIdArgument('workflow', workflowId, ['workflowId']);
      const booking = bookingId == null ? undefined : ownedIdArgument('booking', bookingId, ['bookingId']);
      if (workflow?.ownerId !== parent.id || (bookingId != null && !booking)) return undefined;
      const previews = await previewWorkflow(
        context.em,
        workflow,
        { booking, readerId: requireUserId(context) },
        context.publicUrl,
      );
      return previews && [...previews];
    },
  }),
);
