import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  separateOperations,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { Hanging } from '../core/caches.ts';
import { metricText } from '../core/metric.ts';
import type { Caller } from './context.ts';

/**
 * Deprecated parts of the schema are announced here before they go: in the schema, on the answers of operations that use them, and
 * to the operator. The dates stand in the reason of the deprecation, and everything reads them there.
 */

/** From its announcement to its end, at the least. `/deprecations` and docs/graphql.md promise it. */
export const NOTICE_IN_MONTHS = 6;

export interface Deprecation {
  /** The day of the announcement, `2027-01-10` */
  readonly since: string;
  /** The first day on which it may be gone */
  readonly sunset: string;
  /** Names the replacement, as the end of a sentence: "use `title`". */
  readonly instead: string;
}

const REASON = /^Since (\d{4}-\d\d-\d\d), gone from (\d{4}-\d\d-\d\d) on: ([^]+)\.$/;

/**
 * For the options of a field, an argument, an input field or a value of an enum: `...deprecated({ since, sunset, instead })`.
 * @throws TypeError for dates that are none, or too close together
 */
export function deprecated({ since, sunset, instead }: Deprecation): { readonly deprecationReason: string } {
  const deprecationReason = `Since ${since}, gone from ${sunset} on: ${instead}.`;
  const problem = problemOfReason(deprecationReason);
  if (problem !== undefined) throw new TypeError(`${deprecationReason} ${problem}`);
  return { deprecationReason };
}

/** Undefined for a reason that was not written by `deprecated`. */
export function deprecationOf(reason: string): Deprecation | undefined {
  const [, since, sunset, instead] = REASON.exec(reason) ?? [];
  return since !== undefined && sunset !== undefined && instead !== undefined ? { since, sunset, instead } : undefined;
}

/** Why clients could not rely on it; undefined where all is well. */
export function problemOfReason(reason: string): string | undefined {
  const deprecation = deprecationOf(reason);
  if (!deprecation) return 'It has no dates: write it by deprecated({ since, sunset, instead }).';
  const since = dayOf(deprecation.since);
  const sunset = dayOf(deprecation.sunset);
  if (!since || !sunset) return 'It names a day that is in no calendar.';
  const earliest = since.add({ months: NOTICE_IN_MONTHS });
  if (Temporal.PlainDate.compare(sunset, earliest) >= 0) return undefined;
  return `Its notice is short of ${NOTICE_IN_MONTHS} months: it may be gone from ${earliest.toString()} on.`;
}

function dayOf(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/** Something of a schema that is deprecated. */
interface DeprecatedPart {
  /** `Type.field`, `Type.field(argument:)`, `Input.field`, `Enum.VALUE`, `@directive(argument:)` */
  readonly coordinate: string;
  readonly reason: string;
}

interface Deprecable {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

/** All deprecated parts of a schema, in its order. */
export function deprecatedParts(schema: GraphQLSchema): DeprecatedPart[] {
  const found: DeprecatedPart[] = [];
  const look = ({ deprecationReason: reason }: Deprecable, coordinate: string): void => {
    if (reason != null) found.push({ coordinate, reason });
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) for (const value of type.getValues()) look(value, `${type.name}.${value.name}`);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) look(field, `${type.name}.${field.name}`);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      look(field, `${type.name}.${field.name}`);
      for (const argument of field.args) look(argument, `${type.name}.${field.name}(${argument.name}:)`);
    }
  }
  for (const { name, args } of schema.getDirectives()) {
    for (const argument of args) look(argument, `@${name}(${argument.name}:)`);
  }
  return found;
}

/** Whether a value of this type may hold something that is deprecated. */
function mayHoldDeprecated(type: GraphQLInputType, seen = new Set<unknown>()): boolean {
  const named = getNamedType(type);
  if (seen.has(named)) return false;
  seen.add(named);
  if (isEnumType(named)) return named.getValues().some(({ deprecationReason }) => deprecationReason != null);
  if (!isInputObjectType(named)) return false;
  return Object.values(named.getFields()).some(
    (field) => field.deprecationReason != null || mayHoldDeprecated(field.type, seen),
  );
}

/** Collects the deprecated parts in a value of a variable, as it was sent. It need not be valid. */
function collectFromValue(type: GraphQLInputType, value: unknown, into: Map<string, string>): void {
  if (value == null) return;
  if (isNonNullType(type)) return collectFromValue(type.ofType, value, into);
  if (isListType(type)) {
    for (const item of Array.isArray(value) ? value : [value]) collectFromValue(type.ofType, item, into);
    return;
  }
  if (isEnumType(type) && typeof value === 'string') {
    const reason = type.getValue(value)?.deprecationReason;
    if (reason != null) into.set(`${type.name}.${value}`, reason);
  }
  if (!isInputObjectType(type) || typeof value !== 'object') return;
  const fields = type.getFields();
  for (const [name, given] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) continue;
    if (field.deprecationReason != null) into.set(`${type.name}.${name}`, field.deprecationReason);
    collectFromValue(field.type, given, into);
  }
}

/** By its coordinate, the reason of each deprecated part that is used. */
type Uses = ReadonlyMap<string, string>;

/** The deprecated parts that a valid operation uses, whatever its variables are, and those that these may add. */
interface OperationUses {
  readonly written: Uses;
  /** Undefined: nothing, whatever they hold. */
  readonly ofVariables: ((sent: Readonly<Record<string, unknown>>) => Uses) | undefined;
}

const NOTHING = new Map<string, string>();
const HAS_ANY = new WeakMap<GraphQLSchema, boolean>();

/** Finds the deprecated parts that a document uses; undefined where there are none. A schema without deprecations costs nothing. */
function usesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationUses | undefined {
  const hasAny = HAS_ANY.getOrInsertComputed(schema, () => deprecatedParts(schema).length > 0);
  if (!hasAny) return undefined;
  const written = writtenUses(schema, document, operation);
  const variables = (operation.variableDefinitions ?? []).flatMap(({ variable, type: node }) => {
    const type = typeFromAST(schema, node as never) as GraphQLInputType | undefined;
    return isInputType(type) && mayHoldDeprecated(type) ? [{ name: variable.name.value, type }] : [];
  });
  if (written.size === 0 && variables.length === 0) return undefined;
  if (variables.length === 0) return { written, ofVariables: undefined };
  const ofVariables = (sent: Readonly<Record<string, unknown>>): Uses => {
    const found = new Map<string, string>();
    for (const { name, type } of variables) {
      if (Object.hasOwn(sent, name)) collectFromValue(type, sent[name], found);
    }
    return found.size > 0 ? found : NOTHING;
  };
  return { written, ofVariables };
}

function writtenUses(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Uses {
  const found = new Map<string, string>();
  const use = (coordinate: string, reason: string | null | undefined): void => {
    if (reason != null) found.set(coordinate, reason);
  };
  const types = new TypeInfo(schema);
  const fieldCoordinate = (): string => `${types.getParentType()?.name}.${types.getFieldDef()?.name}`;
  const visitor = visitWithTypeInfo(types, {
    Field: () => use(fieldCoordinate(), types.getFieldDef()?.deprecationReason),
    Argument(): void {
      const argument = types.getArgument();
      const directive = types.getDirective();
      const owner = directive ? `@${directive.name}` : fieldCoordinate();
      use(`${owner}(${argument?.name}:)`, argument?.deprecationReason);
    },
    ObjectField({ name }): void {
      const input = getNamedType(types.getParentInputType());
      if (!isInputObjectType(input)) return;
      use(`${input.name}.${name.value}`, input.getFields()[name.value]?.deprecationReason);
    },
    EnumValue(): void {
      const value = types.getEnumValue();
      use(`${getNamedType(types.getInputType())?.name}.${value?.name}`, value?.deprecationReason);
    },
  });
  // Walks a selection, the fragments that it spreads, and those that these spread.
  const alone = separateOperations(document)[operation.name?.value ?? ''];
  if (alone) visit(alone, visitor);
  return found;
}

/** The announcement in an operation's answer of the deprecated parts that it uses. */
export interface Announcement {
  readonly uses: Uses;
  readonly headers: Readonly<Record<string, string>>;
}

type Sent = Readonly<Record<string, unknown>>;
/** For one operation: what its answer says, by its variables. */
export type Announce = (sent: Sent) => Announcement | undefined;

interface Known {
  readonly announce?: Announce;
  readonly bytes: number;
}

const NOTHING_TO_SAY: Known = { bytes: 0 };
const [USES_BYTES, USE_BYTES] = [1_500, 200];

/** Which operations use what is deprecated; looked for once a document, and kept as long as it is. */
export class Announcements {
  readonly #policy: string;
  readonly #counts: UseCounts;
  readonly #known = new WeakMap<GraphQLSchema, Hanging<OperationDefinitionNode, Known>>();

  /** `policy`: the address of the page that says what deprecation means here */
  constructor(policy: string, counts: UseCounts) {
    this.#policy = policy;
    this.#counts = counts;
  }

  /** Finds the announcement of a valid document. Undefined where nothing that is deprecated can be used. */
  of(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Announce | undefined {
    const operations = this.#known.getOrInsertComputed(schema, () => new Hanging(({ bytes }) => bytes));
    const known = operations.of(operation, document, () => {
      const uses = usesOf(schema, document, operation);
      if (!uses) return NOTHING_TO_SAY;
      return { announce: this.#announcing(uses), bytes: USES_BYTES + USE_BYTES * uses.written.size };
    });
    return known.announce;
  }

  note({ uses }: Announcement, caller: Caller): void {
    for (const coordinate of uses.keys()) this.#counts.add(caller, coordinate);
  }

  #announcing({ written, ofVariables }: OperationUses): Announce {
    const always = this.#announcement(written);
    if (!ofVariables) return () => always;
    return (sent) => {
      const added = ofVariables(sent);
      return added.size === 0 ? always : this.#announcement(new Map([...written, ...added]));
    };
  }

  #announcement(uses: Uses): Announcement | undefined {
    return uses.size === 0 ? undefined : { uses, headers: headersOf(uses, this.#policy) };
  }
}

/** Names the earliest dates of several parts: the client has to hurry for the first to go. */
function headersOf(uses: Uses, policy: string): Record<string, string> {
  const dated = [...uses.values()].flatMap((reason) => deprecationOf(reason) ?? []);
  const [since] = dated.map((one) => one.since).toSorted();
  const [sunset] = dated.map((one) => one.sunset).toSorted();
  const link = `<${policy}>; rel="deprecation"; type="text/html", <${policy}>; rel="sunset"; type="text/html"`;
  return {
    ...(since !== undefined && { Deprecation: `@${secondsOf(since)}` }),
    ...(sunset !== undefined && { Sunset: httpDate(sunset) }),
    Link: link,
  };
}

/** A structured date (RFC 9745 §2, RFC 9651 §3.3.7) */
function secondsOf(day: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime('UTC').epochMilliseconds / 1_000;
}

/** RFC 8594 §3, RFC 9110 §5.6.7 */
function httpDate(day: string): string {
  return new Date(day).toUTCString();
}

/** Client and part. With more, what is new counts under `other`, so that what reads the metrics need not fear for its memory. */
const MOST_SERIES = 1_000;
const ONE_DAY = 86_400_000;

interface Series {
  readonly caller: Caller['kind'] | 'other';
  /** The client whose tokens were used. */
  readonly client: string;
  readonly coordinate: string;
  count: number;
  loggedAt: number;
}

type Use = Pick<Series, 'caller' | 'client' | 'coordinate'>;

/** Counts how often each client has used deprecated parts since the process began. */
export class UseCounts {
  readonly #series = new Map<string, Series>();
  readonly #log: (use: Use) => void;
  readonly #now: () => number;

  /** `log` hears of a client and a part at most once in a day. `now`: milliseconds of a clock that never goes back */
  constructor(log: (use: Use) => void, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  add(caller: Caller, coordinate: string): void {
    const client = caller.kind === 'token' ? caller.clientId : '';
    const series = this.#find(caller.kind, client, coordinate);
    series.count += 1;
    const now = this.#now();
    if (now - series.loggedAt < ONE_DAY) return;
    series.loggedAt = now;
    this.#log({ caller: series.caller, client: series.client, coordinate });
  }

  #find(caller: Caller['kind'], client: string, coordinate: string): Series {
    const known = this.#series.get(`${caller} ${client} ${coordinate}`);
    if (known) return known;
    const isFull = this.#series.size >= MOST_SERIES;
    const use: Use = isFull ? { caller: 'other', client: '', coordinate } : { caller, client, coordinate };
    return this.#series.getOrInsertComputed(`${use.caller} ${use.client} ${coordinate}`, () => ({
      ...use,
      count: 0,
      loggedAt: Number.NEGATIVE_INFINITY,
    }));
  }

  /** In the text format of Prometheus, version 0.0.4. `worker`: which of several processes this is */
  metrics(worker?: number): string {
    const name = 'gatehouse_deprecated_uses_total';
    const help = 'Operations that used a deprecated part of the schema.';
    const samples = [...this.#series.values()].map(({ caller, client, coordinate, count }) => ({
      labels: { worker, caller, client, part: coordinate },
      value: count,
    }));
    return metricText({ name, type: 'counter', help }, samples);
  }
}
