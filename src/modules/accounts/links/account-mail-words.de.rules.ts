/** The mails about accounts, in German. */
import { linkTo, note } from '../../../core/mail-content.ts';
import type { ACCOUNT_MAILS_EN } from './account-mail-words.en.rules.ts';

export const ACCOUNT_MAILS_DE: typeof ACCOUNT_MAILS_EN = {
  verifyEmail: (username, link, hours) => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    parts: [
      linkTo(
        `Jemand, vermutlich Sie, hat hier mit dieser Adresse das Konto „${username}“ angelegt. Um zu bestätigen, dass die Adresse Ihnen gehört, öffnen Sie diese Seite und klicken Sie dort auf die Schaltfläche:`,
        link,
        'Adresse bestätigen',
      ),
      note(
        `Der Link funktioniert einmal und ${hours} Stunden lang. Wenn Sie kein solches Konto angelegt haben, brauchen Sie nichts zu tun: Ihre Adresse kann es nicht verwenden.`,
      ),
    ],
  }),

  accountExists: (username, other, pages) => ({
    subject: 'Sie haben bereits ein Konto',
    parts: [
      `Jemand, vielleicht Sie, hat diese Adresse für das Konto „${other}“ angegeben. Sie haben mit ihr aber schon ein Konto: „${username}“.`,
      linkTo('Hier melden Sie sich damit an:', pages.signIn, 'Anmelden'),
      linkTo('Wenn Sie das Passwort vergessen haben:', pages.forgottenPassword, 'Neues Passwort festlegen'),
      'Sie brauchen nichts zu tun: Das andere Konto kann Ihre Adresse nicht übernehmen.',
    ],
  }),

  confirmNewEmail: (username, link, hours) => ({
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    parts: [
      linkTo(
        `Jemand, vermutlich Sie, möchte die E-Mail-Adresse des Kontos „${username}“ in diese ändern. Um zu bestätigen, dass sie Ihnen gehört, öffnen Sie diese Seite und klicken Sie dort auf die Schaltfläche:`,
        link,
        'Adresse bestätigen',
      ),
      note(
        `Der Link funktioniert einmal und ${hours} Stunden lang. Wenn Sie ihn nicht angefordert haben, brauchen Sie nichts zu tun, und nichts ändert sich.`,
      ),
    ],
  }),

  emailAboutToChange: (username, newEmail, settings) => ({
    subject: 'Ihre E-Mail-Adresse soll geändert werden',
    parts: [
      `Jemand, vermutlich Sie, möchte die E-Mail-Adresse Ihres Kontos „${username}“ in ${newEmail} ändern. Solange niemand den Link öffnet, den wir dorthin geschickt haben, ändert sich nichts.`,
      linkTo(
        'Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Ändern Sie es jetzt; damit ist auch die Änderung der Adresse aufgehalten:',
        settings,
        'Passwort ändern',
      ),
    ],
  }),

  emailChanged: (username, newEmail) => ({
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    parts: [
      `Die E-Mail-Adresse Ihres Kontos „${username}“ ist jetzt ${newEmail}. E-Mails schicken wir ab sofort dorthin.`,
      'Wenn Sie das nicht waren, wenden Sie sich sofort an die Verwaltung dieses Dienstes: Sie kann die andere Person aussperren.',
    ],
  }),

  resetPassword: (username, link, minutes) => ({
    subject: 'Neues Passwort festlegen',
    parts: [
      linkTo(
        `Um ein neues Passwort für Ihr Konto „${username}“ festzulegen, öffnen Sie diese Seite:`,
        link,
        'Neues Passwort festlegen',
      ),
      note(
        `Der Link funktioniert einmal und ${minutes} Minuten lang, aber nur, bis wir Ihnen einen neueren schicken. Wenn Sie ihn nicht angefordert haben, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.`,
      ),
    ],
  }),

  resetPasswords: (accounts, minutes, byName) => ({
    subject: 'Neues Passwort festlegen',
    parts: [
      'Es gibt mehrere Konten mit dieser Adresse, und noch niemand hat sie bestätigt. Wählen Sie das aus, das Ihnen gehört: Die anderen kann jemand anderes angelegt haben.',
      ...accounts.map(({ username, made, link }) =>
        linkTo(`„${username}“, angelegt am ${made}:`, link, 'Neues Passwort festlegen'),
      ),
      ...(byName === undefined
        ? []
        : [
            linkTo(
              'Es gibt noch weitere. Ist Ihres nicht dabei, fordern Sie es mit dem Benutzernamen an:',
              byName,
              'Mit Benutzernamen anfordern',
            ),
          ]),
      note(
        `Jeder Link funktioniert einmal und ${minutes} Minuten lang, aber nur, bis wir Ihnen einen neueren schicken. Wenn Sie keinen angefordert haben, brauchen Sie nichts zu tun: Die Passwörter bleiben, wie sie sind.`,
      ),
    ],
  }),

  passwordChanged: (username, pages) => ({
    subject: 'Ihr Passwort wurde geändert',
    parts: [
      `Das Passwort Ihres Kontos „${username}“ wurde geändert.`,
      linkTo(
        'Wenn Sie das nicht waren, legen Sie über einen Link an diese Adresse ein neues fest:',
        pages.forgottenPassword,
        'Neues Passwort festlegen',
      ),
      linkTo('Sehen Sie dann nach, welche Apps Zugriff haben:', pages.apps, 'Apps ansehen'),
    ],
  }),
};
