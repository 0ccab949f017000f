import { newId } from '../core/id.ts';
import { type Em, row, rows } from '../database/sql.ts';
import { selectFrom } from '../database/statements.ts';
import { EventType } from '../modules/event-types/event-type.entity.ts';
import { RoutingForm } from '../modules/routing-forms/routing-form.entity.ts';
import type { Target } from '../modules/routing-forms/routing-form.rules.ts';
import { Team } from '../modules/teams/team.entity.ts';
import { DEMO_FORM } from './demo-data.ts';

/** A routing form of a team of the demo, whose event types are there. */
export async function seedForm(em: Em, now: Temporal.Instant): Promise<void> {
  const { team: slug, name, description, fields, routes, fallback } = DEMO_FORM;
  const team = await row(em, selectFrom(Team, { slug }).select('id'));
  if (!team) throw new Error(`The demo has no team ${slug}.`);
  const ownerId = team.id;
  const offered = await rows(em, selectFrom(EventType, { ownerId }).select(['slug', 'id']));
  const ids = new Map(offered.map((eventType) => [eventType.slug, eventType.id]));
  const leadingTo = (eventType: string): Target => {
    const id = ids.get(eventType);
    if (id === undefined) throw new Error(`The demo has no event type ${eventType} of ${slug}.`);
    return { kind: 'EVENT_TYPE', ownerId, id };
  };
  em.create(RoutingForm, {
    ownerId,
    id: newId(),
    team: ownerId,
    name,
    description,
    isActive: true,
    version: 1,
    fields: fields.map((field) => ({ placeholder: null, options: [], ...field })),
    routes: routes.map(({ when, ...target }) => ({
      id: newId(),
      match: 'ALL',
      conditions: [when],
      target: 'message' in target ? { kind: 'MESSAGE', message: target.message } : leadingTo(target.eventType),
    })),
    fallback: leadingTo(fallback.eventType),
    createdAt: now,
    updatedAt: now,
  });
  await em.flush();
}
