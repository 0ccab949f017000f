import type { ClientForReview } from '../oauth/clients/oauth-client.queries.ts';
import { reviewedContent, revisionChanges } from '../oauth/protocol/client-review.ts';

/** The labels of fields whose name in the API says less to an operator. */
const LABELS: Readonly<Record<string, string>> = { developerName: 'made by' };

/**
 * Describes a client in lines, with what its pending revision would change. The developer's words stand in quotes, as
 * JSON.
 */
export function describeClient(client: ClientForReview): string {
  const { clientId, status, version, type, legacy, ownerEmail, isDeveloperSuspended, submittedAt, pendingRevision } =
    client;
  const { name, developerName, purpose, logoUrl, websiteUrl, redirectUris, scopes, requiresPkce } = reviewedContent({
    ...client,
    pendingRevision: null,
  });
  const facts = {
    status: [status, ...(pendingRevision ? ['change to review'] : []), ...(legacy ? ['legacy'] : [])].join(', '),
    version,
    type: type.toLowerCase() + (requiresPkce ? ', always with PKCE' : ''),
    developer: ownerEmail,
    ...(isDeveloperSuspended && { 'developer is suspended': 'nothing of theirs can be approved' }),
    submitted: submittedAt,
    name,
    'made by': developerName,
    purpose,
    website: websiteUrl,
    logo: logoUrl,
    'redirect URIs': redirectUris,
    scopes: scopes.join(' '),
  };
  const changes = pendingRevision ? revisionChanges(client, pendingRevision) : {};
  return [
    clientId,
    ...Object.entries(facts).map(([label, value]) => `  ${label}: ${JSON.stringify(value)}`),
    ...Object.entries(changes).map(
      ([field, value]) => `  would change ${LABELS[field] ?? field} to: ${JSON.stringify(value)}`,
    ),
  ].join('\n');
}
