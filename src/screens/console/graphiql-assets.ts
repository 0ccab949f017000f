import { type Asset, assetOf, SCRIPT, STYLE_SHEET } from '../kit/assets.ts';

export interface GraphiQLAssets {
  readonly script: Asset;
  readonly style: Asset;
  /** Started by the editor: its own, one for JSON, one for GraphQL. */
  readonly workers: readonly Asset[];
}

const SCRIPT_PATH = '/assets/graphiql.js';
const STYLE_PATH = '/assets/graphiql.css';
const EDITOR_WORKER = '/assets/graphiql-editor-worker.js';
const JSON_WORKER = '/assets/graphiql-json-worker.js';
const GRAPHQL_WORKER = '/assets/graphiql-graphql-worker.js';

/** Known before anything is loaded. */
export const GRAPHIQL_PATHS: readonly string[] = [SCRIPT_PATH, STYLE_PATH, EDITOR_WORKER, JSON_WORKER, GRAPHQL_WORKER];

let loading: Promise<GraphiQLAssets | undefined> | undefined;

/** GraphiQL, from our own origin; undefined where the packages for development are not installed. */
export function loadGraphiQL(): Promise<GraphiQLAssets | undefined> {
  // Only once somebody opens the console: the module has 9 MB.
  loading ??= readGraphiQL();
  return loading;
}

async function readGraphiQL(): Promise<GraphiQLAssets | undefined> {
  try {
    const packed = await import('@graphql-yoga/render-graphiql/graphiql');
    return {
      script: assetOf(SCRIPT_PATH, SCRIPT, packed.js),
      style: assetOf(STYLE_PATH, STYLE_SHEET, packed.css),
      workers: [
        assetOf(EDITOR_WORKER, SCRIPT, packed.editorWorkerService),
        assetOf(JSON_WORKER, SCRIPT, packed.jsonWorker),
        assetOf(GRAPHQL_WORKER, SCRIPT, packed.graphqlWorker),
      ],
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
