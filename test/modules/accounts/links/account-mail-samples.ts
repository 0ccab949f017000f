import { accountMails } from '../../../../src/modules/accounts/links/account-mail.rules.ts';
import { invitationMail } from '../../../../src/modules/memberships/invitation.rules.ts';

const URL = 'https://gatehouse.example';

/** Each mail to the same account, for a reader of this locale. */
export function accountMailSamples(locale: string) {
  const account = { username: 'grace', email: 'grace@mail.test', locale };
  const link = { ...account, createdAt: '2031-01-06 10:00:00+00', token: 'xyz' };
  const mails = accountMails(URL);
  const to = { groupKind: 'team', groupName: 'Zzz', role: 'ADMIN' } as const;
  return {
    verifyEmail: mails.verifyEmail(account, 'xyz'),
    accountExists: mails.accountExists(account, 'hopper'),
    confirmNewEmail: mails.confirmNewEmail(account, 'xyz'),
    emailAboutToChange: mails.emailAboutToChange(account, 'hopper@mail.test'),
    emailChanged: mails.emailChanged(account, 'hopper@mail.test'),
    resetPassword: mails.resetPassword(account.email, [link], false),
    resetPasswords: mails.resetPassword(account.email, [link, { ...link, username: 'hopper' }], true),
    passwordChanged: mails.passwordChanged(account),
    invitation: invitationMail(to, { inviter: 'hopper', link: `${URL}/auth/invitation?token=xyz`, locale }),
  };
}
