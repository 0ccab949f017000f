import { html } from 'hono/html';
import { zoneName } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import type { SeriesDate } from '../../modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary, textArea, textField } from '../kit/form-parts.ts';
import { type Html, isolated } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { pageWords } from '../kit/page-words.ts';
import { duration, inLanguage, longTime } from '../kit/when.ts';
import { authorPart, departurePart } from './author-part.ts';
import { addressOf, type BookingQuery } from './booking-address.ts';
import { bookingField, type TypedResponses } from './booking-field-parts.ts';
import { bookingLayout, logoPart } from './booking-layout.ts';
import { type ChosenTime, otherTimes } from './calendar/other-times-part.ts';
import { type Embedding, embeddingOf, LEAVING } from './embedding/embedding.ts';
import { type EventTypeOnPage, everySoOften, locationName } from './event-type-facts.ts';
import { locationPart, type TypedLocation } from './location-part.ts';
import { seriesDatesPart } from './series-dates-part.ts';
import { bookingWords } from './words/booking-words.ts';

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

export interface BookingFormPage extends ChosenTime {
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
        ${hiddenField('lengthInMinutes', String(slot.end.since(slot.start).total('minutes')))}
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
  const takesGuests = !rules.disableGuests && rules.seats === null;
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
  const book = confirmation.kind === 'ALWAYS' ? words.request : words.book;
  if (emailStep === null) return html`<button type="submit" name="step" value="book">${book}</button>`;
  if (emailStep === 'CODE_SENT') {
    return html`<button type="submit" name="step" value="book">${book}</button>
        <button type="submit" name="step" value="send-code" class="quiet">${words.sendCodeAgain}</button>`;
  }
  return html`${mistakeOf('code', mistakes)}
        <p>${words.whyCode}</p>
        <button type="submit" name="step" value="send-code">${words.sendCode}</button>`;
}
