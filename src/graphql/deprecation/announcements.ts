import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { Hanging } from '../../core/caches.ts';
import type { Caller } from '../context.ts';
import { deprecationOf } from './deprecated.ts';
import type { UseCounts } from './use-counts.ts';
import { type OperationUses, type Uses, usesOf } from './uses.ts';

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
