import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { clientPath } from './client-paths.ts';
import { DEVELOPER_HEAD } from './developer-head.ts';

export interface NewSecretPage {
  readonly viewer: Viewer;
  readonly clientId: string;
  readonly clientName: string;
  readonly typedName: string;
  readonly idempotencyKey: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
}

/** Asks for the name of a second secret. */
export function newSecretPage(page: NewSecretPage): Html {
  const { viewer, clientId, clientName, typedName, idempotencyKey, csrf, mistakes } = page;
  const content = html`<article>
      ${mistakeSummary(aboutFields(['name'], mistakes))}
      <h1>Create a secret for <bdi>${clientName}</bdi></h1>
      <p>The old secret stays valid until you delete it.</p>
      <form method="post" action="${clientPath(clientId)}/secrets" novalidate data-once>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField(
          {
            name: 'name',
            label: 'Secret name',
            value: typedName,
            autocomplete: 'off',
            hint: 'Only you see it. For example, “production 2027”.',
          },
          mistakes,
          true,
        )}
        <button type="submit">Create the secret</button>
      </form>
      <p class="aside"><a href="${clientPath(clientId)}#secrets">Go back</a></p>
    </article>`;
  return layout({
    title: formTitle('Create a secret', mistakes),
    content,
    corner: viewer,
    shape: 'card',
    head: DEVELOPER_HEAD,
  });
}
