import type { Page } from 'playwright-core';
import { paced } from '../support/pace.ts';

/**
 * An act on a control once the focus is there: keys to press, or a text to type; `go` presses Enter and waits for the
 * next page.
 */
type Act = 'go' | 'Enter' | 'Space' | 'ArrowDown' | { readonly type: string | (() => string) };
/** A control, by its role, or by its label as a `field`, and its accessible name. */
export type Step = readonly [
  role: 'link' | 'button' | 'checkbox' | 'summary' | 'field',
  name: string | RegExp,
  act: Act,
];

/** More than on the longest way of these pages, hours of a week. */
const MOST_PRESSES = 60;

/** Goes from control to control by the Tab key alone. @throws Error where one is not reached, or its focus cannot be seen */
export async function walk(page: Page, steps: readonly Step[]): Promise<void> {
  for (const [role, name, act] of steps) {
    await tabTo(page, role, name);
    if (typeof act === 'object') await page.keyboard.type(typeof act.type === 'string' ? act.type : act.type());
    else if (act === 'go') await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
    else await page.keyboard.press(act);
  }
}

async function tabTo(page: Page, role: Step[0], name: string | RegExp): Promise<void> {
  const control = locatorOf(page, role, name).filter({ visible: true }).first();
  await control.waitFor({ timeout: paced(5000) });
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    const ring = await control.evaluate(RING);
    if (ring === 'seen') return;
    if (ring === 'none') throw new Error(`${name} has the focus, and nobody sees it.`);
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached within ${MOST_PRESSES} presses of the Tab key.`);
}

function locatorOf(page: Page, role: Step[0], name: string | RegExp) {
  const exact = typeof name === 'string';
  if (role === 'field') return page.getByLabel(name, { exact });
  // Chromium gives it no role by which it would be found.
  if (role === 'summary') return page.locator('summary', { hasText: name });
  return page.getByRole(role, { name, exact });
}

/** The ring around a control: undefined while the focus is elsewhere. */
const RING = (element: Element): 'seen' | 'none' | undefined => {
  const { activeElement, defaultView } = element.ownerDocument;
  if (activeElement !== element) return undefined;
  const { outlineStyle, outlineWidth } = defaultView?.getComputedStyle(element) ?? {};
  return outlineStyle === 'solid' && Number.parseFloat(outlineWidth ?? '') >= 2 ? 'seen' : 'none';
};
