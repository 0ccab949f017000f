import { accentColors, BACKGROUNDS, type Scheme } from '../core/accent-colors.ts';

/** Text, what is less important, and lines, as in gatehouse.css. */
const COLORS = {
  light: { text: '#2f3538', quiet: '#5b6164', line: '#dcdcd6' },
  dark: { text: '#d5d9da', quiet: '#9ba3a6', line: '#363d40' },
} as const;

const { text: INK, quiet: QUIET, line: LINE } = COLORS.light;

export { INK };

const [PAGE, CARD] = BACKGROUNDS.light;
const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/** Long addresses and words break anywhere rather than making a phone scroll sideways. */
const BREAKS = 'overflow-wrap:anywhere;word-break:break-word';
const BELOW = 'margin:0 0 16px';

/** Inline, as not all mail programs read style sheets. */
export const STYLES = {
  page: `margin:0;padding:0;background-color:${PAGE}`,
  preview: 'display:none;max-height:0;overflow:hidden',
  column: 'max-width:560px;margin:0 auto;text-align:left',
  brand: `margin:0 0 12px;padding:0 4px;font:600 16px/1.5 ${FONT};color:${INK}`,
  mark: 'display:inline-block;width:28px;height:28px;line-height:28px;margin-inline-end:6px;border-radius:6px;text-align:center',
  card: `padding:24px 18px 8px;border:1px solid ${LINE};border-radius:8px;background-color:${CARD};font:16px/1.5 ${FONT};color:${INK};${BREAKS}`,
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:700',
  paragraph: BELOW,
  // Each line in the direction of its own letters.
  ownWords: `${BELOW};unicode-bidi:plaintext`,
  label: 'margin:0 0 4px;font-weight:600',
  quote: `${BELOW};padding:0 0 0 12px;border-left:3px solid ${LINE}`,
  list: `${BELOW};padding:0 0 0 22px`,
  item: 'margin:0 0 8px',
  code: `${BELOW};font-size:28px;line-height:1.3;font-weight:700;letter-spacing:4px`,
  note: `${BELOW};font-size:14px;color:${QUIET}`,
  facts: `${BELOW};width:100%;border-collapse:collapse`,
  factLabel: `width:1%;padding:8px 14px 8px 0;border-top:1px solid ${LINE};font-weight:400;text-align:left;vertical-align:top;white-space:nowrap;word-break:normal;overflow-wrap:normal;color:${QUIET}`,
  fact: `padding:8px 0;border-top:1px solid ${LINE};vertical-align:top`,
  line: 'margin:0 0 3px',
  buttonBox: 'margin:4px 0 20px',
  buttonCell: 'border-radius:8px',
  button:
    'display:inline-block;padding:11px 20px;border-width:0;border-radius:8px;font-weight:600;text-decoration:none',
} as const;

/** The style of a button in the light colour scheme. */
export function buttonStyle(color: string): string {
  const { background, border, ink } = buttonColors(color, 'light');
  return `background-color:${background};border:1px solid ${border};color:${ink}`;
}

/** Styles the classes for the dark; `!important`, as they overrule inline styles. */
export function darkStyles(color: string): string {
  const { text, quiet, line } = COLORS.dark;
  const [page, card] = BACKGROUNDS.dark;
  const { background, border, ink } = buttonColors(color, 'dark');
  const rules = {
    page: { 'background-color': page },
    card: { 'background-color': card, 'border-color': line },
    text: { color: text },
    quiet: { color: quiet },
    line: { 'border-color': line },
    button: { 'background-color': background, 'border-color': border, color: ink },
  };
  const written = Object.entries(rules).map(([name, styles]) => {
    const all = Object.entries(styles).map(([property, value]) => `${property}:${value}!important`);
    return `.${name}{${all.join(';')}}`;
  });
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${written.join('')}}`;
}

function buttonColors(color: string, scheme: Scheme) {
  const colors = accentColors(color, scheme);
  return {
    background: colors['pico-primary-background'] ?? '',
    border: colors['pico-primary-border'] ?? '',
    ink: colors['pico-primary-inverse'] ?? '',
  };
}
