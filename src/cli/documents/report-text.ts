import { fieldsNeeding, type NeedingField, type Report } from './report.ts';
import { placeOf } from './source-text.ts';

/** The report for people. */
export function textReport(report: Report): string {
  const operations = report.operations.map(({ title, scopes, fields, ...place }) => {
    const head = `${placeOf(place)}  ${title}`;
    if (scopes.length === 0) return `${head}\n  needs no token`;
    return [head, ...fields.map((field) => `  ${fieldLine(field, report)}`)].join('\n');
  });
  return [...operations, summary(report), ...checkLines(report), ...clientLines(report)].join('\n\n');
}

function fieldLine(field: NeedingField, { alternatives }: Report): string {
  const scopes = field.requires.map((scope) => [scope, ...(alternatives[scope] ?? [])].join(' or '));
  const condition = field.conditional ? ', also when its condition leaves it out' : '';
  return `${scopes.join(' and ')}: ${field.path.join('.')} at ${field.level.toLowerCase()} level${condition} (${placeOf(field)})`;
}

function summary({ operations, scopes }: Report): string {
  const count = operations.length === 1 ? 'The operation needs' : `The ${operations.length} operations together need`;
  return scopes.length === 0 ? `${count} no token.` : `${count}: ${scopes.join(' ')}`;
}

function checkLines(report: Report): string[] {
  if (!report.check) return [];
  const { missing, superfluous } = report.check;
  if (missing.length === 0 && superfluous.length === 0) return ['The checked scopes are exactly these.'];
  return [
    ...missing.map((scope) => {
      const places = fieldsNeeding(report, [scope]).map((field) => `  ${field.path.join('.')} (${placeOf(field)})`);
      return [`Missing: ${scope}`, ...places].join('\n');
    }),
    ...(superfluous.length > 0 ? [`Superfluous: ${superfluous.join(' ')}`] : []),
  ];
}

function clientLines({ client }: Report): string[] {
  if (!client) return [];
  const { clientId, notEnabled, authorizeUrl } = client;
  return [
    ...(notEnabled.length > 0 ? [`The client ${clientId} has not enabled: ${notEnabled.join(' ')}`] : []),
    ...(authorizeUrl === undefined ? [] : [`To authorize (add ${missingIn(authorizeUrl)}):\n  ${authorizeUrl}`]),
  ];
}

/** A service tells the redirect URI to the client's owner only, which a command line without a session is not. */
function missingIn(authorizeUrl: string): string {
  const isComplete = new URL(authorizeUrl).searchParams.has('redirect_uri');
  return `your ${isComplete ? '' : 'redirect_uri, '}state and code_challenge`;
}
