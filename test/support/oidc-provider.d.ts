/** As much of it as tests use: its own types would bring twenty packages. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addOIDCClaims(claims: string[]): void;
    save(): Promise<string>;
    destroy(): Promise<void>;
  }
  interface AccessToken {
    readonly accountId: string;
    readonly grantId: string;
    readonly scope?: string;
  }
  interface KoaContext {
    readonly oidc: {
      readonly session: { readonly accountId: string };
      readonly client: { readonly clientId: string };
      readonly params: { readonly scope?: string };
      readonly provider: Provider;
    };
  }
  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: {
      new (values: { accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly AccessToken: { find(token: string): Promise<AccessToken | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (...given: never[]) => void): this;
  }
}
