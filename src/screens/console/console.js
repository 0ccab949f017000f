// The query console: GraphiQL, what the operation in it needs, and what the token holds that runs it.
import { authorize, currentToken, revokeToken, takeUpAnswer } from './console-oauth.js';

const [access, needs, tokenBox, authorizeButton, choice, forget, outcome] = [
  'access',
  'needs',
  'token',
  'authorize',
  'choice',
  'forget',
  'outcome',
].map((id) => document.getElementById(id));
const client = access.dataset;
const EXAMPLE = `query Mine {
  me {
    name
    eventTypes(first: 5) {
      nodes { id slug title }
    }
  }
}
`;
/** GraphiQL stores its tabs half a second after a change: what has been explained survives the way to the consent. */
const EXPLAIN_AFTER_MS = 600;

/** What is in the editor, `{ query, operationName }`, and its explanation once that is there. */
let operation = operationIn(openTab());
let explained;

/** What GraphiQL has stored of the tab in front. */
function openTab() {
  const { tabs = [], activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
  return tabs[activeTabIndex] ?? { query: EXAMPLE };
}

function operationIn({ query, operationName }) {
  return { query: query ?? '', ...(operationName && { operationName }) };
}

async function explainOperation() {
  const sent = operation;
  const response = await postJson('/graphql/scopes', sent);
  const answer = await response.json();
  // An older answer that arrives late says nothing about what is in the editor now.
  if (sent !== operation) return;
  explained = answer;
  showNeeds();
}

function showNeeds() {
  const held = new Set(currentToken()?.scopes);
  const { errors, scopes = [], fields = [], alternatives = {} } = explained ?? {};
  authorizeButton.disabled = scopes.length === 0;
  if (errors)
    return needs.replaceChildren(list(errors.map(({ message, locations }) => [`${message}${placeOf(locations)}`])));
  if (scopes.length === 0) return needs.replaceChildren(element('p', 'No token: this is public.'));
  return needs.replaceChildren(
    list(
      scopes.map((scope) => {
        const field = fields.find(({ requires }) => requires.includes(scope));
        const others = alternatives[scope] ?? [];
        const isHeld = [scope, ...others].some((one) => held.has(one));
        const because = field ? ` for ${field.path.join('.')}${placeOf([field.location])}` : '';
        const instead = others.length > 0 ? `, or ${others.join(', ')}` : '';
        return [element('code', scope), `${because}${instead}`, ...(isHeld ? [] : [element('strong', ' – not held')])];
      }),
    ),
  );
}

function showToken() {
  const token = currentToken();
  forget.hidden = token === undefined;
  if (!token) return tokenBox.replaceChildren(element('p', 'You have none: what is public runs all the same.'));
  const until = element('p', `Until ${token.expiresAt.toLocaleTimeString()}:`);
  return tokenBox.replaceChildren(until, list(token.scopes.map((scope) => [element('code', scope)])));
}

/** GraphiQL's way to the API. */
async function fetcher(params, { headers } = {}) {
  // The schema is public, and stays readable when the token has been revoked elsewhere.
  if (params.operationName === 'IntrospectionQuery') return (await postJson('/graphql', params)).json();
  const token = currentToken();
  const began = performance.now();
  const response = await postJson('/graphql', params, {
    ...headers,
    ...(token && { authorization: `Bearer ${token.accessToken}` }),
  });
  const body = await response.json();
  const { cost } = body.extensions ?? {};
  const milliseconds = Math.round(performance.now() - began);
  outcome.textContent = `HTTP ${response.status}, ${milliseconds} ms${cost ? `, cost ${cost.requested} of ${cost.limit}` : ''}`;
  return body;
}

/** Without the session's cookie: the token alone counts, as it does for an app. */
function postJson(path, body, headers = {}) {
  return fetch(path, {
    method: 'POST',
    credentials: 'omit',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** What fails in the network or in our own code is told in the panel. */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    outcome.textContent = error.message;
  }
}

function attempting(work) {
  return (event) => {
    event.preventDefault();
    void attempt(work);
  };
}

function list(items) {
  const ul = document.createElement('ul');
  for (const parts of items) {
    const li = document.createElement('li');
    li.append(...parts);
    ul.append(li);
  }
  return ul;
}

function element(name, content) {
  const made = document.createElement(name);
  made.textContent = content;
  return made;
}

function placeOf(locations) {
  const [location] = locations ?? [];
  return location ? ` (line ${location.line}, column ${location.column})` : '';
}

let timer;
/** After every change of the document, of the chosen operation and of the tab. */
function onTabChange({ tabs, activeTabIndex }) {
  const next = operationIn(tabs[activeTabIndex]);
  if (JSON.stringify(next) === JSON.stringify(operation)) return;
  operation = next;
  authorizeButton.disabled = true;
  clearTimeout(timer);
  timer = setTimeout(() => void attempt(explainOperation), EXPLAIN_AFTER_MS);
}

function showGraphiQL() {
  const { query, variables } = openTab();
  globalThis.MonacoEnvironment = {
    getWorkerUrl: (_, label) => `/assets/graphiql-${label === 'editorWorkerService' ? 'editor' : label}-worker.js`,
  };
  globalThis.YogaGraphiQL.renderYogaGraphiQL(document.getElementById('graphiql'), {
    fetcher,
    onTabChange,
    // Its own would write every document into the address.
    onEditQuery: () => {},
    // It opens the tab that has these, and a new one when none has.
    query: query ?? '',
    variables: variables ?? '',
    title: 'GraphiQL',
    // A phone has no room for variables before somebody asks for them; the style sheet has the same width.
    defaultEditorToolsVisibility: matchMedia('(width > 45rem)').matches,
    forcedTheme: 'system',
    // Headers may hold credentials, and would stay in the browser.
    shouldPersistHeaders: false,
  });
}

// The authorization endpoint sends the browser back to the one address that is registered, whose storage is another's.
if (new URL(client.redirectUri).origin !== location.origin) location.replace(client.redirectUri);
authorizeButton.addEventListener(
  'click',
  attempting(() => authorize(client, explained.scopes)),
);
choice.addEventListener(
  'submit',
  attempting(async () => {
    const scopes = new FormData(choice).getAll('scope');
    if (scopes.length === 0) throw new Error('Choose at least one scope.');
    await authorize(client, scopes);
  }),
);
forget.addEventListener(
  'click',
  attempting(async () => {
    await revokeToken(client);
    showToken();
    showNeeds();
  }),
);
await attempt(() => takeUpAnswer(client));
showToken();
showGraphiQL();
await attempt(explainOperation);
