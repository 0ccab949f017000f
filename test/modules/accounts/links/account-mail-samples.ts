import { accountMails } from '../../../../src/modules/accounts/links/account-mail.rules.ts';
import { invitationMail } from '../../../../src/modules/memberships/invitation.rules.ts';

const URL = 'https://gatehouse.example';

/** Each mail to the same account, for a reader of this locale. */
export function accountMailSamples(locale: string) {
  const account = { username: 'grace', email: 'grace@mail.test', locale };
  const mails = accountMails(URL);
  const to = { groupKind: 'team', groupName: 'Zzz', role: 'ADMIN' } as const;
  return {
    verifyEmail: mails.verifyEmail(account, 'xyz'),
    accountExists: mails.accountExists(account, 'hopper'),
    confirmNewEmail: mails.confirmNewEmail(account, 'xyz'),
    emailAboutToChange: mails.emailAboutToChange(account, 'hopper@mail.test'),
    emailChanged: mails.emailChanged(account, 'hopper@mail.test'),
    resetPassword: mails.resetPassword(account, 'xyz'),
    passwordChanged: mails.passwordChanged(account),
    invitation: invitationMail(to, { inviter: 'hopper', link: `${URL}/auth/invitation?token=xyz`, locale }),
  };
}
