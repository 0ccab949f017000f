/**
 * The HTML of a mail: for programs that know tables and inline styles alone, and for such that show it in the dark. It loads
 * nothing, names no picture, and leads to pages of this service, or where a host says that a meeting is.
 */
import { html, raw } from 'hono/html';
import { accentColors, BACKGROUNDS, type Scheme } from '../core/accent-colors.ts';
import { type Language, languageOf } from '../core/language.ts';
import {
  type FactsPart,
  type LinksPart,
  linesOf,
  type MailContent,
  type MailFact,
  type MailLink,
  type MailPart,
  textOf,
} from '../core/mail-content.ts';
import { oneLine } from '../core/text.ts';

type Html = ReturnType<typeof html>;

/** How a mail looks. */
interface MailLook {
  /** The name of the sender, above the content; undefined where it is not to be shown. */
  readonly brand: string | undefined;
  /** The accent, `#rrggbb`; undefined: that of the service. */
  readonly color: string | undefined;
  /** The origin of the pages that links may lead to. */
  readonly origin: string;
}

const DIRECTIONS: Readonly<Record<Language, 'ltr' | 'rtl'>> = { en: 'ltr', de: 'ltr' };
const OWN_COLOR = '#14705f';
/** Characters, as lists of mails show no more. */
const PREVIEW = 150;

/** A whole document, with all values escaped. */
export async function mailHtml(content: MailContent, look: MailLook): Promise<string> {
  const { subject, heading = subject, greeting = '', locale = 'en', parts } = content;
  const language = languageOf(locale);
  const { color = OWN_COLOR, brand } = look;
  const accent = buttonStyle(color);
  const page = html`<!doctype html>
<html lang="${language}" dir="${DIRECTIONS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${plain(oneLine(subject))}</title>
<style>${raw(darkStyles(color))}</style>
</head>
<body class="page" style="${STYLES.page}">
<div style="${STYLES.preview}">${plain(previewOf(parts))}</div>
<div role="main" lang="${language}" dir="${DIRECTIONS[language]}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="${STYLES.page}"><tr><td align="center" style="padding:16px 10px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${STYLES.column}">
${brand === undefined ? '' : html`<tr><td>${brandPart(brand, accent)}</td></tr>`}
<tr><td class="card text" style="${STYLES.card}">
<h1 dir="auto" style="${STYLES.heading}">${plain(oneLine(heading))}</h1>
${[greeting, ...parts].map((part) => partOf(part, look.origin, accent))}
</td></tr></table>
</td></tr></table>
</div>
</body>
</html>
`;
  return String(await page);
}

/** The mark is a letter, as many programs show no picture. */
function brandPart(brand: string, accent: string): Html {
  const [initial = ''] = plain(brand);
  return html`<p class="text" style="${STYLES.brand}"><span aria-hidden="true" class="button" style="${accent};${STYLES.mark}">${initial}</span> <span dir="auto">${plain(brand)}</span></p>`;
}

function partOf(part: MailPart, origin: string, accent: string): Html {
  if (typeof part === 'string') return paragraphs(part, origin);
  switch (part.kind) {
    case 'OWN_WORDS':
      return html`<p dir="auto" style="${STYLES.ownWords}">${linkedLines(part.text, origin)}</p>`;
    case 'FACTS':
      return factsPart(part);
    case 'QUOTE':
      return html`${paragraph(part.label, STYLES.label)}<blockquote class="line" dir="auto" style="${STYLES.quote}">${broken(linesOf(part.text).map(plain))}</blockquote>`;
    case 'LINKS':
      return linksPart(part, origin, accent);
    case 'LIST':
      return html`<ul style="${STYLES.list}">${part.items.map((item) => html`<li dir="auto" style="${STYLES.item}">${plain(item)}</li>`)}</ul>`;
    case 'CODE':
      return html`${paragraph(part.lead)}${paragraph(part.code, STYLES.code)}`;
    case 'NOTE':
      return html`<p class="quiet" style="${STYLES.note}">${plain(part.text)}</p>`;
  }
}

function paragraphs(text: string, origin: string): Html {
  const all = text.split('\n\n').filter((one) => one !== '');
  return html`${all.map((one) => html`<p style="${STYLES.paragraph}">${linkedLines(one, origin)}</p>`)}`;
}

function paragraph(text: string, style: string = STYLES.paragraph): Html {
  return html`<p style="${style}">${plain(text)}</p>`;
}

function factsPart({ facts }: FactsPart): Html {
  return html`<table cellpadding="0" cellspacing="0" style="${STYLES.facts}">${facts
    .filter(({ lines }) => lines.length > 0)
    .map(
      (fact) =>
        html`<tr><th scope="row" align="left" class="quiet line" style="${STYLES.factLabel}">${plain(fact.label)}</th><td class="line" style="${STYLES.fact}">${factLines(fact)}</td></tr>`,
    )}</table>`;
}

function factLines({ lines, leads = false }: MailFact): Html {
  return html`${lines.map((line) => html`<div dir="auto" style="${STYLES.line}">${leads && isWebAddress(line) ? anchor(line) : plain(line)}</div>`)}`;
}

function linksPart({ lead, links }: LinksPart, origin: string, accent: string): Html {
  const own = links.filter(({ href }) => isOwn(href, origin));
  const [first, ...more] = own;
  if (!first) return paragraphs([lead, ...links.map(({ href }) => href)].join('\n'), origin);
  if (more.length === 0) {
    const said = first.label === undefined ? '' : paragraph(lead);
    return html`${said}${button(first, lead, accent)}`;
  }
  return html`${paragraph(lead)}<ul style="${STYLES.list}">${own.map(
    ({ href, label }) => html`<li style="${STYLES.item}">${anchor(href, label)}</li>`,
  )}</ul>`;
}

/** Some programs know no padding of links, but that of cells. */
function button({ href, label }: MailLink, lead: string, accent: string): Html {
  const words = label ?? lead.replace(/:$/, '');
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="${STYLES.buttonBox}"><tr><td align="center" class="button" style="${accent};${STYLES.buttonCell}"><a class="button" href="${href}" style="${accent};${STYLES.button}">${plain(words)}</a></td></tr></table>`;
}

function anchor(href: string, label = href): Html {
  return html`<a class="text" href="${href}" style="color:${INK};text-decoration:underline">${plain(label)}</a>`;
}

/** Addresses of this service lead there; others are text, whatever a mail program makes of them. */
function linkedLines(text: string, origin: string): Html {
  return broken(linesOf(text).map((line) => linked(line, origin)));
}

const ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/;

/** Every second piece is an address: the pattern has one group. */
function linked(line: string, origin: string): Html {
  const pieces = line.split(ADDRESS);
  return html`${pieces.map((piece, index) => (index % 2 === 1 && isOwn(piece, origin) ? anchor(piece) : plain(piece)))}`;
}

function isOwn(address: string, origin: string): boolean {
  return URL.parse(address)?.origin === origin;
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.parse(text)?.username === '';
}

function broken(lines: readonly (string | Html)[]): Html {
  return html`${lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}`;
}

function previewOf([first = '']: readonly MailPart[]): string {
  const said = typeof first !== 'string' && 'lead' in first ? first.lead : textOf({ parts: [first] });
  const line = said.replaceAll(/\s+/g, ' ').trim();
  // Neither a word is cut in two, nor a character (a surrogate pair).
  return line.length <= PREVIEW ? line : `${line.slice(0, PREVIEW).replace(/\s\S*$|[\ud800-\udbff]$/, '')}…`;
}

/** Leaves out characters that turn the direction of all that follows: names of calendars, say, come from elsewhere. */
function plain(text: string): string {
  return text.replaceAll(/[\u061c\u202a-\u202e\u2066-\u2069]/g, '');
}

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
const STYLES = {
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
function buttonStyle(color: string): string {
  const { background, border, ink } = buttonColors(color, 'light');
  return `background-color:${background};border:1px solid ${border};color:${ink}`;
}

/** Styles the classes for the dark; `!important`, as they overrule inline styles. */
function darkStyles(color: string): string {
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
