import { html } from 'hono/html';
import { type Mistake, Problem } from '../../core/problem.ts';
import { createClientOnce } from '../../oauth/clients/client.commands.ts';
import { CLIENT_TYPES } from '../../oauth/protocol/client.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, page } from '../kit/page.ts';
import { ASKING_HEADERS, PAGE_HEADERS, SCRIPTED_HEADERS, sendPage } from '../kit/page-response.ts';
import { formKeyIn, largeForm } from '../kit/request.ts';
import type { DeveloperSettings } from './client.ts';
import {
  asksForScopes,
  ENTER,
  fieldsOf,
  furtherFields,
  NOTHING_TYPED,
  nameField,
  purposeField,
  redirectUriMistakes,
  redirectUrisField,
  scopeTable,
  type TypedClient,
  typedIn,
  withScopesProposed,
} from './client-form.ts';
import { CLIENT_FORM_HEAD, CLIENTS_PATH, clientPath } from './client-parts.ts';
import { clientSecretPage } from './client-secrets.ts';

const PATH = `${CLIENTS_PATH}/new`;

/** Somebody went back to a form that had been sent, and changed it. */
const USED_FORM = new Problem(
  'IDEMPOTENCY_KEY_REUSED',
  'A client was registered by this form already: it is in the list of your clients. To register one more, send the form again.',
);

/** `/settings/developer/oauth/new`: registers a client. */
export function newClientPage({ addressOf, after, rules }: DeveloperSettings): DeclaredPage {
  return page({
    path: PATH,
    language: 'en',
    find: always,
    show: ({ viewer, csrf, idempotencyKey, back }) =>
      newClientView({
        viewer,
        typed: back ? typedIn(back.form, back.note) : NOTHING_TYPED,
        idempotencyKey: back && back.problem !== USED_FORM ? formKeyIn(back.form) : idempotencyKey,
        csrf: csrf.register,
        mistakes: back?.problem?.mistakes ?? [],
      }),
    headers: ASKING_HEADERS,
    forms: {
      register: {
        at: '',
        limits: largeForm(),
        run: async ({ c, em, session, viewer }, _, form) => {
          if (asksForScopes(form)) return withScopesProposed(rules, form);
          const typed = typedIn(form);
          const by = { actorId: session.userId, address: addressOf(c) };
          const client = { ...fieldsOf(typed), type: requireType(typed.type) };
          const created = await createClientOnce(em, after, by, formKeyIn(form), client).catch((error: unknown) => {
            throw error instanceof Problem && error.code === USED_FORM.code ? USED_FORM : error;
          });
          const { clientId } = created;
          const secret = 'isRepeated' in created ? null : created.secret;
          if (secret === null) {
            const done = typed.type === 'PUBLIC' ? 'registered' : 'registered-before';
            return { to: clientPath(clientId), done };
          }
          // The one answer to a form that is a page: nothing may keep the secret until a next request could show it.
          const shown = clientSecretPage({
            viewer,
            title: 'The client is registered',
            clientId,
            secret,
            advice: 'It waits for a review now. You will get a mail when it can be used.',
          });
          return sendPage(c, shown, 201, SCRIPTED_HEADERS);
        },
      },
    },
  });
}

/** For the script that helps who types: the form is judged again when it comes. */
export const redirectUriAdvice: DeclaredPage = page({
  path: `${PATH}/redirect-uris`,
  find: always,
  show: ({ c }) => {
    const { type = '', redirectUris = '' } = c.req.query();
    return c.json({ mistakes: redirectUriMistakes(redirectUris, requireType(type)) }, 200, PAGE_HEADERS);
  },
});

function requireType(text: string) {
  const type = CLIENT_TYPES.find((one) => one === text);
  if (type) return type;
  throw new Problem('REQUIRED', 'Choose the type: confidential or public.', ['type']);
}

interface NewClientView {
  readonly viewer: Viewer;
  readonly typed: TypedClient;
  readonly csrf: string;
  /** The same for each time that this form is sent. */
  readonly idempotencyKey: string;
  readonly mistakes: readonly Mistake[];
}

/** RFC 6749 §2.1, in the words of somebody who has an app and no RFC. */
const TYPES = [
  {
    type: 'CONFIDENTIAL',
    label: 'Confidential: your server asks for tokens',
    hint: 'For web apps with a back end, services and integrations. It gets a secret, which never leaves your server.',
  },
  {
    type: 'PUBLIC',
    label: 'Public: the app itself asks for tokens',
    hint: 'For pages without a back end, mobile and desktop apps, and command line tools. Anyone could extract a secret from it, so it has none and uses PKCE.',
  },
] as const;

/** The form that registers a client. */
function newClientView({ viewer, typed, csrf, idempotencyKey, mistakes }: NewClientView): Html {
  const content = html`<article>
      ${mistakeSummary(mistakes)}
      <h1>Register a client</h1>
      <p>This takes two minutes. An administrator reviews your client before anyone can give it access. You can change everything but the type later.</p>
      <form method="post" action="${CLIENTS_PATH}/new" novalidate data-once>
        ${ENTER}
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${nameField(typed, mistakes, true)}
        <fieldset id="type" tabindex="-1">
          <legend>Type</legend>
          ${TYPES.map(
            ({ type, label, hint }) =>
              html`<label class="kind" for="type-${type}"><input type="radio" id="type-${type}" name="type" value="${type}" ${
                typed.type === type ? html`checked` : ''
              }><span><strong>${label}</strong> <small>${hint}</small></span></label>`,
          )}
          <small>You can’t change the type later. If your app is both, such as a page with a server behind it, choose confidential and let the server ask.</small>
          ${mistakeOf('type', mistakes)}
        </fieldset>
        ${redirectUrisField(typed, mistakes)}
        ${purposeField(typed, mistakes)}
        ${scopeTable(typed, mistakes, true)}
        ${furtherFields(typed, mistakes)}
        <button type="submit">Register client</button>
      </form>
      <p class="aside"><a href="${CLIENTS_PATH}">Your OAuth clients</a></p>
    </article>`;
  return layout({
    title: formTitle('Register a client', mistakes),
    content,
    corner: viewer,
    setting: 'developer',
    shape: 'sheet',
    head: CLIENT_FORM_HEAD,
  });
}
