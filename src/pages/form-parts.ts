import { html } from 'hono/html';
import type { Mistake } from '../core/problem.ts';
import type { Html } from './layout.ts';

export interface TextField {
  /** Of the form field; also its id. */
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string;
  readonly autocomplete: string;
  readonly hint?: string;
}

/** A labelled text field, with its hint and its mistake tied to it for screen readers. */
export function textField(field: TextField, mistakes: readonly Mistake[], isFirst = false): Html {
  const { name, label, type = 'text', value, autocomplete, hint } = field;
  const mistake = mistakes.find(({ path }) => path?.[0] === name);
  const described = [hint && `${name}-hint`, mistake && `${name}-mistake`].filter(Boolean).join(' ');
  // Passwords and addresses are no prose: a phone must not capitalise or correct them.
  return html`<div class="field">
        <label for="${name}">${label}</label>
        ${hint ? html`<small id="${name}-hint">${hint}</small>` : ''}
        <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
          autocapitalize="none" spellcheck="false"
          ${value === undefined ? '' : html`value="${value}"`}
          ${described ? html`aria-describedby="${described}"` : ''}
          ${mistake ? html`aria-invalid="true"` : ''}
          ${isFirst && mistakes.length === 0 ? html`autofocus` : ''}>
        ${mistake ? html`<small id="${name}-mistake" class="mistake">${mistake.message}</small>` : ''}
      </div>`;
}

/** What is wrong, above the form: it takes the focus, and each line leads to its field. */
export function mistakeSummary(mistakes: readonly Mistake[]): Html {
  if (mistakes.length === 0) return html``;
  const lines = mistakes.map(({ message, path }) =>
    path ? html`<li><a href="#${path[0]}">${message}</a></li>` : html`<li>${message}</li>`,
  );
  return html`<section class="summary" role="alert" tabindex="-1" autofocus aria-labelledby="summary-title">
        <h2 id="summary-title">That did not work</h2>
        <ul>${lines}</ul>
      </section>`;
}

/** The title of a page whose form came back: a screen reader reads it first. */
export function formTitle(title: string, mistakes: readonly Mistake[]): string {
  return mistakes.length === 0 ? title : `Error: ${title}`;
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
