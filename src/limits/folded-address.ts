/** Gmail says that it ignores dots, and that its two domains are one. */
const WITHOUT_DOTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * One spelling for the addresses that lead to one mailbox, for counting alone: never to send to, nor to tell accounts
 * apart. Lower case, without what follows a plus (RFC 5233), and at Gmail without dots. Where a provider delivers such
 * addresses to different people, these share a count.
 */
export function foldedAddress(address: string): string {
  const lower = address.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  if (at <= 0) return lower;
  const [local, domain] = [lower.slice(0, at), lower.slice(at + 1)];
  const plus = local.indexOf('+');
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  return WITHOUT_DOTS.has(domain) ? `${untagged.replaceAll('.', '')}@gmail.com` : `${untagged}@${domain}`;
}
