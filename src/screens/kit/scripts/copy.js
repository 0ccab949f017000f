/** scripts/ help on several pages, which work without them. This one puts a button beside each text that is to be copied; without it, a click selects the text. */
for (const text of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  const unseen = document.createElement('span');
  const said = document.createElement('span');
  button.type = 'button';
  button.className = 'quiet copy';
  unseen.className = 'unseen';
  unseen.textContent = text.dataset.about;
  said.setAttribute('role', 'status');
  button.append(text.dataset.button, unseen);
  button.addEventListener('click', () => copy(text, said));
  text.closest('.copyable').append(button, said);
}

/** Selects it at any rate: over plain http there is no clipboard, and the keyboard does the rest. */
function copy(text, said) {
  const say = (message) => {
    said.textContent = message;
    setTimeout(() => said.replaceChildren(), 3_000);
  };
  const leaveToKeyboard = () => say(text.dataset.selected);
  getSelection().selectAllChildren(text);
  if (!navigator.clipboard) leaveToKeyboard();
  else navigator.clipboard.writeText(text.textContent).then(() => say(text.dataset.copied), leaveToKeyboard);
}
