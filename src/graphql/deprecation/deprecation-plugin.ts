import type { Plugin } from 'graphql-yoga';
import { chooseOperation } from '../../scopes/compile.ts';
import type { GraphQLContext } from '../context.ts';
import type { Announcement, Announcements } from './announcements.ts';

/** Answers of operations that use what is deprecated say so, whatever else they say. */
export function useDeprecations(announcements: Announcements): Plugin<GraphQLContext> {
  const announced = new WeakMap<Request, Announcement>();
  return {
    onExecute({ args: { schema, document, operationName, variableValues, contextValue } }) {
      const operation = chooseOperation(document, operationName ?? undefined);
      const announcement = operation && announcements.of(schema, document, operation)?.(variableValues ?? {});
      if (!announcement) return;
      announced.set(contextValue.request, announcement);
      announcements.note(announcement, contextValue.caller);
    },
    onResponse({ request, response }) {
      const { headers } = announced.get(request) ?? {};
      for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
    },
  };
}
