/** What stands in the place of texts that are not mailed: the page of the booking shows them. In English. */
export const SAID_EN = {
  notInMails: '(not in this mail: who wrote it has not verified their e-mail address)',
  noLinksInMails: '(not in this mail: it holds a link or an address, and who wrote it has not verified theirs)',
  neutral: { OWNER: 'Meeting', HOST: 'a host', ATTENDEE: 'an attendee' },
};
