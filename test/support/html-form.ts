/** A form of a page: where it goes, and what it sends before anybody has typed. */
export interface HtmlForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The same with every field, where several have one name. */
  readonly sent: readonly (readonly [name: string, value: string])[];
  /** Names of its buttons and of what can be typed into. */
  readonly controls: readonly string[];
  /** The names of the boxes among them, which send what they are or nothing. */
  readonly boxes: readonly string[];
}

/** The forms of one of our pages, whose markup is regular enough for this. */
export function formsOf(html: string): readonly HtmlForm[] {
  return [...html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', content = '']) => {
    const controls = [...content.matchAll(CONTROL)].map(([, tag = '', own = '', inner = '']) => ({ tag, own, inner }));
    const sent = controls
      .filter(isSent)
      .map((control) => [attribute(control.own, 'name') ?? '', valueOf(control)] as const);
    return {
      action: attribute(attributes, 'action') ?? '',
      fields: Object.fromEntries(sent),
      sent,
      controls: controls.map(({ own }) => attribute(own, 'name') ?? ''),
      boxes: controls.filter(isBox).map(({ own }) => attribute(own, 'name') ?? ''),
    };
  });
}

const CONTROL =
  /<(input|button|textarea|select)\b([^>]*)>(?:(?<=<(?:textarea|select)[^>]*>)([\s\S]*?)<\/(?:textarea|select)>)?/g;

interface Control {
  readonly tag: string;
  readonly own: string;
  readonly inner: string;
}

/** A button is sent when it is pressed, a box when it is ticked. */
function isSent(control: Control): boolean {
  const { tag, own } = control;
  if (tag === 'button' || attribute(own, 'type') === 'submit') return false;
  return !isBox(control) || / checked\b/.test(own);
}

function isBox({ own }: Control): boolean {
  return ['checkbox', 'radio'].includes(attribute(own, 'type') ?? '');
}

function valueOf({ tag, own, inner }: Control): string {
  if (tag === 'textarea') return unescape(inner.replace(/^\n/, ''));
  if (tag !== 'select') return attribute(own, 'value') ?? '';
  return (
    attribute(/<option[^>]* selected[^>]*>/.exec(inner)?.[0] ?? /<option[^>]*>/.exec(inner)?.[0] ?? '', 'value') ?? ''
  );
}

/** The text that a reader sees, in one line. */
export function textOf(html: string): string {
  const body = html.slice(html.indexOf('<main'));
  return unescape(body.replaceAll(/<[^>]+>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function attribute(text: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  return value === undefined ? undefined : unescape(value);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function unescape(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
