import { html } from 'hono/html';
import { instantAt, zoneName } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import { dateText } from '../../modules/bookings/mails/mail-time.rules.ts';
import type { SeriesDate } from '../../modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { isSaidByAttendee, type OfferedLocation } from '../../modules/event-types/settings/location.rules.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary, textArea, textField } from '../kit/form-parts.ts';
import { type Html, isolated } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { pageWords } from '../kit/page-words.ts';
import { type Clock, duration, inLanguage, longStart, longTime } from '../kit/when.ts';
import { addressOf, type BookingQuery } from './booking-address.ts';
import { bookingField, type TypedResponses } from './booking-field-parts.ts';
import {
  authorPart,
  bookingLayout,
  departurePart,
  type Embedding,
  embeddingOf,
  LEAVING,
  logoPart,
} from './booking-layout.ts';
import { bookingWords } from './booking-words.ts';
import { type EventTypeOnPage, everySoOften, locationName } from './calendar-page.ts';
import { type ChosenTime, otherTimes } from './calendar-parts.ts';

/** The contents of the form, right or wrong. */
export interface TypedBooking {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly notes: string;
  /** One e-mail address a line. */
  readonly guests: string;
  readonly occurrences: string;
  readonly location: TypedLocation;
  readonly responses: TypedResponses;
}

/** How far the booker is with verifying the e-mail address; null where that is not required. */
export type EmailStep = 'NO_CODE_YET' | 'CODE_SENT' | null;

interface BookingFormPage extends ChosenTime {
  readonly shown: EventTypeOnPage;
  /** When the bookings of a series would be, the most that there are; none where one booking is made. */
  readonly dates: readonly SeriesDate[];
  readonly typed: TypedBooking;
  readonly notice: string | undefined;
  /** No mail will come: the booker sends that they know. */
  readonly isWithoutMail: boolean;
  /** The way to sign in, for visitors who must and have not. */
  readonly signInPath: string | undefined;
  readonly emailStep: EmailStep;
  /** The same for each time that this form is sent. */
  readonly idempotencyKey: string;
}

/** Says who books, and books. */
export function bookingFormPage(page: BookingFormPage): Html {
  const { viewer, shown, query, clock, slot, otherSlots, mistakes, notice } = page;
  const { eventType, ownerName, brand, path } = shown;
  const { locale } = clock;
  const embedding = embeddingOf(eventType, path, query);
  const back = {
    ...query,
    start: undefined,
    date: slot.start.toZonedDateTimeISO(clock.timeZone).toPlainDate().toString(),
  };
  const content = html`${doneNotice(notice)}
    <article class="booking-form">
      ${mistakeSummary(mistakes, locale)}
      ${page.signInPath === undefined || embedding ? '' : html`<p class="warning">${bookingWords(locale).signInFirst(page.signInPath)}</p>`}
      ${logoPart(brand)}
      <p class="owner"><bdi>${ownerName}</bdi></p>
      <h1><bdi>${eventType.title}</bdi></h1>
      ${authorPart(eventType.managedBy, locale)}
      ${otherSlots ? '' : chosenTime(page, addressOf(path, back, '#times'))}
      ${embedding && eventType.requiresAuthentication ? bookAlone(embedding, locale) : bookingForm(page, back)}
    </article>`;
  return bookingLayout({
    title: formTitle(`${isolated(eventType.title)} – ${isolated(ownerName)}`, mistakes, locale),
    content,
    viewer,
    brand,
    shape: 'card',
    embedding,
    locale,
  });
}

/** A visitor who has to sign in does so outside of the frame: within it, nobody is signed in. */
function bookAlone({ alone }: Embedding, locale: string): Html {
  const { signInAlone, bookAlone: button } = bookingWords(locale);
  return html`<p>${signInAlone}</p>
      <p><a class="button" href="${alone}"${LEAVING}>${button}</a></p>`;
}

function bookingForm(page: BookingFormPage, back: BookingQuery): Html {
  const { shown, query, clock, slot, otherSlots } = page;
  const { eventType, path } = shown;
  return html`<form method="post" action="${addressOf(path, query)}" novalidate>
        ${hiddenField('csrf', page.csrf)}
        ${hiddenField('idempotencyKey', page.idempotencyKey)}
        ${hiddenField('timeZone', clock.timeZone)}
        ${hiddenField('durationInMinutes', String(slot.end.since(slot.start).total('minutes')))}
        ${
          otherSlots
            ? otherTimes({ slots: otherSlots, clock, day: slot.start, calendarPath: addressOf(path, back) })
            : hiddenField('start', slot.start.toString())
        }
        ${personFields(page)}
        ${departurePart(eventType, clock.locale)}
        ${page.isWithoutMail ? withoutMail(clock.locale) : ''}
        ${otherSlots?.length === 0 ? '' : buttons(page)}
      </form>`;
}

function withoutMail(locale: string): Html {
  return html`<p class="warning">${bookingWords(locale).withoutMail}</p>
        ${hiddenField('withoutMail', 'yes')}`;
}

function chosenTime({ shown, slot, clock }: BookingFormPage, changePath: string): Html {
  const { recurrence } = shown.eventType.rules;
  const [place, another] = shown.eventType.locations;
  const { locale } = clock;
  const words = bookingWords(locale);
  return html`<p class="chosen"><strong>${inLanguage(longTime(slot.start, slot.end, clock), clock)}</strong>
        <span>${duration(slot.end.since(slot.start).total('minutes'), locale)}, ${zoneName(clock.timeZone)}</span>
        ${recurrence ? html`<span>${words.fromThenOn(everySoOften(recurrence, locale))}</span>` : ''}
        ${place && !another ? html`<span><bdi>${locationName(place, locale)}</bdi></span>` : ''}
        <a href="${changePath}">${words.chooseTime}</a></p>`;
}

function personFields({ shown, query, dates, typed, mistakes, emailStep, clock }: BookingFormPage): Html {
  const { eventType } = shown;
  const { locale } = clock;
  const { name, email, notes } = typed;
  // A frame does not take the focus from the page around it.
  const isFirst = name === '' && query.embed === undefined;
  const { fields } = bookingWords(locale);
  const notesLabel = `${fields.notes} ${pageWords(locale).optional}`;
  return html`${textField({ name: 'name', label: fields.name, value: name, autocomplete: 'name' }, mistakes, isFirst)}
        ${textField({ name: 'email', label: fields.email, type: 'email', value: email, autocomplete: 'email' }, mistakes)}
        ${locationPart(eventType, typed.location, mistakes, locale)}
        ${eventType.bookingFields.map((field) => bookingField(field, typed.responses, mistakes, locale))}
        ${occurrencesField(eventType, typed, mistakes, locale)}
        ${seriesDatesPart(dates, clock)}
        ${textArea({ name: 'notes', label: notesLabel, value: notes, rows: 3, isOptional: true }, mistakes)}
        ${moreFields(eventType, typed, mistakes, locale)}
        ${emailStep === 'CODE_SENT' ? codeField(mistakes, locale) : ''}`;
}

function occurrencesField(
  { rules }: BookableEventType,
  typed: TypedBooking,
  mistakes: readonly Mistake[],
  locale: string,
): Html | '' {
  if (!rules.recurrence) return '';
  const { fields, hints } = bookingWords(locale);
  const hint = hints.occurrences(everySoOften(rules.recurrence, locale), rules.recurrence.occurrences);
  const field = { name: 'occurrences', label: fields.occurrences, value: typed.occurrences, autocomplete: 'off', hint };
  return textField({ ...field, inputMode: 'numeric' }, mistakes);
}

/** Fields that few bookers need stay folded, unless something is in them. */
function moreFields(
  { rules }: BookableEventType,
  typed: TypedBooking,
  mistakes: readonly Mistake[],
  locale: string,
): Html {
  const { fields, hints, addGuestsOrPhone, addPhone } = bookingWords(locale);
  const takesGuests = rules.allowsGuests && rules.seats === null;
  const isUsed =
    typed.phone !== '' ||
    typed.guests !== '' ||
    mistakes.some(({ path }) => /^(?:phone|guests)$/.test(path?.[0] ?? ''));
  const phone = {
    name: 'phone',
    label: fields.phone,
    type: 'tel',
    value: typed.phone,
    autocomplete: 'tel',
  } as const;
  const guests = {
    name: 'guests',
    label: `${fields.guests} ${pageWords(locale).optional}`,
    value: typed.guests,
    rows: 3,
    hint: hints.guests,
  };
  return html`<details class="more"${isUsed ? html` open` : ''}>
          <summary>${takesGuests ? addGuestsOrPhone : addPhone}</summary>
          ${textField({ ...phone, isOptional: true, hint: hints.phone, locale }, mistakes)}
          ${takesGuests ? textArea({ ...guests, isOptional: true }, mistakes) : ''}
        </details>`;
}

function codeField(mistakes: readonly Mistake[], locale: string): Html {
  const { fields, hints } = bookingWords(locale);
  const code = { name: 'code', label: fields.code, hint: hints.code };
  const field = { ...code, inputMode: 'numeric', autocomplete: 'one-time-code' } as const;
  return html`${hiddenField('codeSent', 'yes')}${textField(field, mistakes, true)}`;
}

/** Enter presses the first button. */
function buttons({ emailStep, shown, mistakes, clock }: BookingFormPage): Html {
  const { confirmation } = shown.eventType.rules;
  const words = bookingWords(clock.locale);
  const book = confirmation.type === 'ALWAYS' ? words.request : words.book;
  if (emailStep === null) return html`<button type="submit" name="step" value="book">${book}</button>`;
  if (emailStep === 'CODE_SENT') {
    return html`<button type="submit" name="step" value="book">${book}</button>
        <button type="submit" name="step" value="send-code" class="quiet">${words.sendCodeAgain}</button>`;
  }
  return html`${mistakeOf('code', mistakes)}
        <p>${words.whyCode}</p>
        <button type="submit" name="step" value="send-code">${words.sendCode}</button>`;
}

/** More dates than these stay folded. */
const SHOWN_AT_ONCE = 8;

/** How many of the dates can be booked: those before the first that is not free, as a series is booked whole or not at all. */
export function bookableOf(dates: readonly SeriesDate[]): number {
  const taken = dates.findIndex(({ isFree }) => !isFree);
  return taken < 0 ? dates.length : taken;
}

/** When the bookings of a series would be, with those that are not free; nothing where not even the first of them is. */
function seriesDatesPart(dates: readonly SeriesDate[], clock: Clock): Html | '' {
  const bookable = bookableOf(dates);
  const last = dates.at(-1);
  if (!last || dates.length < 2 || bookable === 0) return '';
  const words = bookingWords(clock.locale).seriesDates;
  const dateOf = ({ start }: SeriesDate) => inLanguage(dateText(instantAt(start).toString(), clock), clock);
  const taken = dates[bookable];
  const items = dates.map(({ start, isFree }) => {
    const at = instantAt(start);
    const mark = isFree ? '' : html` <mark class="pending">${words.notFree}</mark>`;
    return html`<li><time datetime="${at.toString()}">${inLanguage(longStart(at, clock), clock)}</time>${mark}</li>`;
  });
  return html`<details class="more series-dates"${dates.length <= SHOWN_AT_ONCE ? html` open` : ''}>
          <summary>${words.summary(dates.length, dateOf(last))}</summary>
          <ol>${items}</ol>
        </details>
        <p>${taken ? words.someFree(bookable, dateOf(taken)) : words.allFree}</p>`;
}

/** The typed location: its id, and the attendee's answer for each location by its id. */
interface TypedLocation {
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
function locationPart(
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
