import type { OwnedId } from '../../core/id.ts';
import { smsParts } from '../../core/sms-text.ts';
import { selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { uidOf } from '../bookings/booking-key.rules.ts';
import { dateText, timeText } from '../bookings/mails/mail-time.rules.ts';
import { inherited } from '../teams/inherited-profile.queries.ts';
import { Team } from '../teams/team.entity.ts';
import type { ReceiverKind } from '../verified-resources/verified-resource.rules.ts';
import { findBookingFacts } from './booking-facts.queries.ts';
import { bookingMatter } from './sendings/booking-matter.ts';
import { findSendingTeam } from './sendings/sending-team.queries.ts';
import { asItStands } from './sendings/workflow-events.ts';
import { type Words, wordsFor } from './sendings/write-message.ts';
import { Workflow } from './workflow.entity.ts';
import { ACTIONS, type WorkflowStep } from './workflow.rules.ts';
import type { VariableValues } from './workflow-variables.rules.ts';

/** What a step would send. */
export interface WorkflowPreview extends Words {
  readonly stepId: string;
  /** In how many parts an SMS is sent; null of a mail. */
  readonly smsParts: number | null;
}

interface Previewed {
  readonly steps: readonly WorkflowStep[];
  readonly teamName: string;
  readonly timeZone: string;
}

/**
 * What each step of a team's workflow would send to its first receiver about one of the team's bookings, or with values that are
 * made up. Undefined where the team has no such workflow, or no such booking.
 */
export async function previewWorkflow(
  em: Em,
  { ownerId: teamId, id }: OwnedId,
  booking: OwnedId | undefined,
  publicUrl: string,
): Promise<readonly WorkflowPreview[] | undefined> {
  const found = await row(
    em,
    sql<Previewed>`
      select ${selectColumns(Workflow, ['steps'], 'w')}, ${selectColumnsAs(Team, { teamName: 'name' }, 't')},
        ${inherited('timeZone')} as "timeZone"
      from workflows w join teams t on t.id = w.team_id left join organizations o on o.id = t.organization_id
      where w.team_id = ${teamId} and w.id = ${id}`,
  );
  if (!found) return undefined;
  const { steps, teamName, timeZone } = found;
  if (!booking) {
    const values = sampleValues(teamName, timeZone, publicUrl);
    const anybody = { valuesFor: () => values };
    return steps.map((step) => {
      const { by } = ACTIONS[step.action];
      return shown(step, by, wordsFor(step, { ...anybody, by }, teamName, publicUrl));
    });
  }
  const facts = await findBookingFacts(em, booking, teamId);
  if (!facts) return undefined;
  const told = asItStands({ id: booking.id, ownerId: booking.ownerId, occurredAt: facts.start, booking: facts });
  // The uid of a seat is for who has it, and for nobody who only looks.
  const matter = await bookingMatter(em, told, steps, { uid: uidOf(booking) });
  if (!matter) return undefined;
  const team = await findSendingTeam(em, teamId, steps);
  return steps.flatMap((step) => {
    const [addressee] = matter.addresseesOf(step, team);
    return addressee ? shown(step, addressee.by, wordsFor(step, addressee, teamName, publicUrl)) : [];
  });
}

function shown({ id }: WorkflowStep, by: ReceiverKind, words: Words): WorkflowPreview {
  return { stepId: id, ...words, smsParts: by === 'PHONE' ? smsParts(words.text) : null };
}

const SAMPLE = { start: '2030-01-07T09:00:00Z', end: '2030-01-07T09:30:00Z' };

function sampleValues(teamName: string, timeZone: string, publicUrl: string): VariableValues {
  const reader = { timeZone, locale: 'en', timeFormat: null };
  const link = `${publicUrl}/bookings/…`;
  return {
    attendee_name: 'Grace Hopper',
    host_name: 'Ada Lovelace',
    team_name: teamName,
    event_name: 'Introduction',
    event_date: dateText(SAMPLE.start, reader),
    event_time: timeText(SAMPLE.start, reader),
    event_end_time: timeText(SAMPLE.end, reader),
    time_zone: timeZone.replaceAll('_', ' '),
    location: 'Main Street 1',
    booking_link: link,
    cancel_link: link,
    reschedule_link: link,
  };
}
