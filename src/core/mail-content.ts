/**
 * The content of a mail, written once: its text (`textOf`) and its HTML (mail/mail-html.ts) are made of the same parts.
 */
export interface MailContent {
  readonly subject: string;
  /** BCP 47: of the words; English where it is not said. */
  readonly locale?: string;
  /** Stands above the HTML, in the place of the subject. */
  readonly heading?: string;
  /** The line that addresses the reader. */
  readonly greeting?: string;
  /** A list of mails shows the first of them beside the subject. */
  readonly parts: readonly MailPart[];
}

/** A string is one or more paragraphs: a blank line ends one, other line breaks are kept. */
export type MailPart = string | FactsPart | QuotePart | LinksPart | ListPart | CodePart | NotePart | OwnWordsPart;

/** A table of facts: title, time, place, people. A fact without lines is left out. */
export interface FactsPart {
  readonly kind: 'FACTS';
  readonly facts: readonly MailFact[];
}

export interface MailFact {
  readonly label: string;
  readonly lines: readonly string[];
  /** Whether a line that is a web address becomes a link, even to another site. */
  readonly leads?: boolean;
}

/** Words of somebody else: they stand out from our own, and cannot pass for them. */
export interface QuotePart {
  readonly kind: 'QUOTE';
  readonly label: string;
  readonly text: string;
}

/** Pages of this service to open: one is a button, several are a list. */
export interface LinksPart {
  readonly kind: 'LINKS';
  /** Ends in a colon. */
  readonly lead: string;
  readonly links: readonly MailLink[];
}

export interface MailLink {
  readonly href: string;
  /** The label that the HTML shows in the place of the address; the lead itself, where there is none. */
  readonly label?: string;
}

export interface ListPart {
  readonly kind: 'LIST';
  readonly items: readonly string[];
}

/** Digits to type in elsewhere. */
export interface CodePart {
  readonly kind: 'CODE';
  readonly lead: string;
  readonly code: string;
}

/** Small print. */
export interface NotePart {
  readonly kind: 'NOTE';
  readonly text: string;
}

/** Words that a team has written itself, in a language that nobody has told us. */
export interface OwnWordsPart {
  readonly kind: 'OWN_WORDS';
  readonly text: string;
}

/** One page to open. */
export function linkTo(lead: string, href: string, label?: string): LinksPart {
  return { kind: 'LINKS', lead, links: [{ href, ...(label !== undefined && { label }) }] };
}

export function note(text: string): NotePart {
  return { kind: 'NOTE', text };
}

export function listOf(items: readonly string[]): ListPart {
  return { kind: 'LIST', items };
}

export function codeToType(lead: string, code: string): CodePart {
  return { kind: 'CODE', lead, code };
}

/** The plain text of a mail. */
export function textOf({ greeting = '', parts }: Pick<MailContent, 'greeting' | 'parts'>): string {
  const texts = [greeting, ...parts.map(textOfPart)].filter((text) => text !== '');
  return `${texts.join('\n\n')}\n`;
}

/** The lines of a text, however they end. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\p{Zl}\p{Zp}]/u);
}

/** Where the lines of facts begin. */
const LABEL_WIDTH = 8;

function textOfPart(part: MailPart): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'FACTS':
      return part.facts.flatMap(textOfFact).join('\n');
    case 'QUOTE':
      return [part.label, ...linesOf(part.text).map((line) => `> ${line}`.trimEnd())].join('\n');
    case 'LINKS':
      return [part.lead, ...part.links.map(({ href }) => href)].join('\n');
    case 'LIST':
      return part.items.map((item) => `- ${item}`).join('\n');
    case 'CODE':
      return `${part.lead} ${part.code}`;
    case 'NOTE':
    case 'OWN_WORDS':
      return part.text;
  }
}

function textOfFact({ label, lines }: MailFact): string[] {
  return lines.map((line, index) => `${(index === 0 ? `${label}:` : '').padEnd(LABEL_WIDTH)}${line}`);
}
