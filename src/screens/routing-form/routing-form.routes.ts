/** routing-form/ shows visitors a routing form to fill in. It may import booking/ and kit/. */
import { Hono } from 'hono';
import { ownedIdOf } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { sha256Hex } from '../../core/secret.ts';
import { statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import type { NetworkLimits } from '../../limits/guess-limit.ts';
import { findEventTypeRules } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { findBookingPlaces } from '../../modules/event-types/public/public-event-type.queries.ts';
import { MAX_FIELDS, MAX_OPTIONS } from '../../modules/event-types/settings/booking-field.rules.ts';
import type { Answers } from '../../modules/routing-forms/condition.rules.ts';
import { findFormOwner, findOpenForm, type OpenForm } from '../../modules/routing-forms/routing-form.queries.ts';
import { NOWHERE, type Target } from '../../modules/routing-forms/routing-form.rules.ts';
import { submitResponse } from '../../modules/routing-forms/routing-form-response.commands.ts';
import { addressOf } from '../booking/booking-address.ts';
import { responseName, type TypedResponses } from '../booking/booking-field-parts.ts';
import { answersIn, typedResponses } from '../booking/booking-form.ts';
import { logoHeaders } from '../booking/booking-layout.ts';
import {
  actorOf,
  admitVisitors,
  type BookingContext,
  type BookingEnv,
  type BookingPagesSettings,
} from '../booking/booking-visitor.ts';
import { localeOf } from '../kit/page-locale.ts';
import { seeOther, sendOpenPage, sendPage } from '../kit/page-response.ts';
import { answerNotFound } from '../kit/problem-response.ts';
import { problemWords, textOf } from '../kit/problem-words.ts';
import { formKeyIn, largeForm, newFormKey } from '../kit/request.ts';
import { asViewer, type ReceivedForm } from '../kit/visitors.ts';
import { type FormOnPage, messagePage, routingFormPage } from './routing-form-page.ts';
import { routingFormWords } from './words/routing-form-words.ts';

const PATH = '/forms/:id';
/** The purpose of the form, for its anti-forgery token. */
const ROUTING_FORM = 'routing-form';
/** The limits have room for every box of every question. */
const LIMITS = largeForm(MAX_FIELDS * MAX_OPTIONS);

/** `/forms/<id>`: a form that is active, for anybody. */
export function routingFormRoutes(settings: FormPagesSettings): Hono {
  const routes = new Hono<BookingEnv>();
  routes.use('/forms/*', admitVisitors(settings));
  routes.get(PATH, async (c) => {
    const page = await findPage(c, settings.em.fork());
    return page
      ? answerWithForm(c, settings, page, { typed: new Map(), idempotencyKey: newFormKey() })
      : answerNotFound(c);
  });
  routes.post(PATH, async (c) => {
    // A form of another site is told nothing, not even whether there is this one.
    settings.visitors.limitForm(c.req.raw, LIMITS);
    const received = await settings.visitors.readForm(c, ROUTING_FORM);
    const page = await findPage(c, settings.em.fork());
    return page ? takeAnswers(c, settings, page, received) : answerNotFound(c);
  });
  return new Hono().route('/', routes);
}

interface FormPagesSettings extends BookingPagesSettings {
  readonly networkLimits: Pick<NetworkLimits, 'formSubmissions'>;
}

async function findPage(c: BookingContext, em: Em): Promise<FormOnPage | undefined> {
  const named = ownedIdOf('routingForm', c.req.param('id') ?? '');
  const form = named && (await findOpenForm(em, named));
  const owner = form && (await findFormOwner(em, form.ownerId));
  const session = c.get('session');
  return owner && { form, owner, viewer: session && asViewer(session), locale: localeOf(c) };
}

interface FormState {
  readonly typed: TypedResponses;
  readonly idempotencyKey: string;
  readonly problem?: Problem | undefined;
}

function answerWithForm(
  c: BookingContext,
  { visitors }: BookingPagesSettings,
  page: FormOnPage,
  { typed, idempotencyKey, problem }: FormState,
): Response | Promise<Response> {
  const mistakes = (problem?.mistakes ?? []).map((mistake) => atQuestion(mistake, page));
  const csrf = visitors.formToken(c, ROUTING_FORM);
  const shown = routingFormPage({ ...page, path: new URL(c.req.url).pathname, typed, mistakes, csrf, idempotencyKey });
  return sendOpenPage(c, page.viewer, shown, problem ? statusOf(problem) : 200, logoHeaders(page.owner));
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

async function takeAnswers(
  c: BookingContext,
  settings: FormPagesSettings,
  page: FormOnPage,
  { form: sent, forgery }: ReceivedForm,
): Promise<Response> {
  const { form } = page;
  const typed = typedResponses(sent, form.fields);
  const answers = answersIn(form.fields, typed);
  const state = { typed, idempotencyKey: formKeyIn(sent) };
  if (forgery) return answerWithForm(c, settings, page, { ...state, problem: forgery });
  const em = settings.em.fork();
  // A form that is sent again is stored once; one that was filled in anew is another response.
  const idempotencyKey = `${state.idempotencyKey}-${sha256Hex(JSON.stringify(answers))}`;
  try {
    const { formSubmissions } = settings.networkLimits;
    const visitor = { by: actorOf(c, settings), address: settings.addressOf(c), formSubmissions };
    const { target } = await submitResponse(em, form, { answers, idempotencyKey }, visitor);
    return await lead(c, em, page, target, answers);
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'NOT_FOUND') throw error;
    return answerWithForm(c, settings, page, { ...state, problem: error });
  }
}

/** Leads who has answered to where the answers lead. */
async function lead(c: BookingContext, em: Em, page: FormOnPage, target: Target, answers: Answers): Promise<Response> {
  const { nowhere } = routingFormWords(page.locale);
  if (target.kind === 'MESSAGE') {
    const message = target.message === NOWHERE.message ? nowhere : target.message;
    return sendPage(c, messagePage(page, message), 200, logoHeaders(page.owner));
  }
  // As a header, the address must be written in ASCII.
  if (target.kind === 'URL') return seeOther(c, new URL(target.url).href);
  const eventType = await findEventTypeRules(em, target);
  const place = (await findBookingPlaces(em, [target.ownerId])).get(target.ownerId);
  if (!eventType || place === undefined) return sendPage(c, messagePage(page, nowhere), 200, logoHeaders(page.owner));
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
