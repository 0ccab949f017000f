/** The mail about webhooks that pause because their setter was suspended, in German. */
import type { PAUSED_MAIL_EN } from './paused-mail-words.en.rules.ts';

export const PAUSED_MAIL_DE: typeof PAUSED_MAIL_EN = {
  subject: (count) => (count === 1 ? 'Ein Webhook ist angehalten' : `${count} Webhooks sind angehalten`),
  why: (count) =>
    count === 1
      ? 'Das Konto, mit dem dieser Webhook eingerichtet wurde, ist gesperrt worden. Deshalb wird dorthin zurzeit nichts gesendet:'
      : 'Das Konto, mit dem diese Webhooks eingerichtet wurden, ist gesperrt worden. Deshalb wird dorthin zurzeit nichts gesendet:',
  ofGroup: (host, group) => `${host} (${group})`,
  further: (count) => (count === 1 ? 'und ein weiterer' : `und ${count} weitere`),
  kept: (days) =>
    `Nachrichten werden ${days} Tage lang aufbewahrt. Wird das Konto bis dahin wieder freigegeben, werden sie gesendet, und Sie müssen nichts tun.`,
  takeOver:
    'Wenn Sie wissen, wohin eine Adresse führt, können Sie den Webhook übernehmen. Er bekommt dann ein neues Geheimnis:',
};
