/** A team with workflows, whose bookings start them, and what time does to both. */
import { rows, sql } from '../../../src/database/sql.ts';
import { countWaiting } from '../../../src/modules/workflows/sendings/held-sendings.ts';
import { FROM, TO } from '../../api/booking-pages.ts';
import { type ManagedTeam, openManagedTeam } from '../../api/managed-team.ts';
import type { TestApi, TestCaller } from '../../support/api.ts';
import { uuidOf } from '../../support/ids.ts';
import { newRoutingForm } from '../../support/routing-forms.ts';

export const GRACE = {
  name: 'Grace',
  email: 'grace@example.test',
  timeZone: 'America/New_York',
  locale: 'de-DE',
};

export class WorkflowWorld {
  readonly api: TestApi;
  team!: ManagedTeam;
  host!: TestCaller;
  readonly #step: object;

  /** `step` is what steps of its workflows are, unless a test says otherwise. */
  constructor(api: TestApi, step: object) {
    this.api = api;
    this.#step = step;
  }

  /** A team of its own for each group of tests, with one member who hosts all. */
  async newTeam(): Promise<void> {
    this.team = await openManagedTeam(this.api);
    this.host = await this.team.join();
  }

  offer(more: object = {}): Promise<string> {
    const hosts = [{ userId: this.host.userId }];
    return this.team.manage({ schedulingType: 'COLLECTIVE', hosts, title: 'Demo', ...more });
  }

  async workflow(more: object = {}, step: object = {}): Promise<{ id: string; steps: { id: string }[] }> {
    const { owner, teamId } = this.team;
    const input = { teamId, name: 'W', trigger: 'NEW_BOOKING', steps: [{ ...this.#step, ...step }], ...more };
    const { data, mistakes } = await owner.change('teamWorkflowCreate', input, 'workflow { id steps { id } }');
    refuseMistakes(mistakes);
    return data.workflow;
  }

  /** A form of the team. */
  async newForm(more: object = {}): Promise<string> {
    const { username } = (await this.team.owner.ask('{ me { username } }')).data.me;
    return newRoutingForm(this.api.signedIn(username), { teamId: this.team.teamId }, more);
  }

  async startsOf(eventTypeId: string): Promise<string[]> {
    const document = `query($id: ID!, $from: DateTime!, $to: DateTime!) {
      slots(eventType: { id: $id }, start: $from, end: $to) { start } }`;
    const { data } = await this.api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
    return data.slots.map(({ start }: { start: string }) => start);
  }

  async book(eventTypeId: string, more: object = {}, as: TestCaller = this.api.nobody): Promise<string> {
    const [start] = await this.startsOf(eventTypeId);
    const input = { eventTypeId, start, attendee: GRACE, ...more };
    const { data, mistakes } = await as.change('bookingCreate', input, 'booking { uid }');
    refuseMistakes(mistakes);
    return data.booking.uid;
  }

  /** As if so much time had passed for bookings and what is planned of them. */
  async minutesPass(minutes: number): Promise<void> {
    const em = this.api.database.em.fork();
    const passed = sql`make_interval(mins => ${minutes}::int)`;
    await rows(em, sql`update bookings set starts_at = starts_at - ${passed}, ends_at = ends_at - ${passed}`);
    await rows(em, sql`update workflow_reminders set due_at = due_at - ${passed}`);
    // A message that was sent for a time is older by now than one that is due at that time.
    await rows(em, sql`update workflow_sendings set occurrence = occurrence || ' before'`);
  }

  /** Minutes from now until a booking begins. */
  async minutesUntil(uid: string): Promise<number> {
    const [found] = await rows(
      this.api.database.em.fork(),
      sql<{ minutes: number }>`select floor(extract(epoch from starts_at - now()) / 60)::int as minutes from bookings
        where id = ${uuidOf(uid)}`,
    );
    return found?.minutes ?? Number.NaN;
  }

  /** So many messages about it wait for room. */
  async waitingOf(uid: string): Promise<number> {
    return (await countWaiting(this.api.database.em.fork(), [uuidOf(uid)])).get(uuidOf(uid)) ?? 0;
  }

  /** So many messages about it end unsent. */
  async unsentOf(uid: string): Promise<number | undefined> {
    const [stored] = await rows(
      this.api.database.em.fork(),
      sql<{ unsent: number }>`select unsent_mails as unsent from bookings where id = ${uuidOf(uid)}`,
    );
    return stored?.unsent;
  }
}

function refuseMistakes(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new Error(`It was refused: ${mistakes.join(', ')}.`);
}
