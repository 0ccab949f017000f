/** docs/errors.md, made of the tables that the code itself answers by. */
import type { GraphQLSchema } from 'graphql';
import { PROBLEM_CODES, type ProblemCode } from '../core/problem-code.ts';
import { statusOfCode } from '../database/failure.ts';
import { GRAPHQL_ERRORS } from '../graphql/errors.ts';
import * as limits from '../graphql/limits/limits.ts';
import { codesOf } from '../graphql/mutation.ts';
import { restStatusOf } from '../http/rest/rest.routes.ts';
import { OAUTH_ERRORS } from '../oauth/protocol/oauth-error.ts';

export function errorPage(schema: GraphQLSchema): string {
  const problems = Object.keys(PROBLEM_CODES) as ProblemCode[];
  return `# Error codes

Every code that Gatehouse can answer with, and what to do about it. Write programs against codes, which stay; messages are for people
and may change. [graphql.md](graphql.md#handle-errors) and [oauth.md](oauth.md#errors) show where a code is in an answer. (This page is
generated from the code with \`npm run schema\`.)

| you have | look in |
|---|---|
| \`errors\` of a GraphQL answer, \`extensions.code\` | [GraphQL requests](#graphql-requests) |
| \`userErrors\` of a mutation, or a code from a page or a REST path | [Mistakes in the input](#mistakes-in-the-input) |
| a mutation, and want to know what it can answer | [Codes of each mutation](#codes-of-each-mutation) |
| \`error\` from OAuth | [OAuth](#oauth) |

## GraphQL requests

In \`errors\`, as \`extensions.code\`. If there is no \`data\` key, nothing ran.

${table(['code', 'HTTP', 'what it means, and what to do'], rowsOfGraphQL())}

An operation over a [limit](limits.md) is answered with HTTP 400 and one of these:

${table(['code', 'too many or too large', 'what to do'], rowsOfLimits())}

A wrong argument of a query is an error with HTTP 200 and a code of the next table, mostly \`BAD_INPUT\`; \`argument\` names it.

## Mistakes in the input

In \`userErrors\` of mutations, as \`code\`, with HTTP 200. Pages and the [REST paths](rest.md#errors) use the same codes, with the HTTP status below.

${table(
  ['code', 'pages', 'REST', 'what it means, and what to do'],
  problems.map((code) => [`\`${code}\``, String(statusOfCode(code)), String(restStatusOf(code)), PROBLEM_CODES[code]]),
)}

## Codes of each mutation

${table(['mutation', 'codes'], rowsOfMutations(schema))}

## OAuth

In \`error\` of a JSON answer, of the address that a user is sent back to (redirect), of \`WWW-Authenticate\`, and of a client's
\`failedRequests\`. \`error_description\` says more. If an app cannot be told, because its address is not known to be good or the request
has expired, the user reads about it on a page of Gatehouse, without a code.

${table(
  ['error', 'HTTP', 'what it means, and what to do'],
  Object.entries(OAUTH_ERRORS).map(([error, { says, ...how }]) => [
    `\`${error}\``,
    'http' in how ? how.http : String(how.status),
    says,
  ]),
)}
`;
}

function rowsOfGraphQL(): string[][] {
  return Object.entries(GRAPHQL_ERRORS).map(([code, [status, says]]) => [`\`${code}\``, status, says]);
}

function rowsOfLimits(): string[][] {
  const rules = [
    limits.CHARACTERS,
    limits.TOKENS,
    ...Object.values(limits.DOCUMENT_RULES),
    limits.VARIABLES,
    limits.VARIABLE_DEPTH,
    limits.COST,
    limits.ANSWER,
  ];
  return rules.map(({ code, what, remedy }) => [`\`${code}\``, what, remedy]);
}

function rowsOfMutations(schema: GraphQLSchema): string[][] {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const sorted = mutations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map((mutation) => [
    `\`${mutation.name}\``,
    codesOf(mutation)
      .map((code) => `\`${code}\``)
      .toSorted()
      .join(' '),
  ]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
