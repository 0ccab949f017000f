/** Random schemas that are closed, or close to it: what the proof at boot passes is tried on them. */
import { type Arbitrary, boolean, type GeneratorValue, gen } from 'fast-check';
import { findHoles } from '../../../src/scopes/unguarded-fields.ts';
import { pickFrom } from './pick.ts';
import { rulesFrom } from './schema.ts';

interface FieldPlan {
  readonly name: string;
  /** `Int`, or the name of an object type, an interface or a union, perhaps as a list */
  readonly type: string;
  readonly requires: string;
}

interface Shared {
  readonly name: string;
  readonly type: string;
}

interface TypePlan {
  readonly name: string;
  readonly base: string;
  /** The interfaces that it implements while it has their fields as they have them */
  readonly wanted: readonly Shared[];
  readonly fields: readonly FieldPlan[];
}

const OBJECTS = ['A', 'B', 'C', 'D', 'E'] as const;
const INTERFACES = ['First', 'Second'] as const;
const COMPOSITES = [...OBJECTS, ...INTERFACES, 'Either'] as const;
const LEVELS = ['user', 'team', 'organization'] as const;
const PREFIXES = { user: '', team: 'TEAM_', organization: 'ORG_' } as const;
// There are few, so that one field often requires what another inherits.
const RESOURCES = ['BOOKING', 'BOOKING', 'BOOKING', 'PROFILE', 'SCHEDULE'] as const;

const INHERIT = '@requiresScope(access: INHERIT)';
const PUBLIC = '@requiresScope(access: PUBLIC)';

/** Interfaces that some types implement and perhaps none, a union, wrappers, lists, doors anywhere. */
class Planner {
  readonly #value: GeneratorValue;

  constructor(value: GeneratorValue) {
    this.#value = value;
  }

  types(): TypePlan[] {
    const shared = INTERFACES.map((name) => ({ name, type: this.#type() }));
    const types = OBJECTS.map((name) => {
      const isWrapper = this.#oneIn(3);
      const wanted = shared.filter(() => this.#oneIn(3));
      return {
        name,
        base: this.#oneIn(3) ? '' : `@requiresScope(${this.#lists()})`,
        wanted,
        fields: [
          ...this.#times(this.#pick([1, 2, 3, 4]), (index) => this.#field(`f${index}`, isWrapper)),
          ...wanted.map(({ name: of, type }) => ({
            name: `of${of}`,
            type,
            requires: isWrapper ? INHERIT : this.#requirement(),
          })),
        ],
      };
    });
    const doors = this.#times(4, (index) => ({ name: `door${index}`, type: this.#type(), requires: this.#door() }));
    return [{ name: 'Query', base: '', wanted: [], fields: doors }, ...types, ...this.#interfaces(shared)];
  }

  /** Interfaces carry no requirements: their fields are those of the types. */
  #interfaces(shared: readonly Shared[]): TypePlan[] {
    return shared.map(({ name, type }) => ({
      name,
      base: '',
      wanted: [],
      fields: [{ name: `of${name}`, type, requires: '' }],
    }));
  }

  /** The field with a requirement that is more likely to hold, and the second time without it, or as good as. */
  mend(type: string, field: FieldPlan, problem: string, mended: Set<string>): FieldPlan {
    const coordinate = `${type}.${field.name}`;
    const isBeyondMending = mended.has(coordinate);
    mended.add(coordinate);
    if (isBeyondMending || problem.includes('PUBLIC')) return { ...field, type: 'Int', requires: PUBLIC };
    const lists =
      type === 'Query'
        ? this.#door('SCOPED')
        : `@requiresScope(${LEVELS.map((level) => this.#list(level)).join(', ')})`;
    return { ...field, requires: lists };
  }

  #field(name: string, isInWrapper: boolean): FieldPlan {
    if (this.#oneIn(6)) return { name, type: this.#pick(['Int', 'Open']), requires: PUBLIC };
    return { name, type: this.#type(), requires: isInWrapper ? INHERIT : this.#requirement() };
  }

  #type(): string {
    if (this.#oneIn(3)) return 'Int';
    const type = this.#pick(COMPOSITES);
    return this.#oneIn(3) ? `[${type}]` : type;
  }

  #requirement(): string {
    const kind = this.#pick([
      'INHERIT',
      'INHERIT',
      'INHERIT',
      'lists',
      'lists',
      'lists',
      'door',
      'PUBLIC',
      'FIRST_PARTY',
    ]);
    if (kind === 'lists') return `@requiresScope(${this.#lists()})`;
    return kind === 'door' ? this.#door() : `@requiresScope(access: ${kind})`;
  }

  #door(access = this.#pick(['INHERIT', 'SCOPED'])): string {
    const level = this.#pick(LEVELS);
    const what = access === 'INHERIT' ? 'access: INHERIT' : this.#list(level);
    return `@requiresScope(${what}, enters: ${level.toUpperCase()})`;
  }

  #lists(): string {
    const levels = this.#oneIn(6) ? [this.#pick(LEVELS)] : LEVELS;
    return levels.map((level) => this.#list(level)).join(', ');
  }

  #list(level: (typeof LEVELS)[number]): string {
    const resources = this.#oneIn(4) ? [this.#pick(RESOURCES), this.#pick(RESOURCES)] : [this.#pick(RESOURCES)];
    return `${level}: [${[...new Set(resources)].map((resource) => `${PREFIXES[level]}${resource}_READ`).join(', ')}]`;
  }

  #times<Value>(count: number, make: (index: number) => Value): Value[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }

  #oneIn(count: number): boolean {
    return count === 2 ? this.#value(boolean) : this.#pick(Array.from({ length: count }, (_, index) => index)) === 0;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return pickFrom(this.#value, values);
  }
}

function print(types: readonly TypePlan[]): string {
  const texts = types.map(({ name, base, wanted, fields }) => {
    if ((INTERFACES as readonly string[]).includes(name)) return `interface ${name} ${body(fields)}`;
    const implemented = wanted.filter((one) =>
      fields.some((field) => field.name === `of${one.name}` && field.type === one.type),
    );
    const claims = implemented.length > 0 ? `implements ${implemented.map((one) => one.name).join(' & ')}` : '';
    return `type ${name} ${claims} ${base} ${body(fields)}`;
  });
  return [...texts, 'union Either = A | B | C', `type Open { text: String ${PUBLIC} open: Open ${PUBLIC} }`].join('\n');
}

function body(fields: readonly FieldPlan[]): string {
  return `{\n${fields.map(({ name, type, requires }) => `  ${name}: ${type} ${requires}`).join('\n')}\n}`;
}

/** The text of a schema that the proof passes: as it was drawn, but for the fields in which it finds holes. */
export const closedSchema: Arbitrary<string> = gen().map((value) => {
  const planner = new Planner(value);
  let types = planner.types();
  const mended = new Set<string>();
  for (;;) {
    const sdl = print(types);
    const holes = new Map(findHoles(rulesFrom(sdl)).map(({ coordinate, problem }) => [coordinate, problem]));
    if (holes.size === 0) return sdl;
    types = types.map((type) => ({
      ...type,
      fields: type.fields.flatMap((field) => {
        const problem = holes.get(`${type.name}.${field.name}`);
        return problem === undefined ? field : planner.mend(type.name, field, problem, mended);
      }),
    }));
  }
});
