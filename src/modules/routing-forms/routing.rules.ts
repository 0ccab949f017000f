import { type Answers, holds } from './condition.rules.ts';
import type { FormField } from './form-field.rules.ts';
import type { Route, Target } from './routing-form.rules.ts';

/** The questions of a form, and where the answers lead. */
export interface Asked {
  readonly fields: readonly FormField[];
  readonly routes: readonly Route[];
  readonly fallback: Target;
}

/** Where answers lead, and by which route; null is the fallback. */
export interface Routing {
  readonly routeId: string | null;
  readonly target: Target;
}

/** Where (checked) answers lead: along the first route whose conditions hold. */
export function routingOf({ fields, routes, fallback }: Asked, answers: Answers): Routing {
  const taken = routes.find(({ match, conditions }) => {
    const isSo = conditions.map((condition) => holds(condition, fields, answers));
    return match === 'ALL' ? !isSo.includes(false) : isSo.includes(true);
  });
  return taken ? { routeId: taken.id, target: taken.target } : { routeId: null, target: fallback };
}

/** Where those lead who cannot be led where the form says. */
export const NOWHERE: Extract<Target, { kind: 'MESSAGE' }> = {
  kind: 'MESSAGE',
  message: 'What fits your answers can’t be booked at the moment. Please ask the people who gave you this form.',
};
