import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { zoneSelect } from '../kit/zone-select.ts';
import { type AccountPage, accountFormPath } from './account-forms.ts';

/** Sign-up takes the zone from the browser, or UTC; here it is seen and mended. */
export function timeZonePart({ timeZone, csrf }: AccountPage): Html {
  return html`<article>
      <h2>Time zone</h2>
      <p>In which you read times. Your schedules have time zones of their own.</p>
      <form method="post" action="${accountFormPath('time-zone')}" class="narrow">
        ${hiddenField('csrf', csrf['time-zone'])}
        <div class="field">
          <label for="timeZone">Time zone</label>
          ${zoneSelect(timeZone)}
        </div>
        <button type="submit" class="quiet">Change the time zone</button>
      </form>
    </article>`;
}
