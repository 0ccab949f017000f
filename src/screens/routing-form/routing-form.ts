/** routing-form/ shows visitors a routing form to fill in. It may import booking/ and kit/. */
import { Hono } from 'hono';
import { html } from 'hono/html';
import { ownedIdOf } from '../../core/id.ts';
import { inLanguages } from '../../core/language.ts';
import type { Mistake } from '../../core/problem.ts';
import { sha256Hex } from '../../core/secret.ts';
import { statusOf } from '../../database/failure.ts';
import type { NetworkLimits } from '../../limits/guess-limit.ts';
import { findEventTypeRules } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { findBookingPlaces } from '../../modules/event-types/public/public-event-type.queries.ts';
import { MAX_FIELDS, MAX_OPTIONS } from '../../modules/event-types/settings/booking-field.rules.ts';
import type { Answers } from '../../modules/routing-forms/condition.rules.ts';
import {
  type FormOwner,
  findFormOwner,
  findOpenForm,
  type OpenForm,
} from '../../modules/routing-forms/routing-form.queries.ts';
import { NOWHERE, type Target } from '../../modules/routing-forms/routing-form.rules.ts';
import { submitResponse } from '../../modules/routing-forms/routing-form-response.commands.ts';
import { addressOf } from '../booking/booking-address.ts';
import { bookingField, responseName, type TypedResponses } from '../booking/booking-field-parts.ts';
import { answersIn, typedResponses } from '../booking/booking-form.ts';
import { bookingLayout, logoHeaders, logoPart } from '../booking/booking-layout.ts';
import {
  actorOf,
  admitVisitors,
  type BookingEnv,
  type BookingPagesSettings,
  viewerIn,
} from '../booking/booking-visitor.ts';
import { formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { type DeclaredPage, type OpenShowing, type OpenVisit, openPage, routesOf } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { seeOther, sendOpenPage, sendPage } from '../kit/page-response.ts';
import { problemWords, textOf } from '../kit/problem-words.ts';
import { formKeyIn, largeForm } from '../kit/request.ts';
import { ROUTING_FORM_DE } from './routing-form-words.de.ts';
import { ROUTING_FORM_EN } from './routing-form-words.en.ts';

/** The words of a routing form besides its owner's. */
const routingFormWords = inLanguages(ROUTING_FORM_EN, { de: ROUTING_FORM_DE });

/** The limits have room for every box of every question. */
const LIMITS = largeForm(MAX_FIELDS * MAX_OPTIONS);

interface FormPagesSettings extends BookingPagesSettings {
  readonly networkLimits: Pick<NetworkLimits, 'formSubmissions'>;
}

/** `/forms/<id>`: a form that is active, for anybody. */
export function routingFormRoutes(settings: FormPagesSettings): Hono {
  const routes = new Hono<BookingEnv>();
  routes.use('/forms/*', admitVisitors(settings));
  return new Hono().route('/', routes.route('/', routesOf(settings, [routingFormPage(settings)])));
}

function routingFormPage(settings: FormPagesSettings): DeclaredPage {
  const { networkLimits, addressOf: addressOfVisitor } = settings;
  return openPage({
    path: '/forms/:id',
    find: findForm,
    show,
    forms: {
      send: {
        at: '',
        limits: LIMITS,
        run: async (visit, page, sent) => {
          const { c, em } = visit;
          const answers = answersIn(page.form.fields, typedResponses(sent, page.form.fields));
          // A form that is sent again is stored once; one that was filled in anew is another response.
          const idempotencyKey = `${formKeyIn(sent)}-${sha256Hex(JSON.stringify(answers))}`;
          const { formSubmissions } = networkLimits;
          const visitor = { by: actorOf(c, settings), address: addressOfVisitor(c), formSubmissions };
          const { target } = await submitResponse(em, page.form, { answers, idempotencyKey }, visitor);
          return lead(visit, page, target, answers);
        },
      },
    },
  });
}

interface FormOnPage {
  readonly form: OpenForm;
  readonly owner: FormOwner;
  readonly viewer: Viewer | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

async function findForm({ c, em, param }: OpenVisit): Promise<FormOnPage | undefined> {
  const named = ownedIdOf('routingForm', param('id'));
  const form = named && (await findOpenForm(em, named));
  const owner = form && (await findFormOwner(em, form.ownerId));
  return owner && { form, owner, viewer: viewerIn(c), locale: localeOf(c) };
}

function show(showing: OpenShowing<'send'>, page: FormOnPage): Promise<Response> {
  const { c, path, csrf, back } = showing;
  const problem = back?.problem;
  if (problem?.code === 'NOT_FOUND') throw problem;
  const view = routingFormView({
    ...page,
    path,
    typed: back ? typedResponses(back.form, page.form.fields) : new Map(),
    mistakes: (problem?.mistakes ?? []).map((mistake) => atQuestion(mistake, page)),
    csrf: csrf.send,
    idempotencyKey: back ? formKeyIn(back.form) : showing.idempotencyKey,
  });
  return sendOpenPage(c, page.viewer, view, problem ? statusOf(problem) : 200, logoHeaders(page.owner));
}

/** A mistake at the question that it is about. */
function atQuestion(mistake: Mistake, { form, locale }: FormOnPage): Mistake {
  const { code, path: [first, slug] = [] } = mistake;
  const { about } = problemWords(locale);
  const text = textOf(mistake, locale);
  if (first !== 'answers' || slug === undefined) return { code, message: text };
  const label = form.fields.find((field) => field.slug === slug)?.label ?? slug;
  return { code, message: about(label, text), path: [responseName(slug)] };
}

/** Leads who has answered to where the answers lead. */
async function lead({ c, em }: OpenVisit, page: FormOnPage, target: Target, answers: Answers): Promise<Response> {
  const { nowhere } = routingFormWords(page.locale);
  if (target.type === 'MESSAGE') {
    const message = target.message === NOWHERE.message ? nowhere : target.message;
    return sendPage(c, messageView(page, message), 200, logoHeaders(page.owner));
  }
  // As a header, the address must be written in ASCII.
  if (target.type === 'URL') return seeOther(c, new URL(target.url).href);
  const eventType = await findEventTypeRules(em, target);
  const place = (await findBookingPlaces(em, [target.ownerId])).get(target.ownerId);
  if (!eventType || place === undefined) return sendPage(c, messageView(page, nowhere), 200, logoHeaders(page.owner));
  return seeOther(c, addressOf(`/book/${place}/${eventType.slug}`, personIn(page.form, answers)));
}

/** The name and the address that the booking form asks everybody for, from the questions of these names. */
function personIn({ fields }: OpenForm, answers: Answers): { name?: string; email?: string } {
  const said = (slug: 'name' | 'email') => {
    const answer = fields.some((field) => field.slug === slug) ? answers[slug] : undefined;
    return typeof answer === 'string' && answer !== '' ? { [slug]: answer } : {};
  };
  return { ...said('name'), ...said('email') };
}

interface RoutingFormView extends FormOnPage {
  readonly path: string;
  readonly typed: TypedResponses;
  readonly mistakes: readonly Mistake[];
  readonly csrf: string;
  /** The same for each time that this form is sent. */
  readonly idempotencyKey: string;
}

/** Asks what a routing form asks. */
function routingFormView(page: RoutingFormView): Html {
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
function messageView(page: FormOnPage, message: string): Html {
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
