/** links/ is the private links to an event type. It may import its surroundings, words/ among them. */
import { html } from 'hono/html';
import { publicOwnedId } from '../../../core/id.ts';
import { instantOf } from '../../../core/instant.ts';
import type { Page } from '../../../core/page.ts';
import type { Mistake } from '../../../core/problem.ts';
import type { RowOf } from '../../../database/columns.ts';
import type { PrivateLink } from '../../../modules/event-types/private-link.entity.ts';
import { isExpired, usesAllowed } from '../../../modules/event-types/private-link.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../../kit/layout.ts';
import { COPY_HEAD, copyable, doneNotice, nothingYet, pager, SEND_ONCE_HEAD } from '../../kit/page-parts.ts';
import { type Clock, momentFor } from '../../kit/when.ts';
import { eventTypePath } from '../event-types-page.ts';
import type { ShownEventType } from '../form-part.ts';
import { linkWords } from '../words/event-type-words.ts';

/** The fields of the form. */
export const LINK_FIELDS = ['maxUsageCount', 'expiresAt'] as const;
export type TypedLink = Readonly<Record<(typeof LINK_FIELDS)[number], string>>;

/** A link made on the page works for so many days at most. */
export const MAX_DAYS = 365;

export interface LinksPage {
  readonly viewer: Viewer;
  readonly eventType: ShownEventType;
  readonly links: Page<RowOf<typeof PrivateLink>>;
  readonly urlOf: (link: RowOf<typeof PrivateLink>) => string;
  readonly now: Temporal.Instant;
  readonly clock: Clock;
  readonly typed: TypedLink;
  readonly csrf: { readonly add: string; readonly end: string };
  readonly idempotencyKey: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

export function linksPath(eventType: Parameters<typeof eventTypePath>[0]): string {
  return `${eventTypePath(eventType)}/links`;
}

/** The private links to an event type, and a form for one more. */
export function linksPage(page: LinksPage): Html {
  const { viewer, eventType, links, typed, csrf, idempotencyKey } = page;
  const { locale } = viewer;
  const words = linkWords(locale);
  const mistakes = aboutFields(LINK_FIELDS, page.mistakes);
  const path = linksPath(eventType);
  const field = { autocomplete: 'off', inputMode: 'numeric', isOptional: true, locale } as const;
  const content = html`${doneNotice(page.done)}
    ${mistakeSummary(mistakes, locale)}
    <p class="aside top"><a href="${eventTypePath(eventType)}"><bdi>${eventType.title}</bdi></a></p>
    <h1>${words.titleOf(isolated(eventType.title))}</h1>
    <p class="aside top">${eventType.schedulingType === 'MANAGED' ? words.managed : words.intro}</p>
    ${
      links.rows.length === 0
        ? nothingYet(html`<p>${words.none}</p>`)
        : html`<ul class="rows">${links.rows.map((link, index) => html`<li>${rowOf(link, index + 1, page)}</li>`)}</ul>`
    }
    ${pager(links, ({ id }) => [id], { path, locale })}
    ${
      eventType.schedulingType === 'MANAGED'
        ? ''
        : html`<article>
      <h2>${words.add}</h2>
      <form method="post" action="${path}" novalidate data-once>
        ${hiddenField('csrf', csrf.add)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField({ ...field, name: 'maxUsageCount', label: words.fields.maxUsageCount, value: typed.maxUsageCount, hint: words.countHint }, mistakes)}
        ${textField({ ...field, name: 'expiresAt', label: words.fields.expiresAt, value: typed.expiresAt, hint: words.daysHint(MAX_DAYS) }, mistakes)}
        <button type="submit">${words.addButton}</button>
      </form>
    </article>`
    }`;
  const title = formTitle(words.titleOf(isolated(eventType.title)), mistakes, locale);
  const head = html`${COPY_HEAD}${SEND_ONCE_HEAD}`;
  return layout({ title, content, corner: viewer, setting: 'eventTypes', shape: 'sheet', head, locale });
}

function rowOf(link: RowOf<typeof PrivateLink>, number: number, page: LinksPage): Html {
  const { eventType, urlOf, now, clock, csrf, viewer } = page;
  const words = linkWords(viewer.locale);
  const expiresAt = link.expiresAt === null ? null : instantOf(link.expiresAt);
  const limits = { ...link, expiresAt };
  return html`${copyable(words.what, urlOf(link), 'WORD', viewer.locale)}
          <p class="facts"><span>${words.used(link.usageCount, usesAllowed(limits))}</span>
            ${expiresAt ? html`<span>${words.until(momentFor(expiresAt, clock))}</span>` : ''}
            ${isExpired(limits, now) ? html`<mark class="rejected">${words.over}</mark>` : ''}</p>
          <form method="post" action="${linksPath(eventType)}/end">
            ${hiddenField('csrf', csrf.end)}
            ${hiddenField('link', publicOwnedId('privateLink', link))}
            <button type="submit" class="quiet" aria-label="${words.endOf(number)}">${words.end}</button>
          </form>`;
}
