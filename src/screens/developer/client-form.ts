import { html } from 'hono/html';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { ListedClient } from '../../oauth/clients/oauth-client.queries.ts';
import { type ClientPatch, type ClientType, MAX_REDIRECT_URIS } from '../../oauth/protocol/client.ts';
import { MAX_NAME_LENGTH, registrationMistakes } from '../../oauth/protocol/client-registration.ts';
import { reviewedContent } from '../../oauth/protocol/client-review.ts';
import { CATALOG } from '../../scopes/catalog.ts';
import type { ScopeDefinition } from '../../scopes/create-catalog.ts';
import { scopesOfAll } from '../../scopes/explain.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import { compareScopes } from '../../scopes/scope-advice.ts';
import { checkBox, mistakeOf, textArea, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import type { FilledIn } from '../kit/page.ts';
import { FORM_LIMITS } from '../kit/request.ts';

/** The contents of a client's form, right or wrong. */
export interface TypedClient {
  readonly name: string;
  readonly purpose: string;
  readonly type: string;
  readonly websiteUrl: string;
  readonly logoUrl: string;
  /** One a line. */
  readonly redirectUris: string;
  readonly scopes: readonly string[];
  readonly requiresPkce: boolean;
  /** GraphQL, from which scopes are proposed; no part of the client. */
  readonly documents: string;
  /** The scopes that were found in it. */
  readonly advice?: string;
}

/** Enter in a field presses this button: else it would be the first one, which only proposes scopes. */
export const ENTER = html`<button type="submit" class="unseen" tabindex="-1" aria-hidden="true">Send</button>`;

export function nameField({ name: value }: TypedClient, mistakes: readonly Mistake[], isFirst = false): Html {
  const hint = `The name your users know. Up to ${MAX_NAME_LENGTH} characters.`;
  return textField({ name: 'name', label: 'Name', value, autocomplete: 'off', hint }, mistakes, isFirst);
}

/** Where people come back to, one address a line. */
export function redirectUrisField({ redirectUris: value }: TypedClient, mistakes: readonly Mistake[]): Html {
  const hint = `Where people return after they’ve decided. One per line, up to ${MAX_REDIRECT_URIS}; each has to match exactly. Use https, or http on this device (localhost, 127.0.0.1, [::1]).`;
  const placeholder = 'https://app.example.com/callback';
  return textArea({ name: 'redirectUris', label: 'Redirect URIs', value, rows: 3, placeholder, hint }, mistakes);
}

/** The purpose that the reviewer reads. */
export function purposeField(typed: TypedClient, mistakes: readonly Mistake[]): Html {
  return textArea(
    {
      name: 'purpose',
      label: 'Purpose',
      value: typed.purpose,
      rows: 3,
      hint: 'For the reviewer: what your app does with its access. Users never see this.',
    },
    mistakes,
  );
}

/** The fields that most apps leave as they are: open where something stands in them. */
export function furtherFields(typed: TypedClient, mistakes: readonly Mistake[]): Html {
  const { websiteUrl, logoUrl, requiresPkce } = typed;
  const isWrong = mistakes.some(({ path: [name] = [] }) => name === 'websiteUrl' || name === 'logoUrl');
  const isOpen = isWrong || websiteUrl !== '' || logoUrl !== '' || requiresPkce;
  return html`<details class="apart" ${isOpen ? html`open` : ''}>
        <summary>Website, logo, PKCE</summary>
        ${textField({ name: 'websiteUrl', label: 'Website', type: 'url', value: websiteUrl, autocomplete: 'off', isOptional: true }, mistakes)}
        ${textField({ name: 'logoUrl', label: 'Logo address', type: 'url', value: logoUrl, autocomplete: 'off', isOptional: true }, mistakes)}
        ${checkBox({
          name: 'requiresPkce',
          label: 'Require PKCE (public clients always need it)',
          isChecked: requiresPkce,
        })}
      </details>`;
}

const LEVELS = [
  { level: 'USER', title: 'Own', explained: 'what belongs to the user' },
  { level: 'TEAM', title: 'Teams', explained: 'what belongs to their teams' },
  {
    level: 'ORGANIZATION',
    title: html`Organi&shy;zations`,
    explained: 'everything in an organization; each one includes the teams scope next to it',
  },
] as const;
const ACTIONS = [
  { action: 'READ', title: 'Read' },
  { action: 'WRITE', title: 'Write' },
] as const;
const COLUMNS = LEVELS.flatMap(({ level }) => ACTIONS.map(({ action }) => ({ level, action })));

const RESOURCES = [...Map.groupBy(CATALOG.definitions, ({ resource }) => resource)];

/** All scopes as a table of boxes: a resource is a row, whose it is and what is done with it a column. */
export function scopeTable(typed: TypedClient, mistakes: readonly Mistake[], isRequired: boolean): Html {
  const chosen = new Set(typed.scopes);
  const isWrong = mistakes.some(({ path }) => path?.[0] === 'scopes');
  return html`<fieldset id="scopes" class="scope-fields" tabindex="-1" aria-describedby="scopes-hint${isWrong ? ' scopes-mistake' : ''}">
        <legend>Scopes</legend>
        <small id="scopes-hint">${isRequired ? 'At least one. ' : ''}An authorization request can only ask for these. People are asked for each one, so only tick what
          your app needs. ${LEVELS.map(({ title, explained }, index) => html`${index === 0 ? '' : '; '}<strong>${title}</strong>: ${explained}`)}.</small>
        ${mistakeOf('scopes', mistakes)}
        ${documentsPart(typed, mistakes)}
        <table class="scope-table">
          <thead>
            <tr><th rowspan="2" scope="col">What</th>${LEVELS.map(({ title }) => html`<th colspan="2" scope="colgroup">${title}</th>`)}</tr>
            <tr>${COLUMNS.map(({ action }) => html`<th scope="col">${titleOf(action)}</th>`)}</tr>
          </thead>
          <tbody>
            ${RESOURCES.map(
              ([resource, definitions]) =>
                html`<tr><th scope="row">${inWords(resource)}</th>${COLUMNS.map(({ level, action }) =>
                  cell(
                    definitions.find((one) => one.level === level && one.action === action),
                    chosen,
                  ),
                )}</tr>
            `,
            )}
          </tbody>
        </table>
        <details>
          <summary>What each scope allows</summary>
          <dl class="scope-words">${CATALOG.definitions.map(({ name, words }) => html`<dt><code>${name}</code></dt><dd>${words}</dd>`)}</dl>
        </details>
      </fieldset>`;
}

/** Helps developers who do not know what scopes the app needs, but have its queries. */
function documentsPart({ documents: value, advice }: TypedClient, mistakes: readonly Mistake[]): Html {
  const hint = 'Paste the queries and mutations your app sends, one after the other. We don’t store them.';
  return html`<details class="apart" ${value === '' && mistakes.every(({ path }) => path?.[0] !== 'documents') ? '' : html`open`}>
          <summary>Not sure? Find the scopes your queries need</summary>
          ${textArea({ name: 'documents', label: 'Your app’s GraphQL', value, rows: 6, placeholder: '{ me { bookings(first: 10) { nodes { id } } } }', hint, isOptional: true }, mistakes)}
          <button type="submit" name="action" value="propose" formaction="#scopes" class="quiet">Tick the scopes they need</button>
          ${advice === undefined ? '' : html`<p class="done" role="status">${advice}</p>`}
        </details>`;
}

function cell(scope: ScopeDefinition | undefined, chosen: ReadonlySet<string>): Html {
  if (!scope) return html`<td></td>`;
  const { name, words } = scope;
  const id = `scopes-${name}`;
  return html`<td><label for="${id}" title="${name}: ${words}"><input type="checkbox" id="${id}" name="scopes" value="${name}" ${
    chosen.has(name) ? html`checked` : ''
  }><span class="unseen">${words} <code>${name}</code></span></label></td>`;
}

function titleOf(action: string): string {
  return ACTIONS.find((one) => one.action === action)?.title ?? '';
}

/** `Event type`, of EVENT_TYPE: the word that stands in the names of scopes. */
function inWords(resource: string): string {
  return resource.charAt(0) + resource.slice(1).toLowerCase().replaceAll('_', ' ');
}

/** An empty form. */
export const NOTHING_TYPED: TypedClient = {
  name: '',
  purpose: '',
  type: 'CONFIDENTIAL',
  websiteUrl: '',
  logoUrl: '',
  redirectUris: '',
  scopes: [],
  requiresPkce: false,
  documents: '',
};

/** The typed client, as it can be shown again, with the scopes that were found in its documents. */
export function typedIn(form: URLSearchParams, advice?: string): TypedClient {
  const text = (name: string): string => form.get(name) ?? '';
  return {
    name: text('name'),
    purpose: text('purpose'),
    type: text('type'),
    websiteUrl: text('websiteUrl'),
    logoUrl: text('logoUrl'),
    redirectUris: text('redirectUris'),
    scopes: form.getAll('scopes'),
    requiresPkce: form.has('requiresPkce'),
    documents: text('documents'),
    ...(advice !== undefined && { advice }),
  };
}

/** The form of an edit before anybody typed: an edit adds to the revision that waits (protocol/client-review.ts). */
export function typedOf(client: ListedClient): TypedClient {
  const content = reviewedContent(client);
  return {
    ...content,
    type: client.type,
    websiteUrl: content.websiteUrl ?? '',
    logoUrl: content.logoUrl ?? '',
    redirectUris: content.redirectUris.join('\n'),
    documents: '',
  };
}

/** The fields as the commands take them: an empty address counts as none. */
export function fieldsOf({ name, purpose, websiteUrl, logoUrl, redirectUris, scopes, requiresPkce }: TypedClient) {
  return {
    name,
    purpose,
    websiteUrl: websiteUrl.trim() || null,
    logoUrl: logoUrl.trim() || null,
    redirectUris: linesOf(redirectUris),
    scopes,
    requiresPkce,
  } satisfies ClientPatch;
}

/** Finds the mistakes in redirect URIs by themselves, in the words that the form would be answered with. */
export function redirectUriMistakes(text: string, type: ClientType): readonly string[] {
  return registrationMistakes({ redirectUris: linesOf(text) }, type).map(({ message }) => message);
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Whether a form was sent to have scopes proposed, and nothing else. */
export function asksForScopes(form: URLSearchParams): boolean {
  return form.get('action') === 'propose';
}

const SHOWN_ERRORS = 5;
/** As much as `/graphql/scopes` takes; the form as a whole may have more. */
const MAX_BYTES = FORM_LIMITS.bytes;

/**
 * The form with the scopes ticked that its documents need; nothing is unticked: what they do not need is only named.
 * `rules`: of the schema that tokens see. @throws Problem with what is wrong with the documents
 */
export function withScopesProposed(rules: SchemaRules, form: URLSearchParams): FilledIn {
  const typed = typedIn(form);
  if (typed.documents.trim() === '') refuse(['Paste your app’s GraphQL queries first, one after the other.']);
  if (Buffer.byteLength(typed.documents) > MAX_BYTES) {
    refuse([`The queries are larger than ${MAX_BYTES / 1024} KiB. Paste them in parts.`]);
  }
  const answer = scopesOfAll(rules, typed.documents);
  if ('errors' in answer) {
    const messages = answer.errors.map(({ message, locations: [place] = [] }) =>
      place ? `Line ${place.line}: ${message}` : message,
    );
    return refuse(messages.slice(0, SHOWN_ERRORS));
  }
  const { missing, superfluous } = compareScopes(answer.scopes, typed.scopes);
  const filledIn = new URLSearchParams(form);
  for (const scope of missing) filledIn.append('scopes', scope);
  return { filledIn, note: adviceOf(answer.scopes, missing, superfluous) };
}

function adviceOf(needed: readonly string[], missing: readonly string[], superfluous: readonly string[]): string {
  const ticked =
    missing.length > 0
      ? `Ticked for these queries: ${missing.join(', ')}.`
      : 'Everything these queries need is already ticked.';
  const advice = needed.length === 0 ? 'These queries don’t need any scope: anyone may send them.' : ticked;
  return superfluous.length > 0 ? `${advice} They don’t need ${superfluous.join(', ')}.` : advice;
}

function refuse(messages: readonly string[]): never {
  Problem.throwIfAny(messages.map((message) => ({ code: 'BAD_INPUT', message, path: ['documents'] })));
  throw new RangeError('A refusal says what is wrong.');
}
