import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { isSaidByAttendee, type OfferedLocation } from '../../modules/event-types/settings/location.rules.ts';
import { hiddenField, mistakeOf, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { locationName } from './event-type-facts.ts';

/** Where it is to be: the id of a location, and by such an id what the attendee says there. */
export interface TypedLocation {
  readonly id: string;
  readonly said: ReadonlyMap<string, string>;
}

/** The name of the field in which the attendee says where one of the locations is. */
export function saidName(locationId: string): string {
  return `said-${locationId}`;
}

/**
 * The choice of a place, where there is one, and what is for the attendee to say. With seats, others may have chosen
 * before, and who does not mind comes where they meet.
 */
export function locationPart(
  { locations, rules: { seats } }: Pick<BookableEventType, 'locations' | 'rules'>,
  typed: TypedLocation,
  mistakes: readonly Mistake[],
): Html | '' {
  const [only, second] = locations;
  if (!only || (!second && seats)) return '';
  if (!second) {
    return html`${hiddenField('location', only.id)}${isSaidByAttendee(only.type) ? saidField(only, typed, mistakes, false) : ''}`;
  }
  const chosen = locations.some(({ id }) => id === typed.id) ? typed.id : seats ? '' : only.id;
  return html`<fieldset id="location" tabindex="-1">
        <legend>Where</legend>
        ${seats ? radio({ id: 'location-any', value: '', isChosen: chosen === '' }, 'No preference') : ''}
        ${locations.map((one) => choice(one, one.id === chosen, typed, mistakes))}
        ${mistakeOf('location', mistakes)}
      </fieldset>`;
}

function choice(
  location: OfferedLocation,
  isChosen: boolean,
  typed: TypedLocation,
  mistakes: readonly Mistake[],
): Html {
  const button = { id: `location-${location.id}`, value: location.id, isChosen };
  return html`${radio(button, html`<bdi>${locationName(location)}</bdi>`)}
        ${isSaidByAttendee(location.type) ? html`<div class="said">${saidField(location, typed, mistakes, true)}</div>` : ''}`;
}

interface Radio {
  readonly id: string;
  readonly value: string;
  readonly isChosen: boolean;
}

function radio({ id, value, isChosen }: Radio, label: Html | string): Html {
  return html`<div class="check"><input type="radio" id="${id}" name="location" value="${value}"${
    isChosen ? html` checked` : ''
  }><label for="${id}">${label}</label></div>`;
}

function saidField(
  location: OfferedLocation,
  typed: TypedLocation,
  mistakes: readonly Mistake[],
  isConditional: boolean,
): Html {
  const { id, type } = location;
  const field = { name: saidName(id), value: typed.said.get(id) ?? '', isConditional };
  if (type === 'ATTENDEE_PHONE') {
    const hint = 'With the country code, such as +4930123456.';
    return textField({ ...field, label: 'Your phone number', type: 'tel', autocomplete: 'tel', hint }, mistakes);
  }
  return type === 'ATTENDEE_ADDRESS'
    ? textField({ ...field, label: 'Your address', autocomplete: 'street-address' }, mistakes)
    : textField({ ...field, label: 'Where you would like to meet', autocomplete: 'off' }, mistakes);
}
