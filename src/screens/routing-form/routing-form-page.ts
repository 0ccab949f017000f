import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { FormOwner, OpenForm } from '../../modules/routing-forms/routing-form.queries.ts';
import { bookingField, type TypedResponses } from '../booking/booking-field-parts.ts';
import { bookingLayout, logoPart } from '../booking/booking-layout.ts';
import { formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { routingFormWords } from './words/routing-form-words.ts';

export interface FormOnPage {
  readonly form: OpenForm;
  readonly owner: FormOwner;
  readonly viewer: Viewer | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

interface RoutingFormPage extends FormOnPage {
  readonly path: string;
  readonly typed: TypedResponses;
  readonly mistakes: readonly Mistake[];
  readonly csrf: string;
  /** The same for each time that this form is sent. */
  readonly idempotencyKey: string;
}

/** Asks what a routing form asks. */
export function routingFormPage(page: RoutingFormPage): Html {
  const { form, mistakes, locale } = page;
  const content = html`<article class="booking-form">
      ${mistakeSummary(mistakes, locale)}
      ${headPart(page)}
      ${form.description === null ? '' : html`<p class="words"><bdi>${form.description}</bdi></p>`}
      <form method="post" action="${page.path}" novalidate>
        ${hiddenField('csrf', page.csrf)}
        ${hiddenField('idempotencyKey', page.idempotencyKey)}
        ${form.fields.map((field) => bookingField(field, page.typed, mistakes, locale))}
        <button type="submit">${routingFormWords(locale).send}</button>
      </form>
    </article>`;
  return framed(page, formTitle(titleOf(page), mistakes, locale), content);
}

/** The page for submitters whose answers have led to a message. */
export function messagePage(page: FormOnPage, message: string): Html {
  const content = html`<article>
      ${headPart(page)}
      <p class="words" role="status"><bdi>${message}</bdi></p>
    </article>`;
  return framed(page, titleOf(page), content);
}

function headPart({ form, owner }: FormOnPage): Html {
  return html`${logoPart(owner)}
      <p class="owner"><bdi>${owner.name}</bdi></p>
      <h1><bdi>${form.name}</bdi></h1>`;
}

function titleOf({ form, owner }: FormOnPage): string {
  return `${isolated(form.name)} – ${isolated(owner.name)}`;
}

function framed({ viewer, owner, locale }: FormOnPage, title: string, content: Html): Html {
  return bookingLayout({ title, content, viewer, brand: owner, shape: 'card', locale });
}
