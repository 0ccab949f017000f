import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** A text that a pattern may take long for: what comes first, what is repeated, what lets it fail. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

/** Classes of characters are tried with these: each that a class takes stands for others like it. */
const CANDIDATES = Array.from(
  'a0 \t\n\r-_.,:;/\\"\'<>{}()[]=+*@#%&!?~^$|`xeZ9\0éß\u00a0\u0301\u200d\u2028\ud800😀\u2009',
);
const MOST_OF_A_CLASS = 8;
/** Fewer repetitions than that are bounded whatever comes. */
const LONG = 20;
/** A sequence has so many parts at most that each run of them is tried. */
const MOST_PARTS = 14;
/** Before what a pattern would take from the very beginning, too. */
const PREFIXES = ['', '\0'];
const SUFFIXES = ['', '\0', '\n!', 'a!'];

/** Texts made from the pattern: runs of what it repeats, and repetitions of its own fragments, each after what leads there. */
export function attacksOn(source: string, flags: string): readonly Attack[] {
  const unicode = flags.includes('u');
  const unicodeSets = flags.includes('v');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets });
  const found = new Map<string, Attack>();
  const examples = new Examples(flags);
  const add = (prefix: string, pump: string): void => {
    if (pump === '') return;
    for (const suffix of SUFFIXES) found.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
  };
  for (const sequence of sequencesIn(pattern)) {
    const parts = partsOf(sequence.elements, examples);
    for (const isFull of [false, true]) {
      const texts = parts.map((part) => (isFull ? part.full : part.lean));
      const before = (end: number): string => sequence.leading(examples, isFull) + texts.slice(0, end).join('');
      for (const [start, part] of parts.entries()) {
        for (const pump of part.pumps) for (const prefix of [...PREFIXES, before(start)]) add(prefix, pump);
        const last = Math.min(parts.length, start + MOST_PARTS);
        for (let end = start + 1; end <= last; end += 1) {
          for (const prefix of [...PREFIXES, before(start)]) add(prefix, texts.slice(start, end).join(''));
        }
      }
    }
  }
  const signs = signsOf(pattern);
  for (const one of signs) for (const other of signs) for (const prefix of PREFIXES) add(prefix, one + other);
  return [...found.values()];
}

/**
 * The signs that stand for themselves in the pattern, beside letters and digits: those that begin and end something, or
 * are escaped.
 */
function signsOf(pattern: AST.Pattern): readonly string[] {
  const signs = new Set<string>();
  visitRegExpAST(pattern, {
    onCharacterEnter({ value }) {
      const character = String.fromCodePoint(value);
      if (!/\w/.test(character)) signs.add(character);
    },
  });
  return [...signs].slice(0, MOST_OF_A_CLASS);
}

interface Part {
  /** With as few repetitions as the pattern takes, and with one where it takes none. */
  readonly lean: string;
  readonly full: string;
  /** The texts that it repeats. */
  readonly pumps: readonly string[];
}

/** Literal characters beside each other are one part. */
function partsOf(elements: readonly AST.Element[], examples: Examples): readonly Part[] {
  const parts: Part[] = [];
  let literal = '';
  const end = (): void => {
    if (literal !== '') parts.push({ lean: literal, full: literal, pumps: [] });
    literal = '';
  };
  for (const element of elements) {
    if (element.type === 'Character') literal += element.raw === '\\b' ? '' : String.fromCodePoint(element.value);
    else {
      end();
      parts.push({
        lean: examples.of(element, false),
        full: examples.of(element, true),
        pumps: pumpsOf(element, examples),
      });
    }
  }
  end();
  return parts;
}

function pumpsOf(element: AST.Element, examples: Examples): readonly string[] {
  if (element.type !== 'Quantifier' || element.max < LONG) return [];
  const { element: repeated } = element;
  const all = 'alternatives' in repeated ? repeated.alternatives : [];
  const bodies = all.flatMap(({ elements }) => [false, true].map((isFull) => examples.ofAll(elements, isFull)));
  const characters = examples.charactersOf(repeated);
  return [
    ...characters,
    ...bodies,
    ...bodies.flatMap((one) => bodies.map((other) => one + other)),
    characters.join(''),
  ];
}

interface Sequence {
  readonly elements: readonly AST.Element[];
  /** Makes the text before it, in all that it is in. */
  readonly leading: (examples: Examples, isFull: boolean) => string;
}

function* sequencesIn(
  node: { readonly alternatives: readonly AST.Alternative[] },
  leading: Sequence['leading'] = () => '',
): Generator<Sequence> {
  for (const { elements } of node.alternatives) {
    yield { elements, leading };
    for (const [index, element] of elements.entries()) {
      const inner = element.type === 'Quantifier' ? element.element : element;
      if (!('alternatives' in inner)) continue;
      const before = elements.slice(0, index);
      yield* sequencesIn(inner, (examples, isFull) => leading(examples, isFull) + examples.ofAll(before, isFull));
    }
  }
}

/** Texts that parts of a pattern take. */
class Examples {
  readonly #flags: string;
  readonly #characters = new Map<string, readonly string[]>();

  constructor(flags: string) {
    this.#flags = flags.replace(/[gy]/g, '');
  }

  ofAll(elements: readonly AST.Element[], isFull: boolean): string {
    return elements.map((element) => this.of(element, isFull)).join('');
  }

  of(element: AST.Element, isFull: boolean): string {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.charactersOf(element)[0] ?? '';
      case 'Quantifier':
        return this.of(element.element, isFull).repeat(Math.min(Math.max(element.min, isFull ? 1 : 0), 100));
      case 'Group':
      case 'CapturingGroup':
        return this.ofAll(element.alternatives[0]?.elements ?? [], isFull);
      case 'Backreference':
        return [element.resolved].flat().map((group) => this.of(group, isFull))[0] ?? '';
      case 'Assertion':
        return '';
    }
  }

  charactersOf(element: AST.Element): readonly string[] {
    if (element.type === 'Character') return [String.fromCodePoint(element.value)];
    if (
      element.type !== 'CharacterSet' &&
      element.type !== 'CharacterClass' &&
      element.type !== 'ExpressionCharacterClass'
    )
      return [];
    return this.#characters.getOrInsertComputed(element.raw, (raw) => {
      const one = new RegExp(`^${raw}$`, this.#flags);
      return CANDIDATES.filter((character) => one.test(character)).slice(0, MOST_OF_A_CLASS);
    });
  }
}
