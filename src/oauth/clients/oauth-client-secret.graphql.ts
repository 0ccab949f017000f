import { idOf, publicId } from '../../core/id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { CREATE_SECRET_CODES, createSecret, MAX_NAME_LENGTH } from './create-secret.ts';
import { DELETE_SECRET_CODES, deleteSecret } from './delete-secret.ts';
import { actorOf, changedClient, clientIdField, OAuthClient } from './oauth-client-type.graphql.ts';

const requires = FIRST_PARTY;
const UNNAMED = 'Unnamed secret';

mutation('oauthClientSecretCreate', {
  description: 'Gives a confidential client a second secret; both are valid until one is deleted.',
  requires,
  errors: CREATE_SECRET_CODES,
  input: (t) => ({
    clientId: clientIdField(t),
    name: t.string({
      description: `To tell it from the other one in the list: at most ${MAX_NAME_LENGTH} characters.`,
    }),
  }),
  resolve: async ({ clientId, name }, context) => {
    const request = { clientId, name: name ?? UNNAMED, ...actorOf(context) };
    const { secretId, secret } = await createSecret(context.em, context.oauth, request);
    return { clientId, secretId: publicId('secret', secretId), secret };
  },
  payload: (t) => ({
    secret: t.exposeString('secret', {
      nullable: true,
      requires,
      description: 'The secret, shown this once: keep it safe. Null if it was refused.',
    }),
    secretId: t.exposeID('secretId', { nullable: true, requires }),
    client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }),
  }),
});

mutation('oauthClientSecretDelete', {
  description: 'Deletes a secret, which is refused from the next request on. The last one of a client stays.',
  requires,
  errors: DELETE_SECRET_CODES,
  input: (t) => ({ clientId: clientIdField(t), secretId: t.id({ required: true }) }),
  resolve: async ({ clientId, secretId: named }, context) => {
    const secretId = idOf('secret', named);
    await deleteSecret(context.em, context.oauth, { clientId, secretId, ...actorOf(context) });
    return { clientId };
  },
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});
