import { newId } from '../../../core/id.ts';
import { nextTurn, turnIsOver } from '../../../core/turns.ts';
import { anyOf, COUNT, changed, type Em, json, row, rows, sql } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import { addCounts, counterKey } from '../../../limits/counters.ts';
import type { MailLimits } from '../../../limits/mail-limit.ts';
import type { SmsLimits } from '../../../limits/sms-limit.ts';
import type { BookingChange } from '../../bookings/booking.queries.ts';
import type { ReceiverKind } from '../../verified-resources/verified-resource.rules.ts';
import { findSendingTeam } from '../verified-receivers.queries.ts';
import { NOT_TRIED, WorkflowSending } from '../workflow.entity.ts';
import type { SendingStatus, WorkflowStep } from '../workflow.rules.ts';
import type { FormSubmitted } from './form-matter.ts';
import { type Addressee, type Matter, mailboxOf } from './matter.ts';
import { type NoRoom, RoomLeft, type SendingLimits } from './room-left.ts';

/** A message to send: the key of its row, whether it goes by mail or SMS, and the event that it is about. */
export interface PlannedSending {
  readonly teamId: string;
  readonly id: string;
  readonly by: ReceiverKind;
  readonly event: NotifiedEvent;
}

/** The events that messages are about. */
export type NotifiedEvent = BookingChange | FormSubmitted;

export interface PlanSettings extends SendingLimits {
  /** Queues the messages, in the transaction that stores them. */
  readonly handOver: (em: Em, sendings: readonly PlannedSending[]) => Promise<void>;
}

/** A workflow that something starts. */
export interface Started {
  readonly teamId: string;
  readonly id: string;
  readonly steps: readonly WorkflowStep[];
}

/** A matter for which workflows are due. */
interface Due {
  readonly matter: Matter;
  readonly event: NotifiedEvent;
  /** The occurrence: each message goes once for each. */
  readonly occurrence: string;
}

interface Message {
  readonly id: string;
  readonly workflowId: string;
  readonly stepId: string;
  readonly addressee: Addressee;
}

/** Knows which receivers have room, and which may wait, as far as it is known. */
class Queue {
  readonly room = new RoomLeft();
  readonly #closed = new Set<Addressee>();

  /** Whether neither may be: there is no room, and no place to wait. */
  isClosedTo(addressee: Addressee): boolean {
    return this.#closed.has(addressee);
  }

  close(addressee: Addressee): void {
    this.#closed.add(addressee);
  }
}

/** Seconds until it is looked at again; undefined: whoever reads that mailbox wants none. */
type Lacks = ReadonlyMap<Message, number | undefined>;

/**
 * One network of strangers causes this part, at most, of the messages that wait for a team, so that it leaves no others
 * out.
 */
const PART_OF_NETWORK = 10;
/** Rows that are only locked are swept away after so long. */
const LOCK_SECONDS = 60;

/**
 * The line in which messages of a team's workflows wait for room. It is bounded, and messages that strangers cause may take
 * only a part of it.
 */
class Line {
  readonly #limits: SendingLimits;
  readonly #counted: Map<string, number>;

  private constructor(limits: SendingLimits, counted: Map<string, number>) {
    this.#limits = limits;
    this.#counted = counted;
  }

  /**
   * Counts the line of a team, with room for these: until the transaction ends, nobody else counts what waits for the
   * team, or for a stranger.
   */
  static async of(em: Em, teamId: string, addressees: readonly Addressee[], limits: SendingLimits): Promise<Line> {
    if (addressees.length === 0) return new Line(limits, new Map());
    const strangers = addressees.filter(({ isKnown }) => !isKnown).map(mailboxOf);
    const locks = [teamId, ...strangers].map((of) => counterKey('workflow line', 'waiting', of));
    await addCounts(em, new Map(locks.map((key) => [key, { by: 0, windowInSeconds: LOCK_SECONDS }])));
    const waiting = selectFrom(WorkflowSending, { status: 'WAITING' });
    const inLines = await rows(
      em,
      waiting
        .where('teamId', '=', teamId)
        .groupBy('line')
        .select(['line', COUNT.as('count')]),
    );
    const toReceivers = await rows(
      em,
      waiting
        .where('receiver', '=', anyOf(strangers))
        .groupBy('receiver')
        .select(['receiver', COUNT.as('count')]),
    );
    const counted = new Map(toReceivers.map(({ receiver, count }) => [receiver, count]));
    for (const { line, count } of inLines) {
      const [by = ''] = (line ?? '').split(' ', 1);
      counted.set(line ?? '', count);
      counted.set(by, (counted.get(by) ?? 0) + count);
    }
    return new Line(limits, counted);
  }

  /** Takes a place for one more; nothing where there is none. */
  take(addressee: Addressee): boolean {
    const bounds = this.#boundsOf(addressee);
    if (bounds.some(([key, most]) => (this.#counted.get(key) ?? 0) >= most)) return false;
    for (const [key] of bounds) this.#counted.set(key, (this.#counted.get(key) ?? 0) + 1);
    return true;
  }

  #boundsOf(addressee: Addressee): readonly (readonly [key: string, most: number])[] {
    const { by, isKnown, network } = addressee;
    const { line, toStranger } = this.#most(by);
    return [
      [by, line],
      [lineOf(addressee), network === null ? line : Math.ceil(line / PART_OF_NETWORK)],
      // Nobody knows whose address it is: no more wait for it than an hour has room for.
      ...(isKnown ? [] : [[mailboxOf(addressee), toStranger] as const]),
    ];
  }

  #most(by: ReceiverKind): { readonly line: number; readonly toStranger: number } {
    const { mailLimit, smsLimit } = this.#limits;
    const [mails, sms]: [MailLimits | undefined, SmsLimits | undefined] = [mailLimit.limits, smsLimit.limits];
    const [line, toStranger] = by === 'EMAIL' ? [mails?.workflowLine, mails?.receiver] : [sms?.line, sms?.attendee];
    return { line: line ?? Number.POSITIVE_INFINITY, toStranger: toStranger ?? Number.POSITIVE_INFINITY };
  }
}

/** How many messages one transaction writes down and counts, in a few milliseconds for which the team's other messages wait. */
const AT_ONCE = 250;

/**
 * Writes down a message for each step of the workflows, which are one team's, and receiver, in the order of the steps and, of each, of
 * the receivers. What there is no room for waits for it (held-sendings.ts). Where no more may wait, nothing further is written down,
 * which may be the most of it, but counted. If the process dies, what is done again begins where it has ended, as rows that are there are neither
 * counted nor sent again.
 */
export async function planMessages(
  em: Em,
  workflows: readonly Started[],
  due: Due,
  settings: PlanSettings,
): Promise<void> {
  const [first] = workflows;
  if (!first || (await isPlanned(em, first.teamId, workflows, due))) return;
  const receiversOf = await receiversByStep(em, first.teamId, workflows, due.matter);
  const queue = new Queue();
  let batch: Message[] = [];
  let notTried = 0;
  const writeDown = async (): Promise<void> => {
    await writeBatch(em, first.teamId, batch, { due, queue, settings });
    batch = [];
  };
  for (const { id: workflowId, steps } of workflows) {
    for (const step of steps) {
      if (turnIsOver()) await nextTurn();
      for (const addressee of receiversOf(step)) {
        if (queue.isClosedTo(addressee)) notTried += 1;
        else batch.push({ id: newId(), workflowId, stepId: step.id, addressee });
        if (batch.length === AT_ONCE) await writeDown();
      }
    }
  }
  await writeDown();
  if (notTried > 0) await noteNotTried(em, first, due, notTried);
}

/** Whether all has been decided, and what was not tried counted. */
async function isPlanned(
  em: Em,
  teamId: string,
  workflows: readonly Started[],
  { matter, occurrence }: Due,
): Promise<boolean> {
  const ids = workflows.map(({ id }) => id);
  const known = selectFrom(WorkflowSending, { teamId, aboutId: matter.id, receiver: NOT_TRIED, occurrence });
  return (await row(em, known.where('workflowId', '=', anyOf(ids)).select('id'))) !== undefined;
}

/** The receivers of each step; each is one and the same for all steps that reach them alike. */
async function receiversByStep(
  em: Em,
  teamId: string,
  workflows: readonly Started[],
  matter: Matter,
): Promise<(step: WorkflowStep) => readonly Addressee[]> {
  const team = await findSendingTeam(
    em,
    teamId,
    workflows.flatMap(({ steps }) => steps),
    matter.ownerId,
  );
  const known = new Map<string, readonly Addressee[]>();
  return (step) => {
    const key = `${step.action} ${step.sendTo}`;
    const addressees = known.get(key) ?? matter.addresseesOf(step, team);
    known.set(key, addressees);
    return addressees;
  };
}

interface Batch {
  readonly due: Due;
  readonly queue: Queue;
  readonly settings: PlanSettings;
}

/** Writes down, counts and hands over the messages that were not there yet: all of it or, should the process die, nothing. */
async function writeBatch(
  em: Em,
  teamId: string,
  batch: readonly Message[],
  { due: { matter, event, occurrence }, queue, settings }: Batch,
): Promise<void> {
  if (batch.length === 0) return;
  await em.transactional(async (inner) => {
    const keys = batch.map(({ addressee, ...key }) => ({ ...key, receiver: mailboxOf(addressee) }));
    const ids = await insertSendings(inner, teamId, keys, { matter, occurrence, status: 'PENDING' });
    const added = batch.filter(({ id }) => ids.has(id));
    const lacks = await admitEach(inner, teamId, added, queue.room, settings);
    const unsent = await letWait(inner, { teamId, event, lacks, queue, settings });
    await matter.noteUnsent(inner, unsent);
    const toSend = added.filter((message) => !lacks.has(message));
    await settings.handOver(
      inner,
      toSend.map(({ id, addressee: { by } }) => ({ teamId, id, by, event })),
    );
  });
}

/** The key of a row, beside its matter and its occurrence. */
type Key = Pick<Message, 'id' | 'workflowId' | 'stepId'> & { readonly receiver: string };

/** Inserts messages. @returns the ids of those that were not there yet */
async function insertSendings(
  em: Em,
  teamId: string,
  keys: readonly Key[],
  { matter, occurrence, status }: Pick<Due, 'matter' | 'occurrence'> & { readonly status: SendingStatus },
): Promise<ReadonlySet<string>> {
  const inserted = await rows(
    em,
    sql<{ id: string }>`
      insert into workflow_sendings
        (team_id, id, workflow_id, step_id, about_id, receiver, occurrence, status, created_at)
      select w.team_id, m.id, w.id, m.step_id, ${matter.id}::uuid, m.receiver, ${occurrence}::text, ${status}::text, now()
      from unnest(
        ${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ workflowId }) => workflowId)}::uuid[],
        ${keys.map(({ stepId }) => stepId)}::uuid[], ${keys.map(({ receiver }) => receiver)}::text[]
      ) as m(id, workflow_id, step_id, receiver)
      join workflows w on w.team_id = ${teamId}::uuid and w.id = m.workflow_id
      for key share of w
      on conflict (team_id, about_id, workflow_id, step_id, receiver, occurrence) do nothing
      returning id`,
  );
  return new Set(inserted.map(({ id }) => id));
}

/**
 * Counts the messages of receivers who have none waiting: a new one does not go before those that wait.
 * @returns those without room
 */
async function admitEach(
  em: Em,
  teamId: string,
  messages: readonly Message[],
  room: RoomLeft,
  limits: SendingLimits,
): Promise<Lacks> {
  const waiting = await findWaiting(em, teamId, messages);
  const lacks = new Map<Message, number | undefined>();
  const note = (message: Message, { limit, secondsToWait }: NoRoom): void => {
    lacks.set(message, limit === 'silence' ? undefined : secondsToWait);
  };
  const tried: Message[] = [];
  for (const message of messages) {
    const behind = waiting.get(mailboxOf(message.addressee));
    const lack = room.lackFor(message.addressee);
    if (behind !== undefined) lacks.set(message, behind);
    else if (lack) note(message, lack);
    else tried.push(message);
  }
  const refused = await room.admit(
    em,
    teamId,
    tried.map(({ addressee }) => addressee),
    limits,
  );
  for (const [place, lack] of refused) {
    const message = tried[place];
    if (message) note(message, lack);
  }
  return lacks;
}

/** Finds the receivers who have something of the team waiting, and in how many seconds it is looked at again. */
async function findWaiting(em: Em, teamId: string, messages: readonly Message[]): Promise<ReadonlyMap<string, number>> {
  const receivers = messages.map(({ addressee }) => mailboxOf(addressee));
  const waiting = selectFrom(WorkflowSending, { teamId, status: 'WAITING' }).where('receiver', '=', anyOf(receivers));
  const seconds = sql<number>`greatest(1, ceil(extract(epoch from min(due_at) - now())))::int`;
  const found = await rows(em, waiting.groupBy('receiver').select(['receiver', seconds.as('seconds')]));
  return new Map(found.map((one) => [one.receiver, one.seconds]));
}

interface Waiting {
  readonly teamId: string;
  readonly event: NotifiedEvent;
  readonly lacks: Lacks;
  readonly queue: Queue;
  readonly settings: PlanSettings;
}

/** Lets messages wait for room, as long as there is a place. @returns how many of them end unsent */
async function letWait(em: Em, { teamId, event, lacks, queue, settings }: Waiting): Promise<number> {
  if (lacks.size === 0) return 0;
  const line = await Line.of(
    em,
    teamId,
    [...lacks.keys()].map(({ addressee }) => addressee),
    settings,
  );
  const outcomes = [...lacks].map(([{ id, addressee }, seconds]) => {
    const isWaiting = seconds !== undefined && line.take(addressee);
    if (!isWaiting) queue.close(addressee);
    return { id, line: lineOf(addressee), seconds: isWaiting ? seconds : null };
  });
  await changed(
    em,
    sql`update workflow_sendings s set status = case when seconds is null then 'NONE' else 'WAITING' end,
          line = case when seconds is not null then new.line end, due_at = now() + make_interval(secs => seconds),
          event = case when seconds is not null then ${json(event)} end
        from unnest(${outcomes.map(({ id }) => id)}::uuid[], ${outcomes.map((outcome) => outcome.line)}::text[],
          ${outcomes.map(({ seconds }) => seconds)}::int[]) as new (id, line, seconds)
        where s.team_id = ${teamId} and s.id = new.id`,
  );
  const unsent = outcomes.filter(({ seconds }) => seconds === null).length;
  settings.mailLimit.reportUnsent('workflows', 'No more may wait, or the receiver wants none.', unsent);
  return unsent;
}

/** The line in which a message waits: by the way it goes, and by its sender. */
function lineOf({ by, userId, network }: Pick<Addressee, 'by' | 'userId' | 'network'>): string {
  return `${by} ${counterKey('workflow line', network ?? '', userId ?? '')}`;
}

/** Notes how many messages were not tried; only once, however often this runs. */
async function noteNotTried(em: Em, { teamId, id, steps }: Started, due: Due, count: number): Promise<void> {
  const [{ id: stepId } = { id }] = steps;
  const key = { id: newId(), workflowId: id, stepId, receiver: NOT_TRIED };
  await em.transactional(async (inner) => {
    const inserted = await insertSendings(inner, teamId, [key], { ...due, status: 'NONE' });
    if (inserted.size > 0) await due.matter.noteUnsent(inner, count);
  });
}
