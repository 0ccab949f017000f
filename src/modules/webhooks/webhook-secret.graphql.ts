/** The answers that show the secret of a webhook, each once. */
import { ownedIdOf } from '../../core/id.ts';
import type { ScopeLists } from '../../scopes/requirement.ts';
import type { PayloadFields } from '../levels/resource-mutations.graphql.ts';
import { firstSaltOf, webhookSecret } from './webhook-secret.rules.ts';

declare module '../../graphql/context.ts' {
  interface ModuleContext {
    /** Derives what signs messages to webhooks. */
    readonly webhooksKey: Uint8Array;
  }
}

export type WebhookKind = 'webhook' | 'eventTypeWebhook';

/** The payload of a webhook that is made. */
export function showingSecret(kind: WebhookKind, scopes: ScopeLists): PayloadFields {
  const description = 'What its messages are signed with, `whsec_…`: shown by this answer alone.';
  return secretField(kind, scopes, description, ({ id }) => firstSaltOf(id));
}

/** The payload of one whose address was set by another until now. */
export function showingNewSecret(kind: WebhookKind, scopes: ScopeLists): PayloadFields {
  const description =
    'What its messages are signed with from now on, `whsec_…`, if its address was set by another user or app until now: shown by this answer alone. Null: its secret stays.';
  return secretField(kind, scopes, description, (_webhook, changed) => changed?.['newSalt']);
}

function secretField(
  kind: WebhookKind,
  scopes: ScopeLists,
  description: string,
  saltOf: (webhook: { readonly id: string }, changed?: Readonly<Record<string, string>>) => string | undefined,
): PayloadFields {
  return (t, level) => ({
    secret: t.string({
      nullable: true,
      requires: { [level]: scopes[level] },
      description,
      resolve: (payload, _args, { webhooksKey }) => {
        const webhook = ownedIdOf(kind, payload[`${kind}Id`] ?? '');
        const salt = webhook && saltOf(webhook, payload.row);
        return salt && webhookSecret(webhooksKey, webhook, salt);
      },
    }),
  });
}
