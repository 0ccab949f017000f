/** The notes in the place of texts that are not mailed: the page of the booking shows them. In English. */
export const SAID_EN = {
  notInMails: '(left out of this e-mail, because its author hasn’t confirmed their e-mail address)',
  noLinksInMails:
    '(left out of this e-mail, because it has a link or an address in it, and its author hasn’t confirmed their e-mail address)',
  neutral: { OWNER: 'Meeting', HOST: 'a host', ATTENDEE: 'an attendee' },
};
