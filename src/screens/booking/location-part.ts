import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { isSaidByAttendee, type OfferedLocation } from '../../modules/event-types/settings/location.rules.ts';
import { hiddenField, mistakeOf, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { locationName } from './event-type-facts.ts';
import { bookingWords } from './words/booking-words.ts';

/** The typed location: its id, and the attendee's answer for each location by its id. */
export interface TypedLocation {
  readonly id: string;
  readonly said: ReadonlyMap<string, string>;
}

/** The name of the field in which the attendee says where one of the locations is. */
export function saidName(locationId: string): string {
  return `said-${locationId}`;
}

/**
 * The choice of a place, where there is one, and the question to the attendee. With seats, others may have chosen
 * before, and an attendee who does not mind comes where they meet.
 */
export function locationPart(
  { locations, rules: { seats } }: Pick<BookableEventType, 'locations' | 'rules'>,
  typed: TypedLocation,
  mistakes: readonly Mistake[],
  locale: string,
): Html | '' {
  const [only, second] = locations;
  if (!only || (!second && seats)) return '';
  if (!second) {
    return html`${hiddenField('location', only.id)}${isSaidByAttendee(only.type) ? saidField(only, typed, mistakes, { isConditional: false, locale }) : ''}`;
  }
  const words = bookingWords(locale);
  const chosen = locations.some(({ id }) => id === typed.id) ? typed.id : seats ? '' : only.id;
  return html`<fieldset id="location" tabindex="-1">
        <legend>${words.where}</legend>
        ${seats ? radio({ id: 'location-any', value: '', isChosen: chosen === '' }, words.anywhere) : ''}
        ${locations.map((one) => choice(one, one.id === chosen, typed, mistakes, locale))}
        ${mistakeOf('location', mistakes)}
      </fieldset>`;
}

function choice(
  location: OfferedLocation,
  isChosen: boolean,
  typed: TypedLocation,
  mistakes: readonly Mistake[],
  locale: string,
): Html {
  const button = { id: `location-${location.id}`, value: location.id, isChosen };
  return html`${radio(button, html`<bdi>${locationName(location, locale)}</bdi>`)}
        ${isSaidByAttendee(location.type) ? html`<div class="said">${saidField(location, typed, mistakes, { isConditional: true, locale })}</div>` : ''}`;
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
  { isConditional, locale }: { readonly isConditional: boolean; readonly locale: string },
): Html {
  const { id, type } = location;
  const label = saidLabel(location, locale);
  const field = { name: saidName(id), label, value: typed.said.get(id) ?? '', isConditional };
  if (type === 'ATTENDEE_PHONE') {
    const hint = bookingWords(locale).hints.phone;
    return textField({ ...field, type: 'tel', autocomplete: 'tel', hint }, mistakes);
  }
  return textField({ ...field, autocomplete: type === 'ATTENDEE_ADDRESS' ? 'street-address' : 'off' }, mistakes);
}

/** The question to the attendee where one of these locations is chosen. */
export function saidLabel({ type }: OfferedLocation, locale: string): string {
  const { phone, address, meeting } = bookingWords(locale).fields;
  if (type === 'ATTENDEE_PHONE') return phone;
  return type === 'ATTENDEE_ADDRESS' ? address : meeting;
}
