import { fieldsNeeding, type Report } from './report.ts';
import type { Position } from './source-text.ts';

/** The report as workflow commands, which GitHub shows beside the lines they name. */
export function githubReport(report: Report): string {
  const { operations, faults, check, client } = report;
  const missing = [...(check?.missing ?? []), ...(client?.notEnabled ?? [])];
  return [
    ...faults.map((fault) => annotation('error', 'GraphQL', fault.message, fault)),
    ...fieldsNeeding(report, missing).map((field) => {
      const lacking = field.requires.filter((scope) => missing.includes(scope)).join(' and ');
      return annotation('error', 'Missing scope', `${field.path.join('.')} needs ${lacking}.`, field);
    }),
    ...(check?.superfluous ?? []).map((scope) => annotation('warning', 'Superfluous scope', `Nothing needs ${scope}.`)),
    ...operations.map(({ title, scopes, ...place }) =>
      annotation('notice', 'Scopes', `${title} needs ${scopes.join(' ') || 'no token'}.`, place),
    ),
  ].join('\n');
}

function annotation(kind: 'error' | 'warning' | 'notice', title: string, message: string, place?: Position): string {
  const properties = { ...(place && { file: place.file, line: place.line, col: place.column }), title };
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${kind} ${list.join(',')}::${escapeMessage(message)}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
