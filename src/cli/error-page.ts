/** docs/errors.md, made of the tables that the code itself answers by. */
import { type GraphQLSchema, isEnumType } from 'graphql';
import { PROBLEM_CODES, type ProblemCode } from '../core/problem-code.ts';
import { statusOfCode } from '../database/failure.ts';
import { GRAPHQL_ERRORS } from '../graphql/error-codes.ts';
import * as limits from '../graphql/limits/limits.ts';
import { restStatusOf } from '../http/rest/status.ts';
import { OAUTH_ERRORS } from '../oauth/protocol/oauth-error.ts';

export function errorPage(schema: GraphQLSchema): string {
  const problems = Object.keys(PROBLEM_CODES) as ProblemCode[];
  return `# Error codes

Every code that can come out, made from the code by \`npm run schema\`. Messages are for people and may change; codes are for
programs and stay. How errors are laid out is said in [graphql.md](graphql.md#handle-errors) and [oauth.md](oauth.md).

## Of the GraphQL endpoint

In \`errors\`, as \`extensions.code\`. Nothing ran if there is no \`data\` key.

${table(['code', 'HTTP', 'what it means, what to do'], rowsOfGraphQL())}

Operations that are over a limit ([limits.md](limits.md)) are answered by 400 and one of these:

${table(['code', 'more than is allowed of', 'what to do'], rowsOfLimits())}

A wrong argument of a query is an error with a code of the next table, mostly \`BAD_INPUT\`, with HTTP 200; \`argument\` names it.

## Of what was asked for

In \`userErrors\` of mutations, as \`code\`, with HTTP 200. Pages and the [REST paths](rest.md#errors) give the same codes with an HTTP status.

${table(
  ['code', 'pages', 'REST', 'what it means, what to do'],
  problems.map((code) => [`\`${code}\``, String(statusOfCode(code)), String(restStatusOf(code)), PROBLEM_CODES[code]]),
)}

## Of each mutation

${table(['mutation', 'codes'], rowsOfMutations(schema))}

## Of OAuth

In \`error\` of an answer in JSON, of the address that a user is sent back to (redirect), of \`WWW-Authenticate\`, and of a client's
\`failedRequests\`; \`error_description\` says more. What no app can be told, because its address is not known to be good, or the request is over,
the user reads on a page of ours, in words alone.

${table(
  ['error', 'HTTP', 'what it means, what to do'],
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
  const names = Object.keys(schema.getMutationType()?.getFields() ?? {}).toSorted();
  return names.map((name) => {
    const code = schema.getType(`${name.charAt(0).toUpperCase()}${name.slice(1)}ErrorCode`);
    const values = isEnumType(code) ? code.getValues().map((value) => `\`${value.name}\``) : [];
    return [`\`${name}\``, values.toSorted().join(' ')];
  });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
