// Says what is wrong with redirect URIs while they are typed, by asking the server's own rule. Without this script, the answer to the form says it.
const field = document.querySelector('textarea[name=redirectUris]');
const { form } = field;
const told = document.getElementById('redirectUris-mistake') ?? placeForMistakes();
let waiting;

form.addEventListener('input', ({ target }) => {
  if (target !== field && target.name !== 'type') return;
  clearTimeout(waiting);
  waiting = setTimeout(check, 300);
});

async function check() {
  const redirectUris = field.value;
  const type = form.elements.type?.value ?? form.dataset.type;
  const mistakes = redirectUris.trim() === '' ? [] : await mistakesOf({ type, redirectUris });
  // More was typed meanwhile, which is asked about next.
  if (redirectUris !== field.value) return;
  told.textContent = mistakes.join(' ');
  field.setAttribute('aria-invalid', String(mistakes.length > 0));
}

/** None where the server cannot be asked: it looks at the form in any case. */
async function mistakesOf(typed) {
  try {
    const response = await fetch(`/settings/developer/oauth/new/redirect-uris?${new URLSearchParams(typed)}`);
    return (await response.json()).mistakes ?? [];
  } catch {
    return [];
  }
}

function placeForMistakes() {
  const place = document.createElement('small');
  place.id = 'redirectUris-mistake';
  place.className = 'mistake';
  place.setAttribute('role', 'status');
  field.after(place);
  field.setAttribute('aria-describedby', `redirectUris-hint ${place.id}`);
  return place;
}
