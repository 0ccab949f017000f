import { html, raw } from 'hono/html';
import { zoneName } from '../../core/instant.ts';
import { inLanguages } from '../../core/language.ts';
import { MAX_MISTAKES, type Mistake } from '../../core/problem.ts';
import type { Html } from './layout.ts';
import { pageWords } from './page-words.ts';

export interface TextField {
  /** The name of the form field; also its id. */
  readonly name: string;
  readonly label: Html | string;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'tel' | 'date';
  readonly inputMode?: 'numeric' | 'decimal';
  readonly value?: string;
  readonly autocomplete: string;
  readonly placeholder?: string;
  readonly hint?: string;
  /** The id of a `datalist` with suggestions. */
  readonly list?: string;
  readonly isOptional?: boolean;
  /** Needed only with what is chosen elsewhere in the form. */
  readonly isConditional?: boolean;
  /** BCP 47: the reader's, for the word that says it is optional. */
  readonly locale?: string;
}

/** A text of more than one line. */
interface TextArea {
  readonly name: string;
  readonly label: Html | string;
  readonly value: string;
  readonly rows: number;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
}

interface CheckBox {
  readonly name: string;
  /** A radio button is one of several of the same name, of which one alone can be chosen. */
  readonly type?: 'checkbox' | 'radio';
  /** Undefined for a box that stands for itself; else one of several of the same name. */
  readonly value?: string;
  readonly label: Html | string;
  readonly isChecked: boolean;
}

/** A labelled text field, with its hint and its mistake tied to it for screen readers. */
export function textField(field: TextField, mistakes: readonly Mistake[], isFirst = false): Html {
  const { name, label, type = 'text', inputMode, value, autocomplete, placeholder, list } = field;
  const { isOptional = false, isConditional = false, locale = 'en' } = field;
  // Passwords and addresses are no prose: a phone must not capitalise or correct them.
  const input = html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"
          ${isOptional || isConditional ? '' : html`required`} autocapitalize="none" spellcheck="false"
          ${inputMode === undefined ? '' : html`inputmode="${inputMode}"`} ${placeholderOf(placeholder)} ${list === undefined ? '' : html`list="${list}"`}
          ${value === undefined ? '' : html`value="${value}"`} ${describingAttributes(field, mistakes)}
          ${isFirst && mistakes.length === 0 ? html`autofocus` : ''}>`;
  return control(
    { ...field, label: isOptional ? html`${label} ${pageWords(locale).optional}` : label },
    mistakes,
    input,
  );
}

/** A labelled field of several lines. The line break after its start is the one that HTML drops. */
export function textArea(field: TextArea, mistakes: readonly Mistake[]): Html {
  const { name, value, rows, autocomplete, placeholder, isOptional = false } = field;
  const input = html`<textarea id="${name}" name="${name}" rows="${rows}" ${isOptional ? '' : html`required`} ${
    autocomplete === undefined ? '' : html`autocomplete="${autocomplete}"`
  } ${placeholderOf(placeholder)} ${describingAttributes(field, mistakes)}>
${value}</textarea>`;
  return control(field, mistakes, input);
}

/** A box to tick, its label beside it. */
export function checkBox({ name, type = 'checkbox', value, label, isChecked }: CheckBox): Html {
  const id = value === undefined ? name : `${name}-${value}`;
  return html`<div class="check"><input type="${type}" id="${id}" name="${name}" value="${value ?? 'on'}" ${
    isChecked ? html`checked` : ''
  }><label for="${id}">${label}</label></div>`;
}

/** A list of which one is chosen: values and what they are called. */
interface SelectField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, says: string])[];
  readonly hint?: string;
}

/** A labelled list to choose from. */
export function selectField(field: SelectField, mistakes: readonly Mistake[]): Html {
  const { name, value, options } = field;
  const input = html`<select id="${name}" name="${name}" ${describingAttributes(field, mistakes)}>${options.map(
    ([one, says]) => html`<option value="${one}" ${one === value ? html`selected` : ''}>${says}</option>`,
  )}</select>`;
  return control(field, mistakes, input);
}

/** Shows the mistakes of a field below it; `aria-describedby` of the field leads here. */
export function mistakeOf(name: string, mistakes: readonly Mistake[]): Html | '' {
  const messages = messagesOf(mistakes).get(name);
  return messages ? html`<small id="${name}-mistake" class="mistake">${messages.join(' ')}</small>` : '';
}

/** Whether something is wrong with a field. */
export function isWrong(name: string, mistakes: readonly Mistake[]): boolean {
  return messagesOf(mistakes).has(name);
}

/** The mistakes by field: grouped once, as a form may have thousands of fields and as many mistakes. */
const GROUPED = new WeakMap<readonly Mistake[], ReadonlyMap<string | undefined, readonly string[]>>();

function messagesOf(mistakes: readonly Mistake[]): ReadonlyMap<string | undefined, readonly string[]> {
  const known = GROUPED.get(mistakes);
  if (known) return known;
  const grouped = Map.groupBy(mistakes, ({ path }) => path?.[0]);
  const messages = new Map([...grouped].map(([name, ones]) => [name, ones.map(({ message }) => message)]));
  GROUPED.set(mistakes, messages);
  return messages;
}

interface Described {
  readonly name: string;
  readonly label: Html | string;
  readonly hint?: string;
}

function control({ name, label, hint }: Described, mistakes: readonly Mistake[], input: Html): Html {
  return html`<div class="field">
        <label for="${name}">${label}</label>
        ${hint ? html`<small id="${name}-hint">${hint}</small>` : ''}
        ${input}
        ${mistakeOf(name, mistakes)}
      </div>`;
}

function placeholderOf(placeholder: string | undefined): Html | '' {
  return placeholder === undefined ? '' : html`placeholder="${placeholder}"`;
}

/** The attributes by which a control refers to its hint and its mistake. */
function describingAttributes({ name, hint }: Described, mistakes: readonly Mistake[]): Html {
  const invalid = isWrong(name, mistakes);
  const described = [hint && `${name}-hint`, invalid && `${name}-mistake`].filter(Boolean).join(' ');
  return html`${described ? html`aria-describedby="${described}"` : ''} ${invalid ? html`aria-invalid="true"` : ''}`;
}

/** Shows the mistakes above the form, first those that are shown at no field: the summary takes the focus, and each line leads to its field. */
export function mistakeSummary(mistakes: readonly Mistake[], locale = 'en'): Html {
  if (mistakes.length === 0) return html``;
  const words = pageWords(locale);
  const ordered = [...mistakes.filter(({ path }) => !path), ...mistakes.filter(({ path }) => path)];
  const lines = ordered.map(({ message, path }) =>
    path ? html`<li><a href="#${path[0]}">${message}</a></li>` : html`<li>${message}</li>`,
  );
  // A problem with so many may have had more.
  const hasMore = mistakes.length >= MAX_MISTAKES;
  return html`<section class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
        <h2 id="summary-title">${words.pleaseCheck}</h2>
        <ul>${lines}</ul>
        ${hasMore ? html`<p>${words.moreMistakes}</p>` : ''}
      </section>`;
}

/** Mistakes of which the form has no field, about the whole: their lines in the summary then lead nowhere. */
export function aboutFields(names: readonly string[], mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.map(({ code, message, path }) =>
    path?.[0] !== undefined && names.includes(path[0]) ? { code, message, path } : { code, message },
  );
}

/** The title of a page whose form came back: a screen reader reads it first. */
export function formTitle(title: string, mistakes: readonly Mistake[], locale = 'en'): string {
  return mistakes.length === 0 ? title : pageWords(locale).error(title);
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

const NAMES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** All zones, by the part of the world that stands before the stroke: the same text on every page of a language. */
const optionsFor = inLanguages(optionsOf(NAMES, pageWords('en').zones), {
  de: optionsOf(NAMES, pageWords('de').zones),
});

/** Chooses a time zone; its label is for `timeZone`. */
export function zoneSelect(timeZone: string, locale = 'en'): Html {
  return html`<select id="timeZone" name="timeZone">
          <option value="${timeZone}" selected>${zoneName(timeZone)}</option>
          ${optionsFor(locale)}
        </select>`;
}

function optionsOf(names: readonly string[], parts: Readonly<Record<string, string>>) {
  const groups = Map.groupBy(names, (name) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : 'Other'));
  return raw([...groups].map(([part, zones]) => groupOf(parts[part] ?? part, zones)).join(''));
}

function groupOf(label: string, names: readonly string[]): string {
  return `<optgroup label="${label}">${names.map(optionOf).join('')}</optgroup>`;
}

/** An option sends its text where it has no value of its own: of 450 zones, a third of the page. */
function optionOf(name: string): string {
  const text = zoneName(name);
  return text === name ? `<option>${name}</option>` : `<option value="${name}">${text}</option>`;
}
