/* Makes and uses passkeys: the buttons of the page say where the browser asks, and where it answers. */
(() => {
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser;
  if (!browserSupportsWebAuthn() || !globalThis.isSecureContext) return;
  for (const part of document.querySelectorAll('[data-passkey]')) {
    part.hidden = false;
    part.querySelector('form').addEventListener('submit', (event) => {
      event.preventDefault();
      void run(part, event.target);
    });
  }

  async function run(part, form) {
    const button = form.querySelector('button');
    const message = part.querySelector('[role="alert"]');
    const fields = Object.fromEntries(new FormData(form));
    message.textContent = '';
    button.disabled = true;
    try {
      const options = await send(form.dataset.options, fields);
      const start = part.dataset.passkey === 'make' ? startRegistration : startAuthentication;
      const response = await start({ optionsJSON: options });
      const { location } = await send(form.action, { ...fields, response });
      globalThis.location.assign(location);
    } catch (error) {
      message.textContent = explain(error);
      button.disabled = false;
      button.focus();
    }
  }

  async function send(url, fields) {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(fields) });
    const body = await answer.json();
    if (!answer.ok) throw new Refusal(body.error?.details?.[0]?.message ?? body.error?.message ?? 'That did not work.');
    return body.data ?? body;
  }

  class Refusal extends Error {}

  function explain(error) {
    if (error instanceof Refusal) return error.message;
    const cause = error.cause ?? error;
    if (cause.name === 'InvalidStateError') return 'This device has a passkey for your account already.';
    if (cause.name === 'NotAllowedError' || cause.name === 'AbortError') {
      return 'Nothing was done: no passkey was chosen, or it took too long.';
    }
    return 'That did not work. Try again.';
  }
})();
