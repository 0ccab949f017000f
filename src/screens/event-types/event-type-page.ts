import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import type { Mistake } from '../../core/problem.ts';
import {
  aboutFields,
  checkBox,
  formTitle,
  hiddenField,
  mistakeSummary,
  selectField,
  textArea,
  textField,
} from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { COPY_HEAD, doneNotice, linkIf, part } from '../kit/page-parts.ts';
import { pageWords } from '../kit/page-words.ts';
import { type PageLevel, settingOf } from '../teams/page-level.ts';
import { embeddingOfTeam } from './embed-part.ts';
import { FOLDED } from './event-type-form.ts';
import { eventTypePath, titleOf } from './event-types-page.ts';
import { type Choices, isOfTeam, type ShownEventType, type Values } from './form-part.ts';
import { hostsPath } from './hosts/hosts-page.ts';
import { linksPath } from './links/links-page.ts';
import { type EventTypeWords, eventTypeWords, hostWords, linkWords } from './words/event-type-words.ts';

export interface EventTypePage {
  readonly viewer: Viewer;
  readonly level: PageLevel;
  readonly eventType: ShownEventType;
  /** When it was last changed, as its form has seen it. */
  readonly updatedAt: string;
  readonly typed: Values;
  readonly choices: Choices;
  /** The ids of parts that are open, beside those with a mistake. */
  readonly open: readonly string[];
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** One event type, of a user or of a team, with a form to change it. */
export function eventTypePage(page: EventTypePage): Html {
  const { viewer, level, eventType, csrf, done } = page;
  const { locale } = viewer;
  const words = eventTypeWords(locale);
  const { bookingUrl } = page.choices;
  const path = eventTypePath(eventType);
  // The page of a managed event type has only the fields of its owner.
  const mistakes = eventType.parentId === null ? page.mistakes : aboutFields(CHILD_FIELDS, page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <p class="aside top"><a href="${level.path}">${titleOf(level, locale)}</a></p>
    <h1><bdi>${eventType.title}</bdi></h1>
    ${
      bookingUrl === undefined
        ? html`<p>${words.page.ofHosts}</p>`
        : html`<p class="booking-link">${linkIf(!eventType.isHidden, bookingUrl)}</p>`
    }
    ${hostsLine(eventType, locale)}
    ${eventType.parentId === null ? '' : html`<p>${words.page.ofTeam}</p>`}
    <form method="post" action="${path}" novalidate>
      ${hiddenField('csrf', csrf)}
      ${hiddenField('updatedAt', page.updatedAt)}
      ${eventType.parentId === null ? ownFields(page, words) : childFields(page, words)}
      <button type="submit">${words.page.save}</button>
    </form>
    ${eventType.schedulingType === 'MANAGED' ? '' : html`<p class="aside"><a href="${linksPath(eventType)}">${linkWords(locale).title}</a></p>`}
    <p class="aside"><a href="${level.place?.path ?? '/settings'}/webhooks?about=${publicOwnedId('eventType', eventType)}">${words.page.webhooks}</a></p>
    ${eventType.parentId === null ? html`<p class="aside"><a href="${path}/delete">${words.page.remove}</a></p>` : ''}`;
  return layout({
    title: formTitle(isolated(eventType.title), mistakes, locale),
    content,
    corner: viewer,
    setting: settingOf(level, 'eventTypes'),
    shape: 'sheet',
    head: COPY_HEAD,
    locale,
  });
}

/** The fields that the owner decides of an event type that a team manages. */
const CHILD_FIELDS = ['scheduleId', 'isHidden'];

function childFields({ viewer, eventType, typed, choices, mistakes }: EventTypePage, words: EventTypeWords): Html {
  const { fields, times, websites } = words;
  const { embedOrigins } = eventType;
  const shown = { values: typed, mistakes, choices, words, locale: viewer.locale };
  const where = { id: 'websites', title: websites.title, gist: websites.gist(embedOrigins.length) };
  return html`<article>
        ${selectField({ name: 'scheduleId', label: fields.scheduleId, value: typed['scheduleId'] ?? '', options: choices.schedules }, mistakes)}
        <p class="aside">${times.elsewhere}</p>
        ${checkBox({ name: 'isHidden', label: fields.isHidden, isChecked: typed['isHidden'] !== undefined })}
      </article>
      ${embedOrigins.length === 0 ? '' : html`<article class="parts">${part(where, embeddingOfTeam(shown, embedOrigins))}</article>`}`;
}

function ownFields(page: EventTypePage, words: EventTypeWords): Html {
  const { viewer, eventType, typed, choices, mistakes } = page;
  const { locale } = viewer;
  const { fields, hints } = words;
  const line = { autocomplete: 'off' };
  const description = {
    label: html`${fields.description} ${pageWords(locale).optional}`,
    hint: hints.description,
    rows: 4,
    isOptional: true,
  };
  return html`<article>
        ${textField({ ...line, name: 'title', label: fields.title, hint: hints.title, value: typed['title'] ?? '' }, mistakes)}
        ${textArea({ ...description, name: 'description', value: typed['description'] ?? '' }, mistakes)}
        ${textField({ ...line, name: 'durationInMinutes', label: fields.durationInMinutes, inputMode: 'numeric', value: typed['durationInMinutes'] ?? '' }, mistakes)}
        ${textField({ ...line, name: 'slug', label: fields.slug, hint: hints.slug, value: typed['slug'] ?? '' }, mistakes)}
        ${confirmationField(page, words)}
        ${checkBox({ name: 'isHidden', label: fields.isHidden, isChecked: typed['isHidden'] !== undefined })}
      </article>
      <article class="parts">
        ${FOLDED.map((folded) =>
          part(
            {
              id: folded.id,
              title: words[folded.id].title,
              gist: folded.gist(eventType, words, locale),
              isOpen: page.open.includes(folded.id) || mistakes.some(({ path: [name = ''] = [] }) => folded.has(name)),
            },
            folded.content({ values: typed, mistakes, choices, words, locale }),
          ),
        )}
      </article>`;
}

/** Says of a team's event type who takes part, with the way to change that. */
function hostsLine(eventType: ShownEventType, locale: string): Html | '' {
  const { schedulingType, assignsAllMembers } = eventType;
  if (schedulingType === null) return '';
  const words = hostWords(locale);
  return html`<p><a href="${hostsPath(eventType)}">${words.title}</a>: ${words.gist(eventTypeWords(locale).scheduling[schedulingType], assignsAllMembers)}</p>`;
}

/** Short notice is offered where it is set: only the API sets how short. */
function confirmationField({ eventType, typed, mistakes }: EventTypePage, words: EventTypeWords): Html {
  const options = Object.entries(words.confirmations).filter(
    ([type]) => type !== 'SHORT_NOTICE' || eventType.confirmation.type === 'SHORT_NOTICE',
  );
  const label = isOfTeam(eventType) ? words.page.confirmationOfTeam : words.fields.confirmation;
  return selectField({ name: 'confirmation', label, value: typed['confirmation'] ?? '', options }, mistakes);
}
