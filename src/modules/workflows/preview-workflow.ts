import type { OwnedId } from '../../core/id.ts';
import { zoneName } from '../../core/instant.ts';
import { smsParts } from '../../core/sms-text.ts';
import { selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import type { BookingFacts } from '../../events/record-event.ts';
import { Booking, hostIdsOf } from '../bookings/booking.entity.ts';
import { areReadThrough } from '../bookings/lists/listed-owners.queries.ts';
import { dateText, timeText } from '../bookings/mails/mail-time.rules.ts';
import { Team } from '../teams/team.entity.ts';
import { inherited } from '../teams/team.queries.ts';
import type { ReceiverKind } from '../verified-resources/verified-resource.rules.ts';
import { bookingMatter } from './sendings/booking-matter.ts';
import { asItStands, isOfTeam } from './sendings/plan-sendings.ts';
import { type Words, wordsFor } from './sendings/send-sending.ts';
import { findSendingTeam } from './verified-receivers.queries.ts';
import { Workflow } from './workflow.entity.ts';
import { ACTIONS, subjectOf, type WorkflowStep, type WorkflowTrigger } from './workflow.rules.ts';
import {
  answerName,
  type BookingValues,
  type FormValues,
  slugsAsked,
  type Values,
} from './workflow-variables.rules.ts';

/** The message that a step would send. */
export interface WorkflowPreview extends Words {
  readonly stepId: string;
  /** The number of parts in which an SMS is sent; null for a mail. */
  readonly smsPartCount: number | null;
}

/** Stands in the place of a uid, which is for its attendee and for nobody who only looks. */
const OF_THE_READER = '…';

interface Previewed {
  readonly trigger: WorkflowTrigger;
  readonly steps: readonly WorkflowStep[];
  readonly teamName: string;
  readonly timeZone: string;
}

/**
 * Writes what each step of a team's workflow would send to its first receiver about one of the team's bookings, or with
 * values that are made up. Undefined where the team has no such workflow, or the reader's lists no such booking.
 */
export async function previewWorkflow(
  em: Em,
  { ownerId: teamId, id }: OwnedId,
  asked: { readonly booking: OwnedId | undefined; readonly readerId: string },
  publicUrl: string,
): Promise<readonly WorkflowPreview[] | undefined> {
  const found = await row(
    em,
    sql<Previewed>`
      select ${selectColumns(Workflow, ['trigger', 'steps'], 'w')}, ${selectColumnsAs(Team, { teamName: 'name' }, 't')},
        ${inherited('timeZone')} as "timeZone"
      from workflows w join teams t on t.id = w.team_id left join organizations o on o.id = t.organization_id
      where w.team_id = ${teamId} and w.id = ${id}`,
  );
  if (!found) return undefined;
  const pages = { publicUrl, code: () => OF_THE_READER };
  const { booking, readerId } = asked;
  const { trigger, steps, teamName, timeZone } = found;
  const about = subjectOf(trigger);
  if (!booking) {
    const values =
      about === 'FORM' ? sampleOfForm(teamName, publicUrl) : sampleOfBooking(teamName, timeZone, publicUrl);
    const anybody = { valuesFor: () => withAnswers({ about, byName: values }, steps) };
    return steps.map((step) => {
      const { by } = ACTIONS[step.action];
      return shown(step, by, wordsFor(step, { ...anybody, by }, teamName, pages));
    });
  }
  if (about === 'FORM') return undefined;
  const facts = await findBookingFacts(em, booking, teamId, readerId);
  if (!facts) return undefined;
  const event = asItStands({ id: booking.id, ownerId: booking.ownerId, occurredAt: facts.start, booking: facts });
  const matter = await bookingMatter(em, event, steps);
  if (!matter) return undefined;
  const team = await findSendingTeam(em, teamId, steps, booking.ownerId);
  return steps.flatMap((step) => {
    const [addressee] = matter.addresseesOf(step, team);
    return addressee ? shown(step, addressee.by, wordsFor(step, addressee, teamName, pages)) : [];
  });
}

function sampleOfForm(teamName: string, publicUrl: string): FormValues {
  return {
    form_name: 'Contact',
    team_name: teamName,
    next_link: `${publicUrl}/book/…`,
    answers: 'Company: ACME\nHow many are you?: 120',
  };
}

const SAMPLE = { start: '2030-01-07T09:00:00Z', end: '2030-01-07T09:30:00Z' };

function sampleOfBooking(teamName: string, timeZone: string, publicUrl: string): BookingValues {
  const reader = { timeZone, locale: 'en', timeFormat: null };
  const link = `${publicUrl}/bookings/${OF_THE_READER}`;
  return {
    attendee_name: 'Grace Hopper',
    host_name: 'Ada Lovelace',
    team_name: teamName,
    event_name: 'Introduction',
    event_date: dateText(SAMPLE.start, reader),
    event_time: timeText(SAMPLE.start, reader),
    event_end_time: timeText(SAMPLE.end, reader),
    time_zone: zoneName(timeZone),
    location: 'Main Street 1',
    booking_link: link,
    cancel_link: link,
    reschedule_link: link,
  };
}

/** Makes up an answer to each field that the steps name, since a preview is of no form in particular. */
function withAnswers({ about, byName }: Values, steps: readonly WorkflowStep[]): Values {
  if (about !== 'FORM') return { about, byName };
  const slugs = steps.flatMap(({ subject, body }) => slugsAsked(`${subject ?? ''} ${body}`));
  const answers = slugs.map((slug) => [answerName(slug), `(the answer to ${slug})`] as const);
  return { about, byName: { ...byName, ...Object.fromEntries(answers) } };
}

function shown({ id }: WorkflowStep, by: ReceiverKind, words: Words): WorkflowPreview {
  return { stepId: id, ...words, smsPartCount: by === 'PHONE' ? smsParts(words.text) : null };
}

/**
 * A booking of a team, or of an event type that it manages, as events tell of it, to an administrator of the team in whose lists it is;
 * undefined for any other.
 */
async function findBookingFacts(
  em: Em,
  { ownerId, id }: OwnedId,
  teamId: string,
  readerId: string,
): Promise<BookingFacts | undefined> {
  const found = await row(
    em,
    sql<Pick<BookingFacts, 'eventTypeId' | 'hostIds' | 'start' | 'end'>>`
      select ${selectColumnsAs(Booking, { eventTypeId: 'eventTypeId', start: 'startsAt', end: 'endsAt' }, 'b')},
        ${hostIdsOf('b')} as "hostIds"
      from bookings b
      where b.owner_id = ${ownerId} and b.id = ${id} and ${isOfTeam(sql`${teamId}::uuid`)}
        and ${areReadThrough(sql`${teamId}::uuid`, sql`${readerId}::uuid`, sql`b.owner_id`)}`,
  );
  return found && { ...found, id, thread: id };
}
