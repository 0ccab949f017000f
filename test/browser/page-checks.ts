import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Types into the fields with these labels. */
export async function fillIn(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
}

/** Types where the focus is. A browser may put it there only after the page has been loaded. */
export async function type(page: Page, text: string): Promise<void> {
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(text);
}

/** In CSS pixels; wider than the window, and a reader has to scroll sideways. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth');
}

/** Names of what can be filled in or ticked without a label of its own. */
export function unlabelledControls(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('input:not([type=hidden]), textarea, select')]
    .filter((control) => document.querySelectorAll('label[for="' + CSS.escape(control.id) + '"]').length !== 1)
    .map((control) => control.name)`);
}

/**
 * Finds controls that a thumb would miss: buttons, days, times and boxes lower than 44 CSS pixels. Links within a line
 * of text are as high as their line (WCAG 2.2, 2.5.5).
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('main button, main a, main select, main input:not([type=hidden]), main summary')]
    .filter((element) => element.tagName !== 'A' || getComputedStyle(element).display !== 'inline')
    .map((element) => (/checkbox|radio/.test(element.type) ? element.parentElement : element))
    .map((element) => [element.textContent.trim().slice(0, 40) || element.name, element.getBoundingClientRect().height])
    .filter(([, height]) => height > 0 && height < 44)
    .map(([name, height]) => name + ' ' + height.toFixed(1))`);
}

/** Texts whose contrast is below 4.5 to 1 (WCAG 2.2, 1.4.3). */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const mixed = new Map();
    const over = (color, below) => mixed.getOrInsertComputed(color + below, () => {
      canvas.clearRect(0, 0, 1, 1);
      for (const one of [below, color]) { canvas.fillStyle = one; canvas.fillRect(0, 0, 1, 1); }
      return 'rgb(' + canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).join(',') + ')';
    });
    const behind = (element) => {
      const above = element.parentElement ? behind(element.parentElement) : 'rgb(255,255,255)';
      return over(getComputedStyle(element).backgroundColor, above);
    };
    const luminance = (color) => {
      const [r, g, b] = color.match(/[\\d.]+/g).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (element) => {
      const back = behind(element);
      const [dark, light] = [luminance(over(getComputedStyle(element).color, back)), luminance(back)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    };
    return [...document.body.querySelectorAll('*')]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
      .filter((element) => contrast(element) < 4.5)
      .map((element) => element.textContent.trim().slice(0, 60) + ' ' + contrast(element).toFixed(2));
  })()`);
}

/** The faults that axe-core finds, each with the elements that it is found in. */
export async function violationsOn(page: Page): Promise<string[]> {
  // By the debugger: our policy lets no script in by the page.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' | ')}`);
}
