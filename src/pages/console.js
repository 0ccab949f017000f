// The query console: shows what an operation needs and what the token holds, and runs the one with the other.
import { authorize, currentToken, revokeToken, takeUpAnswer } from './console-oauth.js';

const [form, operation, variables, choice, operationName, needs, tokenBox, authorizeButton, forget, outcome, answer] = [
  'console',
  'operation',
  'variables',
  'choice',
  'operation-name',
  'needs',
  'token',
  'authorize',
  'forget',
  'outcome',
  'answer',
].map((id) => document.getElementById(id));
const client = form.dataset;
const DRAFT = 'console.draft';
const EXPLAIN_AFTER_MS = 300;

/** The explanation of what is in the editor, once it is there. */
let explained;

async function explainOperation() {
  const response = await fetch('/graphql/scopes', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: operation.value, ...(!choice.hidden && { operationName: operationName.value }) }),
  });
  explained = await response.json();
  showNeeds();
}

function showNeeds() {
  const held = new Set(currentToken()?.scopes);
  const { errors, scopes = [], fields = [], alternatives = {} } = explained ?? {};
  authorizeButton.disabled = scopes.length === 0;
  if (errors)
    return needs.replaceChildren(
      list(errors.map(({ message, locations }) => [text(`${message}${placeOf(locations)}`)])),
    );
  if (scopes.length === 0) return needs.replaceChildren(paragraph('No token: this is public.'));
  return needs.replaceChildren(
    list(
      scopes.map((scope) => {
        const field = fields.find(({ requires }) => requires.includes(scope));
        const others = alternatives[scope] ?? [];
        const isHeld = [scope, ...others].some((one) => held.has(one));
        const because = field ? ` for ${field.path.join('.')}${placeOf([field.location])}` : '';
        return [
          code(scope),
          text(`${because}${others.length > 0 ? `, or ${others.join(', ')}` : ''}`),
          ...(isHeld ? [] : [lacking()]),
        ];
      }),
    ),
  );
}

function showToken() {
  const token = currentToken();
  forget.hidden = token === undefined;
  if (!token) return tokenBox.replaceChildren(paragraph('You have none: what is public runs all the same.'));
  const until = paragraph(`Until ${token.expiresAt.toLocaleTimeString()}:`);
  return tokenBox.replaceChildren(until, list(token.scopes.map((scope) => [code(scope)])));
}

/** With several operations in the editor, one has to be chosen. */
function showChoice() {
  const names = [...operation.value.matchAll(/^\s*(?:query|mutation|subscription)\s+(\w+)/gm)].map(([, name]) => name);
  const chosen = operationName.value;
  choice.hidden = names.length < 2;
  operationName.replaceChildren(...names.map((name) => new Option(name, name, false, name === chosen)));
}

async function run() {
  let parsed;
  try {
    parsed = variables.value.trim() === '' ? {} : JSON.parse(variables.value);
  } catch (error) {
    variables.setAttribute('aria-invalid', 'true');
    outcome.textContent = `The variables are not JSON: ${error.message}`;
    return;
  }
  variables.removeAttribute('aria-invalid');
  const token = currentToken();
  const began = performance.now();
  // Without the session's cookie: the token alone counts, as it does for an app.
  const response = await fetch('/graphql', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token.accessToken}` }) },
    body: JSON.stringify({
      query: operation.value,
      variables: parsed,
      ...(!choice.hidden && { operationName: operationName.value }),
    }),
  });
  const body = await response.json();
  const { cost } = body.extensions ?? {};
  const milliseconds = Math.round(performance.now() - began);
  outcome.textContent = `HTTP ${response.status}, ${milliseconds} ms${cost ? `, cost ${cost.requested} of ${cost.limit}` : ''}`;
  answer.textContent = JSON.stringify(body, null, 2);
}

/** What fails in the network or in our own code is told where the answer would be. */
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
  const element = document.createElement('ul');
  element.append(
    ...items.map((parts) => {
      const item = document.createElement('li');
      item.append(...parts);
      return item;
    }),
  );
  return element;
}

function paragraph(content) {
  const element = document.createElement('p');
  element.textContent = content;
  return element;
}

function code(content) {
  const element = document.createElement('code');
  element.textContent = content;
  return element;
}

function lacking() {
  const element = document.createElement('strong');
  element.className = 'lacking';
  element.textContent = ' – not held';
  return element;
}

function text(content) {
  return document.createTextNode(content);
}

function placeOf(locations) {
  const [location] = locations ?? [];
  return location ? ` (line ${location.line}, column ${location.column})` : '';
}

function restoreDraft() {
  const draft = JSON.parse(sessionStorage.getItem(DRAFT) ?? 'null');
  if (!draft) return;
  operation.value = draft.operation;
  variables.value = draft.variables;
}

let timer;
function edited() {
  sessionStorage.setItem(DRAFT, JSON.stringify({ operation: operation.value, variables: variables.value }));
  showChoice();
  clearTimeout(timer);
  timer = setTimeout(() => void attempt(explainOperation), EXPLAIN_AFTER_MS);
}

// The authorization endpoint sends the browser back to the one address that is registered; another would lose the draft.
if (new URL(client.redirectUri).origin !== location.origin) location.replace(client.redirectUri);
restoreDraft();
showChoice();
form.addEventListener('submit', attempting(run));
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
for (const editor of [operation, variables]) editor.addEventListener('input', edited);
operationName.addEventListener('change', attempting(explainOperation));
authorizeButton.addEventListener(
  'click',
  attempting(() => authorize(client, explained.scopes)),
);
document.getElementById('authorize-chosen').addEventListener(
  'click',
  attempting(async () => {
    const scopes = new FormData(form).getAll('scope');
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
await attempt(explainOperation);
