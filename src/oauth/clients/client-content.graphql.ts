import type { ObjectRef } from '@pothos/core';
import { builder, type Types } from '../../graphql/builder.ts';
import { Scope } from '../../graphql/guard/scope-enum.ts';
import { URL_TEXT } from '../../graphql/limits/price.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { MAX_REDIRECT_URIS } from '../protocol/client.ts';
import type { ClientRevision } from '../protocol/clients/client-update.ts';
import { MAX_URI_LENGTH } from '../protocol/uri.ts';

const requires = FIRST_PARTY;

type Words = Readonly<Record<'description' | keyof ClientRevision, string>>;

/** A type that shows what a review of a client is about, and says in words of its own whether it is live. */
export function contentType<Row extends ClientRevision>(typeName: string, words: Words): ObjectRef<Types, Row> {
  const { description, ...of } = words;
  const Content = builder.objectRef<ClientRevision>(typeName).implement({
    description,
    fields: (t) => ({
      name: t.exposeString('name', { requires, description: of.name }),
      developerName: t.exposeString('developerName', { nullable: true, requires, description: of.developerName }),
      logoUrl: t.expose('logoUrl', {
        type: 'URL',
        price: URL_TEXT,
        nullable: true,
        requires,
        description: of.logoUrl,
      }),
      websiteUrl: t.expose('websiteUrl', {
        type: 'URL',
        price: URL_TEXT,
        nullable: true,
        requires,
        description: of.websiteUrl,
      }),
      redirectUris: t.field({
        type: ['URL'],
        price: { max: MAX_REDIRECT_URIS, characters: MAX_URI_LENGTH },
        requires,
        description: of.redirectUris,
        resolve: ({ redirectUris }) => [...redirectUris],
      }),
      scopes: t.field({
        type: [Scope],
        price: { max: SCOPES.length },
        requires,
        description: of.scopes,
        resolve: ({ scopes }) => [...scopes],
      }),
    }),
  });
  return Content as unknown as ObjectRef<Types, Row>;
}
