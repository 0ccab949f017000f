import { randomBase62 } from '../../core/secret.ts';

/** As `newFormKey` makes it. */
const FORM_KEY = /^[0-9A-Za-z]{22}$/;

/** The hidden field `idempotencyKey`, by which a form is carried out once, however often it is sent: what no form of ours has is replaced. */
export function formKeyIn(form: URLSearchParams): string {
  const sent = form.get('idempotencyKey') ?? '';
  return FORM_KEY.test(sent) ? sent : newFormKey();
}

export function newFormKey(): string {
  return randomBase62(22);
}
