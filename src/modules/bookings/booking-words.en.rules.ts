/** The words for the place, the answers and the texts of a booking, in English. First, a place whose link is not known yet. */
export const BOOKING_LOCATION_EN = {
  linkFollows: (app: string) => `${app} (link to follow)`,
};

/** The answer to a question with a box to tick. */
export const RESPONSE_EN = { yes: 'Yes', no: 'No' };

/** The notes that replace texts which are not mailed; the page of the booking shows those. */
export const SAID_EN = {
  notInMails: '(left out of this e-mail, because its author hasn’t confirmed their e-mail address)',
  noLinksInMails:
    '(left out of this e-mail, because it has a link or an address in it, and its author hasn’t confirmed their e-mail address)',
  neutral: { OWNER: 'Meeting', HOST: 'a host', ATTENDEE: 'an attendee' },
};
