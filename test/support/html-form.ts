/** A form of a page: where it goes, and what it sends before anybody has typed. */
export interface HtmlForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Names of its buttons and of what can be typed into. */
  readonly controls: readonly string[];
}

/** The forms of one of our pages, whose markup is regular enough for this. */
export function formsOf(html: string): readonly HtmlForm[] {
  return [...html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', content = '']) => {
    const elements = [...content.matchAll(/<(?:input|button)\b([^>]*)>/g)].map(([, text = '']) => text);
    const inputs = elements.filter((text) => attribute(text, 'type') !== 'submit');
    return {
      action: attribute(attributes, 'action') ?? '',
      fields: Object.fromEntries(inputs.map((text) => [attribute(text, 'name') ?? '', attribute(text, 'value') ?? ''])),
      controls: elements.map((text) => attribute(text, 'name') ?? ''),
    };
  });
}

/** What a reader sees, in one line. */
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

function unescape(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
