import { selectColumns } from '../../../database/columns.ts';
import { type Em, rows, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { Workflow } from '../workflow.entity.ts';
import type { WorkflowStep } from '../workflow.rules.ts';
import { bookingMatter } from './booking-matter.ts';
import { type FormSubmitted, formMatter } from './form-matter.ts';
import { type PlanSettings, planMessages, type Started } from './plan-messages.ts';
import { BOOKINGS_WITH_WORKFLOWS, IS_ABOUT_IT } from './workflow-condition.queries.ts';
import { mailedEvent, triggerOf, type WorkflowEvent } from './workflow-events.ts';

/** Writes down each message that an event leads to, once for each step and receiver: again, it changes nothing. */
export async function planSendings(
  em: Em,
  event: WorkflowEvent | FormSubmitted,
  settings: PlanSettings,
): Promise<void> {
  const isForm = event.type === 'ROUTING_FORM_SUBMITTED';
  const workflows = isForm ? await findStartedByForm(em, event) : await findStarted(em, event);
  if (workflows.length === 0) return;
  const messageEvent = isForm ? event : mailedEvent(event);
  const matter =
    messageEvent.type === 'ROUTING_FORM_SUBMITTED'
      ? await formMatter(em, messageEvent)
      : await bookingMatter(em, messageEvent, stepsOf(workflows));
  if (matter) await planMessages(em, workflows, { matter, event: messageEvent, occurrence: event.id }, settings);
}

function stepsOf(workflows: readonly Started[]): readonly WorkflowStep[] {
  return workflows.flatMap(({ steps }) => steps);
}

/** The active workflows of the form's team which it starts. Forms of organizations start none: those have no workflows. */
function findStartedByForm(em: Em, { ownerId, routingFormId }: FormSubmitted): Promise<Started[]> {
  return rows(
    em,
    selectFrom(Workflow, { teamId: ownerId, isActive: true, trigger: 'FORM_SUBMITTED' })
      .where(sql<boolean>`(item.routing_form_ids is null or ${routingFormId}::uuid = any(item.routing_form_ids))`)
      .select(['teamId', 'id', 'steps'])
      .orderBy('id'),
  );
}

/** The active workflows of the booking's team, or of the team that manages its event type, which the event starts. */
function findStarted(em: Em, event: WorkflowEvent): Promise<Started[]> {
  return rows(
    em,
    sql<Started>`
      select ${selectColumns(Workflow, ['teamId', 'id', 'steps'], 'w')}
      from ${BOOKINGS_WITH_WORKFLOWS}
      where b.owner_id = ${event.ownerId} and b.id = ${event.booking.id} and w.trigger = ${triggerOf(event)} and ${IS_ABOUT_IT}
      order by w.id`,
  );
}
